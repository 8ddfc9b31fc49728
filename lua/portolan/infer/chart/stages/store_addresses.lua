--- Stage: stores that are addressed by a part of the ports of loads (Neoverse V2: two of three).
--
-- Stores of one kind come as a class of their own (stages/stores): a uop on ports of data that nothing else has, and one on the ports of loads, as
-- floods of loads show. How many of these it can use they do not show: two data ports hide whether two or three address them. Stores of another
-- kind, whose data take other ports, tell: if both kinds add up, though their data have nothing in common, it is the address that they share, and it
-- has as many ports as each is limited by alone (Theorem 6.3). Alternating, both kinds flood these ports. A core that takes so many stores a cycle,
-- whatever their ports, does likewise: it is assumed.
-- @module portolan.infer.chart.stages.store_addresses
local classes = require "portolan.infer.chart.stages.classes"
local flood = require "portolan.infer.chart.blocking.flood"
local lists = require "portolan.support.lists"
local memory_uops = require "portolan.memory_uops"
local port_class = require "portolan.infer.chart.port_class"
local port_set = require "portolan.ports"

-- Stores whose data and address are known but for how many ports address them.
local function first_kind(survey)
  if lists.any(survey.classes, function(class) return class.ambiguous end) then return nil end
  for _, class in ipairs(survey.classes) do
    if class.improper and class.address and class.uops and class.uops[2] and class.address.count > class.count then return class end
  end
end

-- Two uops that each take a slot, limited as that class is.
local function candidates(survey, class)
  return survey:unsettled(function(name, f)
    local store = f.memory.writes and not f.memory.reads and memory_uops.beyond_slots(name) == 0
    return store and f.total and f.total.most == 2 and not f.total.vague and classes.ports_of(f) == class.count
  end)
end

-- Those of the names for which a list of truths has one.
local function only(names, truths)
  local kept = {}
  for i, name in ipairs(names) do
    if truths[i] then kept[#kept + 1] = name end
  end
  return kept
end

-- Those with one uop on the ports of loads.
local function on_loads(survey, names, loads)
  local jobs, uops = flood.plan(survey, names, { loads }), {}
  flood.measure(survey, jobs)
  for _, job in ipairs(jobs) do uops[job.name] = job.count and job.uops end
  return lists.where(names, function(name) return uops[name] == 1 end)
end

-- Those with the other uop on ports of a proper class of registers, which has nothing in common with the first kind's data.
local function with_other_data(survey, names, count)
  local kept = {}
  for _, class in ipairs(survey.classes) do
    if class.count == count and not class.improper and not class.loads and not class.wide then
      local added = classes.additive(survey, class.representative, names, count)
      local more = only(names, added)
      table.move(more, 1, #more, #kept + 1, kept)
    end
  end
  return kept
end

-- Further classes of stores of that kind: a uop on the ports of loads, as floods show, and data ports that the first kind does not have.
local function other_classes(survey, class)
  return lists.where(survey.classes, function(other)
    local apart = other ~= class and other.improper and other.count == class.count and #port_set.common(other.ports, class.ports) == 0
    return apart and lists.any(other.profile, function(job) return job.class == class.address and job.uops == 1 end)
      and lists.any(other.uops, function(uop) return port_set.same(uop[1], class.address.ports) end)
  end)
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

-- What was measured of a class, in words for all its members.
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
  for _, member in ipairs(class.members) do
    local f = survey.facts[member]
    f.uops, f.assumed = class.uops, class.assumed
    survey:settle(member, "explained", "with other stores it is as fast as alone: their address has these ports, or the core a limit of stores")
  end
end

local function leave_open(survey, class, names)
  for _, name in ipairs(names) do
    survey:settle(name, "contradicting", ("%d of ports %s address it, and nothing tells which"):format(class.count,
      port_set.text(class.address.ports)))
  end
end

-- The second kind: representatives of classes, and schemes that are in none.
local function second_kind(survey, class)
  local others = other_classes(survey, class)
  local names = lists.map(others, function(other) return other.representative end)
  local single = with_other_data(survey, on_loads(survey, candidates(survey, class), class.address), class.count)
  return table.move(single, 1, #single, #names + 1, names), others
end

return function(survey)
  local class = first_kind(survey)
  if not class then return end
  survey:stage("addresses of stores")
  local names, others = second_kind(survey, class)
  local added, experiments = classes.additive(survey, class.representative, names, class.count)
  local sharing = only(names, added)
  if #sharing == 0 then return end
  if are_told_apart(survey, class.address) then
    leave_open(survey, class, class.members)
    return leave_open(survey, class, sharing)
  end
  local loads = class.address
  local ports = table.move(loads.ports, #loads.ports - class.count + 1, #loads.ports, 1, {})
  survey.store_address = address_class(class, sharing[1], ports)
  set_address(survey, class, loads, ports)
  for i, name in ipairs(names) do
    if name == sharing[1] then note(survey, class, experiments[i], added[i], name) end
    if added[i] and others[i] then
      set_address(survey, others[i], loads, ports)
      note(survey, others[i], experiments[i], added[i], class.representative)
    end
  end
end
