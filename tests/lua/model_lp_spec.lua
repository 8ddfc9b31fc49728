-- core.model: throughput by the linear program (the C tests compare it with the formula on random mappings).
local core = require "portolan.core"
local mapping = require "portolan.mapping"

describe("the linear program", function()
  local function example(rmax)
    local m = mapping.two_level({ "1", "2", "3" }, { mul = { "1" }, add = { "1", "2" }, store = { "3" } }, { rmax = rmax })
    m.schemes.xchg = { uops = { { { "1" }, 1 }, { { "1", "2", "3" }, 2 } }, slots = 3 }
    m.schemes.cpuid = {}
    return assert(core.model.mapping(m))
  end

  it("gives cycles, in floating point and exactly", function()
    local m, e = example(), { mul = 1, add = 2, store = 1 }
    assert.near(1.5, m:lp(e), 1e-9)
    assert.equal(1.5, m:lp(e, true))
    assert.equal(4 / 3, m:lp({ xchg = 1, store = 1 }, true))
    assert.equal(m:throughput { xchg = 7, add = 3 }, m:lp({ xchg = 7, add = 3 }, true))
    assert.equal(0, m:lp {})
  end)

  it("knows R_max", function()
    local m = example(1.5)
    assert.near(8 / 3, m:lp { mul = 1, add = 2, store = 1 }, 1e-9)
    assert.equal(4 / 1.5, m:lp({ mul = 1, add = 2, store = 1 }, true))
    assert.equal(2, m:lp({ xchg = 1 }, true))
  end)

  it("says what is wrong with an experiment", function()
    local m = example()
    local cycles, message, status = m:lp { cpuid = 1 }
    assert.is_nil(cycles)
    assert.matches("cpuid", message)
    assert.equal("bad input", status)
    cycles, message = m:lp({ nop = 1 }, true)
    assert.is_nil(cycles)
    assert.matches("nop", message)
    assert.has_error(function() m:lp() end)
  end)
end)

describe("compare, on three-level mappings", function()
  local function with(uops, other)
    local m = mapping.two_level({ "0", "1" }, { other = other and { "0" } or nil })
    m.schemes.s = { uops = uops }
    return assert(mapping.compile(m))
  end
  local apart, together = { { { "0" }, 1 }, { { "1" }, 1 } }, { { { "0", "1" }, 2 } }

  it("proves that no experiment tells", function()
    local result = core.model.compare(with(apart), with(together))
    assert.is_false(result.equal)
    assert.is_false(result.distinguishable)
    assert.is_true(result.complete)
  end)

  it("finds one where there is one", function()
    local result = core.model.compare(with(apart, true), with(together, true))
    assert.is_true(result.distinguishable)
    assert.is_true(result.complete)
    assert.is_true(math.abs(result.a - result.b) > 0.04)
  end)
end)
