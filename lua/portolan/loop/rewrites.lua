--- Loops rewritten: the same work by other code, as far as that can be done without knowing what the loop is for (arch/ARCHITECTURE/rewrites.lua).
--
-- A rewrite may ask for something that its user has to judge: sums in another order round otherwise, and vectors of twice the width need twice the
-- elements. `what` says it. Each instruction of a rewrite is assembled anew; one that no assembler knows makes no rewrite.
-- @module portolan.loop.rewrites
local code_text = require "portolan.loop.code_text"
local core = require "portolan.core"
local lists = require "portolan.support.lists"
local real_loop = require "portolan.block.loop"
local sums = require "portolan.loop.sums"
local wider_vectors = require "portolan.loop.wider_vectors"

local rewrites = {}

local facts = code_text.facts
local is_here, matches, renamed, free_families, assembled, operands_of, flags_are_unread = code_text.is_here, code_text.matches,
  code_text.renamed, code_text.free_families, code_text.assembled, code_text.operands, code_text.flags_are_unread

-- The name of the register that takes R's place.
local function scratch(free, width)
  local family = width >= 128 and free.vector[1] or width < 128 and free.general[1]
  if not family then return nil end
  return width >= 128 and (width == 256 and "ymm" or "xmm") .. family or renamed(width == 64 and "rax" or "eax", family)
end

-- Another text of an instruction whose memory operand is loaded apart; nil where there is none.
local function load_apart(instruction, access, free)
  local mnemonic, operands = operands_of(instruction)
  local memory = access.memory[1]
  if #access.memory ~= 1 or memory.writes or memory.base == "rip" or matches(mnemonic, facts.moves) or #operands < 2 then return nil end
  local size, address = operands[#operands]:match "^(%w+) ptr (.*)$"
  local kind = operands[1]:find "^[xyz]mm" and (mnemonic:find "^v" and "avx" or "sse") or "general"
  local form = facts.loads[kind][size or ""]
  local register = form and scratch(free, form.width)
  if not register then return nil end
  operands[#operands] = register
  return { (form[1]:gsub("R", register):gsub("%%s", function() return size .. " ptr " .. address end)),
    mnemonic .. " " .. table.concat(operands, ", ") }
end

local function other_text(rule, instruction, free)
  if not instruction.text:find(rule.from) then return nil end
  local register = rule.width and scratch(free, rule.width)
  if rule.width and not register then return nil end
  return lists.map(rule.to, function(text)
    return (instruction.text:gsub(rule.from, text):gsub("%f[%w]R%f[%W]", register or "R"))
  end)
end

-- Rewrites of single instructions: all that one thing can be done to at once.
local function of_instructions(piece, b)
  local instructions, accesses = piece.instructions, assert(core.isa.accesses(piece.bytes))
  local free = free_families(b, accesses)
  local by_what, order = {}, {}
  local function replace(what, i, texts)
    if not texts then return end
    if not by_what[what] then by_what[what], order[#order + 1] = {}, what end
    by_what[what][i] = by_what[what][i] or texts
  end
  for i, instruction in ipairs(instructions) do
    replace("memory operands loaded by instructions of their own", i, i < #instructions and load_apart(instruction, accesses[i], free) or nil)
    for _, rule in ipairs(lists.where(facts.others, is_here)) do
      if not rule.flags or flags_are_unread(accesses, i) then replace(rule.what, i, other_text(rule, instruction, free)) end
    end
  end
  return lists.map(order, function(what)
    local bytes = assembled(instructions, by_what[what])
    return { what = what, bodies = bytes and { bytes } or {} }
  end)
end

--- Lists what may stand in place of a loop.
-- @param piece of `portolan.code`, x86-64
-- @param p its prediction (portolan.prediction); nil or without `critical`: no chain is broken
-- @return list of { what =, bodies = list of machine code of the loop, one for each iteration from branch to branch, work = how many iterations of
-- the loop as it is one of them is (1) }
function rewrites.of(piece, p)
  local b = real_loop.new(piece.bytes)
  if not b then return {} end
  local list = of_instructions(piece, b)
  list[#list + 1] = wider_vectors.of(piece)
  list[#list + 1] = p and p.critical and sums.several(piece, b, p) or nil
  -- What is counted in another way would be measured without something that the loop as it is has.
  local function is_counted_alike(bytes)
    local other = real_loop.new(bytes)
    return other ~= nil and other.counted == b.counted
  end
  return lists.where(list, function(rewrite) return #rewrite.bodies > 0 and lists.all(rewrite.bodies, is_counted_alike) end)
end

--- Schemes of the loop as it is measured, and of rewrites that need no prediction.
-- @param piece as of `of`
-- @return list of names
function rewrites.schemes(piece)
  local b, codes, list = real_loop.new(piece.bytes), {}, {}
  if b then codes[1] = real_loop.as_measured { b } end
  for _, rewrite in ipairs(rewrites.of(piece)) do codes = lists.joined(codes, rewrite.bodies) end
  for _, bytes in ipairs(codes) do
    for _, instruction in ipairs(core.isa.decode(bytes).instructions) do list[#list + 1] = instruction.scheme end
  end
  return lists.distinct(list)
end

return rewrites
