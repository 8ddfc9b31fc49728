--- Sets of ports that no blocking instruction has, but several have together: floods of a mixture block them.
--
-- A uop on such a set evades all blocking instructions of its parts and is caught by the next larger one only, as if it could run on all
-- of that one's ports. Where a scheme has uops on a set Q, the largest sets that blocking instructions on parts of Q make up show it.
-- A mixture keeps ports busy as a base point does (section 4.4): each instruction has as many copies as it adds ports.
-- @module portolan.infer.chart.blocking.unions
local constants = require "portolan.infer.chart.constants"
local lists = require "portolan.support.lists"
local port_class = require "portolan.infer.chart.port_class"
local port_set = require "portolan.ports"

local unions = {}

--- The ports of several classes, sorted.
function unions.ports(classes) return port_set.union(lists.map(classes, function(class) return class.ports end)) end

-- Blocking instructions on proper parts of a set, the widest first.
local function parts_of(ports, classes)
  local list = {}
  for _, class in ipairs(classes) do
    local part = not class.improper and #class.ports < #ports and port_set.within(class.ports, ports)
    if part and #list < constants.union_parts then list[#list + 1] = class end
  end
  table.sort(list, lists.most_first("count", "representative"))
  return list
end

-- What floods a union: those that add ports, as few as there are, with little in common.
local function mix_of(ports, parts)
  local taken, left, mix = {}, #ports, {}
  while left > 0 do
    local best, most, least = nil, 0, math.huge
    for _, class in ipairs(parts) do
      local new = lists.count(class.ports, function(p) return not taken[p] end)
      local common = class.count - new
      if new > 0 and port_set.within(class.ports, ports) and (common < least or common == least and new > most) then
        best, most, least = class, new, common
      end
    end
    for _, p in ipairs(best.ports) do taken[p] = true end
    mix[#mix + 1], left = { class = best, share = most }, left - most
  end
  return mix
end

local function name_of(mix)
  local names = lists.map(mix, function(part) return part.class.representative end)
  return table.concat(names, " and ")
end

-- The largest unions within a set that are neither the set nor a blocking instruction's.
local function largest(ports, classes)
  local parts = parts_of(ports, classes)
  local seen, list = {}, {}
  local function add(a)
    local key = port_set.key(a)
    if #a < #ports and not seen[key] then seen[key], list[#list + 1] = true, a end
  end
  for _, class in ipairs(parts) do add(unions.ports { class }) end
  local made = 1
  while made <= #list do
    for _, class in ipairs(parts) do add(unions.ports { { ports = list[made] }, class }) end
    made = made + 1
  end
  local result = {}
  for _, a in ipairs(list) do
    local proper = lists.all(list, function(b) return #a >= #b or not port_set.within(a, b) end)
    for _, class in ipairs(parts) do proper = proper and not port_set.same(a, class.ports) end
    if proper then result[#result + 1] = { ports = a, parts = parts } end
  end
  return result
end

--- The unions that show whether uops on a set's ports can really use all of them.
-- @param class the set's
-- @param classes that block
-- @param[opt] known table that keeps unions, so that each set is made once
-- @return list of classes with `union` = true, `ports`, `count`, and `mix` = list of `{ class =, share = (copies per cycle) }`
function unions.within(class, classes, known)
  local result = {}
  for _, found in ipairs(largest(class.ports, classes)) do
    local key = port_set.key(found.ports)
    if not known[key] then
      local mix = mix_of(found.ports, found.parts)
      known[key] = port_class.new { union = true, improper = false, ports = found.ports, count = #found.ports, mix = mix,
        representative = name_of(mix) }
    end
    result[#result + 1] = known[key]
  end
  return result
end

--- Gives a union the ports that its parts have now.
-- @return true; false if they are not as many as they were
function unions.refresh(union)
  local classes = lists.map(union.mix, function(part) return part.class end)
  union.ports = unions.ports(classes)
  return #union.ports == union.count
end

return unions
