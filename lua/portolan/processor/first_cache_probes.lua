--- Loop bodies that ask a core's first data cache: how many loads and stores a cycle it takes, of one bank, of one line, of many.
--
-- Every function returns a list of variants `{ bytes =, copies =, vector_bits = }`, as a processor's `measure_bodies` takes them.
-- @module portolan.processor.first_cache_probes
local core = require "portolan.core"

local first_cache_probes = {}

local line, bank, accesses, lines = 64, 8, 64, 8 -- bytes, bytes, instances in a body, different lines that they reach
local targets = { "rbx", "rcx", "rdi", "rbp" }
local halves = { rbx = "ebx", rcx = "ecx", rdi = "edi", rbp = "ebp" }

-- The one variant of a body of so many rounds.
local function of_lines(list, rounds)
  return { { bytes = assert(core.isa.assemble(table.concat(list, "\n"))).bytes, copies = rounds, vector_bits = 0 } }
end

-- `accesses` instances of an instruction, at displacements from the window of data.
local function body(text, displacement)
  local list = {}
  for k = 0, accesses - 1 do list[k + 1] = text(targets[k % #targets + 1], ("[r14 + %d]"):format(displacement(k))) end
  return of_lines(list, accesses)
end

local function load(register, address) return ("mov %s, qword ptr %s"):format(register, address) end
local function store(_, address) return ("mov qword ptr %s, rax"):format(address) end

--- Loads of eight banks of a line, in turn.
function first_cache_probes.loads_of_banks() return body(load, function(k) return k * bank % line end) end

--- Loads of one address.
function first_cache_probes.loads_of_one() return body(load, function() return 0 end) end

--- Loads of both halves of a bank of 8 bytes, in turn.
function first_cache_probes.loads_of_halves()
  return body(function(register, address) return ("mov %s, dword ptr %s"):format(halves[register], address) end,
    function(k) return k * bank // 2 % bank end)
end

--- Loads of the same bank, each of another line.
function first_cache_probes.loads_of_lines() return body(load, function(k) return k % lines * line end) end

-- Loads of vectors, every other one so many bytes behind the beginning of a line.
local function vectors(behind)
  local list = {}
  for k = 0, accesses - 1 do list[k + 1] = ("movups xmm%d, xmmword ptr [r14 + %d]"):format(k % 6, k % lines * line + k % 2 * behind) end
  return { { bytes = assert(core.isa.assemble(table.concat(list, "\n"))).bytes, copies = accesses, vector_bits = 128 } }
end

--- Loads of vectors, each of one line.
function first_cache_probes.loads_within_lines() return vectors(0) end

--- The same, half of which cross into the next line.
function first_cache_probes.loads_across_lines() return vectors(line - bank) end

--- Stores to one line.
function first_cache_probes.stores_to_line() return body(store, function(k) return k * bank % line end) end

--- Stores each to another line than the one before.
function first_cache_probes.stores_to_lines() return body(store, function(k) return k % lines * line end) end

--- Stores to both halves of a line in turn.
function first_cache_probes.stores_to_halves() return body(store, function(k) return k * line // 2 % line end) end

--- Rounds of three stores to the first half of a line and of one to another line.
function first_cache_probes.stores_in_threes()
  local variants = body(store, function(k) return k % 4 == 3 and line or k % 4 * bank end)
  variants[1].copies = accesses // 4
  return variants
end

--- Stores to many lines in turn, more than a core may gather before it writes them.
function first_cache_probes.stores_to_many_lines() return body(store, function(k) return k * line end) end

--- Rounds of a byte that is stored and eight that are loaded, the stored one among them; the next byte is the one loaded.
function first_cache_probes.blocked()
  local list = {}
  for k = 0, accesses / 4 - 1 do
    local at = ("[r14 + %d]"):format(k % lines * line)
    list[#list + 1] = ("mov byte ptr %s, al\nmov rax, qword ptr %s"):format(at, at)
  end
  return of_lines(list, accesses // 4)
end

-- Rounds of four bytes that are stored, so many behind eight that are loaded; nothing waits for what is loaded.
local function lacking(behind)
  local list = {}
  for k = 0, accesses // 4 - 1 do
    local at = k % lines * line
    list[k + 1] = ("mov dword ptr [r14 + %d], eax\nmov %s, qword ptr [r14 + %d]"):format(at + behind, targets[k % #targets + 1], at)
  end
  return of_lines(list, accesses // 4)
end

--- Loads that lack bytes of a store: what was stored are the last four of what is loaded.
function first_cache_probes.held_up() return lacking(bank // 2) end

--- The same, if the stored ones are the first of them.
function first_cache_probes.held_up_from_start() return lacking(0) end

-- Numbers of lines of rounds of one narrow store and a wide one to each other line.
first_cache_probes.narrow_rounds = { 2, 3, 4, 6, 8 }

-- Rounds of a store with this text and wide ones to further lines, `count` in all.
local function narrow(text, count)
  local list, rounds = {}, accesses // count
  for _ = 1, rounds do
    list[#list + 1] = text
    for k = 1, count - 1 do list[#list + 1] = ("mov dword ptr [r14 + %d], eax"):format(k * line) end
  end
  return of_lines(list, rounds)
end

for _, count in ipairs(first_cache_probes.narrow_rounds) do
  first_cache_probes["narrow_" .. count] = function() return narrow("mov byte ptr [r14], al", count) end
end

--- Rounds of two bytes and of a wide store.
function first_cache_probes.narrow_word() return narrow("mov word ptr [r14], ax", 2) end

-- Rounds of a store and a load in one line, which reaches so many bytes further.
local function loaded_again(further)
  local list = {}
  for k = 0, accesses // 2 - 1 do
    local at = k * bank % (line // 2)
    list[k + 1] = ("mov qword ptr [r14 + %d], rax\nmov %s, qword ptr [r14 + %d]"):format(at, targets[k % #targets + 1], at + further)
  end
  return of_lines(list, accesses // 2)
end

--- Stores each of which is loaded again, all to one line.
function first_cache_probes.handed() return loaded_again(0) end

--- The same, if something else of that line is loaded.
function first_cache_probes.not_handed() return loaded_again(line // 2) end

-- Rounds of two loads: of a pointer, and by it or by the register that it was stored from. All of one pointer, which is stored ahead of them.
local function pointers(count, by)
  local list = { "mov qword ptr [r14 + 64], r14" }
  for k = 1, count do
    local target = targets[k % #targets + 1]
    list[k + 1] = ("mov %s, qword ptr [r14 + 64]\nmov rax, qword ptr [%s + 8]"):format(target, by or target)
  end
  return of_lines(list, count)
end

local straight = 512 -- rounds, of which a core learns nothing

--- Loads by what was just loaded.
function first_cache_probes.chained() return pointers(2 * accesses) end

--- The same loads, each by a register that waits for nothing.
function first_cache_probes.unchained() return pointers(2 * accesses, "r14") end

--- Both in straight code.
function first_cache_probes.straight_chained() return pointers(straight) end
function first_cache_probes.straight_unchained() return pointers(straight, "r14") end

-- What was just stored is loaded, in rounds: their text, and what comes ahead of them. All rounds are one chain through one word.
local rounds = {
  plain = { text = "add qword ptr [r14 + 64], 1" }, -- updates in place
  framed = { text = "add qword ptr [rsp - 64], 1" }, -- below the stack pointer
  moved = { text = "lea rbx, [r14 + 64]; add qword ptr [rbx], 1" }, -- by an address that is computed anew each time
  indexed = { ahead = "xor edx, edx", text = "add qword ptr [r14 + rdx + 64], 1" },
  other_base = { -- loaded by another register
    ahead = "mov rbx, r14", text = "mov qword ptr [r14 + 64], rax; mov rax, qword ptr [rbx + 64]" },
  stack = { text = "push rax; pop rax" },
  inside = { text = "mov qword ptr [r14 + 64], rax; mov eax, dword ptr [r14 + 68]" }, -- the upper half of what is stored is loaded
}

-- A body of so many rounds.
local function rounds_of(round, count)
  local code = assert(core.isa.assemble((round.ahead and round.ahead .. "\n" or "") .. (round.text .. "\n"):rep(count)))
  return { { bytes = code.bytes, copies = count, vector_bits = 0 } }
end

-- In a short loop, `in_place_plain`, and in straight code, `straight_plain`. Of the indexed ones the loop writes the index each time.
for name, round in pairs(rounds) do
  local short = name == "indexed" and { text = round.ahead .. "; " .. round.text } or round
  first_cache_probes["in_place_" .. name] = function() return rounds_of(short, accesses // 4) end
  first_cache_probes["straight_" .. name] = function() return rounds_of(round, straight) end
end

return first_cache_probes
