--- The port sets of all schemes at once: the cheapest that experiments leave, by evolution (engine/evo).
--
-- What a hypothesis costs: a reading that is faster than it predicts counts in full, as hardware wins no cycles; one that is slower counts less, and
-- never more than a bound, as it loses some that no port explains; and each uop costs as much as it has ports. No experiment is done before its
-- slots are issued, nor before each of its schemes is done that many times: what a scheme takes alone may be due to a unit that is busy, of which
-- nothing else need be known. Ports have to explain what is beyond, and what schemes take alone.
-- @module portolan.infer.evidence.port_sets
local checkpoint = require "portolan.infer.pmevo.checkpoint"
local core = require "portolan.core"
local islands = require "portolan.infer.pmevo.islands"
local recorded = require "portolan.infer.pmevo.recorded"

local port_sets = {}

port_sets.price = { slower = 0.5, bound = 0.2, volume = 0.02 }

local rounding = 0.99 -- share of what a scheme takes alone that many instances take each: loops cost a little
local alike = 0.03 -- relative difference up to which times are equal

-- What an experiment takes in any case.
local function least(e, o)
  local slots, busy, kinds = 0, 0, 0
  for name, n in pairs(e) do
    slots, busy, kinds = slots + n * (o.slots[name] or 1), math.max(busy, rounding * n * (o.alone[name] or 0)), kinds + 1
  end
  return math.max(o.rmax and slots / o.rmax or 0, kinds > 1 and busy or 0)
end

--- Schemes that no experiment tells apart, with the first of them for all.
-- @param list observations
-- @param names schemes
-- @param o `alone`, `slots`
-- @return as portolan.infer.pmevo.congruence
function port_sets.classes(list, names, o)
  local differ = recorded.differ(list, o.alone, alike)
  local found = { representatives = {}, class = {} }
  for _, s in ipairs(names) do
    for _, r in ipairs(found.representatives) do
      local same = math.abs(o.alone[s] / o.alone[r] - 1) < alike and (o.slots[s] or 1) == (o.slots[r] or 1)
      if same and not differ(s, r) then
        found.class[s] = r
        break
      end
    end
    if not found.class[s] then found.class[s], found.representatives[#found.representatives + 1] = s, s end
  end
  return found
end

--- The cheapest port sets.
-- @param list observations of the schemes of the classes alone: `{ e =, cycles = }`
-- @param classes of `port_sets.classes`
-- @param o `ports` (number), `alone`, `slots` (by name), `rmax`, `seed`, `islands`, `population`, `generations`, `threads`, `progress`
-- @return as islands.evolve, with `experiments` (their number); or nil and a message
function port_sets.find(list, classes, o)
  local training, alone, price = recorded.training(list, classes), {}, port_sets.price
  for _, x in ipairs(training) do x.least = least(x.e, o) end
  for i, name in ipairs(classes.representatives) do alone[i] = o.alone[name] end
  local problem, message = core.evo.problem(o.ports, alone, training, price)
  if not problem then return nil, message end
  local outcome
  outcome, message = islands.evolve(problem, { islands = o.islands or 2, population = o.population or 4, seed = o.seed or 1,
    generations = o.generations or 12, threads = o.threads, experiments = #training, price = price.volume,
    checkpoint = checkpoint.new(nil, ""), progress = o.progress or function() end })
  if outcome then outcome.experiments = #training end
  return outcome, message
end

return port_sets
