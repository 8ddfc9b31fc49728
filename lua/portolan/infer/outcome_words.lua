--- Puts into words what an inference found out, and what it did not.
-- @module portolan.infer.outcome_words
local experiment = require "portolan.experiment"
local lists = require "portolan.support.lists"
local mapping = require "portolan.mapping"
local one_uop = require "portolan.infer.one_uop"
local plural = require "portolan.support.plural"

local outcome_words = {}

local function ports(n) return n == 0 and "no port" or plural(n, "port") end

-- { 0, 1, 2 } -> "0, 1 or 2"
local function alternatives(list)
  if #list == 1 then return tostring(list[1]) end
  return table.concat(list, ", ", 1, #list - 1) .. " or " .. list[#list]
end

--- One line per open point: port counts and overlaps that differ between mappings that no experiment tells apart.
function outcome_words.open(points)
  local lines = {}
  for k, point in ipairs(points) do
    if point.text then
      lines[k] = point.text
    elseif point.overlaps then
      lines[k] = ("%s and %s share %s ports; %s taken"):format(point.a, point.b, alternatives(point.overlaps), ports(point.chosen or 0))
    elseif point.ports then
      lines[k] = ("%s runs on %s ports; %s taken"):format(point.a, alternatives(point.ports), ports(point.chosen or 0))
    elseif point.usages then
      local list = lists.map(point.usages, function(uops) return type(uops) == "string" and uops or mapping.usage { uops = uops } end)
      lines[k] = ("%s is %s"):format(point.scheme or point.a, table.concat(list, " or "))
    end
  end
  return lines
end

local most_in_words = 5

--- The usage that was taken of a scheme, and others that it could have as well.
-- @param name of the scheme
-- @tparam {string,...} texts usages, the one that was taken first
-- @tparam int count how many there are in all, `texts` or more
function outcome_words.could_be(name, texts, count)
  local more = count > most_in_words and (" or one of %d others"):format(count - most_in_words) or ""
  return ("%s is %s; it could also be %s%s"):format(name, texts[1], table.concat(texts, " or ", 2, math.min(#texts, most_in_words)), more)
end

--- Says what experiments took that contradict each other: `a takes 1.000 cycles and a + b takes 0.400 cycles`.
-- @param list of `{ experiment =, cycles = }`
function outcome_words.taken(list)
  return table.concat(lists.map(list, function(seen)
    return ("%s takes %.3f cycles"):format(experiment.format(seen.experiment), seen.cycles)
  end), " and ")
end

--- One line per choice that was made, not inferred.
function outcome_words.assumed(list) return lists.map(list, function(a) return a.text end) end

--- One line per scheme whose ports are the same in every mapping that fits, then one for each that has a rival; none where that was not asked.
function outcome_words.certain(outcome)
  local lines, found = {}, outcome.certain
  for _, name in ipairs(found and found.schemes or {}) do
    lines[#lines + 1] = ("%s: %s"):format(name, mapping.usage(outcome.mapping.schemes[name]))
  end
  local rivals = lists.keys(found and found.rivals or {})
  if #rivals > 0 then
    lines[#lines + 1] = ("not so %s: the certificate has another mapping that fits for each"):format(table.concat(rivals, "; "))
  end
  return lines
end

--- One line per experiment that would decide, but that the processor does not have.
function outcome_words.wanted(list)
  local lines = lists.map(list, function(w)
    return ("%s: %.3f cycles with this mapping, %.3f with another"):format(experiment.format(w.experiment), w.chosen, w.other)
  end)
  return lines
end

--- Says in a sentence how the inference ended.
function outcome_words.ending(outcome)
  if outcome.status == "unique" then
    local open = #outcome.open > 0 and ", but for what is open below" or ""
    local assumed = one_uop.words(outcome.assumed)
    return ("%sno other mapping with up to %d ports can be told from this one at %g CPI%s"):format(assumed and ("if %s, "):format(assumed) or "",
      outcome.ports, outcome.epsilon, open)
  elseif outcome.status == "undecided" then
    return "other mappings fit the recorded experiments, too; those that would decide are below"
  elseif outcome.status == "limit" then
    return "it ended at its time or experiment limit: other mappings may fit as well"
  elseif outcome.status == "interrupted" then
    return "interrupted: other mappings may fit as well"
  end
  return outcome.conflict and outcome.conflict.text or "the experiments contradict each other"
end

return outcome_words
