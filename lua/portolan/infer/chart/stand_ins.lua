--- Finds what stands in for mixtures of schemes that are explained: with the same uops, other schemes.
--
-- However unwisely a core binds uops, it does so with whatever has them: what is slower than its stand-ins is so by something else. Those with the
-- same ports tell that of one scheme; those with other ports, that overlap as much, of all that have these uops.
-- @module portolan.infer.chart.stand_ins
local lists = require "portolan.support.lists"
local port_set = require "portolan.mapping.ports"

local stand_ins = {}

local same = 1e-6 -- share by which two times of the model may differ, and be the same

--- The ports of the classes, each once, with the schemes that may stand for them.
-- @param survey the survey
-- @return list of `{ ports =, names = }`
function stand_ins.sets(survey)
  local sets, of_key = {}, {}
  for _, class in ipairs(lists.where(survey.classes, function(class) return class.ports ~= nil end)) do
    local key = port_set.unordered_key(class.ports)
    if not of_key[key] then
      of_key[key] = { ports = class.ports, names = {} }
      sets[#sets + 1] = of_key[key]
    end
    for _, name in ipairs(class.uops and #class.uops == 1 and lists.joined({ class.representative }, class.members or {}) or {}) do
      if survey.facts[name].status == "explained" then table.insert(of_key[key].names, name) end
    end
  end
  return lists.where(sets, function(set) return #set.names > 0 end)
end

-- The uops of a mixture: list of `{ ports =, count = }`, one for each set of ports.
local function uops_of(survey, e)
  local list, of_key = {}, {}
  for name, n in pairs(e) do
    for _, uop in ipairs(survey.facts[name].uops) do
      local key = port_set.unordered_key(uop[1])
      if not of_key[key] then
        of_key[key] = { ports = uop[1], count = 0 }
        list[#list + 1] = of_key[key]
      end
      of_key[key].count = of_key[key].count + n * uop[2]
    end
  end
  table.sort(list, function(a, b) return port_set.unordered_key(a.ports) < port_set.unordered_key(b.ports) end)
  return list
end

-- Calls f with each way to put sets of as many ports, with as many in common, in the place of those of uops.
local function alike(uops, sets, chosen, f)
  local place = #chosen + 1
  if place > #uops then return f(chosen) end
  for _, set in ipairs(sets) do
    local fits = #set.ports == #uops[place].ports and not lists.any(chosen, function(other) return other == set end)
    for i = 1, fits and place - 1 or 0 do
      fits = fits and #port_set.common(uops[i].ports, uops[place].ports) == #port_set.common(chosen[i].ports, set.ports)
    end
    if fits then
      chosen[place] = set
      alike(uops, sets, chosen, f)
      chosen[place] = nil
    end
  end
end

--- Mixtures that should take as long as a mixture, with members of the classes in the place of all its schemes.
-- @param survey the survey
-- @param compiled mapping of what is claimed, compiled (portolan.mapping)
-- @param sets as of `stand_ins.sets`
-- @param e mixture of schemes that are explained
-- @return list of those with the same ports, and list of those with others that overlap as much; none if some uops are those of no class
function stand_ins.of(survey, compiled, sets, e)
  local own, others, uops, expected = {}, {}, uops_of(survey, e), compiled:throughput(e)
  alike(uops, sets, {}, function(chosen)
    local other, moved = {}, false
    for i, set in ipairs(chosen) do
      local name = lists.first(set.names, function(name) return not e[name] end)
      if not name then return end
      other[name] = (other[name] or 0) + uops[i].count
      moved = moved or not port_set.same(set.ports, uops[i].ports)
    end
    if math.abs(compiled:throughput(other) / expected - 1) < same then table.insert(moved and others or own, other) end
  end)
  return own, others
end

return stand_ins
