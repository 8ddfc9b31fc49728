--- Loops that wait for a sum, or a product: several of them in registers of their own, added up at the end.
-- @module portolan.loop.sums
local code_text = require "portolan.loop.code_text"
local core = require "portolan.core"
local lists = require "portolan.support.lists"

local sums = {}

local facts = code_text.facts
local family_of, renamed, families_in, free_families, assembled, operands_of, flags_are_unread = code_text.family_of, code_text.renamed,
  code_text.families_in, code_text.free_families, code_text.assembled, code_text.operands, code_text.flags_are_unread

local most_sums = 8
local shares = 1.02 -- more than the next bound a chain must take for sums to be worth while

-- The register that an instruction adds something up in, and nothing else; nil if it does nothing of the kind.
local function accumulator_of(instruction, access)
  local mnemonic, operands = operands_of(instruction)
  local sum = facts.sums[mnemonic]
  local register = sum and operands[2] and family_of(operands[1])
  if not register or operands[#operands]:find "^%-?%d" then return nil end
  local function is_it(name) return family_of(name) == register end
  if lists.any(access.address, is_it) or not lists.all(access.written, is_it) then return nil end
  local own = lists.count({ table.unpack(operands, 2) }, is_it)
  local vex = mnemonic:find "^v" and not mnemonic:find "^vf"
  if not vex then return own == 0 and register or nil, sum end
  local follows = is_it(operands[2]) or sum.either and is_it(operands[3] or "")
  return own == 1 and follows and register or nil, sum
end

--- The accumulators of a loop. What anything else reads or writes is none, nor what is added to and multiplied.
-- @param instructions as of `core.isa.decode`
-- @param accesses of these
-- @return family -> `{ kind = of its sums, name = of the register, exact = whether any order gives the same }`
function sums.accumulators(instructions, accesses)
  local found, others = {}, {}
  for i, instruction in ipairs(instructions) do
    local register, sum = accumulator_of(instruction, accesses[i])
    register = register and flags_are_unread(accesses, i) and register or nil
    if register then
      local name = instruction.text:match "^%S+%s+(%w+)"
      local before = found[register] or { kind = sum.kind, name = name, exact = true }
      if before.kind ~= sum.kind or before.name ~= name then others[register] = true end
      found[register] = { kind = sum.kind, name = name, exact = before.exact and sum.exact }
    end
    for family in pairs(families_in(accesses[i])) do
      if family ~= register then others[family] = true end
    end
  end
  for family in pairs(others) do found[family] = nil end
  return found
end

-- Tells how many sums a chain is worth: as many as make it no longer than what bounds the loop else.
local function sums_worth(p)
  local chain, next_bound = p.bounds.dependencies or 0, 0
  for limit, cycles in pairs(p.bounds) do
    if limit ~= "dependencies" then next_bound = math.max(next_bound, cycles) end
  end
  local n = 1
  while n < most_sums and chain / n > next_bound * shares do n = 2 * n end
  return n
end

local function is_vector(family) return family:find "^%d+$" ~= nil end

-- Registers for one more copy of all accumulators: family -> family; nil when there are none left.
local function take_registers(found, free)
  local taken = {}
  for _, family in ipairs(lists.keys(found)) do
    taken[family] = table.remove(is_vector(family) and free.vector or free.general, 1)
    if not taken[family] then return nil end
  end
  return taken
end

local function with_registers(instructions, to)
  local replaced = {}
  for i, instruction in ipairs(instructions) do
    local text = instruction.text:gsub("%w+", function(word)
      local other = to[family_of(word) or ""]
      return other and renamed(word, other)
    end)
    if text ~= instruction.text then replaced[i] = { text } end
  end
  return assembled(instructions, replaced)
end

--- The chain broken: iterations take turns with sums of their own.
-- @param piece a loop of `portolan.code`
-- @param b the same, of portolan.block.loop
-- @param p its prediction, with `critical`
-- @return rewrite as of portolan.loop.rewrites; nil if there is no such chain, or it does not limit
function sums.several(piece, b, p)
  if p.limit ~= "dependencies" or #p.critical == 0 then return nil end
  local accesses = assert(core.isa.accesses(piece.bytes))
  local found = sums.accumulators(piece.instructions, accesses)
  if not lists.all(p.critical, function(step) return found[family_of(step.through) or ""] ~= nil end) then return nil end
  local free = free_families(b, accesses)
  local bodies, worth = { piece.bytes }, sums_worth(p)
  while #bodies < worth do
    local to = take_registers(found, free)
    local bytes = to and with_registers(piece.instructions, to)
    if not bytes then break end
    bodies[#bodies + 1] = bytes
  end
  local n = 1
  while 2 * n <= #bodies do n = 2 * n end
  if n == 1 then return nil end
  local exact = lists.all(lists.keys(found), function(family) return found[family].exact end)
  return { what = ("%d sums, added up at the end%s"):format(n, exact and "" or " (rounds otherwise)"), bodies = { table.unpack(bodies, 1, n) } }
end

return sums
