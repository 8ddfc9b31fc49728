--- Sets of ports, as lists of names.
-- @module portolan.infer.explain.port_set
local port_set = {}

--- Is a set a part of another, or the same?
-- @param a list of ports
-- @param b list of ports
function port_set.within(a, b)
  local set = {}
  for _, port in ipairs(b) do set[port] = true end
  for _, port in ipairs(a) do
    if not set[port] then return false end
  end
  return true
end

--- Are they the same?
function port_set.same(a, b) return #a == #b and port_set.within(a, b) end

return port_set
