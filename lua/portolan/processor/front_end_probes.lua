--- Loop bodies that ask a core's front end: which compares fuse with which jumps, what an index register costs, how often it can jump.
--
-- Every function returns a list of variants `{ bytes =, copies =, vector_bits = }` (the fastest counts), or nil and why there is none.
-- @module portolan.processor.front_end_probes
local core = require "portolan.core"
local lists = require "portolan.support.lists"

local front_end_probes = {}

local pairs_in_body = 24
local fillers_beside = 10 -- beside each pair: enough that the rename width binds
local registers = { -- of which class: what is worked on, with what, and what is copied, which nobody else reads
  gpr8 = { "cl", "bl" }, gpr16 = { "cx", "bx" }, gpr32 = { "ecx", "ebx", "r9d" }, gpr64 = { "rcx", "rbx", "r9" }, xmm = { "xmm1", "xmm2", "xmm9" },
}
local words = { [8] = "byte", [16] = "word", [32] = "dword", [64] = "qword", [128] = "xmmword" }

-- These functions compute what instructions that write flags give: result, carry, overflow, of numbers of some bits. Some keep no result
-- (`keeps_nothing`).
local function sign(x, bits) return x >> (bits - 1) & 1 == 1 end
local function mask(bits) return bits == 64 and -1 or (1 << bits) - 1 end

local function subtract(a, b, bits)
  local r = a - b & mask(bits)
  return r, math.ult(a, b), sign((a ~ b) & (a ~ r), bits)
end

local function add(a, b, bits)
  local r = a + b & mask(bits)
  return r, math.ult(r, a), sign((a ~ r) & (b ~ r), bits)
end

local operations = {
  sub = subtract, add = add, cmp = subtract,
  test = function(a, b) return a & b, false, false end,
  ["and"] = function(a, b) return a & b, false, false end,
  ["or"] = function(a, b) return a | b, false, false end,
  xor = function(a, b) return a ~ b, false, false end,
  inc = function(a, _, bits) -- the carry stays as it is: the body clears it
    local r, _, overflow = add(a, 1, bits)
    return r, false, overflow
  end,
  dec = function(a, _, bits)
    local r, _, overflow = subtract(a, 1, bits)
    return r, false, overflow
  end,
}
local keeps_nothing = { cmp = true, test = true }

local function flags_of(operation, a, b, bits)
  local r, carry, overflow = operations[operation](a, b, bits)
  local ones = 0
  for k = 0, 7 do ones = ones + (r >> k & 1) end
  return r, { c = carry, o = overflow, z = r == 0, s = sign(r, bits), p = ones % 2 == 0 }
end

local conditions = {
  jo = function(f) return f.o end, jb = function(f) return f.c end, jz = function(f) return f.z end,
  jbe = function(f) return f.c or f.z end, js = function(f) return f.s end, jp = function(f) return f.p end,
  jl = function(f) return f.s ~= f.o end, jle = function(f) return f.z or f.s ~= f.o end,
}
local opposites = { jno = "jo", jnb = "jb", jnz = "jz", jnbe = "jbe", jns = "js", jnp = "jp", jnl = "jl", jnle = "jle" }
local opposite_of = {}
for name, other in pairs(opposites) do
  conditions[name] = function(f) return not conditions[other](f) end
  opposite_of[name], opposite_of[other] = other, name
end

--- The jumps that can be asked about, sorted.
front_end_probes.jumps = {}
for name in pairs(conditions) do table.insert(front_end_probes.jumps, name) end
table.sort(front_end_probes.jumps)

-- Tells whether none of the jumps of a body is taken, if its pairs begin with these numbers.
local function never_taken(operation, jump, a, b, bits)
  for _ = 1, pairs_in_body do
    local r, f = flags_of(operation, a, b, bits)
    if conditions[jump](f) then return false end
    if not keeps_nothing[operation] then a = r end
  end
  return true
end

local function numbers(bits) return { 45, 67, 0, 1, mask(bits), 1 << (bits - 1), mask(bits) >> 1 } end

-- Immediates that are not encoded in fewer bits: signed, as the instruction has them.
local immediates = { [8] = { 43, -43, 1 }, [16] = { 298, -298 }, [32] = { 70000, -70000 } }

-- The second operands that a scheme can have: as numbers.
local function seconds(scheme, bits)
  local o = scheme.operands[2]
  if not o or o.visibility == "hidden" then return { 0 } end
  if o.kind ~= "immediate" then return numbers(bits) end
  local list = {}
  for i, x in ipairs(immediates[o.width] or {}) do list[i] = x & mask(bits) end
  return list
end

-- Returns two numbers to work on, so that the jump is never taken; if none do that, so that it always is; and whether it is. Nil if none do either.
local function values_of(scheme, jump, bits)
  for _, name in ipairs { jump, opposite_of[jump] } do
    for _, a in ipairs(numbers(bits)) do
      for _, b in ipairs(seconds(scheme, bits)) do
        if never_taken(scheme.mnemonic, name, a, b, bits) then return a, b, name ~= jump end
      end
    end
  end
end

-- An operand as text; nil if the probes have none for it.
local function operand_text(o, k, bits, b)
  if o.kind == "register" and not o.fixed then return registers[o.class] and registers[o.class][k] end
  if o.kind == "memory" then return words[o.width] and ("%s ptr [r14]"):format(words[o.width]) end
  if o.kind ~= "immediate" then return nil end
  return tostring(sign(b, bits) and b - mask(bits) - 1 or b)
end

local function printed(scheme)
  local list = {}
  for _, o in ipairs(scheme.operands) do
    if o.visibility ~= "hidden" then list[#list + 1] = o end
  end
  return list
end

-- The instruction's text; nil if the probes have no operands for it, or it stores (such instructions do not leave their flags alone for long).
local function compare_text(scheme, bits, b)
  local texts = {}
  for k, o in ipairs(printed(scheme)) do
    if o.kind == "memory" and o.access:find("w", 1, true) then return nil end
    texts[k] = operand_text(o, k, bits, b)
    if not texts[k] then return nil end
  end
  return scheme.mnemonic .. " " .. table.concat(texts, ", ")
end

local function width_of(scheme)
  local first = printed(scheme)[1]
  return first and words[first.width] and first.width
end

-- Returns lines that set what the registers, and the memory if it is an operand, hold when the body's pairs begin; the carry is clear.
local function beginning(scheme, a, b)
  local lines = { ("mov rcx, %d"):format(a), ("mov rbx, %d"):format(b) }
  for k, o in ipairs(printed(scheme)) do
    if o.kind == "memory" then lines[#lines + 1] = ("mov qword ptr [r14], %s"):format(k == 1 and "rcx" or "rbx") end
  end
  lines[#lines + 1] = "test rcx, rcx"
  return lines
end

--- Can a scheme be asked whether it fuses with jumps?
-- @param scheme table of `portolan.scheme.isa`
function front_end_probes.compares(scheme)
  return operations[scheme.mnemonic] ~= nil and #scheme.prefixes == 0 and width_of(scheme) ~= nil
    and compare_text(scheme, width_of(scheme), 1) ~= nil
end

--- Pairs of a compare and a jump to the next instruction, with fillers around them. The jump is never taken, or, where the instruction leaves no
-- such flags (`inc` and `jnz`), always.
-- @param scheme that writes flags, a table of `portolan.scheme.isa`
-- @param jump mnemonic of a conditional branch
-- @param padding a filler, as it is described (portolan.processor.filler)
-- @param apart true: one stands between the two, so that they cannot fuse
-- @tparam[opt=0] int more fillers than usual
-- @return variants; and whether the jump is taken. Or nil and a message
function front_end_probes.pairs(scheme, jump, padding, apart, more)
  local bits = width_of(scheme)
  local a, b, taken = values_of(scheme, jump, bits)
  if not a then return nil, "whatever it works on, this jump is taken now and then" end
  local lines, text = beginning(scheme, a, b), compare_text(scheme, bits, b)
  for _ = 1, pairs_in_body do
    lines[#lines + 1] = text
    if apart then lines[#lines + 1] = padding.text end
    lines[#lines + 1] = jump .. " 0"
    for _ = 1, fillers_beside + (more or 0) - (apart and 1 or 0) do lines[#lines + 1] = padding.text end
  end
  local code, message = core.isa.assemble(table.concat(lines, "\n"))
  if not code then return nil, message end
  return { { bytes = code.bytes, copies = pairs_in_body, vector_bits = padding.vector_bits or 0 } }, taken
end

--- Can a scheme be asked whether it is one with a copy ahead of it? One that works on a general register of 32 or 64 bits can, or, without VEX, on
-- one of vectors.
-- @param scheme table of `portolan.scheme.isa`
function front_end_probes.takes_copy(scheme)
  local first, bits = printed(scheme)[1], width_of(scheme)
  local apt = bits and registers[first.class] and registers[first.class][3] and not first.fixed and first.access == "rw" and #scheme.prefixes == 0
  return apt and scheme.encoding == "legacy" and #seconds(scheme, bits) > 0 and compare_text(scheme, bits, seconds(scheme, bits)[1]) ~= nil
end

--- Copies of a register, each with an instruction behind it that works on the copy, and fillers around them.
-- @param scheme of which `takes_copy` is true
-- @param padding a filler, as it is described (portolan.processor.filler)
-- @param apart true: one stands between the two, so that they cannot be one
-- @return variants; or nil and a message
function front_end_probes.copies(scheme, padding, apart)
  local bits, class = width_of(scheme), printed(scheme)[1].class
  local vector_bits = class == "xmm" and 128 or 0
  local copy = ("%s %s, %s"):format(vector_bits > 0 and "movaps" or "mov", registers[class][1], registers[class][3])
  local text = compare_text(scheme, bits, seconds(scheme, bits)[1])
  local unit = apart and { copy, padding.text, text } or { copy, text, padding.text }
  for _ = 2, fillers_beside do unit[#unit + 1] = padding.text end
  local code, message = core.isa.assemble((table.concat(unit, "\n") .. "\n"):rep(pairs_in_body))
  if not code then return nil, message end
  return { { bytes = code.bytes, copies = pairs_in_body, vector_bits = math.max(vector_bits, padding.vector_bits or 0) } }
end

-- A jump over what nobody runs, to where the next one is.
local function jumps(count, distance)
  return ("\xeb" .. string.char(distance - 2) .. ("\xcc"):rep(distance - 2)):rep(count)
end

local few_jumps, many_jumps, distances = { 3, 7, 11 }, { 63, 95 }, { 32, 64, 96 }

local function taken(counts)
  local variants = {}
  for _, count in ipairs(counts) do
    for _, distance in ipairs(distances) do
      variants[#variants + 1] = { bytes = jumps(count, distance), copies = count + 1, vector_bits = 0 }
    end
  end
  return variants
end

--- Jumps that are always taken, some bytes apart, the one that closes the loop among them: a dozen, which cores replay from a queue or find in
-- their fastest tables.
function front_end_probes.few_jumps() return taken(few_jumps) end

--- The same, many: as code is that does not stay in a small loop.
function front_end_probes.many_jumps() return taken(many_jumps) end

-- A call of the return behind it, which comes back to a jump over that return.
local call_and_return = "\xe8\x02\0\0\0\xeb\x01\xc3"

--- Calls and returns in pairs, 32 bytes apart.
function front_end_probes.calls()
  local variants, unit = {}, call_and_return .. ("\x0f\x1f\x44\0\0"):rep(4) .. "\x0f\x1f\x40\0"
  for i, count in ipairs(few_jumps) do variants[i] = { bytes = unit:rep(count), copies = count, vector_bits = 0 } end
  return variants
end

local pushes = 32 -- in a body

-- Pushes, each taken back: a chain through the stack pointer.
local function push_and(back) return { { bytes = ("\x50" .. back):rep(pushes), copies = pushes, vector_bits = 0 } } end

--- Pushes, each taken back by an addition.
function front_end_probes.stack() return push_and "\x48\x83\xc4\x08" end

--- Pushes, each taken back by computing an address.
function front_end_probes.stack_address() return push_and "\x48\x8d\x64\x24\x08" end

--- The shortest loop: a NOP, and the loop's own instructions.
function front_end_probes.loop() return { { bytes = "\x0f\x1f\x44\x00\x00", copies = 1, vector_bits = 0 } } end

local long_body = 28000 -- bytes: it fits the caches of code (32 KiB), but not those of decoded instructions, if these have less room
local every = 16 -- instructions: one of them has a prefix that changes its length
local plain, length_changing = "\x81\xc1\x2a\x01\0\0", "\x66\x81\xc1\x2a\x01" -- add ecx, 298; add cx, 298

-- Many short fillers with an addition behind every few.
local function long(padding, addition)
  local unit = padding.short:rep(every - 1) .. addition
  local copies = long_body // #unit
  return { { bytes = unit:rep(copies), copies = copies * every, vector_bits = padding.vector_bits or 0 } }
end

--- Code that is too long for caches of decoded instructions: cycles per instruction.
-- @param padding a filler, as it is described (portolan.processor.filler)
function front_end_probes.decoded(padding) return long(padding, plain) end

--- The same, where every 16th instruction has a prefix that changes the length of its immediate.
function front_end_probes.length_changing(padding) return long(padding, length_changing) end

local ignored = "\x3e" -- a prefix that makes an instruction a byte longer
local densities = { { 0 }, { 0, 1 }, { 1 }, { 1, 2 }, { 2 } } -- prefixes of fillers in a row

--- Fillers of two to four bytes, in blocks of one or two.
-- @param padding a filler, as it is described (portolan.processor.filler)
-- @return list of `{ bytes = (machine code of a block), slots = its issue slots }`, the most slots a byte first
function front_end_probes.straight_lines(padding)
  return lists.map(densities, function(prefixes)
    local parts = lists.map(prefixes, function(n) return ignored:rep(n) .. padding.short end)
    return { bytes = table.concat(parts), slots = #parts }
  end)
end

--- Of how many instructions of `length_changing` one has the prefix.
front_end_probes.every = every

--- Gives memory operands at [r14 + displacement] an index register besides, with the same addresses.
-- @param text of an instruction, as `core.isa.instantiate` gives it
-- @param index name of a register that is not written
-- @param value that it holds
-- @return text; nil if it has no such operand
function front_end_probes.with_index(text, index, value)
  local indexed, count = text:gsub("%[r14([^%]]*)%]", function(rest)
    local displacement = rest == "" and 0 or math.tointeger(tonumber((rest:gsub("^%+", ""))))
    if not displacement then return nil end
    local left = displacement - value
    return ("[r14 + %s %s %d]"):format(index, left < 0 and "-" or "+", math.abs(left))
  end)
  return count == 1 and indexed ~= text and indexed or nil
end

return front_end_probes
