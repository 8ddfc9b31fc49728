--- Stores that are addressed by a part of the ports of loads (Neoverse V2: two of three).
--
-- Floods of loads show that such a store has its address there; how many of these ports it can use they do not show: two data ports hide whether two
-- or three address them. Stores of another kind, whose data take other ports, tell: if both kinds add up, though their data have nothing in common,
-- it is the address that they share, and it has as many ports as each is limited by alone (Theorem 6.3). Alternating, both kinds flood these ports. A
-- core that takes so many stores a cycle, whatever their ports, does likewise: it is assumed.
-- @module portolan.infer.chart.stages.store_addresses
local class_ports = require "portolan.infer.chart.stages.class_ports"
local classes = require "portolan.infer.chart.stages.classes"
local lists = require "portolan.support.lists"
local port_class = require "portolan.infer.chart.port_class"
local port_set = require "portolan.mapping.ports"

-- Stores of which nothing shows how many of the ports of loads address them.
local function first_kind(survey, list)
  if lists.any(survey.classes, function(class) return class.ambiguous end) then return nil end
  return lists.first(list, function(class) return class.address and class.uops[2] and class.address.count > class.count end)
end

-- Stores of another kind: as fast, addressed by the same ports, their data elsewhere. One of each class, and those that are in none.
local function second_kind(survey, class, list, seen)
  local names, is_member = {}, {}
  local function apart(ports) return #port_set.common(ports, class.ports) == 0 end
  for _, other in ipairs(list) do
    if other.address == class.address and other.count == class.count and apart(other.ports) then names[#names + 1] = other.representative end
    for _, name in ipairs(other.members) do is_member[name] = true end
  end
  for _, name in ipairs(lists.keys(seen)) do
    local uops = seen[name]
    local of_loads = lists.count(uops, function(uop) return uop.class == class.address and uop[2] == 1 end)
    local other = lists.first(uops, function(uop) return uop.class ~= class.address end)
    local alike = not is_member[name] and classes.ports_of(survey.facts[name]) == class.count
    if alike and #uops == 2 and of_loads == 1 and other[2] == 1 and #other[1] == class.count and apart(other[1]) then names[#names + 1] = name end
  end
  return names
end

-- Do other classes tell the ports of loads apart? Then it matters which of them address stores.
local function are_told_apart(survey, loads)
  return lists.any(survey.classes, function(class)
    local common = class ~= loads and class.ports and #port_set.common(class.ports, loads.ports) or 0
    return common > 0 and common < #loads.ports
  end)
end

-- The class of the address' ports: flooded by both kinds of stores in turns.
local function address_class(class, other, ports)
  local function kind(representative) return port_class.new { representative = representative, ports = ports, count = #ports } end
  local share = #ports / 2
  return port_class.new { representative = class.representative .. " and " .. other, improper = true, ports = ports, count = #ports, assumed = ports,
    mix = { { class = kind(class.representative), share = share }, { class = kind(other), share = share } } }
end

-- Notes what was measured of a class, in words for all its members.
local function note(survey, class, e, cycles, other)
  for _, member in ipairs(class.members) do
    survey:witness(member, e, cycles, 2, ("adds up with %s, whose data take other ports: the same %d ports address both"):format(other, class.count),
      "shows")
  end
end

-- Gives a class of stores the ports of its address.
local function set_address(survey, class, loads, ports)
  class.uops = lists.map(class.uops, function(uop) return port_set.same(uop[1], loads.ports) and { ports, 1 } or uop end)
  class.also = ports
  class.assumed = port_set.union(lists.map(class.uops, function(uop) return uop[1] end))
  class_ports.explain(survey, class, "with other stores it is as fast as alone: their address has these ports, or the core a limit of stores")
end

local function leave_open(survey, class, names)
  for _, name in ipairs(names) do
    survey:settle(name, "contradicting", ("%d of ports %s address it, and nothing tells which"):format(class.count,
      port_set.text(class.address.ports)))
  end
end

--- Gives stores the ports that address them, where these are a part of the ports of loads, and floods of both kinds a class (`survey.store_address`).
-- @param survey the survey
-- @param list classes of stores, with `uops`
-- @param seen name of a store -> its uops that others show (`seen` of portolan.infer.chart.stages.stores)
return function(survey, list, seen)
  local class = first_kind(survey, list)
  local names = class and second_kind(survey, class, list, seen) or {}
  if #names == 0 then return end
  local added, experiments = classes.additive(survey, class.representative, names, class.count)
  local sharing, place = {}, nil
  for i, name in ipairs(names) do
    if added[i] then sharing[#sharing + 1], place = name, place or i end
  end
  if not place then return end
  local loads = class.address
  if are_told_apart(survey, loads) then return leave_open(survey, class, lists.joined(class.members, sharing)) end
  local ports = table.move(loads.ports, #loads.ports - class.count + 1, #loads.ports, 1, {})
  survey.store_address = address_class(class, names[place], ports)
  set_address(survey, class, loads, ports)
  note(survey, class, experiments[place], added[place], names[place])
  for i, name in ipairs(names) do
    local other = added[i] and lists.first(list, function(one) return one.representative == name end)
    if other then
      set_address(survey, other, loads, ports)
      note(survey, other, experiments[i], added[i], class.representative)
    end
  end
end
