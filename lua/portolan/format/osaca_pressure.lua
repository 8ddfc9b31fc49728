--- Port pressures of OSACA's machine models as uops.
--
-- `[cycles, ports]` is so many uops on these ports, also for pseudo ports such as 0DV, the divider: a pipe that is occupied for 6
-- cycles counts as 6 uops of one cycle each, which is the same throughput. OSACA reads a pressure when it needs it, and dies of what
-- is odd then: a form with such a pressure is none, the rest of the model is what it is.
-- @module portolan.format.osaca_pressure
local port_set = require "portolan.mapping.ports"
local yaml = require "portolan.format.yaml"

local pressure = {}

local most_cycles = 10000 -- the engine's limit on the multiplicity of a uop

local function is_name(value) return type(value) == "string" and value ~= "" or math.type(value) == "integer" end

local function odd(message) return nil, message, true end

-- "015", a port a letter, or ["0", "10", "0DV"]. A number counts as its digits.
local function port_list(reader, value)
  local list = {}
  if reader.kinds[value] == "list" then
    for i, port in ipairs(value) do
      if not is_name(port) then return nil, ("port %d has no name"):format(i) end
      list[i] = tostring(port)
    end
  elseif is_name(value) then
    for letter in tostring(value):gmatch(utf8.charpattern) do list[#list + 1] = letter end
  end
  if #list == 0 then return nil, "a pressure needs ports" end
  local seen, ports = {}, {}
  for _, port in ipairs(list) do
    if not reader.known[port] then return nil, ("port '%s' is not in the list of ports"):format((port:gsub("%c", "?"))) end
    if not seen[port] then ports[#ports + 1], seen[port] = port, true end
  end
  return ports
end

--- Uops as they are, if they are not too many for a mapping.
-- @return uops; or nil and the reason
function pressure.within_limits(uops)
  local total = port_set.uops(uops)
  if total > most_cycles then return nil, ("%d uops are too many; at most %d"):format(total, most_cycles) end
  return uops
end

-- Is a pressure that of a unit that stays busy, which is no port of the mapping?
local function is_unit(reader, ports)
  return port_set.inside(ports, reader.units)
end

-- Is it that of the issue width?
local function is_issue(reader, ports)
  return reader.issue ~= nil and #ports == 1 and ports[1] == reader.issue.port
end

--- Units that stay busy, as pressures tell them: ports that some form keeps for no whole number of cycles, and all forms alone, behind another port.
-- @param reader with `known` and `kinds`, as for `read`
-- @param values list of port pressures
-- @return set of ports
function pressure.units(reader, values)
  local units, others = {}, {}
  for _, value in ipairs(values) do
    local list = reader.kinds[value] == "list" and value or {}
    for _, pair in ipairs(list) do
      local ports = reader.kinds[pair] == "list" and type(pair[1]) == "number" and port_list(reader, pair[2]) or {}
      for _, port in ipairs(is_issue(reader, ports) and {} or ports) do
        others[port] = others[port] or #ports > 1 or #list == 1
        if not math.tointeger(pair[1]) then units[port] = true end
      end
    end
  end
  for port in pairs(others) do units[port] = units[port] and not others[port] or nil end
  return units
end

--- A port pressure as uops.
-- @param reader with `known`, the set of ports, `units`, the set of those that are no ports, `issue`, `{ port =, rmax = }` or nil, and `kinds` of
-- `portolan.format.yaml`
-- @param value of the field
-- @return list of uops; or nil, the reason, and whether it is one that OSACA would die of
-- @return fourth, the cycles for which it keeps a unit, if it does
-- @return fifth, its issue slots, if it says
function pressure.read(reader, value)
  if value == nil or value == yaml.null then return nil, "no port pressure is known" end
  if reader.kinds[value] == "map" then return nil, "there is a choice of port pressures" end
  if reader.kinds[value] ~= "list" then return odd "a port pressure must be a list of [cycles, ports]" end
  local uops, reason, busy, slots = {}, nil, nil, nil
  for _, pair in ipairs(value) do
    if reader.kinds[pair] ~= "list" or #pair ~= 2 or type(pair[1]) ~= "number" or pair[1] < 0 then
      return odd "a pressure must be [cycles, ports]"
    end
    local ports, message = port_list(reader, pair[2])
    if not ports then return odd(message) end
    local cycles, unit = math.tointeger(pair[1]), is_unit(reader, ports)
    if is_issue(reader, ports) then
      slots = math.tointeger((pair[1] * reader.issue.rmax + 0.5) // 1)
    elseif unit then
      busy = (busy or 0) + pair[1]
    elseif not cycles or cycles > most_cycles then
      reason = ("a pressure of %g cycles is not a whole number up to %d"):format(pair[1], most_cycles)
    elseif cycles > 0 then
      uops[#uops + 1] = { ports, cycles }
    end
  end
  if reason then return nil, reason end
  local kept, many = pressure.within_limits(uops)
  return kept, many, nil, busy, slots
end

return pressure
