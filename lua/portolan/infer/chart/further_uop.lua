--- A uop more than a class is known by: that a class has one is what its issue slot says, and some uops have none of their own (on Zen 3 what moves
-- general to vector registers keeps a port of conditional moves busy, too).
--
-- Several pairs of the class take longer than its ports explain then, and exactly as long as they would with one uop more on the ports of another
-- class; nothing is faster than that.
-- @module portolan.infer.chart.further_uop
local constants = require "portolan.infer.chart.constants"
local experiment = require "portolan.experiment"
local lists = require "portolan.support.lists"
local mapping = require "portolan.mapping"

local few = constants.class_few

local function is_near(cycles, expected) return math.abs(cycles / expected - 1) < constants.times_differ end

-- How many of the slow pairs a uop more explains; nil if it would make others too slow. `time` = function(experiment).
local function explains(pairs_of, time)
  local n = 0
  for _, o in ipairs(pairs_of) do
    local cycles = time(o.experiment)
    if o.cycles < constants.consistent_faster * cycles then return nil end
    n = n + (o.cycles > constants.beyond_ports * o.predicted and is_near(o.cycles, cycles) and 1 or 0)
  end
  return n
end

-- The members that take as long beside others as the representative does.
local function alike(survey, class, slow)
  local list, of = {}, {}
  for _, name in ipairs(class.members) do
    for _, o in ipairs(name ~= class.representative and slow or {}) do
      list[#list + 1] = experiment.without(o.experiment, class.representative)
      list[#list][name], of[#list] = o.experiment[class.representative], { name = name, cycles = o.cycles }
    end
  end
  local differs = {}
  for i, result in ipairs(survey:measure(list, { optional = true })) do
    if result.status ~= "ok" or not is_near(result.cycles, of[i].cycles) then differs[of[i].name] = true end
  end
  return lists.where(class.members, function(name) return not differs[name] end)
end

--- The uop more of a class, if it has one.
-- @param survey the survey
-- @param outcome of the inference of the classes (portolan.infer.cegis)
-- @param class one of `survey.classes`
-- @return its ports, and the members that have it; nil if nothing speaks for one
local function find(survey, outcome, class)
  if not class.slow_beside then return nil end
  local own, name = outcome.mapping.schemes[class.representative], class.representative
  local pairs_of = lists.where(outcome.observations, function(o)
    return o.experiment[name] and next(o.experiment, next(o.experiment)) and o.predicted
  end)
  if lists.count(pairs_of, function(o) return o.cycles > constants.beyond_ports * o.predicted end) < few then return nil end
  local m, others = { ports = outcome.mapping.ports, rmax = outcome.mapping.rmax, schemes = lists.copy(outcome.mapping.schemes) }, {}
  for i, other in ipairs(survey.classes) do
    local theirs = outcome.mapping.schemes[other.representative]
    if other ~= class and theirs then
      others[#others + 1] = { ports = theirs.uops[1][1], alias = ("%s and %d"):format(name, i) }
      m.schemes[others[#others].alias] = { uops = { own.uops[1], theirs.uops[1] }, slots = own.slots, status = "explained" }
    end
  end
  local compiled = assert(mapping.compile(m))
  local best, most, time = nil, few - 1, nil
  for _, other in ipairs(others) do
    local function with(e)
      local changed = experiment.without(e, name)
      changed[other.alias] = e[name]
      return compiled:throughput(changed)
    end
    local n = explains(pairs_of, with)
    if n and (n > most or best and n == most and #other.ports < #best.ports) then best, most, time = other, n, with end
  end
  if not best then return nil end
  return best.ports, alike(survey, class, lists.where(pairs_of, function(o)
    return o.cycles > constants.beyond_ports * o.predicted and is_near(o.cycles, time(o.experiment))
  end))
end

return find
