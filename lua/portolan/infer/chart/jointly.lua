--- Records without schemes alone: where no class of equal ports can be found, all recorded experiments are asked at once (section 6.3.4 infers the
-- ports of Zen+'s blocking instructions so). What they decide is claimed (portolan.infer.cegis.certain), and nothing else.
-- @module portolan.infer.chart.jointly
local cegis = require "portolan.infer.cegis"
local constants = require "portolan.infer.chart.constants"
local lacking = require "portolan.infer.chart.lacking"
local lists = require "portolan.support.lists"
local mapping = require "portolan.mapping"

local jointly = {}

local most_rows, most_uops = 64, 4 -- what an inference takes: uops in all; uops of a scheme that may be certain

-- Schemes of known numbers of uops that were measured together with others, and those numbers.
local function candidates(survey)
  local seen, names, uops, rows = {}, {}, {}, 0
  for _, e in ipairs(survey.processor:experiments()) do
    for name in pairs(e) do seen[name] = true end
  end
  for _, name in ipairs(survey.order) do
    local n = survey.processor.uops[name]
    if seen[name] and n and n >= 1 and n <= most_uops then names[#names + 1], uops[name], rows = name, n, rows + n end
  end
  return names, uops, rows
end

-- Issue slots of schemes, as the record tells: where the front end is the limit, nothing is said of ports.
local function slots_of(survey, uops)
  local slots = {}
  for name in pairs(uops) do slots[name] = survey.processor:recorded_slots(name) end
  return slots
end

-- The recorded experiments of these schemes, one of which is a reason for each scheme.
local function note_witnesses(survey, outcome, certain)
  for _, o in ipairs(outcome.observations) do
    for name in pairs(o.experiment) do
      local f = survey.facts[name]
      if certain[name] and #f.witnesses < constants.uops_shown then
        survey:witness(name, o.experiment, o.cycles, o.predicted, "one of the recorded experiments that together leave no other ports", "shows")
      end
    end
  end
end

-- Says what is taken for granted of schemes of several uops: R_max counts instructions, where the record does not say their slots. The text is empty
-- if nothing is.
local function premise(uops, slots)
  for name, n in pairs(uops) do
    if n > 1 and not slots[name] then return ", if instructions of several uops take one issue slot, of which the record says nothing" end
  end
  return ""
end

-- Claims what is certain, with what that takes for granted.
local function adopt(survey, outcome, taken)
  local certain = lists.set(outcome.certain.schemes)
  survey.classes, survey.ports, survey.inference = {}, outcome.mapping.ports, outcome
  for name in pairs(certain) do
    local f = survey.facts[name]
    f.uops, f.lacks, f.together = outcome.mapping.schemes[name].uops, nil, true
    survey:settle(name, "explained", ("no other ports fit the recorded experiments, up to names and to %d ports in all%s")
      :format(outcome.ports, taken))
  end
  for name, rival in pairs(outcome.certain.rivals) do
    local other = mapping.usage(rival.schemes[name])
    lacking.open(survey, name, ("the recorded experiments leave its ports open: %s would do as well as other ones"):format(other))
  end
  note_witnesses(survey, outcome, certain)
end

--- Infers the ports of all schemes of a record together.
-- @param survey the survey of a record
function jointly.infer(survey)
  local names, uops, rows = candidates(survey)
  if #names < 2 or rows > most_rows then return end
  local several, slots = false, slots_of(survey, uops)
  for _, name in ipairs(names) do several = several or uops[name] > 1 end
  local outcome, message = cegis.infer(survey.processor, names, { rmax = survey.rmax, epsilon = survey.epsilon or 0.02,
    uops = several and uops or nil, slots = slots, certain = true, seed = survey.seed, time_limit = constants.ports_solver })
  if not outcome then survey:fail(message) end
  if outcome.mapping and outcome.certain then adopt(survey, outcome, premise(uops, slots)) end
end

return jointly
