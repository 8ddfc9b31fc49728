--- Sets of ports: lists of names, as files have them, and masks of numbered ports, as the engine has them.
-- @module portolan.mapping.ports
local lists = require "portolan.support.lists"

local port_set = {}

--- Tells whether a port is listed before another one: numbers by size, before other names.
function port_set.before(a, b)
  local x, y = tonumber(a), tonumber(b)
  if x and y and x ~= y then return x < y end
  if (x == nil) ~= (y == nil) then return x ~= nil end
  return a < b
end

--- The names in a set `{ [name] = true }`.
-- @return list, in the order of `before`
function port_set.list(set) return lists.keys(set, port_set.before) end

--- A list as a set `{ [name] = true }`; nil is the empty one.
function port_set.of(list) return lists.set(list or {}) end

--- The ports that the uops of any scheme name.
-- @param schemes scheme name -> `{ uops = { { ports, multiplicity }, ... } }`
-- @return list, in the order of `before`
function port_set.used(schemes)
  local set = {}
  for _, scheme in pairs(schemes) do
    for _, uop in ipairs(scheme.uops or {}) do
      for _, name in ipairs(uop[1]) do set[name] = true end
    end
  end
  return port_set.list(set)
end

--- Counts the uops that a list `{ { ports, multiplicity }, ... }` stands for; nil is the empty one.
function port_set.uops(list)
  return lists.sum(list or {}, function(uop) return uop[2] or 1 end)
end

--- Are all of a list in a set `{ [name] = true }`?
function port_set.inside(list, set)
  return lists.all(list, function(name) return set[name] end)
end

--- Is a list a part of another one, or the same?
function port_set.within(a, b) return port_set.inside(a, port_set.of(b)) end

--- Do two lists hold the same ports?
function port_set.same(a, b) return #a == #b and port_set.within(a, b) end

--- The ports of several lists, each once, sorted as texts.
function port_set.union(several)
  local set = {}
  for _, ports in ipairs(several) do
    for _, name in ipairs(ports) do set[name] = true end
  end
  return lists.keys(set)
end

--- Do two lists have ports in common?
function port_set.overlap(a, b)
  local set = port_set.of(a)
  return lists.any(b, function(name) return set[name] end)
end

--- The ports that two lists have in common, in the order of the first.
function port_set.common(a, b)
  local set = port_set.of(b)
  return lists.where(a, function(name) return set[name] end)
end

--- Names for ports beside those that there are: the least numbers that are no names yet.
-- @param taken list of names
-- @param count of the new ones
-- @return list
function port_set.further(taken, count)
  local list, used, number = {}, port_set.of(taken), 0
  while #list < count do
    local name = tostring(number)
    if not used[name] then list[#list + 1] = name end
    number = number + 1
  end
  return list
end

--- Names for so many ports: those that are given, and numbers beside them.
-- @param given list of names
-- @param count of all of them; no names are added where there are more
-- @return another list
function port_set.named(given, count) return lists.joined(given, port_set.further(given, count - #given)) end

--- A key of a list for tables. Lists with the same ports in the same order have the same key, whatever their names hold.
function port_set.key(list) return table.concat(list, "\0") end

--- A key of a list for tables, whatever the order of its ports.
function port_set.unordered_key(list)
  local names = table.move(list, 1, #list, 1, {})
  table.sort(names)
  return port_set.key(names)
end

--- Returns a list as it is printed: "0,1,5".
function port_set.text(list) return table.concat(list, ",") end

--- The size of a set that is a mask of bits.
function port_set.count(mask)
  local n = 0
  while mask ~= 0 do mask, n = mask & (mask - 1), n + 1 end
  return n
end

local Numbered = {}
Numbered.__index = Numbered

--- Ports with numbers: the first name is bit 0 of a mask.
-- @tparam {string,...} names of the ports, 32 at most
-- @return object with `mask`, `list` and `names`
function port_set.numbered(names)
  local bit = {}
  for k, name in ipairs(names) do bit[name] = 1 << (k - 1) end
  return setmetatable({ names = names, bit = bit }, Numbered)
end

--- The mask of some ports.
-- @tparam {string,...} list names, all of them numbered
function Numbered:mask(list)
  local mask = 0
  for _, name in ipairs(list) do mask = mask | self.bit[name] end
  return mask
end

--- The names of the ports of a mask, in the order of their numbers.
function Numbered:list(mask)
  local list = {}
  for k, name in ipairs(self.names) do
    if mask >> (k - 1) & 1 == 1 then list[#list + 1] = name end
  end
  return list
end

return port_set
