-- What `portolan loop` measures of a loop, and why a prediction is wrong (portolan.loop.times), with a processor that is made up.
local block_model = require "portolan.block.model"
local code = require "portolan.code"
local core = require "portolan.core"
local lists = require "portolan.support.lists"
local loop_times = require "portolan.loop.times"
local mapping = require "portolan.mapping"

if core.isa.host ~= "x86_64" then return end

local root = assert(os.getenv "PORTOLAN_SOURCE")
local model = assert(block_model.of(assert(mapping.load "core:zen5")))
local piece = assert(code.open(root .. "/scripts/examples/code/fnv.s", { "fnv" }))[1] -- predicted to take 4 cycles

local function is_nops(bytes)
  return lists.any(assert(core.isa.decode(bytes)).instructions, function(instruction) return instruction.text:find "^nop" end)
end

-- Measures the loop on a core where code that begins at a place takes what `cycles_of` says: function(place, is it NOPs, machine code).
local function measured(cycles_of)
  local processor = {}
  function processor.measure_blocks(_, codes, _, forms)
    local results = {}
    for i, bytes in ipairs(codes) do
      local place = tonumber((forms[i] or forms).kind:match "^loop@(%d+)")
      results[i] = { status = "ok", cycles = cycles_of(place, is_nops(bytes), bytes), n = 1, rejected = 0 }
    end
    return results
  end
  return assert(loop_times.of(processor, piece, { model = model }))
end

describe("a loop that is measured", function()
  it("has no difference to explain where its prediction is right", function()
    local m = measured(function() return 4.1 end)
    assert.same({ 4.1, 4 }, { m.cycles, m.predicted })
    assert.same({}, { m.witness, m.fetching, m.right_layout })
  end)

  it("is not searched where another layout takes what is predicted", function()
    local m = measured(function(place, nops) return nops and 1 or place == 16 and 4 or 6 end)
    assert.equal("beginning at 16 of 64 bytes", m.right_layout)
    assert.same({}, { m.witness, m.fetching })
  end)

  it("is not searched where NOPs in its place take as long", function()
    local m = measured(function(_, nops) return nops and 5.9 or 6 end)
    assert.equal(5.9, m.fetching)
    assert.same({}, { m.witness, m.right_layout })
  end)

  it("is searched where NOPs take longer than predicted, and the loop longer still", function()
    local m = measured(function(_, nops) return nops and 5 or 6 end)
    assert.equal(5, m.fetching)
    assert.truthy(m.witness)
  end)

  it("has NOPs of the same lengths, and its own branch", function()
    local lengths
    measured(function(_, nops, bytes)
      if nops then
        lengths = lists.map(assert(core.isa.decode(bytes)).instructions, function(instruction) return #instruction.bytes end)
        assert.equal(piece.instructions[#piece.instructions].bytes, bytes:sub(-#piece.instructions[#piece.instructions].bytes))
      end
      return nops and 1 or 6
    end)
    assert.same(lists.map(piece.instructions, function(instruction) return #instruction.bytes end), lengths)
  end)
end)
