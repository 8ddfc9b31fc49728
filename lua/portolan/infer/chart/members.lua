--- Measures how long the uops of classes take together: as long as the fastest members of these take.
--
-- What is no port (results that cross to another register file, flags, a uop that has no slot) only makes hardware slower, and is seldom the same
-- for all that have a port in common. So where representatives are slow together, members that do something else with registers are measured in
-- their place.
-- On a Zen 5 `vmovd r32, xmm` has two vector ports and keeps an adder busy, too; `vpblendvb`, with the same two ports, does not.
-- @module portolan.infer.chart.members
local constants = require "portolan.infer.chart.constants"
local controls = require "portolan.infer.chart.controls"
local experiment = require "portolan.experiment"
local fitness = require "portolan.infer.chart.fitness"
local lacking = require "portolan.infer.chart.lacking"
local likeness = require "portolan.infer.chart.likeness"
local lists = require "portolan.support.lists"

local members = {}

local few = 2 -- members that are tried in the place of a representative

--- Of schemes, those that do something else than a class's representative: one for each such thing, and few of them, the simplest ones. Those that
-- may wait for what is beside them come last.
-- @param survey the survey
-- @param class the class
-- @tparam {string,...} names of the schemes
-- @tparam int most how many of them
-- @return list of names
function members.unlike(survey, class, names, most)
  local function operation(name) return table.concat(lists.keys(likeness.operation(name, survey.facts[name].memory)), " ") end
  local own, facts = operation(class.representative), survey.facts
  local list = lists.where(names, function(name)
    return operation(name) ~= own and not facts[name].unfit and fitness.is_steady(facts[name].single)
  end)
  local function effort(name) return (facts[name].slots or 1) + facts[name].single.cycles end
  table.sort(list, function(a, b)
    local waits, other_waits, x, y = fitness.trouble(survey, a) ~= nil, fitness.trouble(survey, b) ~= nil, effort(a), effort(b)
    if waits ~= other_waits then return other_waits end
    return x < y or x == y and a < b
  end)
  return table.move(lists.distinct(list, operation), 1, most, 1, {})
end

-- An experiment with such members in the place of one representative, or of both of a pair.
local function variants(e, unlike_of)
  local list, names = { e }, experiment.schemes(e)
  for _, name in ipairs(names) do
    for k = 1, #names == 2 and #list or 1 do
      for _, member in ipairs(unlike_of[name] or {}) do -- none of one that is no representative any more
        local other = experiment.without(list[k], name)
        other[member] = (other[member] or 0) + e[name]
        list[#list + 1] = other
      end
    end
  end
  return table.move(list, 2, #list, 1, {})
end

--- Measures experiments of representatives, and those that are slow with other members, too.
-- @param survey the survey; what was faster is noted in its `faster`
-- @param classes those of the representatives
-- @param list experiments
-- @param options of `survey:measure`
-- @param[opt] carriers class -> names of schemes that are tried as its carriers
-- @return list of results: that of the fastest members
function members.measure(survey, classes, list, options, carriers)
  local asked = survey:measure(list, options)
  if lacking.is_record(survey) then return asked end -- it knows members only as they were compared
  local results, unlike_of, tried, of = lists.copy(asked), {}, {}, {}
  for _, class in ipairs(classes) do
    unlike_of[class.representative] = class.wide and {} or lists.joined(members.unlike(survey, class, class.members, few),
      members.unlike(survey, class, carriers and carriers[class] or class.carriers or {}, few))
  end
  for i, e in ipairs(list) do
    survey.faster[experiment.key(e)] = nil
    if results[i].status == "ok" and next(e, next(e)) and controls.is_slow(survey, e, results[i].cycles) then
      for _, other in ipairs(variants(e, unlike_of)) do tried[#tried + 1], of[#of + 1] = other, i end
    end
  end
  for k, result in ipairs(survey:measure(tried, { optional = true, again = options and options.again })) do
    local differs = result.status == "ok" and result.cycles < (1 - constants.times_differ) * asked[of[k]].cycles -- by more than noise
    if differs and result.cycles < results[of[k]].cycles then
      results[of[k]], survey.faster[experiment.key(list[of[k]])] = result, tried[k]
    end
  end
  return results
end

return members
