--- Loops of real programs as code to measure: the loop itself, with its own branch back, for as many iterations as there are copies.
--
-- A loop ends by what it computes, and that is not known here. So it gets a number of iterations: a loop that counts something up or down to 0
-- begins with another number; of any other, its comparison, if it has no other use, makes room for a counter in a register that it leaves alone.
-- Where the comparison does more than compare, it stays, and the counter is one instruction more. Registers that are addresses point to
-- memory of their own, indices begin at 0: what pointers that the loop does not set may overlap nothing tells, and they do not. Branches that its
-- path does not take lead to a trap: where made-up values take one, the loop has no time.
-- @module portolan.block.loop
local core = require "portolan.core"
local hash = require "portolan.support.hash"
local isa = require "portolan.scheme.isa"
local lists = require "portolan.support.lists"
local real_block = require "portolan.block.real"

local real_loop = {}

-- The areas that registers point to begin at `areas_at`, `area_bytes` apart; each is moved by `area_shift` bytes more within its page,
-- so that no two are alike there.
local areas_at, area_bytes, area_shift = 0x20000000, 0x200000, 1088
local into_area = area_bytes // 2 -- indices may be negative

local line_bytes = 64 -- of code

--- Bytes of a line of code.
real_loop.line_bytes = line_bytes

-- Registers that may count, in the order in which they are tried.
local counters = { "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "rbx", "rbp", "rsi", "rdi", "rdx", "rcx", "rax" }

-- Conditions of branches, as their code has them.
local jnz, jg, ja = 0x5, 0xf, 0x7

local nop, trap, over_trap = "\x90", "\xcc", "\xeb\x01"

-- Jumps that run ahead of a loop, so that what predicts branches does not see the end of its former run. It may learn when the loop ends, and then
-- end it too soon, at a cost that depends on nothing but the number of iterations (decision 418).
local jumps_ahead = (over_trap .. nop):rep(64)

local function assembled(text) return assert(core.isa.assemble(text)).bytes end

-- The condition of a conditional branch; nil of any other.
local function condition_of(instruction)
  local first, second = instruction.bytes:byte(1, 2)
  if first >= 0x70 and first <= 0x7f then return first & 15 end
  return first == 0x0f and second >= 0x80 and second <= 0x8f and second & 15 or nil
end

-- The registers of an address by their part: what it begins at, what is counted. Of two without a factor the one that the loop changes is counted.
local function parts_of(memory, written)
  local base, index = memory.base, memory.index
  if base and index and memory.scale == 1 and written[base] and not written[index] then base, index = index, base end
  return base, index
end

-- Registers of addresses -> "base" or "index"; what is both is a base.
local function roles_of(accesses)
  local roles, written = {}, {}
  for _, access in ipairs(accesses) do
    for _, name in ipairs(access.written) do written[name] = true end
  end
  for _, access in ipairs(accesses) do
    for _, memory in ipairs(access.memory) do
      local base, index = parts_of(memory, written)
      if base then roles[base] = "base" end
      if index then roles[index] = roles[index] or "index" end
    end
  end
  roles.rsp, roles.rip = nil, nil
  return roles
end

-- The register and the step of an instruction that counts down to 0 before the branch, or up to it; nil if it does not.
local function count_of(instruction, condition, roles)
  local mnemonic, register, number = instruction.text:match "^(%a+) (%w+),? ?([%w]*)$"
  local scheme = mnemonic and isa.scheme(instruction.scheme)
  if not scheme or not instruction.scheme:find "^%a+ r[36][24]" then return nil end
  local step = (mnemonic == "inc" or mnemonic == "dec") and 1 or (mnemonic == "add" or mnemonic == "sub") and tonumber(number)
  if not step or step <= 0 or step > 1 << 16 then return nil end
  local down = mnemonic == "sub" or mnemonic == "dec"
  if not (condition == jnz or down and condition == jg or mnemonic == "sub" and condition == ja) then return nil end
  local whole = core.isa.accesses(instruction.bytes)[1].written[1]
  if roles[whole] == "base" then return nil end
  return register, down and step or -step, whole
end

-- Does an instruction nothing but compare registers, or a register and a number?
local function only_compares(instruction, access)
  return #access.memory == 0 and (instruction.scheme:find "^cmp r" or instruction.scheme:find "^test r") ~= nil
end

-- A register that the loop leaves alone.
local function free_register(accesses)
  local used = { rsp = true }
  for _, access in ipairs(accesses) do
    for _, list in ipairs { access.read, access.written, access.address } do
      for _, name in ipairs(list) do used[name] = true end
    end
  end
  return lists.first(counters, function(name) return not used[name] end)
end

local function bytes_of(instructions, n)
  return table.concat(lists.map({ table.unpack(instructions, 1, n) }, function(instruction) return instruction.bytes end))
end

-- Tells how the iterations are counted: what of the loop stays, the instruction that counts, the branch's condition, and `counted`; nil and a message
-- if no register is left to count in.
local function counting(instructions, accesses)
  local n = #instructions
  local condition, before = condition_of(instructions[n]), instructions[n - 1]
  local roles = roles_of(accesses)
  local register, step, whole = count_of(before, condition, roles)
  if register then
    return { stays = n - 1, register = register, step = step, whole = whole, condition = condition, decrement = "", counted = "own", roles = roles }
  end
  local free = free_register(accesses)
  if not free then return nil, "it uses all registers, so that none is left to count its iterations" end
  local drops = condition and only_compares(before, accesses[n - 1])
  return { stays = drops and n - 2 or n - 1, register = free, step = 1, whole = free, condition = jnz, decrement = assembled("dec " .. free),
    counted = drops and "compare" or "added", roles = roles }
end

-- Code that sets the registers of addresses, and the counter of so many iterations.
local function beginning(b, iterations)
  local parts, k = {}, 0
  for _, name in ipairs(lists.keys(b.roles)) do
    local value = 0
    if b.roles[name] == "base" then
      value = areas_at + k * area_bytes + into_area + k * area_shift % 4096
      k = k + 1
    end
    if name ~= b.whole then parts[#parts + 1] = assembled(("mov %s, %d"):format(name, value)) end
  end
  parts[#parts + 1] = assembled(("mov %s, %d"):format(b.register, iterations * b.step))
  return table.concat(parts)
end

local function branch(condition, length)
  if length + 2 <= 128 then return string.pack("Bb", 0x70 | condition, -(length + 2)) end
  return string.pack("<BBi4", 0x0f, 0x80 | condition, -(length + 6))
end

--- The loop as it is measured: what is left of it, what counts, the branch back.
-- @param bodies list of `iterations`
-- @return bytes
function real_loop.as_measured(bodies)
  local code = table.concat(lists.map(bodies, function(b) return b.bytes end)) .. bodies[1].decrement
  return code .. branch(bodies[1].condition, #code)
end

--- Reads a loop.
-- @param bytes machine code of its path, from its head to the branch back
-- @return as `real_block.new`, with `counted`: "own" if it counts by itself, "compare" if a counter stands in for its comparison, "added" if there is
-- one beside it; `register`, which counts; or nil, why it cannot be measured, a status for that
function real_loop.new(bytes)
  local code, message = core.isa.decode(bytes)
  if not code then return nil, message, "not decoded" end
  local n = #code.instructions
  local last = code.instructions[n]
  if not last.scheme:find "^j%a+ rel%d+$" then return nil, "it does not end with a branch back", "unsupported" end
  if n == 1 then return nil, "there is nothing in it but its branch", "unsupported" end
  local how, why = counting(code.instructions, assert(core.isa.accesses(bytes)))
  if not how then return nil, why, "unsupported" end
  local rest = bytes_of(code.instructions, how.stays)
  if rest == "" then return nil, "there is nothing in it but a comparison and its branch", "unsupported" end
  local b, trouble, status = real_block.new(rest, condition_of)
  if not b then return nil, trouble, status end
  for key, value in pairs(how) do b[key] = value end
  b.writes = false -- what it stores stays: its memory is not made anew for each pass
  return b
end

local function is_short(instruction) return #instruction.bytes == 2 end

-- From the end of the code of so many iterations to the trap.
local function behind(b) return #b.decrement + #branch(b.condition, 256) + #over_trap end

local function length_of(bodies)
  local length = lists.sum(bodies, function(body) return #body.bytes end)
  return length
end

-- Does each branch within reach the trap? The first iteration is the farthest from it.
local function reaches(bodies)
  local b = bodies[1]
  local far = length_of(bodies) + behind(b)
  return lists.all(b.instructions, function(instruction)
    return not (condition_of(instruction) and is_short(instruction)) or far - instruction.offset <= 127
  end)
end

-- A copy of what is left of it: `at` bytes from the beginning, its branches leading to the trap.
local function copy_at(b, at, trap_at)
  local bytes = real_block.copy_at(b, at)
  for _, instruction in ipairs(b.instructions) do
    local width = condition_of(instruction) and (is_short(instruction) and "<i1" or "<i4")
    local next_at = instruction.offset + #instruction.bytes
    local distance = trap_at - at - next_at
    if width then bytes = bytes:sub(1, next_at - string.packsize(width)) .. string.pack(width, distance) .. bytes:sub(next_at + 1) end
  end
  return bytes
end

--- Reads the iterations from branch to branch; all count in the first one's way.
-- @param bytes machine code of the first
-- @param unrolled how many there are
-- @tparam[opt] table others machine code of the second, the third ...; by default as the first
-- @return list as of `new`; or nil, why it cannot be measured, a status for that
function real_loop.iterations(bytes, unrolled, others)
  local first, message, status = real_loop.new(bytes)
  if not first then return nil, message, status end
  local bodies = { first }
  for k = 2, unrolled do bodies[k] = others and others[k - 1] and assert(real_loop.new(others[k - 1])) or first end
  return bodies
end

--- What a model says of a loop as it is measured.
-- @param blocks portolan.block.model, or nil
-- @tparam table form `bytes` of the first of its iterations from branch to branch; `unrolled`, how many these are, by default one; `others`, machine
-- code of the others; `work`, iterations of the loop as it was that are one of its own, by default one
-- @return cycles of an iteration as it was; nil if the model does not know all of it
function real_loop.predicted(blocks, form)
  local bodies = assert(real_loop.iterations(form.bytes, form.unrolled or 1, form.others))
  local p = blocks and blocks:explain(real_loop.as_measured(bodies), { loop = true })
  local known = p and lists.all(p.items, function(item) return item.known end)
  return known and p.cycles / #bodies / (form.work or 1) or nil
end

--- The form of a loop (portolan.processor.real_blocks): a copy is an iteration.
-- @tparam table options
-- @tparam int options.address where it stands: it is measured at the same place within a line
-- @tparam[opt=1] int options.unrolled how many iterations there are from branch to branch
-- @tparam[opt] table options.others as of `iterations`
-- @tparam[opt=false] boolean options.again measure it even if the store has it
-- @tparam[opt=false] boolean options.quick give up soon on what is not steady
function real_loop.form(options)
  local others, place = options.others or {}, options.address % line_bytes
  local unrolled = options.unrolled or #others + 1
  local differing = #others > 0 and "+" .. hash.hex(table.concat(others, "\0")) or ""
  local form = { kind = ("loop@%dx%d%s"):format(place, unrolled, differing), apart = true, least_copies = 16, multiple = unrolled,
    again = options.again, tries = options.quick and 3 or 10, seconds = options.quick and 0.5 or 2,
    patience = options.quick and { seconds = 0 } or nil }

  function form.new(bytes)
    local bodies, message, status = real_loop.iterations(bytes, unrolled, others)
    if not bodies then return nil, message, status end
    if not reaches(bodies) then return nil, "a branch within does not reach the end", "unsupported" end
    bodies[1].bodies = bodies
    return bodies[1]
  end

  function form.checked_body() return nil end

  function form.body(b, iterations, after_jumps)
    local start = (after_jumps and jumps_ahead or "") .. beginning(b, b.counted == "own" and iterations or iterations // unrolled)
    local parts = { start, nop:rep((place - #start) % line_bytes) }
    local at = #parts[1] + #parts[2]
    local back = b.decrement .. branch(b.condition, length_of(b.bodies) + #b.decrement)
    local trap_at = at + length_of(b.bodies) + #back + #over_trap
    for _, body in ipairs(b.bodies) do
      parts[#parts + 1] = copy_at(body, at, trap_at)
      at = at + #body.bytes
    end
    return table.concat(parts) .. back .. over_trap .. trap
  end

  return form
end

return real_loop
