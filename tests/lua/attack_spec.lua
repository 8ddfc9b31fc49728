-- Measured code that attacks: whatever it does, it costs itself, and nothing else. All of it runs on this machine's processor.
local core = require "portolan.core"

local slot = 0x400000000000 -- engine/worker/layout.h: done, derailed, stop, reserved, fault, visits
local data, frame, code_at = 0x200000000000, 0x300000000000, 0x100000000000

-- { what, code, statuses that are right }
local any_end = { ["memory fault"] = true, derailed = true, ["system call"] = true, timeout = true, trap = true, ["illegal instruction"] = true }
local fault = { ["memory fault"] = true }
local call = { ["system call"] = true }
local nothing = { ok = true, unstable = true }

local function is(...)
  local set = {}
  for _, s in ipairs { ... } do set[s] = true end
  return set
end

local function store(address, value) return ("mov rax, 0x%x; mov dword ptr [rax], 0x%x"):format(address, value) end

local function fill(address, size)
  return ("mov rdi, 0x%x; mov ecx, 0x%x; mov al, 0xff; rep stosb"):format(address, size)
end

local attacks = {
  -- The slot, in which visits are handed over.
  { "claims all visits at once", store(slot, 0x7fffffff), is("ok", "unstable", "derailed") },
  { "counts visits for ever", ("mov rax, 0x%x; again: inc dword ptr [rax]; jmp again"):format(slot), is "timeout" },
  { "keeps itself from being stopped", ("mov rax, 0x%x; again: mov dword ptr [rax], 0; jmp again"):format(slot + 8), is "timeout" },
  { "says that it was derailed", store(slot + 4, 1), is("ok", "unstable", "derailed") },
  { "forges all visits", fill(slot, 0x100000), is("derailed", "memory fault", "timeout") },
  { "forges visits and leaves", fill(slot + 16, 0x100000) .. "; " .. store(slot, 60) .. "; mov eax, 231; xor edi, edi; syscall",
    is("derailed", "system call", "memory fault") },
  { "leaves as if memory had failed", "mov eax, 231; mov edi, 4; syscall", call },
  { "leaves as if it were done", "mov eax, 231; xor edi, edi; syscall", call },
  { "leaves as if it were derailed", "mov eax, 231; mov edi, 3; syscall", call },
  -- Memory.
  { "writes over its own code", store(code_at, 0), fault },
  { "writes over the code around it", fill(code_at + 0x1000, 64), fault },
  { "writes before the data", store(data - 8, 0), fault },
  { "writes behind the data", store(data + 0x10000, 0), fault },
  { "writes 2 GiB before the data", store(data - 0x7fff0000, 0), fault },
  { "writes 2 GiB behind the data", store(data + 0x7fff0000, 0), fault },
  { "makes the stack of the worker grow", ("mov rax, 0x%x; mov rdi, qword ptr [rax]; again: sub rdi, 0x1000; mov byte ptr [rdi], 1; jmp again")
    :format(frame), fault },
  { "takes its access to all memory away", "xor eax, eax; xor ecx, ecx; xor edx, edx; dec eax; wrpkru", any_end },
  { "fills the data", fill(data, 0x10000), nothing },
  { "fills the frame", fill(frame, 0x1000), any_end },
  { "fills its stack", "mov rdi, rsp; mov ecx, 0x1000; rep stosb", nothing },
  { "fills the stack of the worker", ("mov rax, 0x%x; mov rdi, qword ptr [rax]; mov ecx, 0x100000; rep stosb"):format(frame), fault },
  { "writes over the worker's text", store(0x401000, 0), fault },
  { "writes over the worker's data", "mov rdi, 0x4a0000; again: mov byte ptr [rdi], 0xff; inc rdi; jmp again", fault },
  { "writes at address 0", "xor eax, eax; mov qword ptr [rax], rax", fault },
  { "writes into the kernel", "mov rax, -4096; mov qword ptr [rax], rax", fault },
  -- System calls, by all doors.
  { "syscall: fork", "mov eax, 57; syscall", call },
  { "syscall: kill everything", "mov eax, 62; mov edi, -1; mov esi, 9; syscall", call },
  { "syscall: getppid", "mov eax, 110; syscall", call },
  { "syscall: open", "mov eax, 2; mov rdi, r14; syscall", call },
  { "syscall: mprotect of its code", ("mov eax, 10; mov rdi, 0x%x; mov esi, 4096; mov edx, 7; syscall"):format(code_at), call },
  { "syscall of x32", "mov eax, 0x400000e7; syscall", call },
  { "syscall without a number", "mov rax, -1; syscall", call },
  -- A kernel without calls of 32 bits has no such gate.
  { "int 0x80: exit", "mov eax, 1; int 0x80", is("system call", "memory fault") },
  { "int 0x80: exit_group", "mov eax, 252; int 0x80", is("system call", "memory fault") },
  { "sysenter", "mov eax, 20; sysenter", is("system call", "memory fault", "illegal instruction") },
  -- These two no filter sees on newer kernels; without a probe they do nothing.
  { "syscall: uretprobe", "mov eax, 335; syscall", is("system call", "illegal instruction") },
  { "syscall: uprobe", "mov eax, 336; syscall", is("system call", "ok", "unstable") },
  { "vsyscall", "mov rax, 0xffffffffff600000; call rax", is("system call", "memory fault") },
  -- State of the processor.
  { "trap flag", "pushfq; or qword ptr [rsp], 0x100; popfq; nop", is "trap" },
  { "alignment checks", "pushfq; or qword ptr [rsp], 0x40000; popfq; mov eax, dword ptr [r14+1]", fault },
  { "direction flag", "std", nothing },
  { "no flags at all", "push 0; popfq", nothing },
  { "unmasks floating-point exceptions", "push 0; ldmxcsr dword ptr [rsp]; pop rax; xorps xmm0, xmm0; divps xmm0, xmm0", is "arithmetic fault" },
  { "segment fs", "xor eax, eax; mov fs, ax", is("ok", "unstable", "memory fault") },
  { "segment ss", "xor eax, eax; mov ss, ax", fault },
  { "base of fs", "mov rax, 0x123456789abc; wrfsbase rax", is("ok", "unstable", "memory fault", "illegal instruction") },
  { "tiles of AMX", "ldtilecfg [r14]", is("illegal instruction", "memory fault") },
  { "privileged: hlt", "hlt", fault },
  { "privileged: cli", "cli", fault },
  { "privileged: out", "out 0x80, al", fault },
  { "privileged: wrmsr", "wrmsr", fault },
  -- Where it goes.
  { "for ever", "again: jmp again", is "timeout" },
  { "for ever, counting itself up", "mov r15, -1", is "timeout" },
  { "returns", "ret", is("memory fault", "derailed") },
  { "jumps to the worker's first instruction", "mov rax, 0x401000; jmp rax", any_end },
  { "goes on in 32-bit mode", "push 0x2b; push rsp; pushfq; push 0x23; push 0x401000; iretq", is("memory fault", "illegal instruction") },
  { "jumps to the frame", ("mov rax, 0x%x; jmp rax"):format(frame), fault },
  { "jumps to what it wrote", "mov byte ptr [r14], 0xc3; call r14", fault },
  { "loses its stack", "mov rsp, 8; push rax", fault },
}

local function kernel(text, generated)
  local made = assert(core.isa.assemble(text), text) -- not checked: what a check would refuse is tried, too
  return { { bytes = made.bytes, copies = 1, vector_bits = 128, generated = generated } }
end

-- The same code as a block of a real program, whose faults are answered by pages.
local function mapped(text, pages)
  local made = assert(core.isa.assemble(text), text)
  return { { bytes = made.bytes, copies = 1, vector_bits = 128, pages = pages or {}, writes = true } }
end

-- Those that are about pages: what the handler of faults and the list of pages could be misused for.
local about_pages = {
  { "claims a fault at an address of the worker",
    ("mov rax, 0x%x; mov rbx, 0x401000; mov [rax + 16], rbx; mov eax, 231; mov edi, 4; syscall"):format(slot) },
  { "claims a fault at its code",
    ("mov rax, 0x%x; mov rbx, 0x%x; mov [rax + 16], rbx; mov eax, 231; mov edi, 4; syscall"):format(slot, code_at) },
  { "claims faults for ever",
    ("rdtsc; shl rax, 12; mov rbx, rax; mov rax, 0x%x; mov [rax + 16], rbx; mov eax, 231; mov edi, 4; syscall"):format(slot) },
  { "jumps to what was mapped for it", "mov byte ptr [rdi], 0xc3; call rdi" },
  { "touches one page after the other", "add rdi, 0x1000; mov [rdi], rdi" },
  { "touches guard pages", ("mov rax, 0x%x; mov [rax - 8], rax"):format(code_at) },
  { "touches the highest page of programs", "mov rax, 0x7ffffffff000; mov [rax], rax" },
  { "touches the page behind it", "mov rax, 0x7ffffffff000; mov [rax + 0x1000], rax" },
  { "puts its stack where faults are handled", "mov rsp, 0x4b0000; push rax; pop rax; mov rax, [0x10]" },
  { "writes over all that is below the worker", "mov rdi, 0x3fffff; std; mov ecx, 0x100000; mov al, 0; rep stosb" },
}

-- Honest code of both kinds; its cycles.
local honest = { { "imul rax, rdx", 3, true }, { "imul rax, rdx; imul rax, rdx", 6, false } }

describe("code that attacks", function()
  it("gets a status of its own, and nothing else changes", function()
    local list = {}
    for i, attack in ipairs(attacks) do list[i] = kernel(attack[2]) end
    local session = assert(core.bench.open { uncalibrated = true, patience = 0 })
    local started = core.base.now()
    local results = assert(session:run(list))
    local seconds = core.base.now() - started
    local wrong = {}
    for i, attack in ipairs(attacks) do
      local status = results[i].status
      if not attack[3][status] then wrong[#wrong + 1] = ("%s: %s"):format(attack[1], status) end
    end
    assert.equal("", table.concat(wrong, "\n"))
    local endless = 5 -- of them run until they are killed, after three seconds
    assert.is_true(seconds < 3.5 * endless + 10, ("%.1f s"):format(seconds))
    -- The session goes on as if nothing had happened.
    for i, result in ipairs(assert(session:run { kernel("nop", true), kernel("nop") })) do
      assert(nothing[result.status], i .. result.status)
    end
    session:close()
  end)

  it("gets a status of its own as a block of a real program, too", function()
    local list, texts = {}, {}
    for _, attack in ipairs(attacks) do
      if not attack[3].timeout then texts[#texts + 1] = attack end -- each takes three seconds, whatever pages it has
    end
    table.move(about_pages, 1, #about_pages, #texts + 1, texts)
    for i, attack in ipairs(texts) do list[i] = mapped(attack[2]) end
    list[#list + 1] = mapped "imul rax, rbx"
    local session = assert(core.bench.open { uncalibrated = true, patience = 0 })
    local results = assert(session:run(list))
    for i, result in ipairs(results) do
      assert(any_end[result.status] or nothing[result.status] or result.status == "arithmetic fault", result.status)
      local seen = {}
      for _, page in ipairs(result.pages) do
        assert(page % 4096 == 0 and page >= 0x10000 and page < 1 << 47 and not seen[page], texts[i][1])
        seen[page] = true
      end
      assert.is_true(#result.pages <= core.bench.layout.pages)
    end
    assert(nothing[results[#results].status])
    for i, result in ipairs(assert(session:run { kernel("nop", true), kernel("nop") })) do
      assert(nothing[result.status], i .. result.status)
    end
    session:close()
  end)

  it("falsifies no other code's result", function()
    local session = core.bench.open { patience = 5 }
    if not session then return pending "the machine is too noisy to be calibrated" end
    local latency = session:describe().imul_latency
    local list, kinds = {}, {}
    for _, attack in ipairs(attacks) do
      if not attack[3].timeout then
        list[#list + 1] = kernel(attack[2])
        list[#list + 1] = mapped(attack[2])
      end
      local one = honest[#list % 2 + 1]
      list[#list + 1] = kernel(one[1], one[3])
      kinds[#list] = one
    end
    local measured = 0
    for i, result in ipairs(assert(session:run(list))) do
      local wanted = kinds[i] and kinds[i][2] / 3 * latency
      if wanted and result.status == "ok" then
        measured = measured + 1
        assert(math.abs(result.cycles - wanted) < 0.02 * wanted, ("%s: %.3f"):format(kinds[i][1], result.cycles))
      elseif wanted then
        assert.equal("unstable", result.status)
      end
    end
    session:close()
    if measured == 0 then pending "the machine is too noisy" end
  end)
end)
