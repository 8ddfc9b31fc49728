--- Sets of port names, in the order in which they are listed: numbers by size, before other names.
-- @module portolan.format.ports
local ports = {}

--- Whether a port is listed before another one.
function ports.before(a, b)
  local x, y = tonumber(a), tonumber(b)
  if x and y and x ~= y then return x < y end
  if (x == nil) ~= (y == nil) then return x ~= nil end
  return a < b
end

--- The names in a set `{ [name] = true }`.
-- @return sorted list
function ports.list(set)
  local names = {}
  for name in pairs(set) do names[#names + 1] = name end
  table.sort(names, ports.before)
  return names
end

--- The ports that the uops of any scheme name.
-- @param schemes scheme name -> `{ uops = { { ports, multiplicity }, ... } }`
-- @return sorted list
function ports.used(schemes)
  local set = {}
  for _, scheme in pairs(schemes) do
    for _, uop in ipairs(scheme.uops or {}) do
      for _, name in ipairs(uop[1]) do set[name] = true end
    end
  end
  return ports.list(set)
end

return ports
