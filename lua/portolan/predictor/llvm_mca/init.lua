--- LLVM's machine code analyser: llvm-mca of any installed version, for any processor that it has a scheduling model of.
--
--    local mca = assert(llvm_mca.open { version = "19", cpu = "skylake" })
--    mca:predict { "\x48\x01\xd8", { text = "add rax, rbx; imul rcx, rdx" } }   --> { { cycles = 1.03 }, { ... } }
--    mca:throughput { { ["add r64, r64"] = 4 } }                                --> { { cycles =, rthroughput = } }: without dependencies
--    mca:mapping(names)                                                         --> what its model says, as a port mapping
--
-- `predict` and `start` are those of `portolan.predictor.machinery.protocol`. The answers are those of the command line, the total cycles of 100
-- iterations by 100 (`portolan.predictor.llvm_mca.summary`); with the option `steady`, the steady state. Experiments, which are to be
-- compared with measurements, always get the steady state.
-- @module portolan.predictor.llvm_mca
local architectures = require "portolan.support.architectures"
local batch = require "portolan.predictor.machinery.batch"
local cpu = require "portolan.machine.cpu"
local llvm_program = require "portolan.predictor.machinery.llvm_program"
local maker = require "portolan.predictor.llvm_mca.mapping"
local program = require "portolan.predictor.machinery.program"
local protocol = require "portolan.predictor.machinery.protocol"
local runs = require "portolan.predictor.llvm_mca.runs"
local spelling = require "portolan.predictor.llvm_mca.spelling"
local summary = require "portolan.predictor.llvm_mca.summary"
local text = require "portolan.predictor.llvm_mca.text"

local llvm_mca = {}

local Mca = { deterministic = true, method = spelling.method }

local body = 40 -- instructions in the loop body of an experiment, about

local at_once = 32 -- blocks in one run: where one of them hangs, few others have to wait for it

-- Iterations of the two runs whose difference is the steady state: what comes before the first result is in both.
local first, second = 20, 120

--- The installed versions.
-- @return list, of `portolan.predictor.machinery.llvm_program.installed`
function llvm_mca.installed() return llvm_program.installed "llvm-mca" end

-- The path of llvm-mca of a version, or of the newest one if none is named; or nil and a message.
local function locate(version)
  local installed, names = llvm_mca.installed(), {}
  for i, one in ipairs(installed) do
    if one.version == version or not version then return program.find(one.name) end
    names[i] = one.name
  end
  local there = #names > 0 and "; there are " .. table.concat(names, ", ") or ""
  return nil, llvm_program.missing(version and "llvm-mca-" .. version or "llvm-mca") .. there
end

-- Flags that would change what the adapter itself asks for or reads.
local ours = { mcpu = true, mtriple = true, march = true, json = true, o = true, ["instruction-tables"] = true,
  ["skip-unsupported-instructions"] = true, ["instruction-info"] = true, ["resource-pressure"] = true, ["all-views"] = true }

-- { "noalias=false" } -> { "-noalias=false" }; or nil and a message
local function flags_of(settings)
  local flags = {}
  for i, setting in ipairs(settings or {}) do
    local name = setting:match "^%-*([%w-]+)"
    if not name or ours[name] or not setting:find "^[%w+=,._-]+$" then
      return nil, ("'%s' cannot be set; write flags of llvm-mca as noalias=false"):format(setting)
    end
    flags[i] = "-" .. setting:gsub("^%-+", "")
  end
  return flags
end

-- Returns what answers depend on, as part of the name.
local function suffix(self)
  local words = {}
  for i, flag in ipairs(self.flags) do words[i] = "," .. flag:sub(2) end
  return table.concat(words) .. (self.steady and ",steady" or "")
end

-- Returns what `native` is: what LLVM takes this processor for, unless it is known better (arch/x86_64/processors.lua): a hypervisor may give it the
-- number of an older one.
local function native()
  local facts = cpu.facts()
  return facts and facts.llvm or "native"
end

-- The architecture of a processor: the given one, or the first whose processors LLVM has it among, the host's first.
local function architecture_of(path, name, given)
  if given then return architectures.check(given) end
  if name ~= "native" then
    for _, architecture in ipairs(architectures.from()) do
      if llvm_program.knows(path, architecture, name) then return architecture end
    end
  end
  return architectures.default()
end

--- Opens llvm-mca for a processor.
-- @tparam[opt] table options
-- @tparam[opt] string options.version such as "19"; by default the newest one
-- @tparam[opt="native"] string options.cpu as of `-mcpu`
-- @tparam[opt] string options.architecture of the processor; by default the first that LLVM knows it in, the host's ahead of others
-- @tparam[opt] {string,...} options.flags further ones, such as "noalias=false"
-- @tparam[opt] boolean options.steady predict the steady state
-- @tparam[opt=1] number options.seconds time of one run, beside a second for every 1000 lines
-- @return predictor; or nil and a message
function llvm_mca.open(options)
  options = options or {}
  local path, message = locate(options.version)
  if not path then return nil, message end
  local version, major = llvm_program.version(path)
  if not version then return nil, major end
  local flags, trouble = flags_of(options.flags)
  if not flags then return nil, trouble end
  local wanted = options.cpu or "native"
  local architecture, fault = architecture_of(path, wanted, options.architecture)
  if not architecture then return nil, fault end
  local self = setmetatable({ path = path, cpu = wanted == "native" and native() or wanted, version = version, major = major,
    architecture = architecture, seconds = options.seconds, steady = options.steady, flags = flags }, Mca)
  self.iterations = tonumber(table.concat(flags, " "):match "%-iterations=(%d+)")
  local regions, target = runs.run(self, { "nop" }, { "-iterations=1" }, self)
  if not regions then return nil, type(target) == "table" and target.error or target end
  self.cpu, self.width = target.CPUName, math.tointeger(regions[1].SummaryView.DispatchWidth)
  self.name = ("llvm-mca-%d:%s%s"):format(major, self.cpu, suffix(self))
  return self
end

--- Facts for the provenance of predictions.
function Mca:describe()
  return { name = self.name, version = self.version, architecture = self.architecture,
    cpu = self.cpu, path = self.path, dispatch_width = self.width, flags = self.flags,
    cycles = self.steady and ("steady state: of %d and %d iterations"):format(first, second) or "total cycles by iterations" }
end

-- The steady state of texts.
local function steady(self, texts, alone)
  local function run(list, iterations)
    return runs.run(self, list, { "-iterations=" .. iterations, "-instruction-info=0", "-resource-pressure=0" }, self)
  end
  return batch.answer(texts, function(list)
    local short, message, faults = run(list, first)
    if not short then return nil, message, faults end
    local long, trouble = run(list, second)
    if not long then return nil, trouble end
    local answers = {}
    for i = 1, #list do
      local before, after = short[i].SummaryView, long[i].SummaryView
      answers[i] = { cycles = (after.TotalCycles - before.TotalCycles) / (second - first), rthroughput = after.BlockRThroughput }
    end
    return answers
  end, { alone = alone, most = at_once })
end

--- Answers of `predict`.
-- @param blocks list
-- @return list of answers
function Mca:answer(blocks)
  local delicate = {}
  local function text_of(block)
    if type(block) ~= "table" or not block.text then return text.of_bytes(block.bytes or block, self.architecture) end
    delicate[block.text] = text.is_delicate(block.text)
    return block.text
  end
  local function alone(code) return delicate[code] end
  return protocol.answers(blocks, text_of, function(list)
    if self.steady then return steady(self, list, alone) end
    return summary.predict(self, list, alone)
  end)
end

--- Predicts experiments: loop bodies without dependencies, made as the hardware processor makes them.
-- @param experiments list
-- @return list of `{ cycles =, rthroughput = }` per experiment, or `{ error = }`
function Mca:throughput(experiments)
  local copies = {}
  local function text_of(e)
    local code, times = text.of_experiment(e, body)
    if code then copies[#copies + 1] = times end
    return code, times -- or nil and a message
  end
  return protocol.answers(experiments, text_of, function(texts)
    local answers = steady(self, texts)
    for k, answer in ipairs(answers) do
      if answer.cycles then answer.cycles, answer.rthroughput = answer.cycles / copies[k], answer.rthroughput / copies[k] end
    end
    return answers
  end)
end

protocol.class(Mca)

--- The port mapping of LLVM's scheduling model.
-- @param schemes list of names
-- @tparam[opt] func progress function(stage, done, total) on one of `mapping_stages`
-- @return mapping; or nil and a message
function Mca:mapping(schemes, progress) return maker.of(self, schemes, progress) end

--- The stages of `mapping`, as of `portolan.progress.whole`.
Mca.mapping_stages = maker.stages

return llvm_mca
