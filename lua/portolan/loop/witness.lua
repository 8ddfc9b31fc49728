--- This module finds what of a loop a prediction is wrong about: its instructions are left out as long as the difference stays, measured and
-- predicted each time.
--
-- What is left shows what the model does not know, on any core: it is to a loop what a minimized block is to a discovery (section 8.1.2). It says
-- where to look, not why: code with fewer instructions may also be wrong for a reason of its own.
-- @module portolan.loop.witness
local core = require "portolan.core"
local landmarks = require "portolan.scheme.landmarks"
local lists = require "portolan.support.lists"
local real_loop = require "portolan.block.loop"

local witness = {}

local least_share, least_left, most_left = 0.05, 0.5, 2 -- of the measured cycles; of the cycles that were off at first: more is another difference
local line_bytes = real_loop.line_bytes
local at_once = 12 -- pieces of code that are measured before the clock is looked at

local function over(self) return core.base.interrupted() or core.base.now() > self.ends end

-- The machine code of the loop with some of its instructions; what counts and branches stays.
local function code_of(piece, kept)
  return table.concat(lists.map(kept, function(i) return piece.instructions[i].bytes end)) .. piece.tail
end

-- Where a piece is measured: where the loop stands, and, if it crosses a line there and need not, at the beginning of one. How code is fetched is not
-- what is looked for.
local function places_of(self, code)
  local b = real_loop.new(code)
  local length, place = b and #real_loop.as_measured { b } or #code, self.address % line_bytes
  return place + length > line_bytes and length <= line_bytes and { self.address, self.address - place } or { self.address }
end

-- Measures what is left of the loop, as long as there is time: for each list of instructions `{ kept =, cycles = at the better place, predicted =,
-- fresh = measured just now }`, without times where there are none. Or nil, message, status.
local function ask(self, lists_of_kept, again)
  local list = {}
  for first = 1, #lists_of_kept, at_once do
    if over(self) then break end
    local codes, forms, tried = {}, {}, {}
    for i = first, math.min(#lists_of_kept, first + at_once - 1) do
      local code = code_of(self.piece, lists_of_kept[i])
      list[i] = { kept = lists_of_kept[i], predicted = self.predict(code) }
      for _, place in ipairs(places_of(self, code)) do
        codes[#codes + 1], tried[#tried + 1] = code, list[i]
        forms[#forms + 1] = real_loop.form { address = place, again = again, quick = true } -- what gives no steady time shows nothing
      end
    end
    local results, message, status = self.processor:measure_blocks(codes, nil, forms)
    if not results then return nil, message, status end
    for k, result in ipairs(results) do
      local try = tried[k]
      if result.cycles and result.cycles < (try.cycles or math.huge) then try.cycles = result.cycles end
      try.fresh = try.fresh or result.fresh
    end
  end
  return list
end

-- Is the difference still there, and the same one?
local function stays(self, try)
  local off = try.cycles and try.predicted and try.cycles - try.predicted
  local left = off and off / self.off
  return left and left >= least_left and left <= most_left and math.abs(off) > least_share * try.cycles
end

local function without(kept, chunks)
  local gone = {}
  for _, chunk in ipairs(chunks) do
    for _, i in ipairs(chunk) do gone[i] = true end
  end
  return lists.where(kept, function(i) return not gone[i] end)
end

local function chunks_of(kept, size)
  local list = {}
  for first = 1, #kept, size do list[#list + 1] = table.move(kept, first, math.min(#kept, first + size - 1), 1, {}) end
  return list
end

-- The smallest of some that still show it, each of which has to do so twice: what shares the core may slow one of them. Nil if none does; or nil,
-- message, status.
local function smallest(self, list)
  local showing = lists.where(list, function(try) return stays(self, try) end)
  table.sort(showing, function(a, b) return #a.kept < #b.kept end)
  for _, try in ipairs(showing) do
    if not try.fresh then return try end -- of an earlier run, which asked twice
    local again, message, status = ask(self, { try.kept }, true)
    if not again then return nil, message, status end
    if again[1] and stays(self, again[1]) then return again[1] end
  end
end

-- Leaves out parts of so many instructions: first each alone, then all that can be, or the first half of these, or a quarter. Returns what is left;
-- nil if nothing can be left out; or nil, message, status.
local function smaller(self, kept, size)
  local chunks = chunks_of(kept, size)
  local alone, message, status = ask(self, lists.map(chunks, function(chunk) return without(kept, { chunk }) end))
  if not alone then return nil, message, status end
  local free, together = {}, {}
  for i, try in ipairs(alone) do
    if stays(self, try) then free[#free + 1] = chunks[i] end
  end
  local n = #free
  while n > 1 do
    together[#together + 1], n = without(kept, { table.unpack(free, 1, n) }), n // 2
  end
  local further
  further, message, status = ask(self, together)
  if not further then return nil, message, status end
  return smallest(self, lists.joined(alone, further))
end

-- The loop in two: what may be left out, and the instructions that count and branch.
local function split(piece)
  local b, n = assert(real_loop.new(piece.bytes)), #piece.instructions
  local last = n - (b.counted == "added" and 1 or 2)
  return last, table.concat(lists.map({ table.unpack(piece.instructions, last + 1) }, function(instruction) return instruction.bytes end))
end

--- The loop with NOPs of the same lengths in the place of all its instructions but those that count and branch: what that takes beyond its issue
-- slots, fetching its code takes.
-- @param piece of `portolan.code`, a loop that can be measured
-- @return machine code; nil if there is nothing but what counts and branches, or the loop cannot be measured so
function witness.as_nops(piece)
  local last, tail = split(piece)
  if last < 1 then return nil end
  local nop_of = landmarks.of().code.nop_of
  local nops = lists.map({ table.unpack(piece.instructions, 1, last) }, function(instruction) return nop_of(#instruction.bytes) end)
  local code = table.concat(nops) .. tail
  return real_loop.new(code) and code
end

--- Looks for the part of a loop that is enough for the difference between what it takes and what is predicted.
-- @param processor portolan.processor.hardware
-- @param piece of `portolan.code`, a loop that can be measured
-- @tparam table options
-- @tparam function options.predict function(bytes) -> cycles of a loop, as it is measured; nil if they are not known
-- @tparam number options.cycles that it takes
-- @tparam number options.predicted cycles
-- @tparam int options.address where it stands when it takes that
-- @tparam number options.seconds after which nothing more is asked
-- @return `{ instructions = (their numbers, what counts and branches among them), cycles =, predicted =, left_out = how many, complete = true if none
-- of them can be left out alone, false if time was over }`; or nil, message, status
function witness.of(processor, piece, options)
  local last, tail = split(piece)
  local self = { processor = processor, predict = options.predict, address = options.address, off = options.cycles - options.predicted,
    piece = { instructions = piece.instructions, tail = tail }, ends = core.base.now() + options.seconds }
  local best = { kept = {}, cycles = options.cycles, predicted = options.predicted }
  for i = 1, last do best.kept[i] = i end
  local size, complete = math.max(1, (last + at_once - 1) // at_once), #best.kept <= 1
  while not complete and not over(self) do
    local found, message, status = smaller(self, best.kept, size)
    if message then return nil, message, status end
    best = found or best
    complete = #best.kept <= 1 or not found and size == 1 and not over(self)
    size = math.max(1, found and math.min(size, #best.kept // 2) or size // 2)
  end
  local left_out = last - #best.kept
  for i = last + 1, #piece.instructions do table.insert(best.kept, i) end
  return { instructions = best.kept, cycles = best.cycles, predicted = best.predicted, left_out = left_out, complete = complete }
end

return witness
