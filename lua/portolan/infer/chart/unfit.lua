--- Representatives that turn out to stand for no others, as they make the times of others inexplicable.
--
-- A class that takes a cycle has one port, or more and a unit that they share: `vperm2i128` on Zen 3 evades floods of two classes that have both of
-- its ports. So does a scheme that runs four times a cycle on six ports. With as many ports as it takes time for, other classes cannot have the ports
-- that they have, and pairs of these come out slower than any mapping says. So where pairs do, the ports are inferred without such a class, too.
-- @module portolan.infer.chart.unfit
local binding = require "portolan.infer.chart.binding"
local constants = require "portolan.infer.chart.constants"
local lists = require "portolan.support.lists"
local plural = require "portolan.support.plural"
local port_set = require "portolan.mapping.ports"

local unfit = {}

-- Experiments that take longer than the mapping says, by more where it matters how uops are bound: a list.
local function broken(outcome)
  local function uops_of(name) return outcome.mapping.schemes[name].uops end
  return lists.where(outcome.observations, function(o)
    local most = binding.matters(o.experiment, uops_of) and constants.unfit_broken or constants.beyond_ports
    return o.predicted and o.cycles > most * o.predicted
  end)
end

local function about_others(list, name)
  return lists.where(list, function(o) return not o.experiment[name] end)
end

-- Classes that could be to blame for these experiments: they share a port with a class that occurs there, and have one port or one member, as what
-- limits others, too, to several times a cycle are ports. Those of few members first.
local function suspects(survey, outcome, list)
  local busy = {}
  for _, o in ipairs(list) do
    for name in pairs(o.experiment) do
      for _, uop in ipairs(outcome.mapping.schemes[name].uops) do
        for _, port in ipairs(uop[1]) do busy[port] = true end
      end
    end
  end
  local found = lists.where(survey.classes, function(class)
    local uops = outcome.mapping.schemes[class.representative]
    local doubtful = not class.wide and (class.count == 1 or #class.members == 1)
    return doubtful and uops and port_set.inside(uops.uops[1][1], busy)
  end)
  table.sort(found, function(a, b) return #a.members < #b.members end)
  return found
end

-- Returns by how many experiments about others, at least, there must be fewer that are not explained without a class: one tells where the class has
-- few members, and all are explained then. What runs several times a cycle seldom does so without ports: half of them then.
local function least_gain(class, others)
  local least = #class.members <= constants.class_few and math.min(others, constants.class_few) or constants.class_few
  return class.count == 1 and least or math.max(least, others / 2)
end

--- Takes a class out of the classes with which fewer experiments about others are explained than without.
-- @param survey the survey
-- @param outcome of the inference of all classes (portolan.infer.cegis)
-- @param infer function(survey, classes) -> outcome
-- @return true if a class was taken out
function unfit.take_out(survey, outcome, infer)
  local before = broken(outcome)
  for _, class in ipairs(suspects(survey, outcome, before)) do
    local name = class.representative
    local others = #about_others(before, name)
    local gain = least_gain(class, others)
    if others > 0 and others >= gain then
      local better = infer(survey, lists.where(survey.classes, function(other) return other ~= class end))
      local left = better and better.mapping and #broken(better) or math.huge
      if left <= others - gain then
        for _, member in ipairs(class.members) do survey.facts[member].unfounded = class.count end
        survey.facts[name].unfit = ("if it had %s, %d experiments about others would take longer than any ports explain, without it %d")
          :format(plural(class.count, "port"), others, left)
        survey.classes = lists.where(survey.classes, function(other) return other ~= class end)
        return true
      end
    end
  end
  return false
end

return unfit
