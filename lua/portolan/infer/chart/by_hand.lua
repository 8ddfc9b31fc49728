--- Blocking instructions by hand (dissertation section 6.3.2: representatives were selected manually): which schemes are to stand for their classes,
-- and what became of that. A scheme that is unfit for it is not used, and the chart says so.
-- @module portolan.infer.chart.by_hand
local lists = require "portolan.support.lists"

local by_hand = {}

--- Names as a set.
-- @param[opt] names list
function by_hand.set(names)
  return lists.set(names or {})
end

-- The class that a scheme is a member of, or nil.
local function class_of(survey, name)
  return lists.first(survey.classes, function(class) return lists.set(class.members)[name] end)
end

-- Says why a scheme is no blocking instruction.
local function why_not(survey, name, trouble)
  local f = survey.facts[name]
  if not f then return "it is not among the schemes of this chart" end
  local class = class_of(survey, name)
  if class then
    local unfit = trouble(survey, name)
    return unfit or ("it has the same ports as %s, which represents them"):format(class.representative)
  end
  if f.status and f.status ~= "explained" then return ("it is %s: %s"):format(f.status, f.note or "see its class") end
  if f.total and f.total.most > 1 then return ("it has %s uops"):format(f.total.least == f.total.most and f.total.most or "several") end
  if not f.unfounded then return "its time alone is that of no whole number of ports" end
  return trouble(survey, name) or "it adds up with no class, and founds none"
end

--- Lists what became of the schemes that were asked for.
-- @param survey the survey, after its last stage
-- @param names list, as asked for
-- @param trouble function(survey, name) -> words (portolan.infer.chart.fitness)
-- @return list of `{ scheme =, used = boolean, why = (of those that are not), improper = (of stores: they block by one of two uops) }`
function by_hand.verdicts(survey, names, trouble)
  local list = {}
  for i, name in ipairs(names) do
    local class = class_of(survey, name)
    local used = class ~= nil and class.representative == name and class.ports ~= nil
    list[i] = { scheme = name, used = used, improper = used and class.improper or nil }
    if class and class.representative == name and not used then list[i].why = "the ports of its class were not found" end
    if not used and not list[i].why then list[i].why = why_not(survey, name, trouble) end
  end
  return list
end

return by_hand
