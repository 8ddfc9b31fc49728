--- The loops of a function as pieces to predict, the likely hot ones first.
--
-- No text tells how often a loop runs. Before those that run other loops come those that run none, the deepest first, and among equally deep ones
-- those that move the widest data, then those that move most in an iteration: compilers keep scalar code beside vectors for what is left, and for
-- data that overlap. A loop that goes around those within counts as deep as they are if it moves wider vectors than they do: then it does their
-- work. With less width it does what they leave, or what comes before and after them.
-- @module portolan.code.loop_pieces
local core = require "portolan.core"
local lists = require "portolan.support.lists"

local loop_pieces = {}

local widest_number = 8 -- bytes that a register for single numbers and addresses has

-- Bytes that an instruction moves from and to memory.
local function bytes_of(access)
  return lists.sum(access.memory, function(memory) return memory.bytes end)
end

-- The same for each register that it moves them to, or else from: instructions of pairs are no wider than others.
local function width_of(access)
  local addresses, loads = lists.set(access.address), lists.any(access.memory, function(memory) return memory.reads end)
  local moved = lists.count(loads and access.written or access.read, function(name) return not addresses[name] end)
  return bytes_of(access) / math.max(1, moved)
end

-- Counts the instructions of a loop that are neither on its path nor in loops within.
local function left_out(loop)
  local counted = lists.set(loop.path)
  for _, inner in ipairs(loop.inner) do
    for i in pairs(inner.body) do counted[i] = true end
  end
  return lists.size(loop.body) - lists.size(counted)
end

local function depth_of(loop) return loop.outer.body and 1 + depth_of(loop.outer) or 1 end

-- Addresses of loops.
local function addresses(list, whole)
  return lists.map(list, function(loop) return whole.address + whole.instructions[loop.path and loop.path[1] or loop.head].offset end)
end

-- Tells whether a path does the work of the loops that it goes around; of one without a path of its own nothing tells.
local function does_theirs(loop, rank, ranks)
  return rank.width > widest_number and #loop.around > 0
    and lists.all(loop.around, function(inner) return ranks[inner] and rank.width > ranks[inner].width end)
end

local function piece_of(loop, whole, architecture)
  local instructions = lists.map(loop.path, function(i) return whole.instructions[i] end)
  local bytes = table.concat(lists.map(instructions, function(instruction) return instruction.bytes end))
  local accesses = core.isa.accesses(bytes, architecture) or {}
  return { kind = "loop", bytes = bytes, instructions = instructions, address = addresses({ loop }, whole)[1], branches = loop.branches,
    within = loop.outer.body and addresses({ loop.outer }, whole)[1] or nil, around = addresses(loop.around, whole),
    through = addresses(loop.through, whole), left_out = left_out(loop) },
    { runs = #loop.through > 0, width = lists.largest(accesses, width_of, 0), data = lists.sum(accesses, bytes_of) }
end

local function before(a, b)
  if a.runs ~= b.runs then return b.runs end
  if a.depth ~= b.depth then return a.depth > b.depth end
  if a.width ~= b.width then return a.width > b.width end
  if a.data ~= b.data then return a.data > b.data end
  return a.number < b.number
end

--- Makes the pieces.
-- @tparam table found loops of `portolan.code.loops`
-- @tparam table whole the function: `instructions`, `address`
-- @tparam string architecture of it
-- @treturn table list of `{ kind = "loop", bytes =, instructions =, address =, branches =, within =, around =, through =, left_out = }`, as of
--   `portolan.code.of`
function loop_pieces.of(found, whole, architecture)
  local order, ranks = {}, {}
  for number, loop in ipairs(found) do
    local piece, rank = piece_of(loop, whole, architecture)
    rank.piece, rank.number = piece, number
    order[number], ranks[loop] = rank, rank
  end
  for loop, rank in pairs(ranks) do rank.depth = depth_of(loop) + (not rank.runs and does_theirs(loop, rank, ranks) and 1 or 0) end
  table.sort(order, before)
  return lists.map(order, function(rank) return rank.piece end)
end

return loop_pieces
