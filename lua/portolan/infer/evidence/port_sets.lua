--- The port sets of all schemes at once: the cheapest that experiments leave, by evolution (engine/evo).
--
-- A hypothesis has a cost: a reading that is faster than it predicts counts in full, as hardware wins no cycles; one that is slower counts less, and
-- never more than a bound, as it loses some that no port explains; and each uop costs as much as it has ports. No experiment is done before its
-- slots are issued, nor before each of its schemes is done that many times: what a scheme takes alone may be due to a unit that is busy, of which
-- nothing else need be known. Ports have to explain what is beyond, and what schemes take alone.
-- @module portolan.infer.evidence.port_sets
local checkpoint = require "portolan.infer.pmevo.checkpoint"
local core = require "portolan.core"
local experiment = require "portolan.experiment"
local islands = require "portolan.infer.pmevo.islands"
local lists = require "portolan.support.lists"
local recorded = require "portolan.infer.pmevo.recorded"

local port_sets = {}

port_sets.price = { slack = 0.02, slower = 0.5, bound = 0.4, volume = 0.02, uop = 0.1 }

local rounding = 0.99 -- share of what a scheme takes alone that many instances take each: loops cost a little
local often = 0.3 -- share of the most experiments that a scheme is in: those in more are the core
local most_core, most_all = 8, 5 -- epochs of the core, of all schemes
local alike = 0.05 -- relative difference up to which times are equal

-- Returns the cycles that an experiment takes in any case.
local function least(e, o)
  local slots, busy, kinds = 0, 0, 0
  for name, n in pairs(e) do
    slots, busy, kinds = slots + n * (o.slots[name] or 1), math.max(busy, rounding * n * (o.alone[name] or 0)), kinds + 1
  end
  return math.max(o.rmax and slots / o.rmax or 0, kinds > 1 and busy or 0)
end

-- Returns function(s, r), which tells whether two schemes, of the same time alone, were seen to take less together than one after the other.
local function evading(list, alone)
  local evade = {}
  for _, x in ipairs(list) do
    local kinds = experiment.schemes(x.e)
    local s, r = kinds[1], kinds[2]
    if #kinds == 2 and x.cycles < (1 - alike) * (x.e[s] * alone[s] + x.e[r] * alone[r]) then
      evade[s], evade[r] = evade[s] or {}, evade[r] or {}
      evade[s][r], evade[r][s] = true, true
    end
  end
  return function(s, r) return evade[s] and evade[s][r] end
end

--- Schemes that no experiment tells apart, with the first of them for all.
-- @param list observations
-- @param names schemes
-- @param o `alone`, `slots`
-- @return as portolan.infer.pmevo.congruence
function port_sets.classes(list, names, o)
  local differ, evade = recorded.differ(list, o.alone, alike), evading(list, o.alone)
  local found = { representatives = {}, class = {} }
  for _, s in ipairs(names) do
    for _, r in ipairs(found.representatives) do
      local same = math.abs(o.alone[s] / o.alone[r] - 1) < alike and (o.slots[s] or 1) == (o.slots[r] or 1)
      if same and not evade(s, r) and not differ(s, r) then
        found.class[s] = r
        break
      end
    end
    if not found.class[s] then found.class[s], found.representatives[#found.representatives + 1] = s, s end
  end
  return found
end

-- The schemes that most experiments are about; the others were measured beside these alone, so that given their ports each is a question by itself.
local function core_of(training, representatives)
  local count, most = {}, 0
  for _, x in ipairs(training) do
    for name in pairs(x.e) do count[name] = (count[name] or 0) + 1 end
  end
  for _, name in ipairs(representatives) do most = math.max(most, count[name] or 0) end
  return lists.where(representatives, function(name) return (count[name] or 0) >= often * most end)
end

-- The experiments of some representatives alone, as the engine numbers them. What is eliminated takes slots, and no ports.
local function among(training, names, all)
  local number, list, represents = {}, {}, lists.set(all)
  for i, name in ipairs(names) do number[name] = i end
  for _, x in ipairs(training) do
    local kinds = lists.where(experiment.schemes(x.e), function(name) return represents[name] end)
    if lists.all(kinds, function(name) return number[name] end) then
      list[#list + 1] = { e = x.e, cycles = x.cycles, least = x.least, schemes = lists.map(kinds, function(name) return number[name] end),
        counts = lists.map(kinds, function(name) return math.tointeger(x.e[name]) end) }
    end
  end
  return list
end

-- Returns what the engine says of some names, as a text for others among which these are.
local function spread(text, from, to)
  local part, i = {}, 0
  for uops in (text .. ";"):gmatch "([^;]*);" do
    i = i + 1
    if from[i] then part[from[i]] = uops end
  end
  return table.concat(lists.map(to, function(name) return part[name] or "" end), ";")
end

-- The cheapest port sets of some representatives, from a text to begin with.
local function evolve(training, names, all, o, generations, hint)
  local list, price = among(training, names, all), port_sets.price
  local alone = lists.map(names, function(name) return o.alone[name] end)
  local problem, message = core.evo.problem(o.ports, alone, list, price)
  if not problem then return nil, message end
  return islands.evolve(problem, { islands = o.islands or 2, population = o.population or 4, seed = o.seed or 1, generations = generations,
    threads = o.threads, experiments = #list, price = price.volume, uop_price = price.uop, hint = hint, checkpoint = checkpoint.new(nil, ""),
    progress = o.progress or function() end })
end

--- The cheapest port sets: first of the schemes that most experiments are about, then of all.
-- @param list observations of the schemes of the classes alone: `{ e =, cycles = }`
-- @param classes of `port_sets.classes`
-- @param o `ports` (number), `alone`, `slots` (by name), `rmax`, `seed`, `islands`, `population`, `generations` (of all), `core_generations`,
-- `threads`, `progress`
-- @return as islands.evolve, with `experiments` (their number); or nil and a message
function port_sets.find(list, classes, o)
  local training = recorded.training(list, classes)
  for _, x in ipairs(training) do x.least = least(x.e, o) end
  local all = classes.representatives
  local first = core_of(training, all)
  local outcome, message = evolve(training, first, all, o, o.core_generations or most_core)
  if not outcome then return nil, message end
  outcome, message = evolve(training, all, all, o, o.generations or most_all, spread(outcome.text, first, all))
  if outcome then outcome.experiments = #training end
  return outcome, message
end

return port_sets
