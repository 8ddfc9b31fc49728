-- core.isa: text, operand allocation and loop bodies, with the policy that is in use.
local isa = require("portolan.core").isa

describe("core.isa", function()
  local declared = dofile(os.getenv "PORTOLAN_ARCH" .. "/x86_64/policy.lua")
  local policy = assert(isa.policy(declared))

  local function texts(names, ...)
    local list = {}
    for i, instruction in ipairs(assert(isa.instantiate(names, ...)).instructions) do list[i] = instruction.text end
    return list
  end

  it("assembles and decodes", function()
    local code = assert(isa.assemble "add rax, rbx; vaddpd ymm0, ymm1, [r14+32]")
    assert.equal(2, #code.instructions)
    assert.same({ "add r64, r64", "vaddpd ymm, ymm, m256" },
      { code.instructions[1].scheme, code.instructions[2].scheme })
    assert.equal("add rax, rbx", code.instructions[1].text)
    assert.equal(3, code.instructions[2].offset)
    assert.equal(code.bytes, code.instructions[1].bytes .. code.instructions[2].bytes)
    assert.same(code, assert(isa.decode(code.bytes)))
    assert.same({ bytes = "", instructions = {} }, assert(isa.assemble ""))
  end)

  it("says in one line what is wrong", function()
    local code, message, status = isa.assemble "nop\naddd rax, rbx"
    assert.is_nil(code)
    assert.equal("unknown mnemonic 'addd' (line 2, column 1); did you mean 'add'?", message)
    assert.equal("bad input", status)
    code, message = isa.decode "\x06"
    assert.is_nil(code)
    assert.is_nil(message:find "\n")
    code, message, status = isa.assemble((" "):rep((1 << 20) + 1))
    assert.is_nil(code)
    assert.equal("limit", status:match "limit" or status)
    assert.truthy(message:find "the limit is 1048576")
  end)

  it("gives the dissertation's Example 3.15 operands of the right sets", function()
    local schemes = { "add r64, imm8", "add m32, r32", "sub r32, r32", "vmulpd xmm, xmm, xmm" }
    local rigid = {}
    for key, value in pairs(declared) do rigid[key] = value end
    rigid.lend = false
    assert.same({ "add rax, 0x2b", "add dword ptr [r14+0x40], ecx", "sub edx, r12d", "vmulpd xmm4, xmm0, xmm1" },
      texts(schemes, rigid))
    -- no instruction reads two of these: one register is enough to read, the others become chains
    assert.same({ "add rax, 0x2b", "add dword ptr [r14+0x40], ecx", "sub edx, ecx", "vmulpd xmm4, xmm0, xmm1" },
      texts(schemes, policy))
  end)

  it("takes the policy as a table, too, and refuses a wrong one", function()
    assert.same(texts({ "add r64, r64" }, policy), texts({ "add r64, r64" }, declared))
    local function changed(key, value)
      local copy = {}
      for k, v in pairs(declared) do copy[k] = v end
      copy[key] = value
      return isa.policy(copy)
    end
    local function refused(key, value, what)
      local made, message, status = changed(key, value)
      assert.is_nil(made)
      assert.equal("bad input", status)
      assert.truthy(message:find(what, 1, true), message)
    end
    refused("vector_index", "xmm3", "reserved")
    refused("vector_index", "rax", "vector_index")
    refused("memory", 7, "memory")
    refused("layouts", {}, "no layout")
    refused("layouts", { { name = "x" } }, "layouts")
    refused("merging", { "popcnt", "nonsense" }, "nonsense")
    refused("immediates", { add = "many" }, "add")
    refused("registers", { gpr = { read = { "rax" }, updated = { "eax" } } }, "another set")
    refused("registers", { gpr = { read = { "xmm1" } } }, "xmm1")
  end)

  it("lets nothing wait for popcnt's destination", function()
    local names, seen = {}, {}
    for i = 1, 12 do names[i] = "popcnt r64, r64" end
    for _, text in ipairs(texts(names, policy)) do
      local destination = text:match "popcnt (%w+)"
      assert.is_nil(seen[destination])
      seen[destination] = true
    end
  end)

  it("places memory operands as the layout says", function()
    local function displacements(layout)
      local list = {}
      for i, text in ipairs(texts({ "mov r64, m64", "mov r64, m64", "vmovaps ymm, m256" }, policy, layout)) do
        list[i] = math.tointeger(text:match "%[r14%+(0x%x+)%]" or 0)
      end
      return list
    end
    assert.same({ 0, 0x20, 0 }, displacements "line") -- two cells as wide as the widest
    assert.same({ 0, 0x20, 0x40 }, displacements "contiguous")
    assert.same({ 0, 0x60, 0xc0 }, displacements "stride72")
    assert.same({ 0, 0x40, 0x80 }, displacements "stride64")
    local made, message = isa.instantiate({ "mov r64, m64" }, policy, "circle")
    assert.is_nil(made)
    assert.equal("no such layout (circle); use one of the policy's", message)
  end)

  it("refuses unknown schemes and those without operands to allocate", function()
    local made, message, status = isa.instantiate({ "add r64, r65" }, policy)
    assert.is_nil(made)
    assert.equal("bad input", status)
    assert.truthy(message:find("add r64, r65", 1, true))
    made, message, status = isa.instantiate({ "mov r64, cr" }, policy)
    assert.is_nil(made)
    assert.equal("unsupported", status)
    assert.truthy(message:find("control", 1, true))
  end)

  it("makes loop bodies of about the length asked for, whatever the order of the experiment's table", function()
    local experiment = { ["add r64, r64"] = 3, ["imul r64, r64"] = 1, ["vaddpd ymm, ymm, ymm"] = 2 }
    for _, target in ipairs(declared.unroll) do
      local kernel = assert(isa.kernel(experiment, policy, target, "contiguous"))
      assert.equal(kernel.copies * 6, kernel.count)
      assert.is_true(math.abs(kernel.count - target) <= 3)
      assert.equal(256, kernel.vector_bits)
      local found = {}
      for _, instruction in ipairs(assert(isa.decode(kernel.bytes)).instructions) do
        found[instruction.scheme] = (found[instruction.scheme] or 0) + 1
      end
      for name, count in pairs(experiment) do assert.equal(count * kernel.copies, found[name]) end
      local again = { ["vaddpd ymm, ymm, ymm"] = 2, ["imul r64, r64"] = 1, ["add r64, r64"] = 3 }
      assert.equal(kernel.bytes, assert(isa.kernel(again, policy, target, "contiguous")).bytes)
    end
    assert.equal(1, assert(isa.kernel({ nop = 500 }, policy, 40)).copies)
    assert.has_error(function() isa.kernel({}, policy, 40) end)
    assert.has_error(function() isa.kernel({ nop = 0 }, policy, 40) end)
    assert.has_error(function() isa.kernel({ nop = 1 << 40 }, policy, 40) end)
    assert.is_nil((isa.kernel({ nope = 1 }, policy, 40)))
  end)
end)
