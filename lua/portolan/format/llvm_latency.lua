--- Latencies as LLVM's scheduling models have them: what a result takes (a SchedWrite), less what an operand may come later (a ReadAdvance).
--
-- A result takes as long as from the register that it waits longest for, mostly one of an address: what a load gets from a store ahead of it
-- takes longer, which LLVM does not follow. The stack pointer that a push or pop moves is there at once. Other operands are needed later: the
-- register of an addition with an operand in memory by the time of the load. LLVM knows operands by their place among those that an instruction
-- reads, of which an operand in memory is five; its tools say how many there are (`layout`). Where these are not as expected, no operand is said
-- to be late.
-- @module portolan.format.llvm_latency
local isa = require "portolan.scheme.isa"
local landmarks = require "portolan.scheme.landmarks"
local latency_number = require "portolan.mapping.latency_number"
local lists = require "portolan.support.lists"
local mapping = require "portolan.mapping"

local latency = {}

-- Mnemonics that move the stack pointer before anything is executed, and whether they load.
local stack_engine = { push = false, pop = true }

local function is_printed(operand) return operand.visibility == "explicit" end

-- Returns what LLVM has for a printed operand that is read: a list of our places, "r" for another register, "i" for what is none.
local function parts_of(operand, number)
  if operand.kind == "memory" and operand.absolute then return { "i", "r" } end
  if operand.kind == "memory" or operand.kind == "address" then
    return { number .. ".base", "i", number .. ".index", "i", "r" }
  end
  if operand.kind ~= "register" then return { "i" } end
  return operand.access:find "r" and { tostring(number) } or {}
end

-- Places of the results in LLVM's order, and of what is read.
local function expected(scheme)
  local results, reads = {}, {}
  for i, operand in ipairs(scheme.operands) do
    if is_printed(operand) then
      if operand.kind == "register" and operand.access:find "w" then results[#results + 1] = tostring(i) end
      local parts = parts_of(operand, i)
      table.move(parts, 1, #parts, #reads + 1, reads)
    end
  end
  return results, reads
end

-- Is a layout what is expected: registers and others in their places, and what is read and written twice the same register?
local function fits(layout, results, reads)
  local words, register_of = {}, {}
  for word in layout:gmatch "%S+" do words[#words + 1] = word end
  if #words < #results + #reads then return false end
  for i, place in ipairs(results) do
    if words[i] == "i" then return false end
    register_of[place] = words[i]
  end
  for i, place in ipairs(reads) do
    local word = words[#results + i]
    if (place == "i") ~= (word == "i") or register_of[place] and register_of[place] ~= word then return false end
  end
  for i = #results + #reads + 1, #words do -- conditions
    if words[i] ~= "i" then return false end
  end
  return true
end

-- Those that do not begin with what memory holds, if there are others.
local function by_registers(list)
  local some = lists.where(list, function(entry) return entry.start ~= "memory" end)
  return #some > 0 and some or list
end

-- The most from any place to any result, and to each of those that have an operand: the others LLVM takes to take the most. Nil if nothing is known.
local function longest(list, results)
  local by_result, all = {}, nil
  for _, entry in ipairs(list) do
    if entry.target == "register" then
      local cycles = math.ceil(entry.pair.cycles)
      all = math.max(all or 0, cycles)
      by_result[entry.pair.to] = math.max(by_result[entry.pair.to] or 0, cycles)
    end
  end
  local known = {}
  for _, place in ipairs(results) do
    by_result[place] = by_result[place] or all
    known[place] = #results > 1 and by_result[place] or all
  end
  return all, lists.map(results, function(place) return by_result[place] end), known
end

-- By how much a place may come later, for every result that waits for it.
local function advance(list, place, known, all)
  local least
  for _, entry in ipairs(list) do
    if entry.pair.from == place and entry.target == "register" then
      local later = (known[entry.pair.to] or all) - math.ceil(entry.pair.cycles)
      if not least or later < least then least = later end
    end
  end
  return least or 0
end

-- Without zeros at the end.
local function trimmed(reads)
  while reads[#reads] == 0 do reads[#reads] = nil end
  return reads
end

--- Cycles of a plain load.
-- @param m mapping
-- @return whole cycles; nil if they are not known
function latency.of_load(m)
  for _, name in ipairs(landmarks.of(mapping.architecture(m)).loads) do
    local cycles = m.schemes[name] and latency_number.most(latency_number.pairs(name, m.schemes[name]), "address", "register")
    if cycles then return math.ceil(cycles) end
  end
end

--- The latency of a scheme's results.
-- @param name of the scheme
-- @param entry of a mapping
-- @param[opt] load cycles of a plain load
-- @return whole cycles, the most of all results; nil if nothing is known
function latency.of(name, entry, load)
  local list, most = by_registers(latency_number.pairs(name, entry)), nil
  for _, pair in ipairs(list) do
    if pair.target == "register" then most = math.max(most or 0, pair.pair.cycles) end
  end
  most = most or (latency_number.of(name, entry))
  if most then return math.ceil(most) end
  local loads = stack_engine[name:match "^%S+"]
  if loads ~= nil then return loads and load or not loads and 0 or nil end
end

--- Returns what an opcode of a scheme needs beside that latency.
-- @param name of the scheme
-- @param entry of a mapping
-- @param layout the operands of the opcode, a word each: a register, or `i` for what is none; nil if they are not known
-- @param[opt] load cycles of a plain load
-- @return `{ results = cycles of the results that it has operands for, if there are several, reads = by how many cycles each operand that it reads
-- may be late, up to the last one that may }`
function latency.details(name, entry, layout, load)
  local scheme, list = isa.scheme(name), by_registers(latency_number.pairs(name, entry))
  if name:find "^pop r" and load and #list == 0 then return { results = { load, 0 }, reads = {} } end
  if not scheme or not layout or #list == 0 then return { results = {}, reads = {} } end
  local results, reads = expected(scheme)
  if not fits(layout, results, reads) then return { results = {}, reads = {} } end
  local all, cycles, known = longest(list, results)
  return { results = all and #cycles > 1 and cycles or {}, reads = trimmed(lists.map(reads, function(p) return advance(list, p, known, all) end)) }
end

return latency
