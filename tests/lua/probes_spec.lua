-- Loop bodies that ask one question, of either architecture: what they consist of.
local core = require "portolan.core"
local loop_body = require "portolan.loop_body"
local probes = require "portolan.processor.probes"

local function instructions(bytes, architecture) return assert(core.isa.decode(bytes, architecture)).instructions end

describe("probes of NOPs", function()
  it("are as many NOPs as they say, in every length", function()
    for architecture, name in pairs { x86_64 = "nop m32, r32", aarch64 = "hint imm7" } do
      for _, variant in ipairs(assert(probes.fillers(name, core.isa.policy(assert(loop_body.declared(architecture))), 7))) do
        local list = instructions(variant.bytes, architecture)
        assert.equal(7, #list)
        assert.equal(7, variant.copies)
        for _, instruction in ipairs(list) do assert.equal(name, instruction.scheme) end
      end
    end
  end)

  it("stand behind every instance of a scheme", function()
    local policy = core.isa.policy(assert(loop_body.declared "aarch64"))
    local variants = assert(probes.padded("madd x, x, x, x", "hint imm7", 7, policy))
    assert.equal(1, #variants)
    local list = instructions(variants[1].bytes, "aarch64")
    assert.equal(8 * variants[1].copies, #list)
    for i, instruction in ipairs(list) do assert.equal(i % 8 == 1 and "madd x, x, x, x" or "hint imm7", instruction.scheme) end
  end)
end)

describe("chains of a scheme alone", function()
  -- The text of the first two links.
  local function links(name)
    local variants, why = probes.chain(name)
    if not variants then return nil, why end
    local list = instructions(variants[1].bytes, "aarch64")
    assert.equal(variants[1].copies, #list)
    for _, instruction in ipairs(list) do assert.equal(name, instruction.scheme) end
    return list[1].text .. "; " .. list[2].text
  end

  it("take turns between two registers", function()
    assert.equal("add x1, x2, x3; add x2, x1, x3", links "add x, x, x")
    assert.equal("fmul d1, d2, d3; fmul d2, d1, d3", links "fmul d, d, d")
    assert.equal("add v1.4s, v2.4s, v3.4s; add v2.4s, v1.4s, v3.4s", links "add v.4s, v.4s, v.4s")
  end)

  it("go on in a register that is read and written", function()
    assert.equal("fmla v1.2d, v3.2d, v3.2d; fmla v1.2d, v3.2d, v3.2d", links "fmla v.2d, v.2d, v.2d")
  end)

  it("are none of what writes no register that it reads", function()
    for _, name in ipairs { "str x, [x, imm12]", "ldr x, [x, imm12]" } do
      assert.is_truthy(core.isa.scheme(name))
      assert.is_nil((links(name)))
    end
  end)
end)
