local latency_number = require "portolan.mapping.latency_number"

local function of(name, ...)
  local list = {}
  for i, l in ipairs { ... } do list[i] = { from = l[1], to = l[2], cycles = l[3], low = l[4], high = l[5] } end
  return latency_number.of(name, { latencies = list })
end

describe("the one number of a scheme", function()
  it("is the most from a register to a register, whatever its address takes", function()
    assert.same({ 1, "register" }, { of("add r64, m64", { "1", "1", 1 }, { "2.base", "1", 6 }, { "2", "1", 5 }) })
    assert.same({ 4, "register" }, { of("mul r64", { "1", "2", 3 }, { "1", "3", 4 }, { "2", "cf", 3 }) })
    assert.same({ 2, "register" }, { of("adc r64, r64", { "1", "1", 1 }, { "cf", "1", 2 }) })
  end)
  it("is that of the address where no register is read beside it", function()
    assert.same({ 5, "address" }, { of("mov r64, m64", { "2.base", "1", 5 }, { "2", "1", 4 }) })
    assert.same({ 3, "address" }, { of("lea r64, m", { "2.base", "1", 1 }, { "2.index", "1", 3 }) })
    assert.same({ 4, "memory" }, { of("mov r64, m64", { "2", "1", 4 }) })
  end)
  it("is not known of stores, of bounds, and of places that there are not", function()
    assert.is_nil(of("mov m64, r64", { "2", "1", 4 }))
    assert.is_nil(of("imul r64, r64", { "1", "1", 7, 0, 7 }))
    assert.equal(3, (of("imul r64, r64", { "1", "1", 7, 0, 7 }, { "2", "1", 3, 2, 4 })))
    assert.is_nil(of("imul r64, r64", { "9", "1", 3 }, { "1", "8", 3 }))
    assert.is_nil(of("no such scheme", { "1", "1", 3 }))
  end)
  it("is a mapping's own where it has no pairs", function()
    assert.equal(3, (latency_number.of("imul r64, r64", { latency = 3 })))
    assert.is_nil(latency_number.of("imul r64, r64", { latency = 0 / 0 }))
    assert.is_nil(latency_number.of("imul r64, r64", { latencies = "none", latency = "x" }))
  end)
end)
