-- Time per instruction of the assembler, the decoder and operand allocation; LLVM's assembler for comparison.
-- usage: LUA_CPATH=BUILD/clib/?.so lua5.4 tests/bench/isa_text.lua
local core = require "portolan.core"
local isa, now = core.isa, core.base.now
local policy = assert(isa.policy(dofile "arch/x86_64/policy.lua"))

-- The fastest of ten runs, in nanoseconds per instruction.
local function time(what, count, run)
  local best = math.huge
  for _ = 1, 10 do
    local start = now()
    run()
    best = math.min(best, now() - start)
  end
  print(("%-58s %8.0f ns"):format(what, best / count * 1e9))
end

local function text_of(statement, count) return (statement .. "\n"):rep(count) end

local experiment = { ["add r64, r64"] = 3, ["imul r64, r64"] = 1, ["mov r64, m64"] = 1, ["vaddpd ymm, ymm, ymm"] = 2 }
local kernel = assert(isa.kernel(experiment, policy, 200))
print(("%-58s %11s"):format("", "per instruction"))
for _, statement in ipairs { "nop", "add rax, rbx", "add rax, [rbx + 8*rcx + 4]", "add rax, qword ptr [rbx + 8*rcx + 4]",
  "vaddpd zmm1 {k1}{z}, zmm2, zmm3" } do
  local text = text_of(statement, 1000)
  time("assemble, decode and list: " .. statement, 1000, function() assert(isa.assemble(text)) end)
end
time("decode and list a loop body of 200", kernel.count, function() isa.decode(kernel.bytes) end)
time("allocate and encode a loop body of 200 (kernel)", kernel.count, function() isa.kernel(experiment, policy, 200) end)
local small = isa.kernel(experiment, policy, 40)
time("allocate and encode a loop body of 40 (kernel)", small.count, function() isa.kernel(experiment, policy, 40) end)

local source = os.tmpname()
local file = assert(io.open(source, "w"))
file:write(text_of("add rax, qword ptr [rbx + 8*rcx + 4]", 20000))
file:close()
local command = "llvm-mc -triple=x86_64 -x86-asm-syntax=intel -filetype=obj -o /dev/null " .. source .. " 2>/dev/null"
if os.execute(command) then
  time("llvm-mc, 20000 of them in one process", 20000, function() os.execute(command) end)
end
os.remove(source)
