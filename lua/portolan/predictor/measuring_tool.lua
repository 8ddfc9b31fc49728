--- A processor that another tool measures: nanoBench, BHive's harness, llvm-exegesis. Inference asks it as it asks this machine's own (`hw`).
--
-- The code is that of portolan.processor.hardware: loop bodies by Algorithm 3.1, in several lengths and layouts, the fastest of which counts. The
-- tool is a predictor that measures (portolan.predictor.machinery.protocol); it gets bodies with `vector_bits`, so that it knows what to initialise.
-- @module portolan.predictor.measuring_tool
local core = require "portolan.core"
local exegesis = require "portolan.predictor.adapters.exegesis"
local hardware = require "portolan.processor.hardware"
local foreign = require("portolan.measuring.policy").foreign
local hash = require "portolan.support.hash"
local json = require "portolan.support.json"
local lua_file = require "portolan.support.lua_file"
local paths = require "portolan.support.paths"
local probes = require "portolan.processor.probes"
local store = require "portolan.experiment.store"
local tools = require "portolan.predictor.tools"

local measuring_tool = {}

local method = "t1" -- part of every key in the store: of making bodies and of reading the tool's answers

local Tool = {}
Tool.__index = Tool
for _, name in ipairs {
  "avoids", "breakers", "chain_kernels", "chain_latency", "fillers", "issue_slots", "issue_width", "kernels", "measure", "mode",
} do
  Tool[name] = hardware[name]
end

-- This table says what a signal tells of the code that a tool ran.
local status_of_signal = { [4] = "illegal instruction", [5] = "trap", [7] = "memory fault", [8] = "arithmetic fault", [11] = "memory fault" }

-- The result of an answer that is no number.
local function failed(answer)
  local status = answer.interrupted and "interrupted" or answer.late and "timeout" or status_of_signal[answer.signal]
    or answer.transient and "unstable" or "unsupported"
  return { status = status, message = answer.error, n = 0, rejected = 0 }
end

-- The result of an experiment: its fastest variant. One variant that fails says nothing if another one is measured.
local function fastest(answers, variants)
  local best, failure
  for i, answer in ipairs(answers) do
    local cycles = answer.cycles and answer.cycles / variants[i].copies
    if not cycles or cycles <= 0 then
      failure = failure or failed(cycles and { error = "the tool says that it takes no time" } or answer)
    elseif not best or cycles < best.cycles then
      best = { status = "ok", cycles = cycles, variant = i, n = #answers, rejected = 0, spread = 0 }
    end
  end
  return best or failure
end

-- No tool lets r13 hold what rsp holds at the beginning, as bodies that move rsp need it.
local function refused(variants)
  if not variants[1].keeps_stack then return nil end
  return { status = "unsupported", message = "it moves the stack pointer, which the tool does not take back", n = 0, rejected = 0 }
end

--- Runs lists of loop bodies, for `portolan.processor.answer`.
function Tool:run(lists, progress)
  local results = {}
  for i, variants in ipairs(lists) do
    local interrupted = core.base.interrupted() and { { error = "interrupted", interrupted = true } }
    results[i] = not interrupted and refused(variants) or fastest(interrupted or self.predictor:predict(variants), variants)
    if progress then progress(i) end
  end
  return results, true
end

--- Says which variant a result is of.
function Tool.complete(_, result, kernels)
  local kernel = result.variant and kernels[result.variant]
  if kernel then result.layout, result.unroll = kernel.layout, kernel.unroll end
  result.variant = nil
  return result
end

--- Facts for the provenance of results.
function Tool:describe()
  local facts = self.predictor:describe()
  facts.kind = "measuring tool"
  return facts
end

--- Closes the store.
function Tool:close()
  if self.store then self.store:close() end
end

--- The register policy of the hardware processor with other names for some registers.
-- @tparam table names old name -> new one, each once on both sides
-- @return policy, as `arch/x86_64/policy.lua` declares it; or nil and a message
function measuring_tool.policy(names)
  local declared, message = lua_file.run(paths.arch("x86_64", "policy.lua"))
  if not declared then return nil, message end
  for _, set in pairs(declared.registers.gpr) do
    for i, register in ipairs(set) do set[i] = names[register] or register end
  end
  declared.memory.base = names[declared.memory.base] or declared.memory.base
  return declared
end

-- Can the tool measure at all? A body of NOPs tells. Returns true; or nil, message, status.
local function check(self)
  local nops = assert(probes.fillers(self:fillers()[1], self.policy, 48))
  local result = fastest(self.predictor:predict { nops[1] }, nops)
  if result.status == "ok" then return true end
  return nil, ("%s measures nothing here: %s"):format(self.name, result.message), result.status == "interrupted" and "interrupted" or nil
end

--- Makes a processor, and asks the tool for a first measurement.
-- @tparam table options
-- @param options.predictor that measures
-- @param options.name for messages
-- @tparam[opt] {int,...} options.unroll instructions in a loop body, about; those of the policy
-- @tparam[opt] table options.registers other names for registers of the policy, `{ r14 = "rdi", rdi = "r14" }`: each name once on both sides
-- @tparam[opt] table options.store a portolan.experiment.store, which keeps results
-- @return processor; or nil, message, status
function measuring_tool.new(options)
  local declared, message = measuring_tool.policy(options.registers or {})
  if not declared then return nil, message end
  local unroll = options.unroll or declared.unroll
  local self = setmetatable({ name = options.name, predictor = options.predictor, declared = declared, unroll = unroll,
    layouts = declared.layouts, policy = core.isa.policy(declared), store = options.store, readings = {}, patience = { seconds = 0 },
    resolution = foreign.resolution }, Tool)
  self.key = ("%s %s/%s/%s"):format(options.predictor.name, options.predictor.version, method, hash.hex(json.encode { declared, unroll }))
  local ok, why, status = check(self)
  if not ok then return nil, why, status end
  return self
end

-- Settings of a predictor's name: `a=1,b=2`, in the order of their names.
local function settings_of(options, defaults)
  local words, all = {}, {}
  for name, value in pairs(defaults) do all[name] = value end
  for name, value in pairs(options) do all[name] = value end
  all.store = nil
  for name, value in pairs(all) do words[#words + 1] = name .. "=" .. value end
  table.sort(words)
  return table.concat(words, ",")
end

-- A kind of oracles (portolan.processor.oracle) that measures by a tool. Its options are the predictor's settings, and `store`.
local function kind_of(name, declared)
  local kind = { usage = name .. ":program=FILE", takes = "settings", measures = true,
    options = { program = tostring, seconds = tostring, store = tostring } }
  for _, setting in ipairs(declared.settings) do kind.options[setting] = tostring end

  function kind.open(_, o)
    local predictor, message = declared.open(settings_of(o, declared.defaults or {}))
    if not predictor then return nil, ("oracle %s: %s"):format(name, message) end
    local measurements, status
    if o.store then
      measurements, message, status = store.open(o.store)
      if not measurements then return nil, message, status end
    end
    local processor, why, kind_of_failure = measuring_tool.new { predictor = predictor, name = name, unroll = declared.unroll,
      registers = declared.registers, store = measurements }
    if not processor then
      if measurements then measurements:close() end
      return nil, "oracle " .. why, kind_of_failure
    end
    return processor, {}
  end

  return kind
end

-- Name -> what opens the predictor, its settings beside `program` and `seconds`, what they are unless given; `unroll` and `registers` as of `new`.
local declared = {
  -- BHive's harness has no loop: what it runs are copies in a row, and the front end decodes each of them anew where they exceed its cache. So bodies
  -- are short, and there are fewer copies than in BHive's own measurements.
  bhive = { open = tools.opener "bhive", settings = { "copies" }, defaults = { copies = "20" }, unroll = { 12, 20 } },
  -- llvm-exegesis' memory begins at rdi, and its loop counts by r8: they change places with r14 and r15, which they are in Portolan's policy.
  exegesis = { open = exegesis.open, settings = { "mcpu" }, registers = { r14 = "rdi", rdi = "r14", r15 = "r8", r8 = "r15" } },
  -- Bodies run in nanoBench's own loop (its counter is r15, its memory r14, as in Portolan's register policy).
  nanobench = { open = tools.opener "nanobench", settings = { "config", "unroll_count", "loop_count", "cpu" },
    defaults = { unroll_count = "1", loop_count = "1000" } },
}

--- The oracles that measure so, `bhive:program=PATH`, `exegesis`, `nanobench:config=FILE,program=PATH`: name -> kind (portolan.processor.oracle).
measuring_tool.kinds = {}
for name, one in pairs(declared) do measuring_tool.kinds[name] = kind_of(name, one) end

return measuring_tool
