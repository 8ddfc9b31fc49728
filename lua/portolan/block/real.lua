--- Basic blocks of real programs as straight code to measure: copies in a row, of any registers and any addresses (docs/measuring.md).
--
-- A block runs as often as there are copies, from a state that is the same each time (engine/bench/codegen.h). Between copies, not too often,
-- stands a jump to the next instruction: without one, processors decode straight code anew that they would have decoded in a loop. Addresses
-- relative to the instruction pointer are moved to where no code is, to the same place in every copy.
-- @module portolan.block.real
local block = require "portolan.block"
local core = require "portolan.core"
local isa = require "portolan.scheme.isa"
local lists = require "portolan.support.lists"

local real_block = {}

local layout = core.bench.layout

local line_bytes = 64

-- Instructions between jumps to the next one. By measuring on Golden Cove: 100 to 400 make no difference, fewer take issue slots that show, and
-- without any `mov rbx, rcx` takes 0.19 cycles instead of 0.17, bound by 16 bytes of code a cycle.
local instructions_per_jump = 200
local jump = "\xeb\x00"

-- The lowest address relative to the instruction pointer is moved so many bytes from the first copy: behind all code, at the beginning of a line.
local relative_at = 16 << 20
local relative_reach = 1 << 30 -- bytes between the lowest and the highest of them

--- Bytes of all copies together: they fit an instruction cache of 32 KiB with what surrounds them.
real_block.most_bytes = 24 << 10

--- The keys of a store call it this.
real_block.kind = "block"

local most_bytes = real_block.most_bytes // 3 -- of a block: it is measured in three lengths, with three copies at least in the longest

local leaving = { COND_BR = true, UNCOND_BR = true, CALL = true, RET = true }

-- The category of a branch is not enough: which of them end in the code itself is said by the operand.
local function is_direct_jump(instruction)
  return instruction.scheme:find " rel%d+$" ~= nil and not instruction.scheme:find "^call" and not instruction.scheme:find "^xbegin"
end

local function leaves(instruction)
  local scheme = isa.scheme(instruction.scheme)
  return scheme ~= nil and (leaving[scheme.category] or instruction.scheme:find " rel%d+$" ~= nil)
end

-- The last instruction may be a jump: it goes to the next copy, taken or not. Any other one ends the block, unless the caller knows it. Returns the
-- bytes; or nil and why they are no block.
local function without_target(code, known)
  local last = code.instructions[#code.instructions]
  for _, instruction in ipairs(code.instructions) do
    if leaves(instruction) and not (known and known(instruction)) and (instruction ~= last or not is_direct_jump(instruction)) then
      return nil, ("it branches away: %s"):format(instruction.text), "branches away"
    end
  end
  if not leaves(last) or known then return code.bytes end
  local distance = last.scheme:find "rel8$" and 1 or 4
  return code.bytes:sub(1, -distance - 1) .. ("\0"):rep(distance)
end

local function each_access(accesses, f)
  for _, access in ipairs(accesses) do
    for _, memory in ipairs(access.memory) do f(memory) end
  end
end

-- Does an access cross a line that is known beforehand: of an address without registers, or relative to the instruction pointer, as it is moved?
local function crosses(accesses, places)
  local any = false
  each_access(accesses, function(memory)
    local place = memory.base == "rip" and places[memory.displacement] or not memory.base and not memory.index and memory.displacement
    any = any or place and place % line_bytes + memory.bytes > line_bytes
  end)
  return any
end

-- Tells where what is relative to the instruction pointer is moved to, from the first copy: displacement from the block's beginning -> new one. The
-- places are as far from each other as they were; or each has a line of its own, as before linking no two places are as far apart as they will be.
-- Returns nil and why not if they are too far apart.
local function moved_places(accesses, own_lines)
  local places, low, high = {}, math.huge, -math.huge
  each_access(accesses, function(memory)
    if memory.base == "rip" then
      places[memory.displacement] = true
      low, high = math.min(low, memory.displacement), math.max(high, memory.displacement)
    end
  end)
  if high - low > relative_reach and not own_lines then
    return nil, "its addresses relative to the instruction pointer are too far from each other"
  end
  for k, displacement in ipairs(lists.keys(places)) do
    places[displacement] = relative_at + (own_lines and (k - 1) * line_bytes or displacement - low)
  end
  return places
end

-- Finds where in an instruction the displacement from the instruction pointer is, as its decoding tells. Returns its first byte, from 1,
-- and its value; nil if it cannot be found.
local function find_displacement(bytes)
  local old = core.isa.accesses(bytes)[1].memory
  for at = #bytes - 3, 3, -1 do
    local number = string.unpack("<i4", bytes, at)
    local changed = bytes:sub(1, at - 1) .. string.pack("<i4", number ~ 64) .. bytes:sub(at + 4)
    local new = core.isa.accesses(changed)
    for k, memory in ipairs(new and #new == 1 and new[1].memory or {}) do
      local same = old[k] and old[k].base == "rip" and memory.base == "rip"
      if same and memory.displacement ~= old[k].displacement and memory.displacement == old[k].displacement + (number ~ 64) - number then
        return at, number
      end
    end
  end
end

-- Lists what is relative to the instruction pointer: { at = place of the displacement in the block, number = what stands there in the first
-- copy, so that all copies access one place }; nil and why not.
local function relative_places(code, accesses, moved)
  local list = {}
  for i, instruction in ipairs(code.instructions) do
    for _, memory in ipairs(accesses[i].memory) do
      if memory.base == "rip" then
        local at, number = find_displacement(instruction.bytes)
        if not at then return nil, ("the address of %s cannot be moved"):format(instruction.text), "unsupported" end
        list[#list + 1] = { at = instruction.offset + at, number = number - memory.displacement + moved[memory.displacement] }
      end
    end
  end
  return list
end

local function uses_stack(operand) return operand.class == "x87" or operand.class == "mmx" end

-- Notes in `code` what it does that counts for its surroundings: `writes` (to memory) and `x87` (its registers, or MMX's).
local function add_uses(code, accesses)
  for i, access in ipairs(accesses) do
    for _, memory in ipairs(access.memory) do code.writes = code.writes or memory.writes end
    code.x87 = code.x87 or lists.any(isa.scheme(code.instructions[i].scheme).operands, uses_stack)
  end
end

--- Reads a block.
-- @param bytes machine code
-- @tparam[opt] func known of a part of a loop: function(instruction) -> whether a branch may stay as it is, as the caller sees to where it goes
-- @return block `{ bytes =, instructions =, accesses =, vector_bits =, writes =, x87 =, places = }`; or nil, why it cannot be measured, and a status
-- for that: "not decoded", "too long", "branches away", "misaligned" or "unsupported"
function real_block.new(bytes, known)
  if bytes == "" then return nil, "there is no instruction to measure", "not decoded" end
  local code, message = core.isa.decode(bytes)
  if not code then return nil, message, "not decoded" end
  if #bytes > most_bytes then
    return nil, ("%d bytes of code; at most %d can be measured in several copies"):format(#bytes, most_bytes), "too long"
  end
  local status
  code.bytes, message, status = without_target(code, known)
  if not code.bytes then return nil, message, status end
  local accesses = assert(core.isa.accesses(bytes))
  local moved
  moved, message = moved_places(accesses, known ~= nil)
  if not moved then return nil, message, "unsupported" end
  if crosses(accesses, moved) then return nil, "an access crosses a line of the cache", "misaligned" end
  code.places, message, status = relative_places(code, accesses, moved)
  if not code.places then return nil, message, status end
  code.accesses, code.vector_bits = accesses, block.vector_bits(code)
  code.writes, code.x87 = false, false
  add_uses(code, accesses)
  return code
end

--- A copy.
-- @param b block
-- @param at where it stands, in bytes behind the first one
-- @return bytes
function real_block.copy_at(b, at)
  local bytes = b.bytes
  for _, place in ipairs(b.places) do
    bytes = bytes:sub(1, place.at - 1) .. string.pack("<i4", place.number - at) .. bytes:sub(place.at + 4)
  end
  return bytes
end

local copy_at = real_block.copy_at

--- Copies in a row.
-- @param b block
-- @param copies whole number
-- @return bytes
function real_block.body(b, copies)
  local parts, at, since = {}, 0, 0
  for _ = 1, copies do
    if since >= instructions_per_jump then
      parts[#parts + 1] = jump
      at, since = at + #jump, 0
    end
    parts[#parts + 1] = copy_at(b, at)
    at, since = at + #b.bytes, since + #b.instructions
  end
  return table.concat(parts)
end

local function store_rax(word) return "\x48\xa3" .. string.pack("<I8", layout.scratch + 8 * word) end
local function load_rax(word) return "\x48\xa1" .. string.pack("<I8", layout.scratch + 8 * word) end

-- The address of an access in rax, as bytes of an instruction; nil where there is no telling. What a push writes is below the stack pointer.
local function address(memory, scheme)
  if memory.index and memory.index:find "mm" then return nil end
  local parts, displacement = {}, memory.displacement
  if memory.base then parts[1] = memory.base end
  if memory.index then parts[#parts + 1] = ("%s*%d"):format(memory.index, memory.scale) end
  if memory.base == "rsp" and memory.writes and scheme.category == "PUSH" then displacement = displacement - memory.bytes end
  if #parts == 0 then return nil end
  local code = core.isa.assemble(("lea rax, [%s%s%d]"):format(table.concat(parts, "+"), displacement < 0 and "-" or "+", math.abs(displacement)))
  return code and code.bytes
end

-- Code that traps if an access crosses a line. It changes no register and no flag.
local function check_of(memory, scheme)
  local lea = memory.bytes > 1 and memory.bytes <= line_bytes and memory.base ~= "rip" and address(memory, scheme)
  if not lea then return "" end
  return table.concat { store_rax(0), lea, store_rax(1),
    "\x9f\x0f\x90\xc0", store_rax(2), load_rax(1), -- lahf; seto al
    "\x83\xe0\x3f\x83\xf8", string.char(line_bytes - memory.bytes), -- and eax, 63; cmp eax, the last place that is right
    "\x76\x01\xcc", -- jbe behind the int3
    load_rax(2), "\x04\x7f\x9e", load_rax(0) } -- add al, 127; sahf
end

--- Copies in a row that trap where an access crosses a line of the cache. Elements of gathers are not checked.
-- @param b block
-- @param copies whole number
-- @return bytes; or nil if nothing is to be checked
function real_block.checked_body(b, copies)
  local checks, any, parts, at = {}, false, {}, 0
  for i, access in ipairs(b.accesses) do
    local list = lists.map(access.memory, function(memory) return check_of(memory, isa.scheme(access.scheme)) end)
    checks[i] = table.concat(list)
    any = any or checks[i] ~= ""
  end
  if not any then return nil end
  for _ = 1, copies do
    local offset = 0
    for i, instruction in ipairs(b.instructions) do
      parts[#parts + 1] = checks[i]
      at = at + #checks[i]
      parts[#parts + 1] = copy_at(b, at - offset):sub(offset + 1, offset + #instruction.bytes)
      at, offset = at + #instruction.bytes, offset + #instruction.bytes
    end
  end
  return table.concat(parts)
end

return real_block
