-- Loop bodies that ask one question, of either architecture: what they consist of.
local core = require "portolan.core"
local loop_body = require "portolan.experiment.loop_body"
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
