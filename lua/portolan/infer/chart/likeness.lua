--- Tells how alike schemes are in what they do with registers and memory: what is unlike shares little but ports.
-- @module portolan.infer.chart.likeness
local core = require "portolan.core"
local place = require "portolan.scheme.place"

local likeness = {}

--- Returns what a scheme does with which registers and with memory.
-- @param name scheme
-- @param memory its use of memory (portolan.scheme.memory_use)
-- @return set of words
function likeness.operation(name, memory)
  local scheme, set = core.isa.scheme(name), {}
  set.loads, set.stores = memory.reads or nil, memory.writes or nil
  for number, operand in ipairs(scheme and scheme.operands or {}) do
    local at = operand.kind == "register" and place.parse(tostring(number), scheme)
    if operand.kind == "register" then set[operand.access .. (at and at.file or operand.class)] = true end
  end
  return set
end

--- Counts how much of two operations is not in both.
-- @param a set of `operation`
-- @param b set of `operation`
-- @treturn int number of words
function likeness.difference(a, b)
  local n = 0
  for word in pairs(a) do n = n + (b[word] and 0 or 1) end
  for word in pairs(b) do n = n + (a[word] and 0 or 1) end
  return n
end

return likeness
