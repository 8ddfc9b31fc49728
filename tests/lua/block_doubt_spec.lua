-- What a block takes at least and at most, whatever the schemes do that its mapping is not sure of.
local block_doubt = require "portolan.block.doubt"
local block_model = require "portolan.block.model"
local core = require "portolan.core"
local prediction = require "portolan.prediction"
local prediction_text = require "portolan.report.prediction_text"

-- Two adders, a multiplier, a scheme of which only its time is known, and one whose port was chosen among several.
local function mapping()
  return { ports = { "0", "1", "2" }, rmax = 4, architecture = "x86_64", schemes = {
    ["add r64, r64"] = { uops = { { { "0", "1" }, 1 } }, status = "explained", slots = 1, latency = 1 },
    ["imul r64, r64"] = { uops = { { { "1" }, 1 } }, status = "explained", slots = 1, latency = 3 },
    ["bswap r64"] = { status = "contradicting", tp = 1.5, slots = 2, latency = 1 },
    ["rol r64, imm8"] = { uops = { { { "2" }, 1 } }, assumed = { "2" }, status = "explained", slots = 1, latency = 1 },
  } }
end

local function explained(text)
  local model = assert(block_model.of(mapping()))
  local code = assert(core.isa.assemble(text))
  local piece = { bytes = code.bytes, instructions = assert(core.isa.decode(code.bytes)).instructions, kind = "block" }
  return model, piece, assert(model:explain(piece.bytes, {}))
end

local function between(text) return block_doubt.of((explained(text)), select(2, explained(text)), {}, select(3, explained(text))) end

describe("the doubt of a block", function()
  it("is none where all is certain", function()
    assert.is_nil(between "add rax, rcx; imul rdx, rcx; rol rbx, 5")
  end)

  it("lies between the block without their uops and each one's time after the other", function()
    local found = between "add rax, rcx; add rdx, rcx; add rbx, rcx; add rsi, rcx; bswap rdi"
    assert.near(2, found.low, 1e-9)
    assert.near(3.5, found.high, 1e-9)
    found = between "bswap rax; bswap rdx; add rbx, rcx"
    assert.near(1.25, found.low, 1e-9) -- five slots
    assert.near(4.25, found.high, 1e-9)
  end)

  it("has no end where something is not known at all", function()
    assert.is_nil(between "bswap rax; popcnt rdx, rcx")
  end)

  it("is no doubt of what waits for what", function()
    local found = between "add rax, rcx; bswap rax; imul rax, rcx; imul rax, rcx" -- 8 cycles of a chain
    assert.near(8, found.low, 1e-9)
    assert.near(8, found.high, 1e-9)
  end)

  it("holds what is predicted, and is said where it is wide", function()
    local model, piece = explained "add rax, rcx; add rdx, rcx; add rbx, rcx; add rsi, rcx; bswap rdi"
    local p = assert(prediction.of_block(model, piece))
    assert.is_true(p.between.low <= p.cycles and p.cycles <= p.between.high)
    local text = table.concat(prediction_text.doubts(p), "\n")
    assert.truthy(text:find("whatever it does beside others: between 2.000 and 3.500 cycles", 1, true), text)
    p.between = { low = 2, high = 2 }
    assert.is_nil(table.concat(prediction_text.doubts(p), "\n"):find("whatever", 1, true))
  end)
end)
