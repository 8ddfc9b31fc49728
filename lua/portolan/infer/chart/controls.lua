--- Controls of slow experiments: what they take with fillers in the place of all schemes but one.
--
-- Two schemes that are slower together than each alone may have ports in common, or the core may hold one of them up where its issue slots are
-- full: a Zen 5 binds compares by their place in a group of eight. Fillers run on no port, so what a scheme takes among as many of them says
-- how slow it is without any port in common. Only what is slower still is a sign of these.
-- @module portolan.infer.chart.controls
local experiment = require "portolan.experiment"
local lists = require "portolan.support.lists"

local controls = {}

local slow = 1.02 -- factor by which an experiment is slower than each of its schemes alone and its slots, from which on it has controls

-- Issue slots of an experiment.
local function slots_of(survey, e)
  local slots = 0
  for name, n in pairs(e) do slots = slots + n * (survey.facts[name].issued or 1) end
  return slots
end

-- Cycles that an experiment takes if its schemes have nothing in common.
local function apart(survey, e)
  local cycles = slots_of(survey, e) / survey.rmax
  for name, n in pairs(e) do cycles = math.max(cycles, n * survey.facts[name].single.cycles) end
  return cycles
end

-- The experiments with fillers in the place of all schemes but one.
local function of(survey, e)
  local list, slots = {}, slots_of(survey, e)
  for _, name in ipairs(experiment.schemes(e)) do
    list[#list + 1] = { [name] = e[name], [survey.filler] = survey:fillers_of(slots - e[name] * (survey.facts[name].issued or 1)) }
  end
  return list
end

-- Cycles of a control, as it was measured last; 0 where it could not be.
local function cycles_of(survey, control)
  local known = survey.evidence:last(experiment.key(control))
  return known and known.result.status == "ok" and known.result.cycles or 0
end

--- How slow experiments are without ports in common.
-- @param survey the survey
-- @param list experiments
-- @tparam {number,...} cycles measured of each
-- @treturn {number,...} cycles up to which each may be slow for another reason than ports in common: 0 where it is not slow, or nothing fills slots
function controls.floors(survey, list, cycles)
  local of_each, new = {}, {}
  for i, e in ipairs(list) do
    local is_slow = survey.filler and next(e, next(e)) and cycles[i] > slow * apart(survey, e)
    of_each[i] = is_slow and of(survey, e) or {}
    for _, control in ipairs(of_each[i]) do
      if not survey.evidence:last(experiment.key(control)) then new[#new + 1] = control end
    end
  end
  survey:measure(lists.distinct(new, experiment.key), { optional = true })
  return lists.map(of_each, function(some)
    return lists.largest(some, function(control) return cycles_of(survey, control) end, 0)
  end)
end

return controls
