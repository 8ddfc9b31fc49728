--- This module tells which of the resources of LLVM's scheduling models are ports, and what they are called.
--
-- - Dividers (`SKXDivider`, `Zn2Divider`: "Div" is in the name) are no ports: an instruction keeps them for many cycles beside its uop.
-- - Units that are never the bottleneck, since some others are always as busy, are left out: on Zen 3 every load takes an AGU, a place
--   in the LSU and a load pipe, three of each. Such a set must be busy as one, so that no uop has a choice between it and other units.
-- - Names lose what is the model's: `SPRPort05` is 5, `Zn2ALU0` is ALU0; the units of `SBPort23` are 2 and 3, of `Zn3LSU` LSU.0 to LSU.2.
-- @module portolan.predictor.llvm_mca.port_resources
local lists = require "portolan.support.lists"
local port_resources = {}

--- Tells what a resource is.
-- @param name of the resource
-- @return "port", "divider" or "unknown" (`ADLPPortInvalid`: the model's authors did not know the port)
function port_resources.kind(name)
  return name:find("Div", 1, true) and "divider" or name:find("Invalid", 1, true) and "unknown" or "port"
end

local function common_prefix(names)
  local prefix = names[1] or ""
  for _, name in ipairs(names) do
    while name:sub(1, #prefix) ~= prefix do prefix = prefix:sub(1, -2) end
  end
  return prefix
end

-- "Zn3LSU.\1" -> "Zn3LSU", 1. llvm-mca writes the number of a unit as a character.
local function split(resource)
  local name, unit = resource:match "^(.*)%.([%z\1-\31])$"
  if name then return name, unit:byte() end
  return resource
end

--- Short names.
-- @param resources list of LLVM's names, in its order; several units of one resource follow each other
-- @return list of names of the same length; what the names of the model begin with
function port_resources.names(resources)
  local bases, units, count = {}, {}, {}
  for i, resource in ipairs(resources) do
    bases[i], units[i] = split(resource)
    count[bases[i]] = (count[bases[i]] or 0) + 1
  end
  local prefix, names, taken = common_prefix(bases), {}, {}
  for i, base in ipairs(bases) do
    local number = base:match "Port(%d+)$"
    local name = number or base:sub(#prefix + 1):gsub("^_", "")
    if number and units[i] and #number == count[base] then
      name = number:sub(units[i] + 1, units[i] + 1)
    elseif units[i] then
      name = ("%s.%d"):format(name, units[i])
    elseif number then
      name = tostring(math.tointeger(tonumber(number)))
    end
    names[i] = (name == "" or taken[name]) and base or name
    taken[names[i]] = true
  end
  return names, (prefix:gsub("Port%d*$", ""))
end

-- Sets of units that are equally busy in every instruction, by a whole number of cycles: every uop on one of them can go to all of
-- them and to no others.
local function isolated(vectors, one)
  local signature, sets, by_signature = {}, {}, {}
  for i, v in ipairs(vectors) do
    for unit, busy in pairs(v) do
      lists.into(signature, unit, i .. ":" .. busy)
    end
  end
  for unit, list in pairs(signature) do
    local key = table.concat(list, " ")
    lists.into(by_signature, key, unit)
  end
  for _, units in pairs(by_signature) do
    local whole = lists.all(vectors, function(v) return (v[units[1]] or 0) * #units % one == 0 end)
    table.sort(units)
    if whole then sets[#sets + 1] = units end
  end
  table.sort(sets, function(a, b) return a[1] < b[1] end)
  return sets
end

local function never_busier(vectors, unit, other) return lists.all(vectors, function(v) return (v[unit] or 0) <= (v[other] or 0) end) end

--- Units that are never the bottleneck.
-- @param vectors list of pressures: unit -> cycles * `one`; of as many instructions as there are
-- @param one whole number
-- @return set of units
function port_resources.shadows(vectors, one)
  local sets, shadows = isolated(vectors, one), {}
  for _, a in ipairs(sets) do
    for _, b in ipairs(sets) do
      if a ~= b and not shadows[b[1]] and never_busier(vectors, a[1], b[1]) then
        for _, unit in ipairs(a) do shadows[unit] = true end
        break
      end
    end
  end
  return shadows
end

return port_resources
