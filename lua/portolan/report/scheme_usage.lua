--- This module writes what a mapping says about one scheme, for tables and pictures: compact notation and shares per port.
local lists = require "portolan.support.lists"
local scheme_usage = {}

--- True if port names must be kept apart by commas ("10" could be ports 1 and 0).
local function long_names(ports) return lists.any(ports or {}, function(port) return #tostring(port) > 1 end) end

--- A port set in compact notation: `p06`, or `p{0,10}` where a name of the mapping is longer than one character.
-- @tparam {string,...} set
-- @tparam {string,...} ports all ports of the mapping
function scheme_usage.set(set, ports)
  local names, order = {}, {}
  for i, port in ipairs(ports or {}) do order[tostring(port)] = i end
  for i, port in ipairs(set or {}) do names[i] = tostring(port) end
  table.sort(names, function(a, b)
    local i, j = order[a] or math.huge, order[b] or math.huge
    if i ~= j then return i < j end
    return a < b
  end)
  if long_names(ports) or long_names(set) then return "p{" .. table.concat(names, ",") .. "}" end
  return "p" .. table.concat(names)
end

--- The uops of a scheme in compact notation: `1*p06 + 2*p23`; the same for every order in which they are listed.
-- @tparam table scheme scheme of a mapping table
-- @tparam {string,...} ports all ports of the mapping
-- @treturn string|nil nil if the scheme has no uops
function scheme_usage.notation(scheme, ports)
  if type(scheme) ~= "table" or type(scheme.uops) ~= "table" then return nil end
  local sets, counts = {}, {}
  for _, uop in ipairs(scheme.uops) do
    local set = scheme_usage.set(uop[1], ports)
    if not counts[set] then sets[#sets + 1] = set end
    counts[set] = (counts[set] or 0) + (uop[2] or 1)
  end
  table.sort(sets)
  if #sets == 0 then return "none" end
  return table.concat(lists.map(sets, function(set) return ("%g*%s"):format(counts[set], set) end), " + ")
end

--- Uops of one instance that each port gets when every uop is spread evenly over its ports.
-- @tparam table scheme
-- @treturn table port name -> uops per instance (absent: never uses the port)
function scheme_usage.shares(scheme)
  local shares = {}
  for _, uop in ipairs(type(scheme) == "table" and scheme.uops or {}) do
    local set = uop[1] or {}
    for _, port in ipairs(set) do
      port = tostring(port)
      shares[port] = (shares[port] or 0) + (uop[2] or 1) / #set
    end
  end
  return shares
end

--- The ports of a scheme that were assumed rather than inferred, as a set.
function scheme_usage.assumed(scheme)
  local set = {}
  for _, port in ipairs(type(scheme) == "table" and type(scheme.assumed) == "table" and scheme.assumed or {}) do
    set[tostring(port)] = true
  end
  return set
end

return scheme_usage
