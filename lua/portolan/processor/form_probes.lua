--- Loop bodies of forms of instructions that one scheme covers and cores may treat apart (portolan.mapping.forms), each beside its like.
--
-- Every function, as `form_probes.plain()`, returns a list of variants `{ bytes =, copies =, vector_bits = }`, as a processor's `measure_bodies`
-- takes them.
-- @module portolan.processor.form_probes
local core = require "portolan.core"

local form_probes = {}

local instances = 64 -- in a body
local targets, bytes, high_bytes = { "rbx", "rcx", "rdi", "rbp" }, { "al", "bl", "cl", "dl" }, { "ah", "bh", "ch", "dh" }

-- `instances` of an instruction, or of a few, on these registers in turn.
local function body(pattern, registers, vector_bits)
  local list = {}
  for k = 1, instances do
    list[k] = pattern:gsub("TARGET", registers[(k - 1) % #registers + 1]):gsub("OTHER", registers[k % #registers + 1])
  end
  local code = assert(core.isa.assemble(table.concat(list, "\n")))
  return { { bytes = code.bytes, copies = instances, vector_bits = vector_bits or 0 } }
end

-- Additions, five each time: a pair and three in a row that wait for each other.
local waiting = "lea TARGET, [rax + 8]\ncmp TARGET, 3\nlea TARGET, [rax + 8]\nlea OTHER, [TARGET + 8]\ncmp OTHER, 3"

--- So many additions are in `waiting`.
form_probes.additions = 5

-- Name of the function -> its pattern, registers, bits of vectors.
local bodies = {
  plain = { "lea TARGET, [rax + rdx]", targets }, -- addresses of a register and an index
  relative = { "lea TARGET, [rip + 64]", targets }, -- from the instruction pointer
  scaled = { "lea TARGET, [rax + rdx*4]", targets }, -- with a factor
  summed = { "lea TARGET, [rax + rdx + 8]", targets }, -- of three parts
  summed_scaled = { "lea TARGET, [rax + rdx*4 + 8]", targets },
  plain_chain = { "lea TARGET, [TARGET + rdx]", { "rbx" } }, -- chains of such addresses, through the register
  scaled_chain = { "lea TARGET, [TARGET + rdx*4]", { "rbx" } },
  summed_chain = { "lea TARGET, [TARGET + rdx + 8]", { "rbx" } },
  summed_scaled_chain = { "lea TARGET, [TARGET + rdx*4 + 8]", { "rbx" } },
  summed_index_chain = { "lea TARGET, [rdx + TARGET + 8]", { "rbx" } }, -- and through the index
  summed_scaled_index_chain = { "lea TARGET, [rdx + TARGET*4 + 8]", { "rbx" } },
  itself = { "mov TARGET, TARGET", { "rbx" } }, -- moves of a register to itself
  itself_half = { "mov TARGET, TARGET", { "ebx" } }, -- and of its lower half
  low = { "test TARGET, 6", bytes }, -- tests of first bytes of registers
  high = { "test TARGET, 6", high_bytes }, -- of second bytes
  low_chain = { "or TARGET, 6", { "bl" } }, -- chains through the first byte of a register
  high_chain = { "or TARGET, 6", { "bh" } }, -- and through the second one
  compared = { "cmp rbx, rdx\ncmovnz TARGET, rsi", { "rcx" } }, -- conditional moves in a chain, each behind a comparison
  logical = { "test rbx, rbx\ncmovnz TARGET, rsi", { "rcx" } }, -- each behind a logical instruction
  sum_chain = { "addsd TARGET, xmm2", { "xmm1" }, 128 }, -- chains of floating-point additions,
  product_chain = { "mulsd TARGET, xmm2", { "xmm1" }, 128 }, -- of multiplications,
  sums_of_products = { "addsd TARGET, xmm2\nmulsd TARGET, xmm2", { "xmm1" }, 128 }, -- of both in turn
  awaited = { waiting, targets }, -- additions that wait for each other
  not_awaited = { (waiting:gsub("cmp %u+", "cmp rdx"):gsub("%[TARGET", "[rdx")), targets }, -- as many that do not
}
for name, one in pairs(bodies) do
  form_probes[name] = function() return body(table.unpack(one)) end
end

return form_probes
