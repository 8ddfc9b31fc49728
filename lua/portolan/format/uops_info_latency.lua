--- Latencies as uops.info's XML has them: `<latency start_op="2" target_op="1" cycles="3"/>`.
--
-- Operands have numbers, all flags are one operand, and what a memory operand takes is told by the attribute: `cycles_mem` from the value in memory,
-- `cycles_addr` and `cycles_addr_index` from the registers of its address (`cycles_addr_VSIB` from a vector of indices), `cycles_same_reg` with one
-- register for both operands. Cycles are whole. Where a latency is not one number, as it depends on values, on the chain or on the flag,
-- there are `min_cycles` and `max_cycles`; `..._is_upper_bound` says that a latency is at most so long.
-- @module portolan.format.uops_info_latency
local lists = require "portolan.support.lists"
local place = require "portolan.scheme.place"

local latency = {}

local most_cycles = 1e6 -- that a latency may have

local attribute_of = { register = "cycles", flag = "cycles", memory = "cycles_mem", base = "cycles_addr", index = "cycles_addr_index" }

local attributes = { "cycles", "cycles_mem", "cycles_addr", "cycles_addr_index", "cycles_addr_VSIB" }

local kinds_of = {
  cycles = { register = true, flag = true }, cycles_mem = { memory = true }, cycles_addr = { base = true }, cycles_addr_index = { index = true },
  cycles_addr_VSIB = { index = true },
}

local function attribute(scheme, from)
  if from.kind == "index" and scheme.operands[from.operand].index then return "cycles_addr_VSIB" end
  return attribute_of[from.kind]
end

-- The operand of a place; that of the flags for a flag.
local function operand_of(scheme, p)
  if p.operand then return p.operand end
  return lists.index(scheme.operands, function(operand) return operand.class == "flags" end)
end

-- Adds a latency to what is known of its element and attribute: the least and the most cycles.
local function note(bounds, least, most)
  bounds.least, bounds.most = math.min(bounds.least or least, least), math.max(bounds.most or most, most)
end

-- Latencies by element, and in it by attribute; in order.
local function gathered(scheme, list)
  local elements, by_key = {}, {}
  for _, l in ipairs(list) do
    local from, to = place.parse(l.from, scheme), place.parse(l.to, scheme)
    local start, target = from and operand_of(scheme, from), to and operand_of(scheme, to)
    if start and target then
      local key = start .. ">" .. target
      local element = by_key[key]
      if not element then
        element = { start_op = start, target_op = target, bounds = {} }
        by_key[key], elements[#elements + 1] = element, element
      end
      local name = attribute(scheme, from)
      element.bounds[name] = element.bounds[name] or {}
      note(element.bounds[name], math.min(l.cycles, l.low or l.cycles, l.other or l.cycles),
        math.max(l.cycles, l.high or l.cycles, l.other or l.cycles))
      if l.same then
        element.bounds.cycles_same_reg = element.bounds.cycles_same_reg or {}
        note(element.bounds.cycles_same_reg, l.same, l.same)
      end
    end
  end
  table.sort(elements, lists.least_first("start_op", "target_op"))
  return elements
end

local function put(into, name, bounds)
  local least, most = math.floor(bounds.least), math.ceil(bounds.most)
  if bounds.least == bounds.most or bounds.least == 0 then
    into[name] = ("%d"):format(most)
    if most ~= bounds.least then into[name .. "_is_upper_bound"] = "1" end
  else
    into["min_" .. name], into["max_" .. name] = ("%d"):format(least), ("%d"):format(most)
  end
end

--- The elements that say latencies, as well as uops.info's can.
-- @param scheme of portolan.scheme.isa
-- @param list latencies of a mapping's scheme
-- @return list of attributes (name -> text) of `<latency>`s, by their operands
function latency.elements(scheme, list)
  return lists.map(gathered(scheme, list), function(element)
    local result = { start_op = ("%d"):format(element.start_op), target_op = ("%d"):format(element.target_op) }
    for name, bounds in pairs(element.bounds) do put(result, name, bounds) end
    return result
  end)
end

local function cycles_of(text, name)
  if text == nil then return nil end
  local x = tonumber(text)
  if not x or x ~= x or x < 0 or x > most_cycles then
    return nil, ("%s is not a number of cycles (%s)"):format("'" .. text:sub(1, 60):gsub("%c", "?") .. "'", name)
  end
  return math.tointeger(x) or x
end

latency.cycles = cycles_of

-- Returns what an element says under a name: cycles, low, high; nothing if it does not have it; nil, nil, nil, message if it is no number.
local function reading(element, name)
  local cycles, message = cycles_of(element[name], name)
  local low, trouble = cycles_of(element["min_" .. name], "min_" .. name)
  local high, fault = cycles_of(element["max_" .. name], "max_" .. name)
  if message or trouble or fault then return nil, nil, nil, message or trouble or fault end
  if cycles then
    if element[name .. "_is_upper_bound"] == "1" then return cycles, 0, cycles end
    return cycles
  end
  if low and high and low < high then return high, low, high end
  return high or low
end

-- The places of a side that an operand of the XML stands for under an attribute.
local function places_of(scheme, texts, operand, kinds)
  return lists.where(texts, function(text)
    local p = place.parse(text, scheme)
    return kinds[p.kind] and operand_of(scheme, p) == operand
  end)
end

local any_result = { register = true, flag = true, memory = true }

--- Reads elements.
-- @param scheme of portolan.scheme.isa
-- @param elements list of attributes of `<latency>`s
-- @param numbers operand's number in the XML (text) -> number in the scheme; those that are missing are not known
-- @return latencies as mappings have them, in the elements' order, of places that the scheme has; or nil and a message
function latency.read(scheme, elements, numbers)
  local inputs, outputs, list, seen = place.inputs(scheme) or {}, place.outputs(scheme) or {}, {}, {}
  for _, element in ipairs(elements) do
    local start, target = numbers[element.start_op or ""], numbers[element.target_op or ""]
    local same, trouble = cycles_of(element.cycles_same_reg, "cycles_same_reg")
    if trouble then return nil, trouble end
    for _, name in ipairs(attributes) do
      local cycles, low, high, message = reading(element, name)
      if message then return nil, message end
      for _, from in ipairs(cycles and start and target and places_of(scheme, inputs, start, kinds_of[name]) or {}) do
        for _, to in ipairs(places_of(scheme, outputs, target, any_result)) do
          if not seen[from .. ">" .. to] then
            list[#list + 1] = { from = from, to = to, cycles = cycles, low = low, high = high, same = name == "cycles" and same or nil }
          end
          seen[from .. ">" .. to] = true
        end
      end
    end
  end
  return list
end

local fields = { "from", "to", "cycles", "low", "high", "other", "same", "independent", "as" }

local function key_of(l)
  local parts = lists.map(fields, function(field) return tostring(l[field] and (math.type(l[field]) and l[field] + 0.0 or l[field])) end)
  return table.concat(parts, " ")
end

--- Tells whether two lists say the same, in whatever order.
function latency.same(a, b)
  if #a ~= #b then return false end
  local known = {}
  for _, l in ipairs(a) do known[key_of(l)] = next(l.bypass or {}) == nil end
  return not lists.any(b, function(l) return not known[key_of(l)] or next(l.bypass or {}) ~= nil end)
end

return latency
