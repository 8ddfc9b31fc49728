--- Basic instructions: the few schemes whose resources are found together, and against which all others are measured.
-- @module portolan.infer.palmed.basic
local constants = require "portolan.infer.palmed.constants"
local lists = require "portolan.support.lists"
local quadratic = require "portolan.infer.palmed.quadratic"

local basic = {}

-- Returns the cycles that two classes take together if they share nothing, the longer of the two times; and the sum of the two.
local function apart(levels, a, b)
  local i, k = quadratic.ratio(levels[a], levels[b])
  return math.max(i * levels[a], k * levels[b]), i * levels[a] + k * levels[b]
end

-- Computes how much two classes slow each other down: 0 if they are disjoint, 1 if their times add up. They count as disjoint without a time.
local function conflict(run, pairs_of, i, k)
  local a, b = run.representatives[i], run.representatives[k]
  local least, most = apart(pairs_of.levels, a, b)
  local cycles = pairs_of.times[i][k] or least
  local share = (cycles - least) / (most - least)
  return cycles <= least * (1 + constants.apart * run.options.epsilon) and 0 or math.min(1, share)
end

-- Classes that may become basic ones, with the number of classes that they are disjoint from and how much they slow others down.
local function candidates(run, pairs_of)
  local list = {}
  for i, name in ipairs(run.representatives) do
    if pairs_of.levels[name] <= (1 + run.options.epsilon) / constants.least_ipc then
      local c = { name = name, place = i, disjoint = 0, greed = 0 }
      for k = 1, #run.representatives do
        local x = k ~= i and conflict(run, pairs_of, i, k) or 0
        c.disjoint, c.greed = c.disjoint + (k ~= i and x == 0 and 1 or 0), c.greed + x
      end
      list[#list + 1] = c
    end
  end
  return list
end

local function sorted(list, field)
  table.sort(list, lists.most_first(field, "name"))
  return list
end

--- Chooses basic instructions: *very basic* ones, of which no two share a resource (a clique, greedily, from those that are disjoint from
-- most others on), then the *greediest*, which slow others down most.
-- @param run state.run
-- @param pairs_of `{ levels =, times = }` of `quadratic.classes`
-- @return list of names; empty if no scheme runs once a cycle
function basic.choose(run, pairs_of)
  local list, chosen, taken = candidates(run, pairs_of), {}, {}
  local function take(c) chosen[#chosen + 1], taken[c.name] = c, true end
  for _, c in ipairs(sorted(list, "disjoint")) do
    local clique = #chosen < run.options.basic
    for _, other in ipairs(chosen) do clique = clique and conflict(run, pairs_of, c.place, other.place) == 0 end
    if clique then take(c) end
  end
  for _, c in ipairs(sorted(list, "greed")) do
    if not taken[c.name] and #chosen < math.min(constants.basic_first, run.options.basic) then take(c) end
  end
  return lists.map(chosen, function(c) return c.name end)
end

--- Chooses the classes to add: those in most of the pairs that a mapping does not explain.
-- @param run state.run
-- @param pairs_of as above
-- @param predict function(experiment) -> cycles, or nil
-- @return list of names, at most `constants.basic_more` of them; number of pairs that are not explained
function basic.missing(run, pairs_of, predict)
  local is_basic, list, count = lists.set(run.basics), {}, 0
  local possible = candidates(run, pairs_of)
  for _, c in ipairs(possible) do
    c.missed = 0
    for k, other in ipairs(run.representatives) do
      local cycles = pairs_of.times[c.place][k]
      local modelled = cycles and predict(quadratic.balanced(pairs_of.levels, c.name, other))
      if modelled and math.abs(modelled - cycles) > constants.unexplained * run.options.epsilon * cycles then c.missed = c.missed + 1 end
    end
    count = count + c.missed
  end
  for _, c in ipairs(sorted(possible, "missed")) do
    if c.missed > 0 and not is_basic[c.name] and #list < math.min(constants.basic_more, run.options.basic - #run.basics) then
      list[#list + 1] = c.name
    end
  end
  return list, count
end

return basic
