-- What `portolan loop` measures of a loop (portolan.loop.times), and why a prediction is wrong (portolan.loop.difference), with a processor that is
-- made up.
local block_model = require "portolan.block.model"
local code = require "portolan.code"
local core = require "portolan.core"
local difference = require "portolan.loop.difference"
local lists = require "portolan.support.lists"
local loop_times = require "portolan.loop.times"
local mapping = require "portolan.mapping"

if core.isa.host ~= "x86_64" then return end

local root = assert(os.getenv "PORTOLAN_SOURCE")
local chart = assert(mapping.load "core:zen5")
local model = assert(block_model.of(chart))
local piece = assert(code.open(root .. "/scripts/examples/code/fnv.s", { "fnv" }))[1] -- predicted to take 4 cycles

local function is_nops(bytes)
  return lists.any(assert(core.isa.decode(bytes)).instructions, function(instruction) return instruction.text:find "^nop" end)
end

-- Measures a loop on a core where code that begins at a place takes what `cycles_of` says: function(place, is it NOPs, machine code); nil: it is not
-- steady. `asked` gets the forms; experiments take `together`, cycles or a function of none, where the mapping is known.
local function measured(cycles_of, of, asked, together)
  local processor = {}
  function processor.measure(_, experiments)
    return lists.map(experiments, function() return { status = "ok", cycles = type(together) == "function" and together() or together } end)
  end
  function processor.measure_blocks(_, codes, _, forms)
    local results = {}
    for i, bytes in ipairs(codes) do
      local cycles = cycles_of(tonumber(forms[i].kind:match "^loop@(%d+)"), is_nops(bytes), bytes)
      results[i] = { status = cycles and "ok" or "unstable", unsteady = not cycles, cycles = cycles, fresh = true }
      if asked then asked[#asked + 1] = forms[i] end
    end
    return results
  end
  return assert(loop_times.of(processor, of or piece, { model = model, mapping = together and chart }))
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

  it("is searched where NOPs tell nothing: they take longer than the loop, no longer than predicted, or the loop is faster than predicted", function()
    for _, case in ipairs { { 9, 6 }, { 4.1, 6 }, { 4.5, 3 } } do
      local m = measured(function(_, nops) return nops and case[1] or case[2] end)
      assert.is_nil(m.fetching)
      assert.truthy(m.witness)
    end
  end)

  it("believes NOPs that are slow twice", function()
    local times = 0
    local m = measured(function(_, nops)
      times = times + (nops and 1 or 0)
      return nops and (times == 1 and 6 or 1) or 6
    end)
    assert.same({ 2 }, { times, m.fetching })
  end)

  it("has the slots of NOPs, which are more than its own where its pairs are one", function()
    local source = "l:\n" .. ("mov rax, rbx\n add rax, rdx\n"):rep(12) .. "dec rcx\n jnz l\n"
    local loop = lists.first(assert(code.of(source, "l.s")), function(one) return one.kind == "loop" end)
    local m = measured(function() return 3.2 end, loop)
    assert.is_true(m.predicted < 3)
    assert.is_nil(m.fetching)
  end)

  it("is right in another layout only where that differs", function()
    assert.is_nil(measured(function(place, nops) return nops and 1 or place == 16 and 4.195 or 4.212 end).right_layout)
  end)

  it("is asked as an experiment: what is as slow there is the mapping's, and is not searched", function()
    local function with(together) return measured(function(_, nops) return nops and 1 or 6 end, nil, nil, together) end
    local slow, half, within, slower = with(5.9), with(4.9), with(4), with(7)
    assert.equal(5.9, slow.as_experiment.cycles)
    assert.is_nil(slow.witness)
    assert.is_true(difference.is_of_mapping(slow))
    for _, m in ipairs { half, within, slower } do assert.truthy(m.witness) end
    assert.same({ false, false, true }, lists.map({ half, within, slower }, difference.is_of_mapping)) -- a chain takes 4 of the 6
    assert.is_nil(measured(function(_, nops) return nops and 1 or 4 end, nil, nil, 5).as_experiment)
    assert.is_nil(measured(function(_, nops) return nops and 1 or nil end, nil, nil, 5).as_experiment)
  end)

  it("is as an experiment what the faster of two readings says", function()
    local readings = { 9, 5.9 }
    local m = measured(function(_, nops) return nops and 1 or 6 end, nil, nil, function() return table.remove(readings, 1) end)
    assert.same({ 5.9, 0 }, { m.as_experiment.cycles, #readings })
  end)

  it("may be faster than predicted, where its instructions are", function()
    local m = { cycles = 3, predicted = 4, as_experiment = { cycles = 3, predicted = 4 } }
    assert.is_true(difference.is_of_mapping(m))
    m.as_experiment.predicted = 1.5 -- something else is predicted to limit it
    assert.is_false(difference.is_of_mapping(m))
  end)

  it("may be looked at elsewhere where it is not steady", function()
    local m = measured(function(place, nops) return nops and 1 or place ~= piece.address % 64 and 6 or nil end)
    assert.same({}, { m.cycles, m.fetching })
    assert.truthy(m.witness)
  end)

  it("may be a counter alone, which no NOPs stand for", function()
    local loop = lists.first(assert(code.of("l:\n dec rcx\n jnz l\n", "l.s")), function(one) return one.kind == "loop" end)
    assert.is_nil(measured(function() return 2 end, loop).fetching)
  end)

  it("is waited for where it is not steady, and its changes are not", function()
    local asked = {}
    measured(function() return nil end, nil, asked)
    assert.is_true(#asked > 4)
    for i, form in ipairs(asked) do
      local own = form.kind == asked[1].kind
      assert.equal(own, form.patience == nil, i)
      assert.equal(own, form.tries == 10, i)
    end
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
