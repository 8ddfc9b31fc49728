--- This module reads what uops.info's XML says of one instruction on one microarchitecture, as a scheme of a mapping.
-- @module portolan.format.uops_info_measurement
local isa = require "portolan.scheme.isa"
local latency = require "portolan.format.uops_info_latency"
local lists = require "portolan.support.lists"
local operands = require "portolan.format.uops_info_operands"
local place = require "portolan.scheme.place"
local usage = require "portolan.format.usage"

local measurement = {}

local most = 10000 -- uops, and issue slots, of a scheme that a mapping can hold (engine/model/mapping.h)

--- Text from a file, as part of a message.
function measurement.quote(text) return "'" .. tostring(text):sub(1, 60):gsub("%c", "?") .. "'" end

local quote = measurement.quote

--- A field that is a number; infinity if it is too large for one. Nil if it is missing; nil and a message if it is something else.
function measurement.number(text, where)
  if text == nil or text == "" then return nil end
  local x = tonumber(text)
  if not x or x ~= x or x < 0 then return nil, ("%s is not a number (%s)"):format(quote(text), where) end
  return x
end

local number = measurement.number

-- The least of what was measured in a loop and unrolled; both are upper bounds of the inverse throughput.
local function throughput(attributes)
  local least
  for _, key in ipairs { "TP", "TP_loop", "TP_unrolled" } do
    local x, message = number(attributes[key], key)
    if message then return nil, message end
    if x and x > 0 and x < (least or math.huge) then least = x end
  end
  return least
end

-- The ports that letters stand for; nil if one of them stands for none.
local function named(uops, letters)
  if not letters then return uops end
  local known = true
  local list = lists.map(uops, function(uop)
    local ports = lists.map(uop[1], function(letter)
      known = known and letters[letter] ~= nil
      return letters[letter]
    end)
    return { ports, uop[2] }
  end)
  return known and list or nil
end

-- A usage in a notation that is not known, and none with uops that some port must have executed, explain nothing.
local function port_usage(attributes, uop_count, letters)
  if attributes.ports and attributes.ports ~= "" then
    local uops = usage.parse(attributes.ports)
    return uops and named(uops, letters)
  end
  return uop_count == 0 and {} or nil
end

-- Instructions of microcode (wbinvd, cpuid with some operands) may have more uops than a mapping holds: they are not explained then, and all
-- others are. Returns why; nil if there is nothing too large.
local function too_many(uops, slots, attributes)
  local total = 0.0 -- counts may be as large as whole numbers get
  for _, uop in ipairs(uops or {}) do total = total + uop[2] end
  if total > most then return ("%.15g uops, more than %d"):format(total, most) end
  if slots and slots > most then return ("%s issue slots, more than %d"):format(attributes.uops_retire_slots, most) end
end

-- The use of ports, and what it takes alone; nil and a message.
local function entry_of(attributes, letters)
  local tp, trouble = throughput(attributes)
  if trouble then return nil, trouble end
  local uop_count, message = number(attributes.uops, "uops")
  if message then return nil, message end
  local slots
  slots, message = number(attributes.uops_retire_slots, "uops_retire_slots")
  if message then return nil, message end
  local uops = port_usage(attributes, uop_count, letters)
  local reason = too_many(uops, slots, attributes)
  if reason then uops, slots = nil, nil end
  slots = slots and math.tointeger(slots)
  return {
    uops = uops, status = uops and "explained" or "not explained", tp = tp, slots = slots and slots >= 1 and slots or nil,
    usage = not uops and attributes.ports or nil, reason = reason,
  }
end

-- Latencies as the writer has them where uops.info's elements would lose something.
local function exact(elements, name)
  local list = {}
  for i, element in ipairs(elements) do
    local fault = place.fault(element.from, name) or place.fault(element.to, name)
    if fault then return nil, fault end
    local l = { from = element.from, to = element.to }
    for _, field in ipairs { "cycles", "low", "high", "other", "same" } do
      local message
      l[field], message = latency.cycles(element[field], field)
      if message then return nil, message end
    end
    l.independent, l.as = element.independent == "1" or nil, element.as
    if not l.cycles then return nil, "a <portolan:latency> needs the attribute 'cycles'" end
    for domain, text in pairs(element.bypass or {}) do
      local cycles, message = latency.cycles(text, "bypass")
      if message then return nil, message end
      l.bypass = l.bypass or {}
      l.bypass[domain] = cycles
    end
    list[i] = l
  end
  return list
end

-- Adds what the writer says beyond uops.info's fields. Returns true; or nil and a message.
local function add_own(entry, measured)
  local attributes = measured.attributes
  local message
  entry.breakers, message = number(attributes["portolan:breakers"], "portolan:breakers")
  if message then return nil, message end
  entry.breakers = entry.breakers and (math.tointeger(entry.breakers) or entry.breakers)
  local status = attributes["portolan:status"]
  if status and (entry.uops or status ~= "explained") then entry.status = status ~= "" and status or nil end
  if #measured.assumed > 0 then entry.assumed = lists.map(measured.assumed, function(element) return element.port end) end
  return true
end

--- A measurement as a scheme of a mapping.
-- @param measured `{ attributes =, latencies =, exact =, assumed = lists of attributes }`
-- @param name Portolan's of the scheme; nil if it has none: then it has no latencies
-- @param given attributes of the instruction's operands
-- @param[opt] letters what the letters of usages stand for
-- @return scheme; or nil and a message
function measurement.scheme(measured, name, given, letters)
  local entry, message = entry_of(measured.attributes, letters)
  if not entry then return nil, message end
  local ok
  ok, message = add_own(entry, measured)
  if not ok then return nil, message end
  if not name then return entry end
  local list
  if #measured.exact > 0 then
    list, message = exact(measured.exact, name)
  else
    local scheme = isa.scheme(name)
    list, message = latency.read(scheme, measured.latencies, operands.numbers(given, scheme))
  end
  if not list then return nil, message end
  entry.latencies = #list > 0 and list or nil
  return entry
end

return measurement
