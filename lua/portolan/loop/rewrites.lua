--- Loops rewritten: the same work by other code, as far as that can be done without knowing what the loop is for (arch/ARCHITECTURE/rewrites.lua).
--
-- A rewrite may ask for something that its user has to judge: sums in another order round otherwise, and vectors of twice the width need twice the
-- elements. `what` says it. Each instruction of a rewrite is assembled anew; one that no assembler knows makes no rewrite.
-- @module portolan.loop.rewrites
local core = require "portolan.core"
local cpu = require "portolan.cpu"
local lists = require "portolan.support.lists"
local paths = require "portolan.support.paths"
local real_loop = require "portolan.real_loop"

local rewrites = {}

local facts = paths.data("x86_64", "rewrites.lua")

local most_sums, vector_registers = 8, 16
local shares = 1.02 -- more than the next bound a chain must take for sums to be worth while

-- Does this processor have what a rewrite needs?
local function is_here(rewrite)
  local here = cpu.facts()
  return not rewrite.needs or here ~= nil and here.flags[rewrite.needs] ~= nil
end

local name_of = {} -- of a general register -> { family =, width = }
for family, names in ipairs(facts.general) do
  for k, name in ipairs(names) do name_of[name] = { family = family, width = 64 >> (k - 1) } end
end

local function matches(text, patterns)
  return lists.any(patterns, function(pattern) return text:find(pattern) ~= nil end)
end

-- One register family as code names it: "3" of xmm3, ymm3 and zmm3, the widest name of a general one; nil of what is no such register.
local function family_of(name)
  local number = name:match "^[xyz]mm(%d+)$"
  local general = name_of[name]
  return number or general and facts.general[general.family][1]
end

-- The same register in another family, by the same width.
local function renamed(name, to)
  local kind = name:match "^([xyz]mm)%d+$"
  if kind then return kind .. to end
  local width = name_of[name].width
  return lists.first(facts.general[name_of[to].family], function(other) return name_of[other].width == width end)
end

-- The families that an instruction reads, writes, or has an address of.
local function families_in(access)
  local set = {}
  for _, list in ipairs { access.read, access.written, access.address } do
    for _, name in ipairs(list) do set[family_of(name) or ""] = true end
  end
  set[""] = nil
  return set
end

-- Families of vector and of general registers that the code leaves alone, but for the one that measuring counts by.
local function free_families(b, accesses)
  local used, vector = { [family_of(b.register) or ""] = true }, {}
  for _, access in ipairs(accesses) do
    for family in pairs(families_in(access)) do used[family] = true end
  end
  for k = 0, vector_registers - 1 do vector[k + 1] = tostring(k) end
  local function is_free(family) return not used[family] end
  local general = lists.where(lists.map(facts.general, function(names) return names[1] end), is_free)
  return { vector = lists.where(vector, is_free), general = general }
end

-- Machine code of the loop with other texts in the place of some instructions: number -> list of texts. Nil if one cannot be assembled.
local function assembled(instructions, replaced)
  local parts = {}
  for i, instruction in ipairs(instructions) do
    parts[#parts + 1] = instruction.bytes
    if replaced[i] then
      local code = core.isa.assemble(table.concat(replaced[i], "\n"))
      if not code then return nil end
      parts[#parts] = code.bytes
    end
  end
  return table.concat(parts)
end

local function operands_of(instruction)
  local mnemonic, rest = instruction.text:match "^(%S+)%s*(.*)$"
  local list = {}
  for text in rest:gmatch "[^,]+" do list[#list + 1] = text:match "^%s*(.-)%s*$" end
  return mnemonic, list
end

-- May the flags that an instruction writes be lost?
local function flags_are_unread(accesses, i)
  local lost = accesses[i].flags_written
  for k = 1, #accesses - 1 do
    local access = accesses[(i + k - 1) % #accesses + 1]
    if access.flags_read & lost ~= 0 then return false end
    lost = lost & ~access.flags_written
  end
  return true
end

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

-- The accumulators of a loop: family -> `{ kind = of its sums, name = of the register, exact = whether any order gives the same }`. What anything
-- else reads or writes is none, nor what is added to and multiplied.
local function accumulators(instructions, accesses)
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

-- How many sums a chain is worth: as many as make it no longer than what bounds the loop else.
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

-- The chain broken: iterations take turns with sums of their own.
local function several_sums(piece, b, p)
  if p.limit ~= "dependencies" or #p.critical == 0 then return nil end
  local accesses = assert(core.isa.accesses(piece.bytes))
  local found = accumulators(piece.instructions, accesses)
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

-- A step of a register of addresses: twice as far; nil of anything else that changes it.
local function wider_step(instruction)
  local mnemonic, operands = operands_of(instruction)
  local step = (mnemonic == "add" or mnemonic == "sub") and tonumber(operands[2])
  return step and { ("%s %s, %d"):format(mnemonic, operands[1], 2 * step) }
end

-- The text with wider vectors: what stands a vector's length, or several, from something stands twice as far.
local function wider_text(text, form)
  text = text:gsub("^%S+", form.renamed or {})
  for k, word in ipairs(form.from) do text = text:gsub("%f[%w]" .. word .. "(%d*)%f[%W]", form.to[k] .. "%1") end
  return (text:gsub("([+-])(%w+)%]", function(sign, number)
    local bytes = tonumber(number)
    return bytes and bytes % form.bytes == 0 and ("%s%d]"):format(sign, 2 * bytes) or nil
  end))
end

-- Does an iteration begin with what no other left to it, but for addresses and sums?
local function is_apart(accesses, stepped, sums)
  local written, carried = {}, {}
  for _, access in ipairs(accesses) do
    for _, list in ipairs { access.read, access.address } do
      for _, name in ipairs(list) do carried[name] = carried[name] or not written[name] end
    end
    for _, name in ipairs(access.written) do written[name] = true end
  end
  return lists.all(lists.keys(written), function(name)
    return not carried[name] or stepped[name] or sums[family_of(name) or ""] ~= nil
  end)
end

-- May this instruction be one with wider vectors?
local function has_wider(instruction, access, form, written)
  local mnemonic, text = instruction.text:match "^%S+", instruction.text
  local own = text:find("%f[%w]" .. form.from[1] .. "%d") and not text:find("%f[%w]" .. form.to[1] .. "%d")
  local moving = lists.any(access.memory, function(memory) return written[memory.base or ""] or written[memory.index or ""] end)
  return own and mnemonic:find "^v" and not matches(mnemonic, facts.single) and not (mnemonic:find "broadcast" and moving)
end

-- All of it with vectors of twice the width, and whether sums are the same in any order; nil where something in it has none, or does something else.
local function with_wider(piece, form)
  local accesses, replaced, any = assert(core.isa.accesses(piece.bytes)), {}, false
  local addresses, written, stepped, n = {}, {}, {}, #piece.instructions
  for _, access in ipairs(accesses) do
    for _, name in ipairs(access.written) do written[name] = true end
    for _, memory in ipairs(access.memory) do addresses[memory.base or ""], addresses[memory.index or ""] = true, true end
  end
  for i, instruction in ipairs(piece.instructions) do
    local access = accesses[i]
    if instruction.text:find "%f[%w][xyz]mm%d" then
      if not has_wider(instruction, access, form, written) then return nil end
      replaced[i], any = { wider_text(instruction.text, form) }, true
    elseif #access.written == 1 and addresses[access.written[1]] then
      replaced[i], stepped[access.written[1]] = wider_step(instruction), true
      if not replaced[i] then return nil end
    elseif i < n - 1 or #access.written > 0 then -- all but the comparison and the branch
      return nil
    end
  end
  local sums = accumulators(piece.instructions, accesses)
  if not any or not is_apart(accesses, stepped, sums) then return nil end
  return assembled(piece.instructions, replaced), lists.all(lists.keys(sums), function(family) return sums[family].exact end)
end

local function wider(piece)
  for _, form in ipairs(lists.where(facts.wider, is_here)) do
    local bytes, exact = with_wider(piece, form)
    if bytes then
      return { what = ("vectors of %d bytes, an iteration in place of two%s"):format(2 * form.bytes, exact and "" or " (rounds otherwise)"),
        bodies = { bytes }, work = 2 }
    end
  end
end

--- What may stand in place of a loop.
-- @param piece of `portolan.code`, x86-64
-- @param p its prediction (portolan.cli.block_prediction); nil or without `critical`: no chain is broken
-- @return list of { what =, bodies = list of machine code of the loop, one for each iteration from branch to branch, work = how many iterations of
-- the loop as it is one of them is (1) }
function rewrites.of(piece, p)
  local b = real_loop.new(piece.bytes)
  if not b then return {} end
  local list = of_instructions(piece, b)
  list[#list + 1] = wider(piece)
  list[#list + 1] = p and p.critical and several_sums(piece, b, p) or nil
  -- What is counted in another way would be measured without something that the loop as it is has.
  local function is_counted_alike(bytes)
    local other = real_loop.new(bytes)
    return other ~= nil and other.counted == b.counted
  end
  return lists.where(list, function(rewrite) return #rewrite.bodies > 0 and lists.all(rewrite.bodies, is_counted_alike) end)
end

--- Schemes of rewrites that need no prediction.
-- @param piece as of `of`
-- @return list of names
function rewrites.schemes(piece)
  local list = {}
  for _, rewrite in ipairs(rewrites.of(piece)) do
    for _, bytes in ipairs(rewrite.bodies) do
      for _, instruction in ipairs(core.isa.decode(bytes).instructions) do list[#list + 1] = instruction.scheme end
    end
  end
  return lists.distinct(list)
end

return rewrites
