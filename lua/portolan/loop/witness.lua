--- What of a loop a prediction is wrong about: its instructions are left out as long as the difference stays, measured and predicted each time.
--
-- What is left shows what the model does not know, on any core: it is to a loop what a minimized block is to a discovery (section 8.1.2). It says
-- where to look, not why.
-- @module portolan.loop.witness
local core = require "portolan.core"
local lists = require "portolan.support.lists"
local real_loop = require "portolan.block.loop"

local witness = {}

local least_share, least_left = 0.05, 0.5 -- of the measured cycles; of the cycles that were off at first
local at_once = 12 -- parts that are left out one by one, in a batch
local tries, seconds = 3, 0.5 -- for each piece of code: what gives no steady time shows nothing

-- The machine code of the loop with some of its instructions; what counts and branches stays.
local function code_of(piece, kept)
  return table.concat(lists.map(kept, function(i) return piece.instructions[i].bytes end)) .. piece.tail
end

-- Measures what is left of the loop: for each list of instructions `{ kept =, cycles =, predicted = }`, without times where there are none.
local function ask(self, lists_of_kept)
  local list, codes = {}, {}
  for i, kept in ipairs(lists_of_kept) do
    codes[i] = code_of(self.piece, kept)
    list[i] = { kept = kept, predicted = self.predict(codes[i]) }
  end
  local results, message, status = self.processor:measure_blocks(codes, nil, self.form)
  if not results then return nil, message, status end
  for i, try in ipairs(list) do try.cycles = results[i].cycles end
  return list
end

-- Is the difference still there?
local function stays(self, try)
  local off = try.cycles and try.predicted and try.cycles - try.predicted
  return off and off / self.off >= least_left and math.abs(off) > least_share * try.cycles
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

-- The smallest of some that still show it; nil if none does.
local function smallest(self, list)
  local best
  for _, try in ipairs(list) do
    if stays(self, try) and not (best and #best.kept <= #try.kept) then best = try end
  end
  return best
end

-- Leaves out parts of so many instructions: first each alone, then all that can be, as many as go together. Returns what is left; nil if nothing
-- can be left out; or nil, message, status.
local function smaller(self, kept, size)
  local chunks = chunks_of(kept, size)
  local alone, message, status = ask(self, lists.map(chunks, function(chunk) return without(kept, { chunk }) end))
  if not alone then return nil, message, status end
  local free = {}
  for i, try in ipairs(alone) do
    if stays(self, try) then free[#free + 1] = chunks[i] end
  end
  local together = {}
  for n = 2, #free do together[n - 1] = without(kept, { table.unpack(free, 1, n) }) end
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

--- Looks for the part of a loop that is enough for the difference between what it takes and what is predicted.
-- @param processor portolan.processor.hardware
-- @param piece of `portolan.code`, a loop that can be measured
-- @tparam table options
-- @tparam function options.predict function(bytes) -> cycles of a loop, as it is measured; nil if they are not known
-- @tparam number options.cycles that it takes
-- @tparam number options.predicted cycles
-- @tparam int options.address where it stands when it takes that
-- @tparam number options.seconds after which nothing more is asked
-- @return `{ instructions = (their numbers, what counts and branches among them), cycles =, predicted =, left_out = how many }`; or nil, message,
-- status
function witness.of(processor, piece, options)
  local last, tail = split(piece)
  local form, began = real_loop.form { address = options.address }, core.base.now()
  form.tries, form.seconds = tries, seconds
  local self = { processor = processor, predict = options.predict, form = form, off = options.cycles - options.predicted,
    piece = { instructions = piece.instructions, tail = tail } }
  local best = { kept = {}, cycles = options.cycles, predicted = options.predicted }
  for i = 1, last do best.kept[i] = i end
  local size = math.max(1, (last + at_once - 1) // at_once)
  repeat
    local found, message, status = smaller(self, best.kept, size)
    if message then return nil, message, status end
    best = found or best
    local ended = not found and size == 1 or #best.kept <= 1
    size = found and math.min(size, math.max(1, #best.kept // 2)) or math.max(1, size // 2)
  until ended or core.base.interrupted() or core.base.now() - began > options.seconds
  local left_out = last - #best.kept
  for i = last + 1, #piece.instructions do table.insert(best.kept, i) end
  return { instructions = best.kept, cycles = best.cycles, predicted = best.predicted, left_out = left_out }
end

return witness
