local place = require "portolan.scheme.place"
local isa = require "portolan.scheme.isa"

local function sides(name) return table.concat(assert(place.inputs(name)), " "), table.concat(assert(place.outputs(name)), " ") end

describe("places of a scheme", function()
  it("are operands, address registers and flags", function()
    assert.same({ "1 2", "1 cf pf af zf sf of" }, { sides "add r64, r64" })
    assert.same({ "1 2 2.base 2.index cf", "1 cf pf af zf sf of" }, { sides "adc r64, m64" })
    assert.same({ "2.base 2.index", "1" }, { sides "lea r64, m" })
    assert.same({ "1.base 1.index 2", "1" }, { sides "mov m64, r64" })
  end)

  it("count hidden operands, and what instances wait for without reading it", function()
    assert.same({ "1 2", "2 3 cf pf af zf sf of" }, { sides "mul r64" })
    assert.same({ "1 cf", "1" }, { sides "setb r8" })
    assert.same({ "1 2", "1" }, { sides "cvtsi2sd xmm, r64" })
    assert.same({ "1.base 1.index 2", "1" }, { sides "movss m32, xmm" })
  end)

  it("know their registers", function()
    assert.same({ place = "2", kind = "register", operand = 2, class = "gpr64", file = "gpr", fixed = "rax", input = true, output = true },
      place.parse("2", "mul r64"))
    assert.same({ place = "2.index", kind = "index", operand = 2, class = "xmm", file = "vector", input = true },
      place.parse("2.index", "vpgatherdd xmm, m32[xmm], xmm"))
    assert.same({ place = "cf", kind = "flag", input = true }, place.parse("cf", isa.scheme "setb r8"))
  end)

  it("have faults, in a line each", function()
    assert.equal("add r64, r64 has no place '7'; it has 1 2 cf pf af zf sf of", place.fault("7", "add r64, r64"))
    assert.equal("add r64, r64 does not read its place 'cf'", place.fault("cf", "add r64, r64", "input"))
    assert.equal("add r64, r64 does not write its place '2'", place.fault("2", "add r64, r64", "output"))
    assert.truthy(place.fault(7, "add r64, r64"))
    assert.truthy(place.fault("1", "no scheme"):find "no such instruction scheme")
    assert.is_nil(place.fault("1", "popcnt r64, r64", "input")) -- a false dependency may be asked for
  end)
end)
