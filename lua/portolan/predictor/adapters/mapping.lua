--- A port mapping as a predictor of blocks.
--
-- It knows ports, the front end's width and units that are busy for longer (portolan.mapping.busy_units): as if no instruction waited for another,
-- no operand mattered, all loads hit the first cache, and every uop were scheduled optimally. What it predicts is a lower bound of what
-- the mapping's processor takes. A port named `rmax` (mappings of the PMEvo kind have the front end as a port) is a port as all others.
-- @module portolan.predictor.adapters.mapping
local core = require "portolan.core"
local experiment = require "portolan.experiment"
local file = require "portolan.support.file"
local fingerprint = require "portolan.predictor.machinery.fingerprint"
local lists = require "portolan.support.lists"
local mappings = require "portolan.mapping"
local model = require "portolan.prediction.model"
local protocol = require "portolan.predictor.machinery.protocol"

local mapping = {}

local Mapping = { deterministic = true, ignores = "dependencies" }

local method = "with busy units and times alone" -- part of the version: other answers are not mixed with these

--- Facts for provenance.
function Mapping:describe()
  local m = self.model.mapping
  return { name = self.name, version = self.version, file = self.path, method = self.model.method,
    rmax = m and m.rmax, processor = m and m.processor and m.processor.name,
    assumptions = "no dependencies, no latencies; ports, busy units and the width of the front end only, scheduled optimally" }
end

-- The schemes of a block as an experiment; or nil and a message.
local function experiment_of(block, architecture)
  local bytes, message = protocol.bytes(block, architecture)
  if not bytes then return nil, message end
  local code
  code, message = core.isa.decode(bytes, architecture)
  if not code then return nil, message end
  return experiment.of_instructions(code.instructions)
end

local function of_experiment(self, e)
  local _, unknown = self.model:split(e)
  if #unknown > 0 then return protocol.unsupported("the mapping does not explain " .. table.concat(unknown, ", ")) end
  local cycles, trouble = self.model:throughput(e)
  if not cycles then return { error = trouble } end
  return { cycles = cycles }
end

local function one(self, block)
  local e, message = experiment_of(block, self.architecture)
  if not e then return protocol.unsupported(message) end
  return of_experiment(self, e)
end

--- Answers of `predict`.
function Mapping:answer(blocks) return lists.map(blocks, function(block) return one(self, block) end) end

--- Answers experiments: multisets, without code.
-- @param experiments list
-- @return list of `{ cycles = }` or `{ error = }`
function Mapping:throughput(experiments) return lists.map(experiments, function(e) return of_experiment(self, e) end) end

protocol.class(Mapping)

--- Opens a mapping.
-- @param path of the file, or the name of a mapping that is made on demand (`llvm-mca-19:skylake`)
-- @return predictor; or nil and a message
function mapping.open(path)
  local m, message = model.load(path)
  if not m then return nil, message end
  if m.mapping then m = assert(model.of(mappings.of_code(m.mapping), m.method)) end
  local text = file.kind(path) == "file" and file.read(path)
  local provenance = m.mapping and m.mapping.provenance
  local version = text and fingerprint.of(method, text) or provenance and provenance.key or "made on demand"
  return setmetatable({ name = "mapping:" .. path, version = version, path = path, model = m,
    architecture = m.mapping and mappings.architecture(m.mapping), width = m.mapping and m.mapping.rmax }, Mapping)
end

return mapping
