--- A predictor of which every assumption has a name: `assume:mapping.json,width=6,latencies=llvm-mca-16:skylake,alias=no,code=loop`.
--
-- What it says is the largest of four bounds: of the ports of a mapping, of units that are busy for longer, of the front end, and of
-- dependencies (portolan.block.dependencies). So a campaign of two settings shows what one assumption changes. docs/predictors.md has a table of
-- them.
-- @module portolan.predictor.adapters.assume
local core = require "portolan.core"
local dependencies = require "portolan.block.dependencies"
local experiment = require "portolan.experiment"
local file = require "portolan.support.file"
local fingerprint = require "portolan.predictor.machinery.fingerprint"
local isa = require "portolan.scheme.isa"
local latencies = require "portolan.predictor.assumed.latencies"
local lists = require "portolan.support.lists"
local mappings = require "portolan.mapping"
local model = require "portolan.prediction.model"
local protocol = require "portolan.predictor.machinery.protocol"
local settings = require "portolan.predictor.assumed.settings"

local assume = {}

local Assume = { deterministic = true }

local method = "a2" -- part of the version: changes when answers do

local branch = "jnz rel8" -- of the loop, fused with its counter

--- Facts for provenance: every assumption.
function Assume:describe()
  return { name = self.name, version = self.version, file = self.path, assumptions = self.settings,
    bounds = "the largest of ports, busy units, front end and dependencies" }
end

-- Cycles that ports and busy units take, and issue slots; nil and an answer where the mapping does not know.
local function resources(self, e, count)
  if not self.model then return 0, count end
  local _, unknown = self.model:split(e)
  if #unknown > 0 then return nil, protocol.unsupported("the mapping does not explain " .. table.concat(unknown, ", ")) end
  local p, message = self.model:predict_ports(e)
  if not p then return nil, { error = message } end
  return math.max(p.ports_cycles, self.model.units and (self.model.units:cycles(e)) or 0), p.slots
end

-- The front end's cycles. A loop adds its fused branch, and begins each iteration in a cycle of its own.
local function front_end(self, slots)
  local loop = self.settings.code == "loop"
  local cycles = self.width and (slots + (loop and 1 or 0)) / self.width or 0
  return loop and math.max(1, math.ceil(cycles - 1e-9)) or cycles
end

-- The latencies of all instructions; or nil and an answer.
local function latencies_of(self, accesses)
  local list = {}
  for i, access in ipairs(accesses) do
    local cycles, message = self.latencies.of(access.scheme)
    if not cycles then return nil, protocol.unsupported(message) end
    list[i] = cycles
  end
  return list
end

-- Cycles of an instruction's latency that are its load, by the bytes that it loads: up to 8, 16, or more.
local function load_of(self, access)
  local cycles = 0
  for _, memory in ipairs(access.memory) do
    local i = memory.bytes <= 8 and 1 or memory.bytes <= 16 and 2 or 3
    if memory.reads then cycles = math.max(cycles, self.load[i]) end
  end
  return cycles
end

-- The bound of dependencies; or nil and an answer.
local function waiting(self, bytes)
  if not self.latencies then return 0 end
  local waits, accesses = dependencies.of(bytes, { aliasing = self.settings.alias, idioms = self.settings.idioms == "yes",
    architecture = self.architecture })
  if not waits then return nil, protocol.unsupported(accesses) end
  local list, answer = latencies_of(self, accesses)
  if not list then return nil, answer end
  local cycles, message = dependencies.bound(waits, #accesses, function(i, kind)
    return kind == "value" and math.max(0, list[i] - load_of(self, accesses[i])) or list[i]
  end)
  if not cycles then return nil, { error = message } end
  return cycles
end

-- The schemes of a block, in order; or nil and an answer. Positions on x87's stack are no registers.
local function schemes_of(self, bytes)
  local code, message = core.isa.decode(bytes, self.architecture)
  if not code then return nil, protocol.unsupported(message) end
  local names = {}
  for i, instruction in ipairs(code.instructions) do
    local scheme = isa.scheme(instruction.scheme)
    if scheme and scheme.extension == "X87" then return nil, protocol.unsupported "x87's stack is not modelled" end
    names[i] = instruction.scheme
  end
  return names
end

local function one(self, bytes, names)
  local e = experiment.of_list(names)
  if self.loop_branch then e[branch] = (e[branch] or 0) + 1 end
  local ports, slots = resources(self, e, #names)
  if not ports then return slots end
  if self.loop_branch then slots = slots - 1 end -- front_end counts it, with or without ports
  local waits, answer = waiting(self, bytes)
  if not waits then return answer end
  return { cycles = math.max(ports, front_end(self, slots), waits) }
end

-- Latencies of all blocks at once.
local function prepare(self, known)
  if not (self.latencies and self.latencies.prepare) then return end
  local all = {}
  for _, names in pairs(known) do
    for _, name in ipairs(names) do all[name] = true end
  end
  self.latencies.prepare(lists.keys(all))
end

--- Answers of `predict`.
function Assume:answer(blocks)
  local answers, bytes, schemes = {}, {}, {}
  for i, block in ipairs(blocks) do
    local message
    bytes[i], message = protocol.bytes(block, self.architecture)
    if bytes[i] then schemes[i], answers[i] = schemes_of(self, bytes[i]) else answers[i] = protocol.unsupported(message) end
  end
  prepare(self, schemes)
  for i in ipairs(blocks) do
    if core.base.interrupted() then break end
    if schemes[i] then answers[i] = one(self, bytes[i], schemes[i]) end
  end
  return answers
end

protocol.class(Assume)

-- Ports, without those of the loop's zeroing idioms: a block has its own. Nil for none; or nil and a message.
local function open_model(path)
  if path == "none" then return nil end
  local m, message = model.load(path)
  if not m then return nil, message end
  if not m.mapping then return nil, path .. ": a conjunctive mapping has no issue slots; give a port mapping" end
  return assert(model.of(mappings.of_code(m.mapping), m.method))
end

local function width_of(setting, m)
  if setting == "none" then return nil end
  if setting ~= "mapping" then return tonumber(setting) end
  return m and m.compiled:rmax()
end

local function version_of(m, path, latency)
  local text = m and file.kind(path) == "file" and file.read(path)
  local provenance = m and m.mapping.provenance
  return fingerprint.of(method, text or provenance and provenance.key or "", latency and latency.version or "")
end

--- Opens the predictor.
-- @tparam string text what stands behind the colon of its name: a mapping, or `none`, and settings
-- @return predictor; or nil and a message
function assume.open(text)
  local chosen, message = settings.of(text)
  if not chosen then return nil, message end
  local m, latency
  m, message = open_model(chosen.ports)
  if message then return nil, message end
  latency, message = latencies.open(chosen.latencies, m and m.mapping)
  if latency == nil then return nil, "latencies=" .. message end
  local self = setmetatable({ name = settings.name(chosen), settings = chosen, path = chosen.ports, model = m, latencies = latency,
    load = settings.loads(chosen.load), width = width_of(chosen.width, m),
    architecture = m and m.mapping and mappings.architecture(m.mapping) }, Assume)
  self.loop_branch = chosen.code == "loop" and m ~= nil and m:explains(branch)
  self.version = version_of(m, chosen.ports, latency)
  return self
end

return assume
