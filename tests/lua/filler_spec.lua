-- What fills issue slots: tested on the core at hand, not taken for granted.
local chart = require "portolan.infer.chart"
local core = require "portolan.core"
local ending = require "portolan.infer.chart.ending"
local filler = require "portolan.processor.filler"
local filling = require "portolan.report.filling"
local judge = require "cores.judge"
local landmarks = require "portolan.scheme.landmarks"
local mapping = require "portolan.mapping"
local simulated = require "portolan.processor.simulated"
local small = require "cores.small"

local noise = { kind = "gaussian", width = 0.005, unit = "relative" }

-- A core whose NOPs fuse, as on Zen 4.
local function fusing(m)
  m.schemes.nop = { uops = {}, slots = 1, status = "eliminated at rename", misfit = { fuses = true } }
  return m
end

local function choice_of(m) return filler.of(assert(simulated.new { mapping = m, seed = 1, noise = noise })) end

describe("the filler of a core", function()
  it("is the same instruction in whatever form it is written", function()
    for _, candidate in ipairs(landmarks.of("x86_64").fillers) do
      local texts = { assert(core.isa.assemble(candidate.text, "x86_64")).bytes, table.unpack(candidate.codes or {}) }
      for _, bytes in ipairs(texts) do
        local list = assert(core.isa.decode(bytes, "x86_64")).instructions
        assert.equal(1, #list)
        assert.equal(candidate.name, list[1].scheme)
      end
    end
  end)

  it("is a NOP where a NOP takes one slot beside everything", function()
    for _, name in ipairs { "golden_cove", "zen4", "zen5", "skylake", "gracemont" } do
      local choice = choice_of(small[name]())
      assert.equal("nop", choice.name, name)
      assert.is_true(choice.sure, name)
      assert.is_nil(filling.doubt(choice))
    end
  end)

  it("is an eliminated move where NOPs fuse, and the words say what spoke against the NOP", function()
    local choice = choice_of(fusing(small.zen4()))
    assert.equal("mov r64, r64", choice.name)
    assert.is_true(choice.sure)
    assert.near(12, choice.candidates[1].width, 0.5)
    assert.near(2, choice.candidates[1].least, 0.3)
    assert.truthy(filling.words(choice):find("'mov r64, r64' fills issue slots: it takes one slot and nothing else beside 8 of 8", 1, true),
      filling.words(choice))
    assert.truthy(filling.words(choice):find("but then these take 2.0 slots or more: 2 of it are one)", 1, true), filling.words(choice))
  end)

  it("is no move that ports execute", function()
    local m = fusing(small.zen4())
    m.schemes["mov r64, r64"] = { uops = { { { "a", "b", "c", "d" }, 1 } }, slots = 1 }
    assert.equal("vmovaps ymm, ymm", choice_of(m).name)
  end)

  it("is two NOPs where these fuse and nothing else serves, and the chart is right all the same", function()
    local m = fusing(small.zen4())
    for _, name in ipairs { "mov r64, r64", "vmovaps ymm, ymm" } do m.schemes[name] = nil end
    local choice = choice_of(m)
    assert.same({ "nop", 2, true }, { choice.name, choice.per_slot, choice.sure })
    local names = mapping.schemes(m)
    local result = chart.run(assert(simulated.new { mapping = m, seed = 1, noise = noise }), { { name = "All", schemes = names } }, { evaluate = 0 })
    local verdict = judge(result.mapping, m, names)
    assert.equal(6, result.rmax)
    assert(verdict.wrong == 0 and verdict.right > 0.8 * #names, table.concat(verdict.texts, "\n"))
  end)

  it("is doubtful where nothing serves, and the report says so", function()
    local m = small.zen4()
    m.schemes.nop = { uops = { { { "a", "b", "c" }, 1 } }, slots = 1 }
    m.schemes["mov r64, r64"] = { uops = { { { "a", "b" }, 1 } }, slots = 1 }
    m.schemes["vmovaps ymm, ymm"] = { uops = { { { "0", "1" }, 1 } }, slots = 1 }
    local choice = choice_of(m)
    assert.is_false(choice.sure)
    assert.truthy(filling.doubt(choice):find("rest on it", 1, true))
    local ended = ending({ ports = {}, order = { "x" }, facts = { x = { status = "contradicting" } }, filling = choice,
      processor = { describe = function() return {} end } }, true)
    local why = "nothing that was tried takes one issue slot and nothing else on this core ('nop', 'mov r64, r64'"
    assert.truthy(ended.why:find(why, 1, true), ended.why)
  end)

  it("is tested once, and again after an interrupt", function()
    local asked, status = 0, "interrupted"
    local processor = { fillers = function() return { "nop" }, { "add r64, r64" } end }
    function processor.measure(_, list)
      asked = asked + 1
      local results = {}
      for i in ipairs(list) do results[i] = { status = status, cycles = 0.25 } end
      return results
    end
    filler.of(processor)
    status = "ok"
    local before = asked
    local choice = filler.of(processor)
    assert.is_true(asked > before)
    before = asked
    assert.equal(choice, filler.of(processor))
    assert.equal(before, asked)
  end)

  it("is the preferred candidate where nothing could be tested", function()
    local choice = filler.choose({ "nop", "mov r64, r64" }, { "add r64, r64" }, function(list)
      local results = {}
      for i in ipairs(list) do results[i] = { status = "not recorded" } end
      return results
    end)
    assert.equal("nop", choice.name)
    assert.is_nil(choice.sure)
    assert.is_nil(filling.doubt(choice))
    assert.equal("'nop' fills issue slots: it could not be tested.", filling.words(choice))
  end)
end)

describe("a chart of a core whose NOPs fuse", function()
  it("finds its width, its ports and nothing wrong", function()
    local m = fusing(small.zen4())
    local p, names = assert(simulated.new { mapping = m, seed = 1, noise = noise }), mapping.schemes(small.zen4())
    local result = chart.run(p, { { name = "All", schemes = names } }, { seed = 1, evaluate = 0 })
    assert.equal(6, result.rmax)
    assert.equal("mov r64, r64", result.filling.name)
    assert.same({}, judge(result.mapping, m, names).texts)
  end)
end)
