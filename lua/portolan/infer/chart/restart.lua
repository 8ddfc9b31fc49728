--- A survey as it was before a stage, so that what turned out wrong later can be asked anew: what was measured stays.
-- @module portolan.infer.chart.restart
local lists = require "portolan.support.lists"

local restart = {}

-- A record with copies of the tables in it; what these hold is never changed in place.
local function copy_of(record)
  local copy = setmetatable({}, getmetatable(record))
  for key, value in pairs(record) do rawset(copy, key, type(value) == "table" and lists.copy(value) or value) end
  return copy
end

--- Keeps what is known of schemes and classes.
-- @param survey the survey
-- @return what `back` takes
function restart.mark(survey)
  local kept = { facts = {}, classes = lists.map(survey.classes, copy_of), ports = survey.ports, inference = survey.inference,
    store_address = survey.store_address }
  for name, facts in pairs(survey.facts) do kept.facts[name] = copy_of(facts) end
  return kept
end

--- Goes back to what was known.
-- @param survey the survey
-- @param kept of `mark`, which is used up
function restart.back(survey, kept)
  for name, facts in pairs(kept.facts) do survey.facts[name] = facts end
  survey.classes, survey.store_address, survey.ports, survey.inference = kept.classes, kept.store_address, kept.ports, kept.inference
end

return restart
