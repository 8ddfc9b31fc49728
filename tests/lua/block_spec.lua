local block = require "portolan.block"

local function refused(pattern, code, message)
  assert.is_nil(code)
  assert.matches(pattern, message)
end

describe("blocks of code", function()
  it("come from text and from hexadecimal bytes", function()
    local a = assert(block.from_text("add rax, rbx; vaddpd ymm0, ymm1, ymm2"))
    assert.equal(256, a.vector_bits)
    local bytes = assert(block.from_hex("48 01 d8, 0xc5 0xf5 58 c2"))
    assert.equal(a.bytes, bytes)
    assert.equal(2, #assert(block.from_bytes(bytes)).instructions)
    assert.equal(0, assert(block.from_text("nop")).vector_bits)
    assert.equal(512, assert(block.from_text("kaddw k1, k2, k3")).vector_bits)
    assert.equal(128, assert(block.from_text("addps xmm9, xmm1")).vector_bits)
    assert.equal(512, assert(block.from_text("vpaddd xmm1, xmm2, xmm17")).vector_bits) -- as loops set it up with the wide ones
    assert.equal(128, assert(block.from_text("cvtps2pd xmm1, xmm2")).vector_bits)
  end)

  it("must be code that can be looped", function()
    refused("r15 is the loop counter", block.from_text("add r15d, 1"))
    refused("r15 is the loop counter", block.from_text("mov rax, [r15]"))
    refused("r14 points to the memory", block.from_text("add r14, 1"))
    refused("r14 points to the memory", block.from_text("xchg rax, r14"))
    refused("r14 points to the memory", block.from_text("mulx rax, r14, rcx"))
    assert.is_truthy(block.from_text("add rax, r14; mov rbx, [r14 + 8]; mov [r14], rax; cmp r14, rax"))
    refused("no instruction", block.from_text(" ; # nothing"))
    refused("at most 65536", block.from_text(("add rax, rbx\n"):rep(30000)))
  end)

  it("say what is wrong with bytes", function()
    refused("'g' is no hexadecimal digit", block.from_hex("4g"))
    refused("odd number", block.from_hex("480"))
    refused("no instruction", block.from_bytes("\x06"))
    refused("no instruction", block.from_bytes(""))
  end)

  it("are unrolled to the targets, whole copies only", function()
    local code = assert(block.from_text("add rax, rbx; add rcx, rdx; imul rsi, rdi"))
    local copies = {}
    for i, k in ipairs(block.kernels(code, { 40, 80, 200 })) do
      copies[i] = k.copies
      assert.equal(#code.bytes * k.copies, #k.bytes)
    end
    assert.same({ 13, 27, 67 }, copies)
    local long = assert(block.from_text(("add rax, rbx\n"):rep(5000)))
    assert.equal(1, #block.kernels(long, { 40, 80, 200 }))
  end)
end)
