-- Loops rewritten: the same work by other code.
local block_model = require "portolan.block.model"
local core = require "portolan.core"
local cpu = require "portolan.machine.cpu"
local isa = require "portolan.scheme.isa"
local lists = require "portolan.support.lists"
local mapping = require "portolan.mapping"
local prediction = require "portolan.prediction"
local real_loop = require "portolan.block.loop"
local rewrites = require "portolan.loop.rewrites"

if core.isa.host ~= "x86_64" then return end

local root = assert(os.getenv "PORTOLAN_SOURCE")
local model = assert(block_model.of(assert(mapping.load(root .. "/scripts/examples/code/raptor-cove.json"))))

local function piece_of(text)
  local code = assert(core.isa.assemble(text))
  local decoded = assert(core.isa.decode(code.bytes))
  return { bytes = code.bytes, instructions = decoded.instructions, kind = "loop", title = "a loop", address = 0 }
end

local function texts(bytes)
  return lists.map(assert(core.isa.decode(bytes)).instructions, function(instruction) return instruction.text end)
end

-- The rewrite whose words have this in them; nil without one.
local function rewrite_of(piece, words, p)
  return lists.first(rewrites.of(piece, p), function(rewrite) return rewrite.what:find(words, 1, true) ~= nil end)
end

-- A prediction of a chain through a register.
local function chained(register)
  return { limit = "dependencies", bounds = { dependencies = 100, ports = 1 }, critical = { { through = register } } }
end

local function facts_have(flag)
  local here = cpu.facts()
  return here and here.flags[flag]
end

describe("a chain of sums", function()
  local dot = "vmovups ymm1, [rdi+rax*4]; vfmadd231ps ymm0, ymm1, [rsi+rax*4]; add rax, 8; cmp rax, rdx; jb -20"

  it("is broken into as many as the next bound is worth, each in a register of its own", function()
    local piece = piece_of(dot)
    local p = assert(prediction.of_block(model, piece))
    assert.equal("dependencies", p.limit)
    local rewrite = assert(rewrite_of(piece, "sums", p))
    assert.equal("4 sums, added up at the end (rounds otherwise)", rewrite.what)
    assert.equal(4, #rewrite.bodies)
    local seen = {}
    for _, bytes in ipairs(rewrite.bodies) do
      local list = texts(bytes)
      local register = assert(list[2]:match "^vfmadd231ps (ymm%d+), ymm1, ymmword ptr %[rsi%+rax%*4%]$")
      assert.is_nil(seen[register])
      seen[register] = true
      assert.equal("vmovups ymm1, ymmword ptr [rdi+rax*4]", list[1])
    end
    assert.is_true(seen.ymm0)
  end)

  it("needs no warning where any order gives the same", function()
    local piece = piece_of "vpaddd ymm1, ymm1, [rdi+rax]; vpaddd ymm1, ymm1, [rsi+rax]; add rax, 32; cmp rdx, rax; jnz -20"
    assert.equal("8 sums, added up at the end", assert(rewrite_of(piece, "sums", chained "xmm1")).what)
  end)

  it("stays whole where its values are used on the way, where it is no sum, and where it does not limit", function()
    local back = "; add rax, 1; cmp rdx, rax; jnz -20"
    for text, register in pairs {
      ["vaddsd xmm1, xmm1, [rdi+rax*8]; vmovsd [rsi+rax*8], xmm1"] = "xmm1", ["vaddsd xmm1, xmm1, [rdi]; vsqrtsd xmm1, xmm1, xmm1"] = "xmm1",
      ["vsubsd xmm1, xmm2, xmm1"] = "xmm1", ["vaddsd xmm1, xmm1, xmm1"] = "xmm1", ["mov rdi, [rdi]"] = "rdi", ["add rbx, [rbx]"] = "rbx",
      ["mul rdx; add rax, [rdi]"] = "rax", ["mulsd xmm1, xmm2; addsd xmm1, [rdi]"] = "xmm1", ["xor rbx, rdx; imul rbx, rsi"] = "rbx",
      ["mov rax, rsi; imul rdx"] = "rdx", ["imul rax, [rdi]; jo 40"] = "rax", ["add rax, [rdi]; adc rdx, 0"] = "rax",
      ["paddd xmm1, xmm2; paddq xmm1, xmm3"] = "xmm1", ["add ebx, edx; add rbx, rsi"] = "rbx" } do
      assert.is_nil(rewrite_of(piece_of(text .. back), "sums", chained(register)), text)
    end
    local piece, p = piece_of("vsubsd xmm1, xmm1, [rdi]; vfmadd231sd xmm1, xmm2, xmm3; vaddsd xmm1, xmm2, xmm1" .. back), chained "xmm1"
    assert.equal(8, #assert(rewrite_of(piece, "sums", p)).bodies)
    p.bounds.ports = 60
    assert.equal(2, #assert(rewrite_of(piece, "sums", p)).bodies)
    p.limit = "ports"
    assert.is_nil(rewrite_of(piece, "sums", p))
  end)

  it("leaves alone the register that measuring counts by", function()
    local piece = piece_of "imul rax, [rdi]; add rdi, 8; mov rcx, rdx; cmp rdi, rsi; jnz -20"
    local counter = assert(real_loop.new(piece.bytes)).register
    local rewrite = assert(rewrite_of(piece, "sums", chained "rax"))
    assert.is_true(#rewrite.bodies > 2)
    for _, bytes in ipairs(rewrite.bodies) do
      for _, text in ipairs(texts(bytes)) do assert.is_nil(text:find("%f[%w]" .. counter .. "%f[%W]"), text) end
    end
  end)

  it("is broken as far as there are registers", function()
    local list = {}
    for k = 2, 12 do list[#list + 1] = ("vmovaps xmm%d, xmm0"):format(k) end -- 13, 14 and 15 are left
    local piece = piece_of(table.concat(list, "; ") .. "; vaddsd xmm1, xmm1, xmm0; vaddsd xmm1, xmm1, xmm0; cmp rdx, rax; jnz -80")
    assert.equal(4, #assert(rewrite_of(piece, "sums", chained "xmm1")).bodies)
  end)
end)

describe("instructions of the same effect", function()
  it("load what was a memory operand, in a register that nothing uses", function()
    local rewrite = assert(rewrite_of(piece_of "add rax, [rdi+8]; mov rdi, [rdi]; test rdi, rdi; jnz -20", "loaded by instructions of their own"))
    local list = texts(rewrite.bodies[1])
    local register = assert(list[1]:match "^mov (r%w+), qword ptr %[rdi%+0x8%]$")
    assert.equal("add rax, " .. register, list[2])
    assert.is_nil(lists.set { "rax", "rdi" }[register])
    assert.equal(5, #list)
    list = texts(assert(rewrite_of(piece_of "mulsd xmm0, [rsi]; dec rcx; jnz -20", "loaded by")).bodies[1])
    assert.same({ "movsd xmm1, qword ptr [rsi]", "mulsd xmm0, xmm1" }, { list[1], list[2] })
    list = texts(assert(rewrite_of(piece_of "vaddps ymm0, ymm0, [rsi]; dec rcx; jnz -20", "loaded by")).bodies[1])
    assert.same({ "vmovups ymm1, ymmword ptr [rsi]", "vaddps ymm0, ymm0, ymm1" }, { list[1], list[2] })
  end)

  it("leave alone what stores, what only loads, and what is relative to the instruction pointer", function()
    for _, text in ipairs { "add [rdi], rax", "mov rax, [rdi]", "vbroadcastss xmm0, [rdi]", "add rax, [rip+100]", "lea rax, [rdi+8]" } do
      assert.is_nil(rewrite_of(piece_of(text .. "; dec rcx; jnz -20"), "loaded by"), text)
    end
  end)

  it("are none where the loop would then be counted in another way", function()
    assert.is_nil(rewrite_of(piece_of "add rax, 8; cmp rbx, [rdi+rax]; jnz -20", "loaded by"))
  end)

  it("split a lea of three parts, whichever register it writes", function()
    for text, wanted in pairs { ["lea rax, [rbx+rcx*2+5]"] = { "lea rax, [rbx+rcx*2]", "lea rax, [rax+0x5]" },
      ["lea rbx, [rbx+rcx*1-8]"] = { "lea rbx, [rbx+rcx*1]", "lea rbx, [rbx-0x8]" } } do
      local list = texts(assert(rewrite_of(piece_of(text .. "; dec rcx; jnz -20"), "lea of three parts"), text).bodies[1])
      assert.same(wanted, { list[1], list[2] })
    end
  end)

  it("write no flags only where nothing reads those that the other one writes", function()
    if not facts_have "bmi2" then pending "this processor has no BMI2" end
    local list = texts(assert(rewrite_of(piece_of "shl rax, cl; dec rbx; jnz -20", "shifts by a register")).bodies[1])
    assert.equal("shlx rax, rax, rcx", list[1])
    assert.is_nil(rewrite_of(piece_of "shl rax, cl; adc rdx, 0; dec rbx; jnz -20", "shifts by a register"))
    assert.is_nil(rewrite_of(piece_of "adc rdx, 0; mov rsi, rdi; shl rax, cl; jnz -20", "shifts by a register"))
  end)
end)

describe("vectors of twice the width", function()
  it("go twice as far, and do two iterations in one", function()
    if not facts_have "avx2" then pending "this processor has no AVX2" end
    local text = "vmovups xmm1, [rsi+rax]; vaddps xmm1, xmm1, [rcx+rax+16]; vmovups [rcx+rax-8], xmm1; add rax, 16; cmp rdi, rax; jnz -20"
    local rewrite = assert(rewrite_of(piece_of(text), "vectors of 32"))
    assert.equal(2, rewrite.work)
    assert.same({ "vmovups ymm1, ymmword ptr [rsi+rax*1]", "vaddps ymm1, ymm1, ymmword ptr [rcx+rax*1+0x20]",
      "vmovups ymmword ptr [rcx+rax*1-0x8], ymm1", "add rax, 0x20" }, { table.unpack(texts(rewrite.bodies[1]), 1, 4) })
  end)

  it("round otherwise where they are sums", function()
    if not facts_have "avx2" then pending "this processor has no AVX2" end
    local rewrite = rewrite_of(piece_of "vaddps xmm1, xmm1, [rdi]; add rdi, 16; cmp rdi, rax; jnz -20", "vectors of")
    assert.matches("%(rounds otherwise%)$", rewrite.what)
    assert.is_nil(rewrite_of(piece_of "vpaddd xmm1, xmm1, [rdi]; add rdi, 16; cmp rdi, rax; jnz -20", "vectors of").what:find "rounds")
  end)

  it("are none where an element is meant, parts are moved, or steps are not known", function()
    for _, text in ipairs { "vaddsd xmm0, xmm0, [rdi]; add rdi, 8", "vextracti128 xmm0, ymm0, 1; add rdi, 8", "addps xmm0, [rdi]; add rdi, 16",
      "vaddps xmm0, xmm0, [rdi]; lea rdi, [rdi+16]", "vaddps xmm1, xmm1, [rdi]; vmovups [rdi], xmm1; add rdi, 16",
      "vaddps xmm0, xmm2, [rdi]; imul r9, r10; add rdi, 16", "vaesenc xmm1, xmm1, [rdi]; add rdi, 16",
      "vbroadcastss xmm1, [rdi]; vmulps xmm1, xmm1, [rsi]; add rdi, 4; add rsi, 16", "vpinsrd xmm0, xmm0, [rdi], 1; add rdi, 4" } do
      assert.is_nil(rewrite_of(piece_of(text .. "; cmp rdi, rax; jnz -20"), "vectors of"), text)
    end
  end)
end)

describe("rewrites", function()
  it("are none of a loop that cannot be measured", function()
    assert.same({}, rewrites.of(piece_of "add rax, [rdi]"))
  end)

  it("name the schemes that they bring", function()
    local names = lists.set(rewrites.schemes(piece_of "mulsd xmm0, [rsi]; dec rcx; jnz -20"))
    assert.is_true(names["movsd xmm, m64"] and names["mulsd xmm, xmm"] and isa.scheme "movsd xmm, m64" ~= nil)
  end)
end)
