--- Loop bodies that ask a core's first data cache: how many loads and stores a cycle it takes, of one bank, of one line, of many.
--
-- Every function returns a list of variants `{ bytes =, copies =, vector_bits = }`, as a processor's `measure_bodies` takes them.
-- @module portolan.processor.first_cache_probes
local core = require "portolan.core"

local first_cache_probes = {}

local line, bank, accesses, lines = 64, 8, 64, 8 -- bytes, bytes, instances in a body, different lines that they reach
local targets = { "rbx", "rcx", "rdi", "rbp" }
local halves = { rbx = "ebx", rcx = "ecx", rdi = "edi", rbp = "ebp" }

-- `accesses` instances of an instruction, at displacements from the window of data.
local function body(text, displacement)
  local list = {}
  for k = 0, accesses - 1 do list[k + 1] = text(targets[k % #targets + 1], ("[r14 + %d]"):format(displacement(k))) end
  local code = assert(core.isa.assemble(table.concat(list, "\n")))
  return { { bytes = code.bytes, copies = accesses, vector_bits = 0 } }
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

--- Stores to one line.
function first_cache_probes.stores_to_line() return body(store, function(k) return k * bank % line end) end

--- Stores each to another line than the one before.
function first_cache_probes.stores_to_lines() return body(store, function(k) return k % lines * line end) end

--- Rounds of a byte that is stored and eight that are loaded, the stored one among them; the next byte is the one loaded.
function first_cache_probes.blocked()
  local list = {}
  for k = 0, accesses / 4 - 1 do
    local at = ("[r14 + %d]"):format(k % lines * line)
    list[#list + 1] = ("mov byte ptr %s, al\nmov rax, qword ptr %s"):format(at, at)
  end
  local code = assert(core.isa.assemble(table.concat(list, "\n")))
  return { { bytes = code.bytes, copies = accesses // 4, vector_bits = 0 } }
end

--- Rounds of four bytes that are stored and eight that are loaded, the stored ones the last of them; nothing waits for what is loaded.
function first_cache_probes.held_up()
  local list = {}
  for k = 0, accesses / 4 - 1 do
    local at = k % lines * line
    list[#list + 1] = ("mov dword ptr [r14 + %d], eax\nmov %s, qword ptr [r14 + %d]"):format(at + bank // 2, targets[k % #targets + 1], at)
  end
  local code = assert(core.isa.assemble(table.concat(list, "\n")))
  return { { bytes = code.bytes, copies = accesses // 4, vector_bits = 0 } }
end

-- Updates of one word in place, each behind an instruction that writes a register of its address.
local function updates(ahead, address)
  local code = assert(core.isa.assemble(("%s\nadd qword ptr %s, 1\n"):format(ahead, address):rep(accesses // 4)))
  return { { bytes = code.bytes, copies = accesses // 4, vector_bits = 0 } }
end

--- Updates of a word in place whose address is computed anew each time.
function first_cache_probes.in_place_moved() return updates("lea rbx, [r14 + 64]", "[rbx]") end

--- Updates of a word in place by an address with an index.
function first_cache_probes.in_place_indexed() return updates("xor edx, edx", "[r14 + rdx + 64]") end

return first_cache_probes
