--- Stage: is what is slower alone than its ports slow beside others, too, and beside which others?
--
-- Such a scheme is taken to keep a unit busy for as long as it takes alone. That is an assumption: branches that stand close to each other wait for
-- what predicts them, and do not where a few other instructions are between (on Zen 3 a jump that is not taken takes a cycle alone, half a cycle
-- beside two loads). So two of them are tried beside instances of the widest class that shares no port with them. What that takes is more than enough
-- for their unit: if it is less than twice the time alone the unit is free sooner.
--
-- Schemes that take as long may keep the same unit: then the times of both add up where their ports would do with less (on a Zen 5 all stores,
-- whatever they store, are two a cycle). They are compared with one scheme of each unit that was found, and what stores with those of stores.
-- @module portolan.infer.chart.stages.units
local compose = require "portolan.infer.chart.compose"
local constants = require "portolan.infer.chart.constants"
local lists = require "portolan.support.lists"
local mapping = require "portolan.mapping"
local port_set = require "portolan.mapping.ports"

local most_beside = 4 -- instances of the other class

-- The widest class without a port of these uops; nil if there is none, or the uops are not known.
local function apart_from(survey, uops)
  local best
  for _, class in ipairs(uops and survey.classes or {}) do
    local free = class.ports and lists.all(uops, function(uop) return #port_set.common(uop[1], class.ports) == 0 end)
    if free and not class.wide and (not best or class.count > best.count) then best = class end
  end
  return best
end

-- The experiments of a scheme: without a unit they would be done before two instances are alone.
local function experiments_of(survey, name, f)
  local class, list = apart_from(survey, f.uops), {}
  for n = 1, class and most_beside or 0 do
    local slots = 2 * ((f.slots or 1) + (f.breakers or 0)) + n
    local free = math.max(n / class.count, slots / survey.width)
    local e = { [name] = 2, [class.representative] = n }
    local can_tell = not survey.processor.answers or survey.processor:answers(e) -- a record may lack it, which leaves nothing else open
    if can_tell and free < constants.consistent_faster * 2 * f.single.cycles then list[#list + 1] = e end
  end
  return list
end

local function cycles_of(f) return f.busy or f.single.cycles end

-- Two schemes, each as often as takes a cycle at least.
local function together(a, b, f)
  local n = math.max(1, math.ceil(1 / cycles_of(f) - constants.times_differ))
  return { [a] = n, [b] = n }
end

-- Schemes that add up with the first scheme of a unit, and would be faster if each had a unit of its own. Returns these, and the others.
local function sharing(survey, compiled, first, names)
  local f, list, asked, found, rest = survey.facts[first], {}, {}, {}, {}
  for _, name in ipairs(names) do
    local g = survey.facts[name]
    local e = together(first, name, f)
    local sum = e[name] * (cycles_of(f) + cycles_of(g))
    local alike = math.abs(cycles_of(f) / cycles_of(g) - 1) < constants.times_differ and (not f.memory.writes) == (not g.memory.writes)
    if alike and compiled:throughput(e) < constants.consistent_faster * sum then
      list[#list + 1], asked[#asked + 1] = e, { name = name, sum = sum }
    else
      rest[#rest + 1] = name
    end
  end
  for i, result in ipairs(survey:measure(list, { optional = true })) do
    local one = asked[i]
    if result.status == "ok" and result.cycles > constants.consistent_faster * one.sum then
      found[#found + 1] = one.name
      survey:witness(one.name, list[i], result.cycles, compiled:throughput(list[i]), "the same unit as " .. first, "contradicts")
    else
      rest[#rest + 1] = one.name
    end
  end
  return found, rest
end

-- Schemes that may share a unit, and those of them that keep one busy.
local function candidates(survey)
  local names, firsts = {}, {}
  for _, name in ipairs(survey.order) do
    local f = survey.facts[name]
    local slower = f.status == "slower than ports"
    if f.uops and f.single.cycles and not f.taken and (slower or f.status == "explained" and f.memory.writes) then
      names[#names + 1], firsts[#firsts + 1] = name, slower and name or nil
    end
  end
  return names, firsts
end

-- The schemes of each unit, the first one first, which may be odd (a `push` of 16 bits is slower beside others).
local function units_of(survey, compiled, names, firsts)
  local units, placed = {}, {}
  for _, first in ipairs(firsts) do
    if not placed[first] then
      local found, rest = sharing(survey, compiled, first, lists.where(names, function(name) return name ~= first end))
      units[#units + 1], names = lists.joined({ first }, found), rest
      for _, name in ipairs(found) do placed[name] = true end
    end
  end
  return units
end

local function middle(unit) return unit[(#unit + 1) // 2] end

-- Gives schemes of one unit the name of one of them. Units whose middle schemes add up are one.
local function share(survey)
  local names, firsts = candidates(survey)
  if #names < 2 or #firsts == 0 then return end
  local compiled = mapping.compile(compose.mapping(survey, true))
  local units = lists.where(units_of(survey, compiled, names, firsts), function(unit) return #unit > 1 end)
  while #units > 0 do
    local unit, of_middle = table.remove(units, 1), {}
    for _, other in ipairs(units) do of_middle[middle(other)] = other end
    for _, name in ipairs((sharing(survey, compiled, middle(unit), lists.map(units, middle)))) do
      unit = lists.joined(unit, of_middle[name])
      units = lists.where(units, function(other) return other ~= of_middle[name] end)
    end
    for _, name in ipairs(unit) do survey.facts[name].unit = unit[1] end
  end
end

return function(survey)
  survey:stage("units")
  for _, name in ipairs(survey.order) do
    local f = survey.facts[name]
    local list = f.status == "slower than ports" and f.single.cycles and not f.taken and experiments_of(survey, name, f) or {}
    for i, result in ipairs(#list > 0 and survey:measure(list) or {}) do
      local cycles = result.status == "ok" and result.cycles / 2
      if cycles and cycles < constants.consistent_faster * f.single.cycles and cycles < (f.busy or math.huge) then
        f.busy = cycles
        survey:witness(name, list[i], result.cycles, 2 * f.single.cycles, "its unit is free sooner beside others than alone", "shows")
      end
    end
  end
  share(survey)
end
