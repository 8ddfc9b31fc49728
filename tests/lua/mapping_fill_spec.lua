-- What a mapping does not know another one of the same processor says, by the ports of the first.
local block_model = require "portolan.block.model"
local core = require "portolan.core"
local mapping = require "portolan.mapping"
local mapping_fill = require "portolan.mapping.fill"
local prediction = require "portolan.prediction"
local prediction_text = require "portolan.report.prediction_text"

local function known()
  local m = mapping.two_level({ "a", "b", "c" }, { ["add r64, r64"] = { "a", "b" }, ["sub r64, r64"] = { "a", "b" }, ["imul r64, r64"] = { "b" },
    ["vpaddd ymm, ymm, ymm"] = { "c" } }, { rmax = 4 })
  m.schemes["mul r64"] = { status = "contradicting", tp = 1 }
  for _, scheme in pairs(m.schemes) do scheme.latency = 1 end
  return m
end

-- The same core with other names of ports, and one port more.
local function other()
  local m = mapping.two_level({ "X", "Y", "Z", "W" }, { ["add r64, r64"] = { "X", "Z" }, ["imul r64, r64"] = { "X" },
    ["vpaddd ymm, ymm, ymm"] = { "Y" }, ["mul r64"] = { "X" }, ["popcnt r64, r64"] = { "X" }, ["bswap r64"] = { "W" } }, { rmax = 4 })
  m.schemes["popcnt r64, r64"].latency, m.schemes["bswap r64"].latency, m.schemes["bswap r64"].slots = 3, 2, 2
  return m
end

describe("a mapping's gaps", function()
  it("are the schemes that it knows nothing of", function()
    assert.same({ "bswap r64", "popcnt r64, r64" },
      mapping_fill.gaps(known(), { "popcnt r64, r64", "add r64, r64", "mul r64", "bswap r64", "popcnt r64, r64" }))
  end)

  it("are filled by another one's schemes, on the ports that are the same; what has no such port has no uop", function()
    local m = known()
    local whole = assert(mapping_fill.of(m, other(), "the other"))
    assert.same({ { { "b" }, 1 } }, whole.schemes["popcnt r64, r64"].uops)
    assert.equal("the other", whole.schemes["popcnt r64, r64"].source)
    assert.same({}, whole.schemes["bswap r64"].uops)
    assert.equal(2, whole.schemes["bswap r64"].slots)
    assert.is_nil(whole.schemes["mul r64"].uops) -- its time alone is known
    assert.is_nil(m.schemes["popcnt r64, r64"])
  end)

  it("are filled on no port that the other mapping's schemes do not show to be the same", function()
    local m, more = known(), other()
    m.ports = { "a", "b", "c", "d" }
    m.schemes["lea r64, m"] = { uops = { { { "d" }, 1 } }, status = "explained", slots = 1 }
    more.schemes["lzcnt r64, r64"] = { uops = { { { "X", "W" }, 1 }, { { "Y" }, 1 } }, status = "explained", slots = 2 }
    local whole = assert(mapping_fill.of(m, more, "x"))
    assert.same({}, whole.schemes["bswap r64"].uops)
    assert.same({ { { "c" }, 1 } }, whole.schemes["lzcnt r64, r64"].uops)
  end)

  it("have no latencies where the mapping has none", function()
    local m = known()
    for _, scheme in pairs(m.schemes) do scheme.latency = nil end
    assert.is_nil(assert(mapping_fill.of(m, other(), "x")).schemes["popcnt r64, r64"].latency)
    assert.equal(3, assert(mapping_fill.of(known(), other(), "x")).schemes["popcnt r64, r64"].latency)
  end)

  it("cannot be filled by a mapping of another processor", function()
    local strange = other()
    for _, name in ipairs { "add r64, r64", "imul r64, r64", "vpaddd ymm, ymm, ymm" } do
      strange.schemes[name] = { uops = { { { "X" }, 3 }, { { "Y", "Z", "W" }, 2 } }, status = "explained", slots = 5 }
    end
    local whole, message = mapping_fill.of(known(), strange, "x")
    assert.is_nil(whole)
    assert.matches("0 of 3 schemes have the same uops", message)
  end)

  it("cannot be filled by a mapping that explains nothing in common", function()
    local strange = mapping.two_level({ "0" }, { ["popcnt r64, r64"] = { "0" } }, {})
    local whole, message = mapping_fill.of(known(), strange, "x")
    assert.is_nil(whole)
    assert.is_string(message)
  end)

  it("show in predictions of code", function()
    local code = assert(core.isa.assemble "popcnt rax, rbx; add rcx, rax; popcnt rdx, rcx")
    local model = assert(block_model.of(assert(mapping_fill.of(known(), other(), "the other"))))
    local p = assert(prediction.of_block(model, { bytes = code.bytes, instructions = code.instructions }))
    assert.same({ { source = "the other", schemes = { "popcnt r64, r64" } } }, p.sources)
    assert.equal("the other", p.instructions[1].source)
    assert.is_nil(p.instructions[2].source)
    assert.near(2, p.bounds.ports, 1e-9)
    assert.matches("not known to the mapping, as the other says: popcnt r64, r64", table.concat(prediction_text.doubts(p), "\n"), 1, true)
  end)

  it("are told by schemes of each usage, a few of each", function()
    local m = known()
    for k = 1, 9 do m.schemes["scheme " .. k] = m.schemes["add r64, r64"] end
    local list = mapping_fill.telling(m)
    assert.equal(5, #list) -- three of two ports, one of each of the others
  end)
end)
