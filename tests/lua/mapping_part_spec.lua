-- The part of a mapping that some code needs (portolan.mapping.part): models of it say what those of the whole one say.
local block_model = require "portolan.block.model"
local core = require "portolan.core"
local lists = require "portolan.support.lists"
local mapping = require "portolan.mapping"
local part = require "portolan.mapping.part"

local codes = {
  "mov ecx, eax; add ecx, edx; dec rdi; jnz 0",
  "mov rax, 5; add rax, 100000; mov rsi, rsi; lea rbx, [rax + rcx*8 + 100]",
  "imul rax, rdx; shl rax, cl; rol ecx, 5; add cx, 1000",
  "div rcx; sqrtsd xmm0, xmm1; divsd xmm2, xmm1",
  "push rax; lea rsp, [rsp + 8]; pop rbx; add rsp, 8",
  "mov qword ptr [rsi], rax; mov rbx, qword ptr [rsi]; add dword ptr [rdi], 1; cmp rax, qword ptr [rdi + rcx]; jbe 0",
  "addsd xmm0, qword ptr [rdi]; mulsd xmm0, xmm1; addsd xmm0, xmm2; movsd qword ptr [rdi], xmm0",
  "vfmadd231pd ymm0, ymm1, ymm2; vaddpd ymm3, ymm0, ymm4; vmovupd ymm5, ymmword ptr [rsi]; vmovd eax, xmm3",
  "mov rsi, rsi", "inc al; jnz 0", "xor byte ptr [rsi], al", "cmovle ecx, dword ptr [rsi]; push 300",
  "call qword ptr [rax]", "jmp qword ptr [rax + rbx]", "call rax", "jnp 0; js 0",
  "test rax, rax; cmovz rbx, rcx; setnb dl; adc rax, rbx; bsf rcx, rdx; crc32 rax, rbx",
}

-- What there is to say of a block, without what differs by call.
local function said(model, bytes)
  local p, message = model:explain(bytes, { loop = true, simulate = true })
  return { p, message, p and model:what_if(bytes, { loop = true }) }
end

describe("the part of a mapping", function()
  it("has of A64 what models ask for there", function()
    local names = { "ldr x, [x, imm12]", "add x, x, x", "madd x, x, x, x", "fadd d, d, d" }
    local m = { ports = { "0" }, schemes = {} }
    for _, name in ipairs(names) do m.schemes[name] = { uops = { { { "0" }, 1 } } } end
    local found = part.of(m, "aarch64", { "madd x, x, x, x" })
    assert.same({ "add x, x, x", "ldr x, [x, imm12]", "madd x, x, x, x" }, lists.keys(found.schemes))
    assert.same({ "0" }, found.ports)
  end)

  it("says of its code what the whole says", function()
    for _, name in ipairs { "core:zen3", "core:zen5" } do
      local m = lists.copy(assert(mapping.load(name)))
      m.schemes = lists.copy(m.schemes)
      m.schemes["jnp rel8"], m.schemes["jnp rel32"] = nil, nil -- the opposite one stands in for it
      m.forms = lists.copy(m.forms)
      m.forms.itself = nil -- a move to itself is an addition
      local behind_a_port = { uops = { { { m.ports[1] }, 1 } }, tp = 20, status = "slower than ports" }
      m.schemes["sqrtsd xmm, xmm"] = behind_a_port
      m.schemes["inc r8"] = lists.copy(behind_a_port)
      m.schemes["inc r8"].uops, m.schemes["inc r8"].unit = { { { m.ports[1], m.ports[2] }, 1 } }, "sqrtsd xmm, xmm" -- known by that port
      local whole = assert(block_model.of(m))
      for _, text in ipairs(codes) do
        local code, names = assert(core.isa.assemble(text)), {}
        for i, instruction in ipairs(assert(core.isa.decode(code.bytes)).instructions) do names[i] = instruction.scheme end
        local some = part.of(m, "x86_64", names)
        assert.same(said(whole, code.bytes), said(assert(block_model.of(some)), code.bytes), name .. ": " .. text)
      end
    end
  end)

  it("is small, and leaves the mapping as it is", function()
    local m = assert(mapping.load "core:zen5")
    local schemes, count, all = m.schemes, 0, 0
    for _ in pairs(schemes) do all = all + 1 end
    for _ in pairs(part.of(m, "x86_64", { "vpaddd ymm, ymm, ymm" }).schemes) do count = count + 1 end
    assert.equal(schemes, m.schemes)
    assert.is_true(count > 30 and count < all / 5, ("%d of %d"):format(count, all))
  end)
end)
