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
local plural = require "portolan.support.plural"
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
    if result.status == "ok" and result.cycles > constants.class_additive * 2 and most < constants.class_additive * 2 then
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

-- Does a flood of one class say something of the ports of another one that the mapping does not? A uop that stays where it has no port was held up by
-- something else; one that leaves has a port elsewhere.
local function contradicts(survey, row, column, ports)
  local effect = row ~= column and survey.effects(row, column)
  local a, b = ports[row], ports[column]
  if not effect or not a or not b then return false end
  if effect == 0 then return port_set.within(b, a) end
  return effect > 1 - constants.flood_short and #port_set.common(a, b) == 0
end

-- What ports do not explain: list of `{ names = of representatives, flood = true: a flood }`, an experiment that takes longer than the mapping says,
-- or a flood that says otherwise.
local function broken(survey, outcome)
  local list, ports = {}, {}
  for _, class in ipairs(survey.classes) do
    local scheme = outcome.mapping.schemes[class.representative]
    if counts(class) and scheme then ports[class] = scheme.uops[1][1] end
  end
  for _, o in ipairs(outcome.observations) do
    if o.predicted and o.cycles > constants.unfit_broken * o.predicted then list[#list + 1] = { names = lists.keys(o.experiment) } end
  end
  for row in pairs(ports) do
    for column in pairs(ports) do
      if contradicts(survey, row, column, ports) then
        list[#list + 1] = { names = { row.representative, column.representative }, flood = true }
      end
    end
  end
  return list
end

local function about_others(list, name)
  return lists.where(list, function(one) return not lists.any(one.names, function(other) return other == name end) end)
end

-- Classes that could be to blame: those of floods, and those of one port that share it with one of these. Those of few members first.
local function suspects(survey, outcome, list)
  local busy, named = {}, {}
  for _, one in ipairs(list) do
    for _, name in ipairs(one.names) do
      named[name] = one.flood or named[name]
      for _, uop in ipairs(outcome.mapping.schemes[name].uops) do
        for _, port in ipairs(uop[1]) do busy[port] = true end
      end
    end
  end
  local found = lists.where(survey.classes, function(class)
    local uops = outcome.mapping.schemes[class.representative]
    return counts(class) and uops and (named[class.representative] or class.count == 1 and port_set.inside(uops.uops[1][1], busy))
  end)
  table.sort(found, function(a, b)
    if #a.members ~= #b.members then return #a.members < #b.members end
    return a.representative < b.representative
  end)
  return found
end

-- What is left unexplained if a class is taken out, about others; infinite if nothing can be inferred then.
local function left_without(survey, class, infer)
  local all = survey.classes
  local others = lists.where(all, function(other) return other ~= class end)
  local better = infer(survey, others)
  return better and better.mapping and #broken(survey, better) or math.huge
end

-- How many experiments must speak for taking a class out: the more schemes say that it is one, the more.
local function price(class) return constants.unfit_fewer + #class.members // constants.unfit_members end

-- The class that most floods contradict, of those the one with fewest members; and how many contradict it. Nil: none does.
local function most_contradicted(survey, list)
  local times, found = {}, nil
  for _, one in ipairs(list) do
    for _, name in ipairs(one.flood and one.names or {}) do times[name] = (times[name] or 0) + 1 end
  end
  for _, class in ipairs(survey.classes) do
    local n = times[class.representative] or 0
    n = n >= price(class) and n or 0
    local most = found and times[found.representative] or 0
    if n > most or n > 0 and n == most and #class.members < #found.members then found = class end
  end
  return found, found and times[found.representative]
end

local function take_out(survey, class, why)
  for _, member in ipairs(class.members) do survey.facts[member].unfounded = class.count end
  dissolve(survey, class, why)
  return true
end

--- Takes a class out of the classes with which fewer experiments about others are explained than without; where there is none, and floods contradict
-- the ports that were found, the one that they contradict most.
-- @param survey the survey
-- @param outcome of the inference of all classes (portolan.infer.cegis)
-- @param infer function(survey, classes) -> outcome
-- @return true if a class was taken out
function unfit.take_out_inexplicable(survey, outcome, infer)
  local before = broken(survey, outcome)
  local best, least, others_of
  for _, class in ipairs(suspects(survey, outcome, before)) do
    local others = #about_others(before, class.representative)
    local left = others >= price(class) and left_without(survey, class, infer) or math.huge
    if left <= others - price(class) and (not best or left < least) then best, least, others_of = class, left, others end
  end
  if best then
    return take_out(survey, best, ("with its %s, %d experiments about others say what no ports explain, and without it %d"):format(
      plural(best.count, "port"), others_of, least))
  end
  local class, times = most_contradicted(survey, before)
  return class and take_out(survey, class, ("%s of it, or with it, contradict the ports that its times alone speak of"):format(
    plural(times, "flood"))) or false
end

return unfit
