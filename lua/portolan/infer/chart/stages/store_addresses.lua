--- Stage: stores that are addressed by a part of the ports of loads (Neoverse V2: two of three).
--
-- Stores of one kind come as a class of their own (stages/stores): a uop on ports of data that nothing else has, and one on the ports of loads, as
-- floods of loads show. How many of these it can use they do not show: two data ports hide whether two or three address them. Stores of another
-- kind, whose data take other ports, tell: if both kinds add up, though their data have nothing in common, it is the address that they share, and it
-- has as many ports as each is limited by alone (Theorem 6.3). Alternating, both kinds flood these ports.
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
  return port_class.new { representative = class.representative .. " and " .. other, improper = true, ports = ports, count = #ports,
    mix = { { class = kind(class.representative), share = share }, { class = kind(other), share = share } } }
end

-- What was measured of the first kind, in words for all its members.
local function note(survey, class, witness)
  for _, member in ipairs(class.members) do
    survey:witness(member, witness.e, witness.cycles, 2, ("adds up with %s, whose data take other ports: the same %d ports address both")
      :format(witness.other, class.count), "shows")
  end
end

local function adopt(survey, class, witness)
  local loads = class.address
  local ports = table.move(loads.ports, #loads.ports - class.count + 1, #loads.ports, 1, {})
  class.uops, class.also = { { class.ports, 1 }, { ports, 1 } }, ports
  for _, member in ipairs(class.members) do survey.facts[member].uops = class.uops end
  survey.store_address = address_class(class, witness.other, ports)
end

local function leave_open(survey, class, names)
  for _, list in ipairs { class.members, names } do
    for _, name in ipairs(list) do
      survey:settle(name, "contradicting", ("%d of ports %s address it, and nothing tells which"):format(class.count,
        port_set.text(class.address.ports)))
    end
  end
end

return function(survey)
  local class = first_kind(survey)
  local names = class and candidates(survey, class) or {}
  if #names == 0 then return end
  survey:stage("addresses of stores")
  names = with_other_data(survey, on_loads(survey, names, class.address), class.count)
  local added, experiments = classes.additive(survey, class.representative, names, class.count)
  local witness
  for i, other in ipairs(names) do
    if added[i] and not witness then witness = { other = other, e = experiments[i], cycles = added[i] } end
  end
  if not witness then return end
  note(survey, class, witness)
  if are_told_apart(survey, class.address) then return leave_open(survey, class, only(names, added)) end
  adopt(survey, class, witness)
end
