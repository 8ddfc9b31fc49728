--- Representatives that are slower beside others than other members of their class are replaced by these.
--
-- Members of a class have the same ports, so that beside a scheme of another class all need the same time on ports; what one of them takes longer has
-- another reason (on a Zen 5 `imul r16, r16`, which keeps a part of its destination, beside moves from vector registers). Hardware is never faster
-- than its ports allow: the fastest member is the best witness of what ports two classes have in common.
-- @module portolan.infer.chart.representatives
local constants = require "portolan.infer.chart.constants"
local controls = require "portolan.infer.chart.controls"
local fitness = require "portolan.infer.chart.fitness"
local lists = require "portolan.support.lists"

local representatives = {}

local most_tried = 3 -- members of a class, from all of it

local function pair_of(a, a_name, b) return { [a_name] = a.count, [b.representative] = b.count } end

-- Some members that may stand for a class in the place of its representative; none for one that was chosen by hand.
local function others_of(survey, class)
  if survey.preferred[class.representative] then return {} end
  local fit = lists.where(class.members, function(name) return name ~= class.representative and not fitness.trouble(survey, name) end)
  return lists.spread(fit, most_tried)
end

-- Pairs of classes that are slower together than each alone and than their issue slots: list of { class, other class, cycles }.
local function slow_pairs(survey, classes)
  local list, about, slow = {}, {}, {}
  for i, a in ipairs(classes) do
    for k = 1, i - 1 do list[#list + 1], about[#about + 1] = pair_of(a, a.representative, classes[k]), { a, classes[k] } end
  end
  for i, result in ipairs(survey:measure(list)) do
    local is_slow = result.status == "ok" and controls.is_slow(survey, list[i], result.cycles)
    if is_slow then slow[#slow + 1] = { about[i][1], about[i][2], result.cycles } end
  end
  return slow
end

-- Tries members of a class beside all that its representative is slow beside. Takes the first that is faster beside one and slower beside none.
local function replace(survey, class, slow)
  local names, list = others_of(survey, class), {}
  for _, name in ipairs(names) do
    for _, pair in ipairs(slow) do list[#list + 1] = pair_of(class, name, pair[1] == class and pair[2] or pair[1]) end
  end
  local results, place = survey:measure(list), 0
  for _, name in ipairs(names) do
    local faster, slower = false, false
    for _, pair in ipairs(slow) do
      place = place + 1
      local ratio = results[place].status == "ok" and results[place].cycles / pair[3] or math.huge
      faster, slower = faster or ratio < 1 - constants.times_differ, slower or ratio > 1 + constants.times_differ
    end
    if faster and not slower then
      class.representative = name
      return
    end
  end
end

--- Replaces representatives.
-- @param survey the survey, its classes without ports
function representatives.choose(survey)
  local classes = lists.where(survey.classes, function(class) return not class.wide and not class.improper end)
  local slow = slow_pairs(survey, classes)
  for _, class in ipairs(classes) do
    local own = lists.where(slow, function(pair) return pair[1] == class or pair[2] == class end)
    if #own > 0 then replace(survey, class, own) end
  end
end

return representatives
