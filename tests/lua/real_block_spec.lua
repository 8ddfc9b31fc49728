-- Blocks of real programs: their code, and what this machine's processor says of them. The last part is skipped where it cannot be calibrated.
local core = require "portolan.core"
local block_kinds = require "portolan.block.kinds"
local hardware = require "portolan.processor.hardware"
local named = require "portolan.predictor.named"
local real_block = require "portolan.block.real"
local store = require "portolan.experiment.store"
local undecided = require "portolan.measuring.undecided"

local function bytes(text) return assert(core.isa.assemble(text), text).bytes end
local function new(text) return assert(real_block.new(bytes(text))) end

local function refused(status, words, code)
  local b, message, kind = real_block.new(code)
  assert.is_nil(b)
  assert.equal(status, kind)
  assert.matches(words, message)
end

describe("a block of a real program", function()
  it("may use all registers", function()
    local b = new "mov rax, [r14 + r15]; push rsp; add r15, 8"
    assert.is_true(b.writes)
    assert.is_false(b.x87)
    assert.equal(0, b.vector_bits)
    assert.is_false(new("mov rax, [rbx]").writes)
    assert.is_true(new("fadd st0, st1").x87)
    assert.is_true(new("paddb mm0, mm1").x87)
    assert.equal(256, new("vaddps ymm0, ymm1, [rdi]").vector_bits)
  end)

  it("that cannot be measured is told why", function()
    refused("not decoded", "no instruction", "")
    refused("not decoded", "no instruction", "\x06")
    refused("not decoded", "cut short", "\x48\x89")
    refused("branches away", "jmp rax", bytes "jmp rax")
    refused("branches away", "ret", bytes "add rax, rbx; ret")
    refused("branches away", "call", bytes "call 64")
    refused("branches away", "jnz", bytes "jne 20; add rax, rbx")
    refused("too long", "at most", bytes(("add rax, rbx\n"):rep(4000)))
    refused("misaligned", "crosses a line", bytes "mov rax, [0x1234003c]")
  end)

  it("goes on with the next copy where it ends in a jump", function()
    local b = new "add rax, rbx; cmp rax, rcx; jne -10"
    assert.equal("\x48\x01\xd8\x48\x39\xc8\x75\x00", b.bytes) -- to its own end
    assert.equal("\x0f\x84\0\0\0\0", new("je 100000").bytes)
  end)

  it("stands there in copies, with a jump to the next instruction now and then", function()
    local b = new "add rax, rbx"
    assert.equal(("\x48\x01\xd8"):rep(200), real_block.body(b, 200))
    assert.equal(("\x48\x01\xd8"):rep(200) .. "\xeb\x00" .. ("\x48\x01\xd8"):rep(10), real_block.body(b, 210))
  end)

  it("accesses one place in all copies, relative to the instruction pointer", function()
    for _, text in ipairs { "mov rax, [rip + 0x2345]", "cmp dword ptr [rip - 0x777], 0x12345678", "vaddps ymm1, ymm2, [rip + 64]",
      "mov byte ptr [rip + 5], 7; lea rcx, [rip + 0x200000]; add rdx, [rip + 0x10]" } do
      local b = new(text)
      local accesses = assert(core.isa.accesses(real_block.body(b, 250)))
      local first, places = {}, 0
      local i = 0
      for _, access in ipairs(accesses) do
        if not access.scheme:find "^jmp" then
          i = i % #b.instructions + 1
          for _, memory in ipairs(access.memory) do
            if memory.base == "rip" then
              first[i] = first[i] or memory.displacement
              assert.equal(first[i], memory.displacement)
              assert.is_true(memory.displacement > core.bench.layout.code) -- there is no code
              places = places + 1
            end
          end
        end
      end
      assert.is_true(places >= 250)
      local k, least = 1, math.huge
      for _, place in pairs(first) do least = math.min(least, place) end
      assert.equal(0, least % 64)
      for n, access in ipairs(b.accesses) do -- as far from each other as they were
        for _, memory in ipairs(access.memory) do
          for m, other in ipairs(b.accesses) do
            for _, memory2 in ipairs(other.memory) do
              if memory.base == "rip" and memory2.base == "rip" then
                assert.equal(memory.displacement - memory2.displacement, first[n] - first[m])
                k = k + 1
              end
            end
          end
        end
      end
      assert.is_true(k > 1)
    end
  end)

  it("is checked access by access where addresses are not known beforehand", function()
    assert.is_nil(real_block.checked_body(new "add rax, rbx", 10))
    assert.is_nil(real_block.checked_body(new "mov al, [rbx]", 10)) -- a byte is in one line
    assert.is_truthy(real_block.checked_body(new "mov eax, [rbx]", 1))
    assert.is_truthy(real_block.checked_body(new "push rax", 1))
    assert.is_nil(real_block.checked_body(new "vpgatherdd ymm1, [rax + ymm2*4], ymm3", 1))
  end)

  it("has one kind", function()
    for text, kind in pairs {
      ["add rax, rbx"] = "scalar", ["mov rax, [rbx]"] = "scalar, loads", ["push rax"] = "scalar, stores", ["pop rax"] = "scalar, loads",
      ["add [rax], rbx"] = "scalar, loads and stores", ["lea rax, [rbx]"] = "scalar", ["paddb xmm0, xmm1"] = "vector",
      ["vaddps ymm0, ymm1, [rax]"] = "vector, loads", ["movups [rax], xmm1; pop rbx"] = "vector, loads and stores",
    } do
      assert.equal(kind, assert(block_kinds.of(bytes(text))))
    end
    assert.is_nil(block_kinds.of "\x06")
  end)
end)

-- A test that is skipped where the processor cannot be calibrated.
local function on_hardware(f)
  return function()
    local p, message = hardware.open { patience = 3 }
    if not p then pending("this machine cannot be measured on: " .. message) end
    f(p)
    p:close()
  end
end

local function measured(p, texts)
  local codes = {}
  for i, text in ipairs(texts) do codes[i] = bytes(text) end
  return assert(p:measure_blocks(codes))
end

-- The result of a block; pending if the machine is too noisy to tell even whether it runs. Code whose copies differ is unsteady by itself.
local function decided(result)
  if undecided.is(result) then pending "this machine is too noisy" end
  return result
end

local function status_of(p, text) return decided(measured(p, { text })[1]).status end

describe("a measured block of a real program", function()
  it("that cannot run gets a status, and the others their cycles", on_hardware(function(p)
    local texts = { "ud2", "int3", "mov eax, 39; syscall", "xor ecx, ecx; div ecx", "hlt", "jmp rax", "mov rax, [0x10]",
      "add rsp, 0x100000; push rax", "mov rax, -1; shl rax, 62; mov rbx, [rax]", "imul rax, rbx" }
    local wanted = { "illegal instruction", "trap", "system call", "arithmetic fault", "memory fault", "branches away", "memory fault",
      "too many pages", "memory fault", "ok" }
    for i, result in ipairs(measured(p, texts)) do
      if not (i == #texts and result.status == "unstable") then
        assert.equal(wanted[i], decided(result).status, texts[i])
        assert.is_true(result.status == "ok" or #result.message > 0)
      end
    end
  end))

  it("takes what its chain takes, whatever registers it uses", on_hardware(function(p)
    local latency = p.session:describe().imul_latency
    for _, text in ipairs { "imul rax, rbx", "imul rsp, rbx", "imul r14, r15", "imul r15, r14", "imul rax, [r15]", "imul rax, [rip + 0x1000]",
      "imul rbp, [rsp + 0x20]; mov rdi, [rsi - 0x7000000]", "imul rax, rbx; cmp rcx, rdx; jne -20" } do
      local r = measured(p, { text })[1]
      if r.status == "unstable" then pending "this machine is too noisy" end
      assert.equal("ok", r.status, text)
      assert.is_true(math.abs(r.cycles - latency) < 0.06 * latency, ("%s: %.3f"):format(text, r.cycles))
    end
  end))

  it("may touch as many pages as it likes, one after the other", on_hardware(function(p)
    local r = measured(p, { "mov rax, [rdi]; add rdi, 0x40", "mov rax, [rdi + rsi]; mov rcx, [rax + rdx*2]" })
    for i, most in ipairs { 80, 3 } do
      if r[i].status ~= "unstable" then
        assert.equal("ok", r[i].status, r[i].message)
        assert.is_true(r[i].pages >= 2 and r[i].pages <= most)
      end
    end
  end))

  it("is told apart if it crosses a line", on_hardware(function(p)
    assert.equal("misaligned", status_of(p, "mov rax, [rdi + 0x3c]"))
    assert.equal("misaligned", status_of(p, "mov eax, [rdi]; add rdi, 1"))
    assert.equal("misaligned", status_of(p, "add rdi, 3; cmp rdi, rcx; movups xmm1, [rdi]"))
    assert.equal("misaligned", status_of(p, "sub rsp, 4; push rax"))
    for _, text in ipairs { "mov rax, [rdi + 0x38]", "mov al, [rdi]; add rdi, 1", "push rax", "pop rax", "mov ax, [rdi + 0x3e]" } do
      assert.not_equal("misaligned", status_of(p, text), text)
    end
  end))

  -- The code that looks for crossings stands between a comparison and what reads it.
  it("keeps its flags and registers while that is looked at", on_hardware(function(p)
    for _, text in ipairs {
      "xor ecx, ecx; inc ecx; xor ebx, ebx; cmp ecx, 1; mov esi, [rdi]; cmovne ecx, ebx; xor edx, edx; mov eax, 7; div ecx",
      "mov ecx, 1; mov al, 127; add al, 1; mov esi, [rdi]; cmovno ecx, [rdi]; cmovns ecx, [rdi]; cmovc ecx, [rdi]; "
        .. "xor edx, edx; mov eax, 9; div ecx; cmp eax, 9; mov esi, [rdi]; sete cl; movzx ecx, cl; xor edx, edx; div ecx",
      "mov rax, rdi; mov rsi, [rdi]; sub rax, rdi; add rax, 1; mov rbx, rax; xor edx, edx; mov eax, 3; mov rsi, [rdi]; div rbx",
    } do
      assert.is_true(({ ok = true, unstable = true })[status_of(p, text)], text)
    end
  end))

  it("is answered by the predictor hw, too", function()
    local p, message = named.open("hw,pages=mapped", { patience = 3 })
    if not p then pending("this machine cannot be measured on: " .. message) end
    local answers = p:predict { bytes "jmp rax", { text = "imul r15, r14" }, { text = "mov rax, [rdi + 0x3c]" }, { text = "what" } }
    p:close()
    assert.matches("it branches away", answers[1].error)
    assert.is_true(answers[2].transient or answers[2].cycles > 2)
    if not answers[3].transient then assert.matches("crosses a line", answers[3].error) end
    assert.matches("unknown mnemonic", answers[4].error)
    for _, answer in ipairs(answers) do assert.is_nil(answer.crash) end
  end)

  it("is kept in a store", function()
    local path = os.tmpname()
    os.remove(path)
    local measurements = assert(store.open(path))
    local p, message = hardware.open { patience = 3, store = measurements }
    if not p then
      measurements:close()
      os.remove(path)
      pending("this machine cannot be measured on: " .. message)
    end
    local first = measured(p, { "ud2", "imul rax, rbx", "jmp rax" })
    decided(first[1])
    local asked = 0
    p.run_code = function() asked = asked + 1 error "asked again" end
    local texts = first[2].status == "ok" and { "jmp rax", "imul rax, rbx", "ud2" } or { "jmp rax", "ud2" }
    local again = measured(p, texts)
    assert.equal(0, asked)
    assert.equal("branches away", again[1].status)
    assert.equal(first[1].message, again[#again].message)
    if #again == 3 then assert.equal(first[2].cycles, again[2].cycles) end
    p:close()
    measurements:close()
    os.remove(path)
  end)
end)
