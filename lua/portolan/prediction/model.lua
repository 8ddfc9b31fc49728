--- Throughput models, all with the same interface: port mappings under one of several methods, and conjunctive resource mappings.
--
--    local model = assert(portolan.model.load("mapping.json"))
--    model:throughput { ["add r64, r64"] = 2 }        --> cycles
--
-- docs/model.md says what the methods are, what they cost and when to take which. An object has
--
-- - `name` (the file's name, or the processor's), `method`, `schemes` (by name, with the best that is known of them, portolan.mapping.best_known),
--   `mapping` (the table; nil for conjunctive files), `compiled` (the engine's form);
-- - `throughput(experiment)` -> cycles per experiment | nil, message, status;
-- - `explains(scheme)` -> whether it can predict experiments with this scheme;
-- - `predict(experiment)` -> more than the number (see there).
--
-- Everything else that the engine's `core.model` has is here, too, such as `portolan.model.mapping(table)`.
-- @module portolan.prediction.model
local best_known = require "portolan.mapping.best_known"
local byte_order_mark = require "portolan.support.byte_order_mark"
local conjunctive = require "portolan.mapping.conjunctive"
local core = require "portolan.core"
local experiment = require "portolan.experiment"
local file = require "portolan.support.file"
local foreign = require "portolan.support.foreign"
local input = require "portolan.support.input"
local json = require "portolan.support.json"
local mapping = require "portolan.mapping"

local model = setmetatable({}, { __index = core.model })

--- Ways to predict with a port mapping; the first is the default.
model.methods = { "bottleneck", "lp", "lp-exact", "conjunctive", "facile", "binder" }

--- Says in words what each of them is.
model.titles = {
  bottleneck = "bottleneck formula", lp = "linear program", ["lp-exact"] = "linear program, exact",
  conjunctive = "conjunctive resources", facile = "Facile's pairs of uops", binder = "greedy port binder",
}

local Model = {}
Model.__index = Model

local queries = {
  bottleneck = function(self, e) return self.compiled:throughput(e) end,
  lp = function(self, e) return self.compiled:lp(e) end,
  ["lp-exact"] = function(self, e) return self.compiled:lp(e, true) end,
  conjunctive = function(self, e) return self.resources:throughput(e) end,
  facile = function(self, e) return self.compiled:facile(e) end,
  binder = function(self, e) return self.compiled:bind(e) end,
}

--- Inverse throughput: by ports and issue slots, or by a unit that is busy for longer (portolan.mapping.busy_units).
-- @param e experiment
-- @return cycles | nil, message, status
function Model:throughput(e) return queries[self.method](self, e) end

--- Tells whether experiments with this scheme can be predicted.
function Model:explains(name)
  local scheme = self.schemes[name]
  return scheme ~= nil and (self.mapping == nil or scheme.uops ~= nil)
end

--- Splits an experiment into what the model knows and what it does not.
-- @param e experiment
-- @treturn table the experiment without unknown schemes
-- @treturn table the names of the unknown schemes, sorted
function Model:split(e)
  local known, unknown = {}, {}
  for name, count in pairs(e) do
    if self:explains(name) then known[name] = count else unknown[#unknown + 1] = name end
  end
  table.sort(unknown)
  return known, unknown
end

local function set_cycles(p, e, cycles)
  local length = experiment.length(e)
  p.cycles = cycles
  p.cpi = length > 0 and cycles / length or nil
  p.ipc = cycles > 0 and length / cycles or nil
  return p
end

local rounding = 1e-6 -- share of the cycles

-- Puts the cycles of another method into a prediction by the formula.
local function amend(p, e, cycles)
  p.optimal_cycles = p.cycles
  if p.unit and cycles > p.unit.cycles * (1 + rounding) then p.limit, p.unit, p.unit_free_cycles = "ports", nil, nil end
  return set_cycles(p, e, cycles)
end

--- A prediction with its reasons: `cycles`, `cpi`, `ipc`. With a port mapping also those of the formula: `ports_cycles`,
-- `issue_cycles` (if there is an R_max), `uops`, `slots`, `limit` ("ports" or "rmax"), `load` (port -> cycles); with the limit "ports"
-- also `bottleneck` (the ports that are full in every optimal schedule) and `inside` (list of `{ scheme =, uops = }`: what can run
-- nowhere else than there); and `optimal_cycles`, the formula's result, if the method is another one. A prediction with resources has
-- `pressure` (resource -> cycles) and `resources` (those with the most). Where a unit that is busy for longer limits, `limit` is "unit", `unit` is
-- `{ cycles =, schemes = names }`, and `unit_free_cycles` is what the formula gives without. `rests_on` are the schemes that are not explained by
-- their ports, name -> status (portolan.mapping.best_known), if there are some.
-- @param e experiment
-- @return table | nil, message, status
function Model:predict(e)
  local p, message, status = self:predict_ports(e)
  if p and self.mapping then p.rests_on = best_known.rests_on(self, e) end
  return p, message, status
end

-- The same without what it rests on.
function Model:predict_ports(e)
  local q
  if self.resources then
    local message, status
    q, message, status = self.resources:predict(e)
    if not q then return nil, message, status end
    q.resources, q.bottleneck = q.bottleneck, nil
    if not self.mapping then
      q.limit = "resources"
      return q
    end
  end
  local p, message, status = self.compiled:predict(e)
  if not p or self.method == "bottleneck" then return p, message, status end
  if q then
    p.pressure, p.resources = q.pressure, q.resources
    return amend(p, e, q.cycles)
  end
  local cycles
  cycles, message, status = queries[self.method](self, e)
  if not cycles then return nil, message, status end
  return amend(p, e, cycles)
end

local function processor_name(t)
  local name = type(t.processor) == "table" and t.processor.name
  return type(name) == "string" and name or "mapping"
end

--- A model of a port mapping.
-- @param m mapping table
-- @param[opt] method one of `model.methods`; the first if left out
-- @return object | nil, message, status
function model.of(m, method)
  method = method or model.methods[1]
  if not queries[method] then
    return nil, ("there is no method '%s'; there are %s"):format(tostring(method), table.concat(model.methods, ", "))
  end
  local whole = best_known.of(m)
  local compiled, message, status = mapping.compile(whole)
  if not compiled then return nil, message, status end
  local self = setmetatable({ name = processor_name(m), method = method, mapping = m, schemes = whole.schemes, compiled = compiled }, Model)
  if method == "conjunctive" then
    self.resources, message, status = compiled:conjunctive()
    if not self.resources then return nil, message, status end
  end
  return self
end

--- A model of a conjunctive mapping.
-- @param t its table (`portolan.mapping.conjunctive`)
-- @return object | nil, message, status
function model.of_conjunctive(t)
  local compiled, message, status = conjunctive.compile(t)
  if not compiled then return nil, message, status end
  return setmetatable({ name = processor_name(t), method = "conjunctive", schemes = t.schemes, compiled = compiled,
    resources = compiled }, Model)
end

-- The table of a conjunctive mapping in one of the formats; nil and a message; or nil if the text is something else.
local function read_conjunctive(text, path)
  if not text:find('"' .. conjunctive.format .. '"', 1, true) then return foreign.read("conjunctive", text, path) end
  local value, message = json.decode(text, path)
  if message then return nil, message end
  if conjunctive.is_mapping(value) then return conjunctive.decode(value, path) end
end

-- Tells whether a regular file can be JSON; others may be too large to read whole.
local function begins_as_json(path)
  return byte_order_mark(input.beginning(path, 64) or ""):find("^%s*{") ~= nil
end

-- A mapping table, or a conjunctive one and true; or nil, message. Pipes are read once.
local function load_table(path)
  local kind = file.kind(path)
  if not kind or (kind == "file" and not begins_as_json(path)) then return mapping.load(path) end
  local text, message = file.read(path)
  if not text then return nil, message end
  local t
  t, message = read_conjunctive(text, path)
  if t then return t, true end
  if message then return nil, message end
  return mapping.parse(text, path)
end

--- Reads a model from a file: a mapping in any format that `portolan.mapping` reads, or a conjunctive mapping (ours, Palmed's).
-- @param path of the file
-- @param[opt] method one of `model.methods`; for a conjunctive file "conjunctive" or nothing
-- @return object | nil, message, status
function model.load(path, method)
  local t, resources = load_table(path)
  if not t then return nil, resources end
  if resources == true and method and method ~= "conjunctive" then
    return nil, ("%s: a conjunctive mapping has no ports for the method '%s'; leave the method out"):format(path, method)
  end
  local self, message, status
  if resources == true then
    self, message, status = model.of_conjunctive(t)
  else
    self, message, status = model.of(t, method)
  end
  if not self then return nil, ("%s: %s"):format(path, message), status end
  self.name = path:match("([^/]+)$") or path
  return self
end

return model
