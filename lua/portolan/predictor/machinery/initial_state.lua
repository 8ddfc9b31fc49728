--- Code that gives registers and memory the values that Portolan's own measurements begin with (engine/bench/session.c), for tools that leave
-- them undefined: numbers that no instruction is slow for.
-- @module portolan.predictor.machinery.initial_state
local core = require "portolan.core"

local initial_state = {}

--- Of vectors, and of memory: a little above 1 as a float, a normal number as a double.
initial_state.pattern = "3f8000013f800001"

--- General registers whose value is free, and the values.
initial_state.general = {}
for i, name in ipairs { "rax", "rcx", "rdx", "rbx", "rbp", "rsi", "rdi", "r8", "r9", "r10", "r11", "r12", "r13" } do
  initial_state.general[i] = { name, 0x29 + 2 * i }
end

local bytes_of_memory = 4096 -- from r14 on: where the register policy places operands

-- Adds the lines that load vectors of so many bits, and those that make the index of gathers zero.
local function vector_lines(lines, bits)
  local move, letter, count = "movups", "x", 16
  if bits >= 256 then move, letter = "vmovups", "y" end
  if bits >= 512 then letter, count = "z", 32 end
  for i = 0, count - 1 do lines[#lines + 1] = ("%s %smm%d, [r14]"):format(move, letter, i) end
  lines[#lines + 1] = bits >= 256 and "vxorps xmm15, xmm15, xmm15" or "xorps xmm15, xmm15"
  if bits < 512 then return end
  lines[#lines + 1] = "mov rax, -1"
  for i = 1, 7 do lines[#lines + 1] = ("kmovq k%d, rax"):format(i) end
end

local made = {} -- bits -> code

--- The code. It expects r14 to point to memory.
-- @param bits of the widest vectors of the code behind it: 0, 128, 256, 512
-- @return machine code
function initial_state.code(bits)
  if made[bits] then return made[bits] end
  local lines = { "cld", "fninit", "mov rdi, r14", "mov rax, 0x" .. initial_state.pattern, ("mov ecx, %d"):format(bytes_of_memory // 8),
    "rep stosq" }
  if bits > 0 then vector_lines(lines, bits) end
  for _, register in ipairs(initial_state.general) do lines[#lines + 1] = ("mov %s, %d"):format(register[1], register[2]) end
  made[bits] = assert(core.isa.assemble(table.concat(lines, "\n"))).bytes
  return made[bits]
end

return initial_state
