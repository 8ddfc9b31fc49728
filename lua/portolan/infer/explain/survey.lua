--- The survey of a processor: what is known so far of every scheme, and the stages' common ways to find out more.
--
-- `survey.facts[name]` collects, stage by stage: `single` (result of measuring it alone), `slots` (issue slots), `breakers` (zeroing
-- idioms that go with it, if any), `issued` (the slots of both), `memory` (what its memory operands do), `status`, `uops` (mapping
-- entries), `witnesses`, `note`.
-- @module portolan.infer.explain.survey
local confirm = require "portolan.infer.explain.confirm"
local core = require "portolan.core"
local experiment = require "portolan.experiment"
local memory_use = require "portolan.memory_use"
local readings = require "portolan.infer.readings"
local statuses = require "portolan.statuses"

local survey = {}
survey.__index = survey

--- Starts a survey.
-- @param processor any processor object
-- @param set list of groups `{ name=, schemes= }`
-- @param options `seed`, `progress` (function(stage, done, total, note))
function survey.new(processor, set, options)
  local self = setmetatable({
    processor = processor, groups = set, filler = processor.filler and processor:filler(),
    order = {}, facts = {}, classes = {}, seed = options.seed or 1,
    progress = options.progress or function() end, experiments = 0, began = core.base.now(), stages = {},
  }, survey)
  for _, group in ipairs(set) do
    for _, name in ipairs(group.schemes) do
      if not self.facts[name] then
        self.order[#self.order + 1] = name
        local breakers = processor.breakers and processor:breakers(name) or 0
        self.facts[name] = { witnesses = {}, memory = memory_use(name), breakers = breakers > 0 and breakers or nil }
      end
    end
  end
  return self
end

--- Notes how long the current stage took: it is over.
function survey:end_stage()
  local last = self.stages[#self.stages]
  if last then last.seconds = core.base.now() - last.began end
end

--- Begins a stage; raises `survey.stop` if the user wants to stop.
function survey:stage(name)
  if core.base.interrupted() then error(survey.stop, 0) end
  self:end_stage()
  self.stages[#self.stages + 1] = { name = name, began = core.base.now(), seconds = nil }
  self.progress(name, 0)
end

--- The name of the stage that was begun last; nil before the first.
function survey:last_stage()
  local last = self.stages[#self.stages]
  return last and last.name
end

--- Ends the survey since it cannot go on; what is known so far stays valid.
-- @param message what is in the way
function survey:fail(message)
  self.failure = message
  error(survey.stop, 0)
end

--- Thrown when a survey ends early; what is known so far stays valid.
survey.stop = setmetatable({}, { __tostring = function() return "interrupted" end })

local chances = 4 -- to measure what came out unstable

-- Measures what was disturbed again, as long as that helps.
local function another_chance(self, list, results, options)
  for _ = 2, chances do
    local disturbed, where, helped = {}, {}, false
    for i, result in ipairs(results) do
      if result.status == "unstable" and not result.unsteady then disturbed[#disturbed + 1], where[#where + 1] = list[i], i end
    end
    if #disturbed == 0 then return end
    local second = self.processor:measure(disturbed, options) or {}
    for k, i in ipairs(where) do
      results[i] = second[k] or results[i]
      helped = helped or results[i].status == "ok"
    end
    if not helped then return end
  end
end

-- One reading of each; those that were disturbed get another chance, those that were read in noise are confirmed.
local function read_once(self, list, again)
  local stage = self.stages[#self.stages]
  local options = { again = again, progress = function(...) self.progress(stage.name, ...) end }
  local results, message = self.processor:measure(list, options)
  if not results then self:fail(message) end
  for _, result in ipairs(results) do
    if result.status == "interrupted" then error(survey.stop, 0) end
  end
  another_chance(self, list, results, options)
  confirm.all(list, results, function(some)
    self.experiments = self.experiments + #some
    return self.processor:measure(some, { again = true, progress = options.progress })
  end)
  self.experiments = self.experiments + #list
  return results
end

local usual_tolerance = 0.03
local precise = 0.005 -- relative standard deviation wanted of a reading, unless said otherwise
local most_readings = 100

-- Readings of which the median is as precise as wanted. (The variance of a median is 1.57 times that of a mean.)
local function readings_for(noise, precision)
  if noise <= precision then return 1 end
  return math.min(most_readings, math.ceil(1.57 * (noise / precision) ^ 2))
end

--- Measures experiments, each as often as the processor's noise asks for.
-- @param list experiments
-- @param[opt] options `again` (true: anew, even if there are results: what contradicts is not believed at once), `precision`
-- (list: relative standard deviation wanted of each)
-- @return list of results; raises `survey.stop` after Ctrl-C, and if nothing can be measured
function survey:measure(list, options)
  options = options or {}
  local results, cycles, wanted, most = read_once(self, list, options.again), {}, {}, 1
  for i, result in ipairs(results) do
    wanted[i] = result.status == "ok" and readings_for(self.noise or 0, options.precision and options.precision[i] or precise) or 1
    cycles[i], most = { result.cycles }, math.max(most, wanted[i])
  end
  for reading = 2, most do
    local some, where = {}, {}
    for i in ipairs(list) do
      if wanted[i] >= reading then some[#some + 1], where[#where + 1] = list[i], i end
    end
    for k, result in ipairs(read_once(self, some, true)) do
      if result.status == "ok" then table.insert(cycles[where[k]], result.cycles) end
    end
  end
  for i, result in ipairs(results) do
    if #cycles[i] > 1 then results[i] = setmetatable({ cycles = readings.value(cycles[i]) }, { __index = result }) end
  end
  return results
end

--- The names that no stage has settled, in order.
-- @param[opt] keep function(name, facts): only those for which it is true
function survey:unsettled(keep)
  local names = {}
  for _, name in ipairs(self.order) do
    local f = self.facts[name]
    if not f.status and (not keep or keep(name, f)) then names[#names + 1] = name end
  end
  return names
end

--- Settles a scheme.
-- @param name scheme
-- @param class of portolan.statuses
-- @param[opt] note why
function survey:settle(name, class, note)
  assert(statuses.is_class(class), class)
  local f = self.facts[name]
  f.status, f.note = class, note or f.note
end

--- Notes an experiment as evidence.
-- @param name scheme
-- @param e experiment
-- @param cycles measured
-- @param expected cycles by the mapping; nil if it has none
-- @param says what follows
-- @param role "shows" a port set, "bounds" it, or "contradicts"
-- @param[opt] tolerance cycles by which another reading may differ and say the same; 3%
-- @param[opt] flood of a flood: `without` the scheme, cycles measured; `ports` that it keeps busy
function survey:witness(name, e, cycles, expected, says, role, tolerance, flood)
  local f = self.facts[name]
  local list = f.witnesses
  f.proofs = f.proofs or {}
  f.proofs[#f.proofs + 1] = { e = e, cycles = cycles, tolerance = tolerance or usual_tolerance * cycles }
  list[#list + 1] = { experiment = experiment.format(e), cycles = cycles, expected = expected, says = says, role = role,
    without = flood and flood.without, ports = flood and flood.ports }
end

return survey
