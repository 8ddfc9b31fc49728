--- Loop bodies of forms of instructions that one scheme covers and cores may treat apart (portolan.forms), each beside its like.
--
-- Every function returns a list of variants `{ bytes =, copies =, vector_bits = }`, as a processor's `measure_bodies` takes them.
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

--- Addresses of a register and an index.
function form_probes.plain() return body("lea TARGET, [rax + rdx]", targets) end

--- Addresses from the instruction pointer.
function form_probes.relative() return body("lea TARGET, [rip + 64]", targets) end

--- Addresses with a factor.
function form_probes.scaled() return body("lea TARGET, [rax + rdx*4]", targets) end

--- Addresses of three parts.
function form_probes.summed() return body("lea TARGET, [rax + rdx + 8]", targets) end

--- The same with a factor.
function form_probes.summed_scaled() return body("lea TARGET, [rax + rdx*4 + 8]", targets) end

--- A chain of addresses of a register and an index.
function form_probes.plain_chain() return body("lea TARGET, [TARGET + rdx]", { "rbx" }) end

--- The same with a factor.
function form_probes.scaled_chain() return body("lea TARGET, [TARGET + rdx*4]", { "rbx" }) end

--- A chain of addresses of three parts.
function form_probes.summed_chain() return body("lea TARGET, [TARGET + rdx + 8]", { "rbx" }) end

--- The same with a factor.
function form_probes.summed_scaled_chain() return body("lea TARGET, [TARGET + rdx*4 + 8]", { "rbx" }) end

--- A chain of addresses of three parts through the index.
function form_probes.summed_index_chain() return body("lea TARGET, [rdx + TARGET + 8]", { "rbx" }) end

--- The same with a factor.
function form_probes.summed_scaled_index_chain() return body("lea TARGET, [rdx + TARGET*4 + 8]", { "rbx" }) end

--- Moves of a register to itself.
function form_probes.itself() return body("mov TARGET, TARGET", { "rbx" }) end

--- The same of its lower half.
function form_probes.itself_half() return body("mov TARGET, TARGET", { "ebx" }) end

--- Tests of first bytes of registers.
function form_probes.low() return body("test TARGET, 6", bytes) end

--- Tests of second bytes.
function form_probes.high() return body("test TARGET, 6", high_bytes) end

--- A chain through the first byte of a register.
function form_probes.low_chain() return body("or TARGET, 6", { "bl" }) end

--- The same through the second one.
function form_probes.high_chain() return body("or TARGET, 6", { "bh" }) end

--- Conditional moves in a chain, each behind a comparison.
function form_probes.compared() return body("cmp rbx, rdx\ncmovnz TARGET, rsi", { "rcx" }) end

--- The same, each behind a logical instruction.
function form_probes.logical() return body("test rbx, rbx\ncmovnz TARGET, rsi", { "rcx" }) end

--- A chain of floating-point additions.
function form_probes.sum_chain() return body("addsd TARGET, xmm2", { "xmm1" }, 128) end

--- A chain of floating-point multiplications.
function form_probes.product_chain() return body("mulsd TARGET, xmm2", { "xmm1" }, 128) end

--- A chain of both in turn.
function form_probes.sums_of_products() return body("addsd TARGET, xmm2\nmulsd TARGET, xmm2", { "xmm1" }, 128) end

-- Additions, five each time: a pair and three in a row that wait for each other.
local waiting = "lea TARGET, [rax + 8]\ncmp TARGET, 3\nlea TARGET, [rax + 8]\nlea OTHER, [TARGET + 8]\ncmp OTHER, 3"

--- How many additions these are.
form_probes.additions = 5

--- Additions that wait for each other.
function form_probes.awaited() return body(waiting, targets) end

--- As many that do not.
function form_probes.not_awaited() return body(waiting:gsub("cmp %u+", "cmp rdx"):gsub("%[TARGET", "[rdx"), targets) end

return form_probes
