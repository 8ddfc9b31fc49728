--- Representatives that turn out to stand for no others, by what is measured of pairs: their classes are no sets of ports.
--
-- **What holds up others by more than any ports explain.** Times add up where ports are the same (Theorem 6.3), so those of classes with different
-- numbers of ports should not: m and n instances, which keep m and n ports busy for a cycle, take at most (m + n) / max(m, n) cycles together.
-- Cores that bind uops unwisely take longer (an `imul` beside four additions on Zen 3 1.62 cycles in the place of 1.25), but hardly the sum. What
-- does so is bound without regard to the others. Zen 3 moves vector registers to general ones so: it spreads additions evenly over the four adders,
-- and one of these has the move besides (2 cycles in the place of 1.25). Floods of such moves would show uops where there are none.
--
-- **What makes the times of others inexplicable.** A class that takes a cycle has one port, or more and a unit that they share: `vperm2i128` on Zen 3
-- evades floods of two classes that have both of its ports. With one port for it, other classes cannot have the ports that they have, and pairs of
-- these come out slower than any mapping says. So where pairs do, the ports are inferred without such a class, too.
-- @module portolan.infer.chart.unfit
local constants = require "portolan.infer.chart.constants"
local lists = require "portolan.support.lists"
local port_set = require "portolan.ports"

local unfit = {}

-- May it be one of a pair?
local function counts(class) return not class.wide and not class.improper end

-- Pairs of classes of different numbers of ports: lists of experiments, and of { narrow class, wide class }.
local function pairs_of(survey)
  local list, about = {}, {}
  for i, a in ipairs(survey.classes) do
    for j = i + 1, #survey.classes do
      local b = survey.classes[j]
      if counts(a) and counts(b) and a.count ~= b.count then
        local narrow, wide = a, b
        if narrow.count > wide.count then narrow, wide = wide, narrow end
        list[#list + 1] = { [narrow.representative] = narrow.count, [wide.representative] = wide.count }
        about[#about + 1] = { narrow, wide }
      end
    end
  end
  return list, about
end

-- The class that most pairs are too slow with, the narrowest of these; with the evidence { experiment =, cycles =, most =, other = (scheme) }.
local function worst(survey)
  local list, about = pairs_of(survey)
  local evidence, times = {}, {}
  for i, result in ipairs(survey:measure(list)) do
    local narrow, wide = table.unpack(about[i])
    local most = 1 + narrow.count / wide.count
    if result.status == "ok" and result.cycles > constants.consistent_faster * 2 and most < constants.consistent_faster * 2 then
      for _, class in ipairs { narrow, wide } do
        times[class] = (times[class] or 0) + 1
        local other = class == narrow and wide or narrow
        evidence[class] = evidence[class] or { experiment = list[i], cycles = result.cycles, most = most, other = other.representative }
      end
    end
  end
  local found
  for _, class in ipairs(survey.classes) do
    local n = times[class] or 0
    if n > 0 and (not found or n > times[found] or n == times[found] and class.count < found.count) then found = class end
  end
  return found, found and evidence[found]
end

-- Takes a class apart: it is founded by none of its members that share the reason, and perhaps by others.
local function dissolve(survey, class, why)
  for i, other in ipairs(survey.classes) do
    if other == class then table.remove(survey.classes, i) break end
  end
  local f = survey.facts[class.representative]
  f.unfounded, f.unfit = class.count, why
end

local function without(class, name)
  return lists.where(class.members, function(member) return member ~= name end)
end

-- Makes classes of what is left of one; of a class of loads, those that have any are such, too.
local function split_rest(survey, class, split)
  local before = #survey.classes
  split(survey, without(class, class.representative), class.count)
  for i = before + 1, class.loads and #survey.classes or before do
    local new = survey.classes[i]
    new.loads = lists.any(new.members, function(member) return survey.facts[member].memory.reads end) or nil
  end
end

--- Takes representatives that hold up others, and those of their classes that do so as well, out of the classes, until none is left: they are
-- `unfounded`, and left to blocking.
-- @param survey the survey
-- @param split function(survey, names, ports): makes classes of what is left of one (portolan.infer.chart.stages.classes)
function unfit.take_out_hindering(survey, split)
  while true do
    local class, evidence = worst(survey)
    if not class then return end
    local name = class.representative
    dissolve(survey, class, ("it holds up %s: %.2f cycles together, where ports explain %.2f at most"):format(evidence.other, evidence.cycles,
      evidence.most))
    survey:witness(name, evidence.experiment, evidence.cycles, evidence.most, survey.facts[name].unfit, "contradicts")
    split_rest(survey, class, split)
  end
end

-- Experiments that take longer than the mapping says: a list.
local function broken(outcome)
  return lists.where(outcome.observations, function(o) return o.predicted and o.cycles > constants.unfit_broken * o.predicted end)
end

local function about_others(list, name)
  return lists.where(list, function(o) return not o.experiment[name] end)
end

-- Classes of one port that could be to blame for these experiments: they share a port with a class that occurs there. Those of few members first.
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
    return class.count == 1 and counts(class) and uops and port_set.inside(uops.uops[1][1], busy)
  end)
  table.sort(found, function(a, b) return #a.members < #b.members end)
  return found
end

--- Takes a class of one port out of the classes with which fewer experiments about others are explained than without.
-- @param survey the survey
-- @param outcome of the inference of all classes (portolan.infer.cegis)
-- @param infer function(survey, classes) -> outcome
-- @return true if a class was taken out
function unfit.take_out_inexplicable(survey, outcome, infer)
  local before = broken(outcome)
  for _, class in ipairs(suspects(survey, outcome, before)) do
    local name = class.representative
    local others = #about_others(before, name)
    if others >= constants.class_few then
      local better = infer(survey, lists.where(survey.classes, function(other) return other ~= class end))
      local left = better and better.mapping and #broken(better) or math.huge
      if left <= others - constants.class_few then
        for _, member in ipairs(class.members) do survey.facts[member].unfounded = class.count end
        dissolve(survey, class, ("if it had one port, %d experiments about others would take longer than any ports explain, and without it %d")
          :format(others, left))
        return true
      end
    end
  end
  return false
end

return unfit
