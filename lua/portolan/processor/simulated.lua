--- A processor that is simulated from a port mapping: the oracle that inference is tested with.
-- @module portolan.processor.simulated
local best_known = require "portolan.mapping.best_known"
local chains = require "portolan.processor.simulated_chains"
local clock = require "portolan.processor.simulated_clock"
local core = require "portolan.core"
local counters = require "portolan.processor.simulated_counters"
local experiment = require "portolan.experiment"
local filler = require "portolan.processor.filler"
local hash = require "portolan.support.hash"
local json = require "portolan.support.json"
local landmarks = require "portolan.scheme.landmarks"
local lists = require "portolan.support.lists"
local mapping = require "portolan.mapping"
local memory_uops = require "portolan.mapping.memory_uops"
local port_set = require "portolan.mapping.ports"
local misfits = require "portolan.processor.simulated_misfits"
local session = require "portolan.processor.simulated_session"

local simulated = {}

local Simulated = {}
Simulated.__index = Simulated

for _, part in ipairs { counters, chains } do
  for name, method in pairs(part.methods) do Simulated[name] = method end
end

local noise_kinds = { none = true, uniform = true, gaussian = true }
local noise_units = { cpi = true, relative = true }
local binders = { optimal = true, greedy = true, recent = "recent", late = "late", pending = "pending" }

-- A digest by which one mapping is told from another.
local function digest_of(m) return hash.hex(json.encode { ports = m.ports, rmax = m.rmax, schemes = m.schemes } or "") end

local function check_noise(noise)
  if not noise_kinds[noise.kind] then return nil, ("noise.kind '%s' is not none, uniform or gaussian"):format(noise.kind) end
  if not noise_units[noise.unit] then return nil, ("noise.unit '%s' is not cpi or relative"):format(noise.unit) end
  if type(noise.width) ~= "number" or noise.width ~= noise.width or noise.width < 0 then
    return nil, "noise.width must be a number from 0 on"
  end
  for _, field in ipairs { "outliers", "stalls", "hasty" } do
    if type(noise[field]) ~= "number" or not (noise[field] >= 0 and noise[field] <= 1) then
      return nil, ("noise.%s must be a probability"):format(field)
    end
  end
  return true
end

-- Issue slots where a mapping does not tell: uops, less those that share one by micro-fusion (portolan.mapping.memory_uops).
local function with_slots(m, compiled)
  local copy = { ports = m.ports, rmax = m.rmax, schemes = {} }
  for name, scheme in pairs(m.schemes) do
    local predicted = not scheme.slots and compiled:predict { [name] = 1 }
    local entry = lists.copy(scheme)
    entry.slots = predicted and math.max(1, port_set.uops(scheme.uops) - memory_uops.beyond_slots(name)) or scheme.slots
    copy.schemes[name] = entry
  end
  return copy
end

-- Every processor has a NOP: one slot, no port.
local function with_nop(m)
  if type(m.schemes) ~= "table" then return m end
  local nop = landmarks.of(mapping.architecture(m)).nop
  if m.schemes[nop] then return m end
  local copy = lists.copy(m)
  copy.schemes = lists.copy(m.schemes)
  copy.schemes[nop] = { uops = {}, slots = 1, status = "eliminated at rename" }
  return copy
end

-- Can it be measured? Nil and why not.
local function check(self, e)
  local ok, why = experiment.check(e)
  if not ok then return nil, why end
  return self:cycles(e)
end

local function measure_one(self, e, large)
  local ok, why = check(self, e)
  if not ok then return { status = "unsupported", message = why } end
  return self:read(e, experiment.key(e) .. (large and " @other inputs" or ""), large)
end

-- Measures experiments, with large numbers in the registers or the usual ones.
local function measure_all(self, experiments, options, large)
  local results, progress = {}, options and options.progress
  for i, e in ipairs(experiments) do
    if core.base.interrupted() then
      results[i] = { status = "interrupted" }
    else
      results[i] = measure_one(self, e, large)
      self.measured = self.measured + 1
      if progress then progress(i, #experiments) end
    end
  end
  return results
end

-- With large numbers in the registers. Only processors with a scheme whose time depends on its inputs have this method.
local function measure_other_inputs(self, experiments, options) return measure_all(self, experiments, options, true) end

--- Makes a simulated processor.
--
-- The fields `latency` (of a chain, in cycles), `macro_ops` and `misfit` (portolan.processor.simulated_misfits) of a mapping's schemes count,
-- too (docs/formats.md).
--
-- Noise depends on the seed, the experiment and how often it was measured before, not on the order of experiments: the same
-- experiment measured again draws anew, a whole run repeats.
-- @tparam table options
-- @param options.mapping a mapping, as a table or compiled. Its `rmax` counts, and so do units that stay busy and schemes of which it only has the
-- time alone, as in predictions. Of a table, schemes without `slots` take one slot per uop, but
-- for uops that share one by micro-fusion
-- @tparam[opt="simulated"] string options.name
-- @tparam[opt="optimal"] string options.binder "optimal" (the model) or "greedy" (as real cores: never faster, now and then slower); greedy ones
-- also by kind: "pending" (the same as "greedy"), "recent", "late"
-- @tparam[opt] table options.binder_options of greedy binders: `kind`, `scheduler`, `memory` (engine/schedule/binder.h)
-- @tparam[opt] table options.noise
-- @tparam[opt="none"] string options.noise.kind "none", "uniform" (within +-width) or "gaussian" (width is the standard deviation)
-- @tparam[opt=0] number options.noise.width
-- @tparam[opt="cpi"] string options.noise.unit of the width: "cpi" (cycles per instruction, as epsilon in section 4.3) or "relative" (a fraction
-- of the cycles)
-- @tparam[opt=0] number options.noise.outliers probability of a disturbed measurement (10 to 100% too slow) that passes for a good one
-- @tparam[opt=0] number options.noise.stalls probability of one that is 1 to 4% slow, as the core stood still now and then
-- @tparam[opt=0] number options.noise.hasty probability of one that is 2 to 4% too fast, as its clock was disturbed
-- @tparam[opt] table options.clock what time is read from, if it steps less often than the core (portolan.processor.simulated_clock): `hz`,
-- `frequency` of the core
-- @tparam[opt] func options.habits what the core does as a whole: function(mapping table with slots and NOPs) -> an object of which
-- `cycles(self, experiment, by_ports)` tells what an experiment takes, `by_ports` being a function(experiment) -> cycles, and `digest(self)` is what
-- tells it from others; or nil and a message. The mapping must be a table then
-- @tparam[opt] {string,...} options.counters any of "uops", "macro-ops", "ports", "port:NAME" (portolan.processor.simulated_counters)
-- @tparam[opt=0] number options.bursts share of the time that is noisy (portolan.processor.simulated_session)
-- @tparam[opt] table options.store a portolan.experiment.store, which keeps results
-- @tparam[opt=0] int options.seed
-- @return processor | nil, message
function simulated.new(options)
  local given = options.noise or {}
  local noise = { kind = given.kind or "none", width = given.width or 0, unit = given.unit or "cpi",
    outliers = given.outliers or 0, stalls = given.stalls or 0, hasty = given.hasty or 0 }
  local ok, message = check_noise(noise)
  if not ok then return nil, message end
  local binder = options.binder or "optimal"
  if not binders[binder] then return nil, ("binder '%s' is not optimal, greedy, pending, recent or late"):format(tostring(binder)) end
  local bursts = options.bursts or 0
  if type(bursts) ~= "number" or not (bursts >= 0 and bursts < 1) then return nil, "bursts must be a share of the time: from 0 on, less than 1" end
  local compiled, schemes, core_habits = options.mapping, {}, nil
  if type(compiled) == "table" then
    local given_mapping = best_known.of(with_nop(compiled))
    schemes = given_mapping.schemes
    compiled, message = mapping.compile(given_mapping)
    if not compiled then return nil, message end
    local slotted = with_slots(given_mapping, compiled)
    compiled = assert(mapping.compile(slotted))
    ok, message = misfits.check(schemes)
    if not ok then return nil, message end
    if options.habits then core_habits, message = options.habits(slotted) end
    if message then return nil, message end
  end
  local ticking
  if options.clock then
    ticking, message = clock.new(options.clock)
    if not ticking then return nil, message end
  end
  local events, event_ports = counters.read(options.counters, compiled)
  if not events then return nil, event_ports end
  local self = setmetatable({
    name = options.name or "simulated",
    digest = type(options.mapping) == "table" and digest_of(options.mapping) or nil,
    mapping = compiled,
    schemes = schemes, -- of the table, where one was given
    habits = core_habits, -- nil: none
    events = events,
    event_ports = event_ports,
    binder = binder == "optimal" and binder or "greedy",
    binder_options = options.binder_options or type(binders[binder]) == "string" and { kind = binder } or nil,
    noise = noise,
    clock = ticking, -- nil: as fine as the core's
    seed = options.seed or 0,
    rng = core.base.rng(options.seed or 0),
    repeats = {}, -- experiment key -> how often it was measured
    measured = 0, -- experiments answered so far
  }, Simulated)
  if misfits.input_dependent(schemes) then self.measure_other_inputs = measure_other_inputs end
  if bursts > 0 or options.store then
    self.session = session.new { measure = function(e, key) return self:read(e, key) end, facts = self:describe(), rng = self.rng:split(-1),
      store = options.store, bursts = bursts }
  end
  return self
end

--- Facts for the provenance of results.
function Simulated:describe()
  return {
    kind = "simulated", name = self.name, mapping = self.digest, ports = #self.mapping:ports(), rmax = self.mapping:rmax(), binder = self.binder,
    noise = { kind = self.noise.kind, width = self.noise.width, unit = self.noise.unit, outliers = self.noise.outliers,
      stalls = self.noise.stalls, hasty = self.noise.hasty },
    clock = self.clock and { hz = self.clock.hz, frequency = self.clock.frequency, coarseness = self.clock.coarseness },
    habits = self.habits and self.habits:digest(), seed = self.seed, counters = #self.events > 0 and self:counters() or nil,
    session = self.session and self.session:describe(),
  }
end

--- A reading of a true value, with this processor's noise.
-- @param key what is measured; the same measured again draws anew
-- @param value true one
-- @param scale what the noise's width is a share of
function Simulated:disturb(key, value, scale)
  local times, noise = self.repeats[key] or 0, self.noise
  self.repeats[key] = times + 1
  local rng = self.rng:split(hash.number(key)):split(times)
  local draw = noise.kind == "uniform" and 2 * rng:unit() - 1 or noise.kind == "gaussian" and rng:normal() or 0
  local result = math.max(value + draw * noise.width * scale, 0.01 * value)
  if noise.outliers > 0 and rng:unit() < noise.outliers then result = result * (1.1 + 0.9 * rng:unit()) end
  if noise.stalls > 0 and rng:unit() < noise.stalls then result = result * (1.01 + 0.03 * rng:unit()) end
  if noise.hasty > 0 and rng:unit() < noise.hasty then result = result * (0.98 - 0.02 * rng:unit()) end
  return self.clock and self.clock:read(result, rng) or result
end

--- The true inverse throughput of an experiment on this processor.
-- @param e experiment
-- @param[opt] large true: with large numbers in the registers
-- @return cycles; or nil and a message
function Simulated:cycles(e, large)
  local function at_ports(part)
    if self.binder == "greedy" then return self.mapping:bind(part, self.binder_options) end
    return self.mapping:throughput(part)
  end
  local by_ports = self.habits and function(part) return self.habits:cycles(part, at_ports) end or at_ports
  return misfits.cycles(self.schemes, e, by_ports, self.mapping:rmax(), large)
end

--- One reading of an experiment.
-- @param e experiment that can be measured
-- @param key of the reading: one that has another key, or that is taken again, draws anew
-- @param[opt] large true: with large numbers in the registers
-- @return result
function Simulated:read(e, key, large)
  local failure, cycles = misfits.failure(self.schemes, e), self:cycles(e, large)
  if failure then return failure end
  local rng = self.rng:split(hash.number(key)):split(self.repeats[key] or 0):split(1)
  local read, fields = misfits.reading(self.schemes, e, cycles, rng)
  if not read then
    self.repeats[key] = (self.repeats[key] or 0) + 1
    return fields
  end
  if read == 0 then return { status = "unsupported", message = "it has no uops, and nothing limits the issue width", n = 0, rejected = 0 } end
  local scale = self.noise.unit == "cpi" and experiment.length(e) or read
  local factor = self:disturb(key, read, scale) / read
  local slow = fields.slow and { cycles = factor * fields.slow.cycles, share = fields.slow.share }
  return { cycles = factor * read, status = "ok", n = 1, rejected = 0, spread = fields.spread or 0, share = fields.share, slow = slow }
end

--- Answers experiments.
-- @param experiments list
-- @tparam[opt] table options
-- @tparam[opt] func options.progress function(done, total)
-- @tparam[opt] boolean options.again one more reading of each, where there is a store
-- @return list of results in the same order
function Simulated:measure(experiments, options)
  if not self.session then return measure_all(self, experiments, options) end
  self.measured = self.measured + #experiments
  return self.session:answer(experiments, function(e) return check(self, e) end, options)
end

--- Closes the store, if it has one.
function Simulated:close()
  if self.session then self.session:close() end
end

--- The rename width, as the filler alone shows it; of a mapping that is compiled, R_max.
-- @return slots per cycle; or nil and a message
function Simulated:issue_width()
  local padding, width = filler.of(self), self.mapping:rmax()
  if padding and width then return 1 / self:cycles { [padding.name] = padding.per_slot } end
  if not width then return nil, "the simulated processor has no limit on its issue width" end
  return width
end

--- Lists what may fill its front end, of the mapping's schemes.
-- @return names; schemes to test them beside
function Simulated:fillers() return filler.among(self.schemes) end

--- Returns how many zeroing idioms go with each instance of a scheme, as the mapping says.
function Simulated:breakers(name)
  local scheme = self.schemes[name]
  return scheme and scheme.breakers or 0
end

--- The names of the schemes that stand around each instance of a scheme, as the mapping says; nil: there are none.
function Simulated:companions(name)
  local scheme = self.schemes[name]
  return scheme and scheme.companions
end

--- Is a scheme unfit to be repeated many times beside another one? As hardware's (portolan.processor.hardware_schemes).
function Simulated:avoids(name)
  local misfit = self.schemes[name] and self.schemes[name].misfit or {}
  return misfit.dependent and "waits" or misfit.reads_flags and "flags" or nil
end

-- Cycles per link of a chain; false if there is none.
local function chain_of(self, name)
  local predicted, scheme = self.mapping:predict { [name] = 1 }, self.schemes[name]
  local misfit = scheme and scheme.misfit or {}
  if not predicted or misfit.unchainable or scheme and scheme.alone then return false end
  return scheme and scheme.latency or predicted.uops > 0 and 1 - (misfit.eliminated or 0) or 0
end

--- Latency of a chain of dependent instances: what the mapping says; otherwise a cycle, but nothing without uops takes time.
-- @param names list of schemes
-- @return list of cycles per link, false for schemes that the mapping does not know, and for those that cannot be chained
function Simulated:chain_latency(names) return lists.map(names, function(name) return chain_of(self, name) end) end

return simulated
