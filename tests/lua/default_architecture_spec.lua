-- PORTOLAN_DEFAULT_ARCHITECTURE: which architecture is meant where nothing says one.
local isa = require "portolan.scheme.isa"
local process = require "process"

local foreign = isa.host == "aarch64" and "x86_64" or "aarch64"

local function portolan(default, ...)
  return process.run { args = { process.portolan, ... }, env = { PORTOLAN_DEFAULT_ARCHITECTURE = default } }
end

describe("the architecture that is meant where nothing says one", function()
  it("is this machine's", function()
    local result = portolan(false, "isa", "count", "--help")
    assert.equal(0, result.status)
    assert.matches("default%s+here:%s+" .. isa.host, result.out)
  end)

  it("is another one if the environment says so", function()
    assert.matches("^%s+%d+  schemes\n%s+%d+  a64\n", portolan("aarch64", "isa", "count").out)
    assert.matches("^%s+%d+  schemes\n%s+%d+  legacy\n", portolan("x86_64", "isa", "count").out)
  end)

  it("must be known", function()
    local result = portolan("mips", "isa", "count")
    assert.same({ 2, "" }, { result.status, result.out })
    assert.matches("^portolan isa: PORTOLAN_DEFAULT_ARCHITECTURE: no architecture 'mips'; there are [^\n]+\n$", result.err)
  end)

  it("must be this machine's to measure", function()
    local result = portolan(foreign, "bench", "nop")
    assert.same({ 2, "" }, { result.status, result.out })
    local said = "portolan bench: PORTOLAN_DEFAULT_ARCHITECTURE is %s, and this machine is %s; unset it to measure here\n"
    assert.equal(said:format(foreign, isa.host), result.err)
  end)
end)
