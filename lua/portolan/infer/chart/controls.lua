--- Controls of slow experiments: what they take with fillers in the place of all schemes but one, and what three times as much takes.
--
-- Two schemes that are slower together than each alone may have ports in common, or the core may hold one of them up where its issue slots are
-- full: a Zen 5 binds compares by their place in a group of eight. Fillers run on no port, so what a scheme takes among as many of them says
-- how slow it is without any port in common. Only what is slower still is a sign of these, and that only if each further time costs as much: what
-- hinders (loads that hold up additions on Golden Cove) costs so once.
-- @module portolan.infer.chart.controls
local experiment = require "portolan.experiment"
local lists = require "portolan.support.lists"

local controls = {}

local slow = 1.02 -- factor by which an experiment is slower than each of its schemes alone and its slots, from which on it has controls
local repeats = 3 -- times as much of an experiment
-- The share of what it is slower by that each further time may cost, if it is there once. (A quarter is too much: `lahf` and `lea` share a port on a
-- Zen 5, and each further time costs that there.)
local stays = 0.125

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

-- Cycles of the slowest control of an experiment, as it was measured last; 0 where none could be.
local function among_fillers(survey, e)
  return lists.largest(of(survey, e), function(control)
    local known = survey.evidence:last(experiment.key(control))
    return known and known.result.status == "ok" and known.result.cycles or 0
  end, 0)
end

-- Measures the controls of experiments that were not measured before.
local function measure_controls(survey, list)
  local new = {}
  for _, e in ipairs(list) do
    for _, control in ipairs(of(survey, e)) do
      if not survey.evidence:last(experiment.key(control)) then new[#new + 1] = control end
    end
  end
  survey:measure(lists.distinct(new, experiment.key), { optional = true })
end

--- Is an experiment slower than what its schemes take if they have nothing in common?
-- @param survey the survey
-- @param e experiment
-- @param cycles of it
-- @treturn boolean
function controls.is_slow(survey, e, cycles) return cycles > slow * apart(survey, e) end

--- Finds how slow experiments are without ports in common.
-- @param survey the survey
-- @param list experiments
-- @tparam {number,...} cycles measured of each, or of the members that were faster (`survey.faster`)
-- @treturn {number,...} cycles up to which each may be slow for another reason than ports in common: 0 where it is not slow
function controls.floors(survey, list, cycles)
  list = lists.map(list, function(e) return survey.faster[experiment.key(e)] or e end)
  local floors, places, least = {}, {}, {}
  for i, e in ipairs(list) do
    floors[i], least[i] = 0, slow * apart(survey, e)
    if next(e, next(e)) and cycles[i] > least[i] then places[#places + 1] = i end
  end
  if survey.filler then
    measure_controls(survey, lists.map(places, function(i) return list[i] end))
    for _, i in ipairs(places) do floors[i] = among_fillers(survey, list[i]) end
  end
  local left = lists.where(places, function(i) return cycles[i] > slow * floors[i] end)
  local several = survey:measure(lists.map(left, function(i) return experiment.scale(list[i], repeats) end), { optional = true })
  for k, i in ipairs(left) do
    local alone = least[i] / slow
    local each = several[k].status == "ok" and (several[k].cycles - cycles[i]) / (repeats - 1) - alone or math.huge
    if each < stays * (cycles[i] - alone) then floors[i] = cycles[i] end
  end
  return floors
end

return controls
