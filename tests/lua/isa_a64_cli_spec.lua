-- portolan isa for AArch64, on any host.
local json = require "portolan.support.json"
local process = require "process"

local function portolan(...)
  local r = process.run { args = { process.portolan, "isa", ... } }
  assert.equal("", r.err)
  assert.equal(0, r.status)
  return r.out
end

describe("portolan isa --arch aarch64", function()
  it("counts at least 1800 schemes, without failures or unexplained differences", function()
    local count = json.decode(portolan("count", "--arch", "aarch64", "--check", "--json"))
    assert.is_true(count.schemes >= 1800)
    assert.equal(0, #count.check.failures)
    assert.equal(0, #count.check.allocation.failures)
    assert.equal(0, #count.check.unexplained)
    assert.equal(0, #count.check.llvm.unexplained)
  end)

  it("lists schemes by a filter", function()
    local list = portolan("list", "--arch", "aarch64", "--filter", 'mnemonic == "udiv"', "--names")
    assert.equal("udiv w, w, w\nudiv x, x, x\n", list)
  end)

  it("shows a scheme with its own architecture's exclusions", function()
    local text = portolan("show", "ldr x, [x, imm9]!", "add r64, r64")
    assert.truthy(text:find("no: moves its base register", 1, true))
    assert.truthy(text:find("add rcx, rdx", 1, true))
  end)
end)
