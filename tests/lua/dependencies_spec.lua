-- What instructions wait for, held against a simulation; the maximum cycle ratio from Lua.
local code = require "portolan.anica.code"
local core = require "portolan.core"
local dependencies = require "portolan.block.dependencies"
local domains = require "portolan.anica.domain"

local function bytes_of(text) return assert(core.isa.assemble(text)).bytes end

local function bound(text, latency, options)
  local waits, accesses = assert(dependencies.of(bytes_of(text), options))
  return (assert(dependencies.bound(waits, #accesses, latency or function() return 1 end)))
end

-- When each instruction of many iterations is done, if it begins when all that it waits for is: the growth per iteration.
local function simulated(waits, count, latency)
  local done, iterations = {}, 240
  local function at(iteration, i) return iteration < 1 and 0 or done[iteration][i] end
  local last = {}
  for iteration = 1, iterations do
    done[iteration] = {}
    local most = 0
    for i = 1, count do
      local ready = 0
      for _, wait in ipairs(waits) do
        if wait.to == i then ready = math.max(ready, at(iteration - wait.distance, wait.from) + latency(i)) end
      end
      done[iteration][i] = ready
      most = math.max(most, ready)
    end
    last[iteration] = most
  end
  return (last[240] - last[120]) / 120
end

describe("dependencies of a block", function()
  it("bound it by what a simulation without limits takes", function()
    local drawn = assert(assert(domains.load()):top(6):sample(core.base.rng(11), 150))
    local positive = 0
    for k, block in ipairs(drawn) do
      local function latency(i) return 1 + (i * 7 + k) % 5 end
      local waits, accesses = assert(dependencies.of(block, { aliasing = "same" }))
      local ratio = assert(dependencies.bound(waits, #accesses, latency))
      assert.is_true(math.abs(simulated(waits, #accesses, latency) - ratio) < 0.06, code.text(block))
      positive = positive + (ratio > 0 and 1 or 0)
    end
    assert.is_true(positive > 50)
  end)

  it("go through parts of registers, flags, addresses", function()
    assert.equal(1, bound "add rax, rbx")
    assert.equal(0, bound "mov eax, ebx") -- writes all of rax
    assert.equal(1, bound "mov al, bl") -- keeps the rest of rax
    assert.equal(1, bound "adc rax, rbx") -- rax, and the carry of the iteration before
    assert.equal(2, bound "adc rax, rbx; adc rcx, rdx") -- the carry, twice
    assert.equal(0, bound "mov rax, [rbx]")
    assert.equal(1, bound "mov rax, [rax]")
    assert.equal(2, bound "lea rax, [rbx+rcx]; mov rbx, rax")
    assert.equal(1, bound "cmovb eax, ecx; mov ecx, edx") -- a write that may not happen
    assert.equal(0, bound "inc ax; mov eax, ecx")
    assert.equal(1, bound "vgatherdps xmm1, [r14+xmm2*4], xmm3")
  end)

  it("go through what an instruction leaves as it was", function()
    for _, text in ipairs { "movss xmm0, xmm1", "movsd xmm0, xmm1", "movlps xmm0, [rbx]", "movhpd xmm0, [rbx]", "movhlps xmm0, xmm1",
      "cvtss2sd xmm0, xmm1", "sqrtsd xmm0, xmm1", "roundss xmm0, xmm1, 0", "cvtpi2ps xmm0, mm0", "bsf rax, rbx", "bsr rax, rbx",
      "vaddps xmm1 {k1}, xmm2, xmm3" } do
      assert.equal(1, bound(text), text)
    end
    for _, text in ipairs { "movss xmm0, [rbx]", "movsd xmm0, [rbx]", "movq xmm0, xmm1", "movd xmm0, eax", "cvtdq2pd xmm0, xmm1",
      "vmovss xmm0, xmm1, xmm2", "vsqrtsd xmm0, xmm1, xmm2", "vaddps xmm1 {k1} {z}, xmm2, xmm3" } do
      assert.equal(0, bound(text), text)
    end
    assert.equal(0, bound "vaddps xmm0, xmm1, xmm2; vzeroall; vmovaps xmm1, xmm0")
  end)

  it("go through registers that string instructions move on", function()
    for _, text in ipairs { "movsb", "lodsq", "scasb", "scasq", "cmpsb", "repe cmpsb", "repne scasw" } do assert.equal(1, bound(text), text) end
    assert.equal(0, bound "cmp al, [rdi]")
  end)

  it("pass by shifts by 0, which leave flags alone", function()
    local function slow_shift(i) return i == 2 and 9 or 1 end
    assert.equal(1, bound("adc rax, rbx; shl rcx, 0; mov rcx, rdx", slow_shift))
    assert.equal(1, bound("adc rax, rbx; shl ecx, 32; mov rcx, rdx", slow_shift))
    assert.equal(1, bound("adc rax, rbx; shl rcx, 1; mov rcx, rdx", slow_shift)) -- rax alone: the carry is the shift's
    assert.equal(2, bound "adc rax, rbx; rol rcx, 0; adc rdx, rbx")
    assert.equal(1, bound "adc rax, rbx; rol rcx, 1; adc rdx, rbx")
  end)

  it("end at zeroing idioms, if these are believed", function()
    assert.equal(0, bound "xor eax, eax; add rax, rcx")
    assert.equal(2, bound("xor eax, eax; add rax, rcx", nil, { idioms = false }))
    assert.equal(0, bound "vpxor xmm1, xmm2, xmm2; vpaddd xmm2, xmm1, xmm1")
    assert.equal(1, bound "xor ax, ax") -- keeps the rest
    assert.equal(2, bound "xor eax, ebx; mov ebx, eax")
    assert.equal(1, bound "sbb eax, eax")
  end)

  it("go through memory as far as that is assumed", function()
    local text = "mov [rbx], rax; mov rax, [rbx]"
    assert.equal(0, bound(text))
    assert.equal(2, bound(text, nil, { aliasing = "same" }))
    assert.equal(2, bound(text, nil, { aliasing = "all" }))
    assert.equal(0, bound("mov [rbx], rax; mov rax, [rbx+8]", nil, { aliasing = "same" }))
    assert.equal(2, bound("mov [rbx], rax; mov rax, [rbx+4]", nil, { aliasing = "same" })) -- a part of it
    assert.equal(2, bound("mov [rbx], rax; mov rax, [rcx]", nil, { aliasing = "all" }))
    assert.equal(1, bound("mov [rbx], rax; add rbx, 8; mov rax, [rbx]", nil, { aliasing = "same" })) -- another address by now
    assert.equal(1, bound("add [rbx], rcx", nil, { aliasing = "same" }))
    assert.equal(2, bound("mov [rip+16], rax; mov rax, [rip+9]", nil, { aliasing = "same" })) -- 7 bytes on, and so the same place
    assert.equal(0, bound("mov [rip+16], rax; mov rax, [rip+17]", nil, { aliasing = "same" }))
  end)

  it("take latencies from values or from addresses", function()
    local function latency(_, kind) return kind == "value" and 1 or 6 end
    assert.equal(1, bound("add rax, [rbx]", latency))
    assert.equal(6, bound("mov rax, [rax]", latency))
  end)

  it("name the instructions that wait for each other", function()
    local waits, accesses = assert(dependencies.of(bytes_of "nop; imul rax, rbx; add rax, rcx; add rdx, 1"))
    local ratio, cycle = assert(dependencies.bound(waits, #accesses, function(i) return i == 2 and 3 or 1 end))
    assert.equal(4, ratio)
    local through = {}
    for i, wait in ipairs(cycle) do through[i] = ("%d %s %d"):format(wait.from, wait.through, wait.to) end
    table.sort(through)
    assert.same({ "2 rax 3", "3 rax 2" }, through)
    assert.is_nil((dependencies.of "\x06"))
  end)
end)

describe("core.model.cycle_ratio", function()
  local cycle_ratio = core.model.cycle_ratio

  it("answers the largest ratio and its edges", function()
    assert.same({ 7, { 1, 2 } }, { cycle_ratio(2, { { 1, 2, 4, 0 }, { 2, 1, 3, 1 } }) })
    assert.same({ 0, {} }, { cycle_ratio(3, { { 1, 2, 4, 0 }, { 2, 3, 3, 1 } }) })
    assert.equal(2.5, (cycle_ratio(1, { { 1, 1, 5, 2 }, { 1, 1, 2, 1 } })))
  end)

  it("refuses what is no graph", function()
    for _, edges in ipairs { { { 1, 3, 1, 1 } }, { { 0, 1, 1, 1 } }, { { 1, 1, 1, -1 } }, { { 1, 1, 1, 0.5 } }, { { 1, 1, 1 } }, { 5 } } do
      assert.error(function() cycle_ratio(2, edges) end)
    end
    for _, edge in ipairs { { 1, 1, 1, 0 }, { 1, 1, -1, 1 }, { 1, 1, 0 / 0, 1 }, { 1, 1, math.huge, 1 } } do
      local ratio, message = cycle_ratio(2, { edge })
      assert.is_nil(ratio)
      assert.matches("^[^\n]+$", message)
    end
  end)
end)
