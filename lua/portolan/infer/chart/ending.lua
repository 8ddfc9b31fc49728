--- Says how a chart ended that did not come to its end, or found no ports: what failed, why, and what to do.
-- @module portolan.infer.chart.ending
local lists = require "portolan.support.lists"
local weather_words = require "portolan.machine.weather_words"

-- Counts the schemes that have a status.
local function count(survey, status)
  return lists.count(survey.facts, function(f) return f.status == status end)
end

-- Says why all stages found no ports, and what to do.
local function without_ports(survey)
  local all, unstable, unsupported = #survey.order, count(survey, "unstable"), count(survey, "unsupported here")
  if 2 * unstable >= all then
    return ("%d of %d schemes could not be measured: no two readings agree"):format(unstable, all),
      "Measure on a quieter processor ('portolan doctor' shows them, --cpu N), or at another hour."
  end
  if 2 * unsupported >= all then
    return ("this processor does not have %d of the %d schemes, or they cannot be measured"):format(unsupported, all),
      "Choose another set (--set)."
  end
  local filling = survey.filling
  if filling and filling.sure == false then
    local names = lists.map(filling.candidates, function(c) return ("'%s'"):format(c.name) end)
    return ("nothing that was tried takes one issue slot and nothing else on this core (%s), so that slots and uops cannot be counted"):format(
      table.concat(names, ", ")), "Infer by evolution, which counts none: portolan infer pmevo."
  end
  return "no scheme of the set is a single uop with ports of its own", "Give a larger set: --set all."
end

local function go_on(survey)
  return survey.processor.store and "Run the same command again: it goes on from what was measured." or "Run the same command again."
end

-- Says what helps against the noise that was met, if it was noisy; an empty text if not.
local function against_noise(machine)
  local accepted, rejected = machine.accepted or 0, machine.rejected or 0
  local facts = accepted + rejected > 0 and { clean = accepted / (accepted + rejected) }
  if not facts or not weather_words.is_noisy(facts) then return "" end
  return " It was " .. weather_words.warning(facts)
end

--- Says how it ended.
-- @param survey the survey
-- @param whole did all stages end?
-- @return `{ stage = (nil if all stages ended), why =, mend = sentences }`; nil if it is whole and found ports
return function(survey, whole)
  if whole and #(survey.ports or {}) > 0 then return nil end
  local noise = against_noise(survey.processor:describe())
  if whole then
    local why, mend = without_ports(survey)
    return { why = why, mend = mend .. noise }
  end
  local mend = go_on(survey)
  if survey.spent then mend = mend .. " Or give it more time: --budget." end
  return { stage = survey:last_stage(), why = survey.failure or "it was interrupted", mend = mend .. noise }
end
