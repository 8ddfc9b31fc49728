-- What a survey measured is kept, all of it, in order.
local chart = require "portolan.infer.chart"
local evidence = require "portolan.infer.chart.evidence"
local experiment = require "portolan.experiment"
local lists = require "portolan.support.lists"
local mapping = require "portolan.mapping"
local simulated = require "portolan.processor.simulated"
local small = require "cores.small"
local survey = require "portolan.infer.chart.survey"

local function answer(cycles) return { status = "ok", cycles = cycles } end

describe("evidence of a chart", function()
  local list = evidence.new()
  local e = { a = 2, b = 1 }
  assert.equal(1, list:add(e, answer(1), "one"))
  assert.equal(2, list:add({ a = 1 }, answer(2), "one"))
  assert.equal(3, list:add({ b = 1, a = 2 }, answer(1.1), "two", { again = true }))
  assert.equal(4, list:add({ a = 1 }, answer(7), "three", { other_inputs = true }))

  it("is kept in the order in which it was asked, with why", function()
    assert.equal(4, #list)
    local function of(field) return lists.map(list, function(x) return x[field] or false end) end
    assert.same({ "one", "one", "two", "three" }, of "stage")
    assert.same({ false, false, true, false }, of "again")
    assert.same({ false, false, false, true }, of "other_inputs")
    assert.same({ 1, 2, 1.1, 7 }, lists.map(list, function(x) return x.result.cycles end))
  end)

  it("says what nobody has to ask twice", function()
    local told = evidence.new()
    told:add({ a = 1 }, { status = "ok", cycles = 2, deviation = 0.01 }, "one")
    told:add({ b = 1 }, { status = "timeout" }, "one")
    assert.equal(2, told:told({ a = 1 }, false, 0.01).cycles)
    assert.is_nil(told:told({ a = 1 }, false, 0.001))
    assert.is_nil(told:told({ a = 1 }, true, 0.01))
    assert.is_nil(told:told({ b = 1 }, false, 0.01))
    assert.is_nil(told:told({ a = 2 }, false, 0.01))
  end)

  it("has all readings of an experiment, and the last one", function()
    local key = experiment.key(e)
    assert.same({ 1, 3 }, list:readings(key))
    local x, number = list:last(key)
    assert.same({ 1.1, 3 }, { x.result.cycles, number })
    assert.equal(e, x.e) -- one table for all readings
    assert.same({ "2*a + b", "a" }, list:keys())
    assert.same({}, list:readings "c")
    assert.is_nil(list:last "c")
  end)

  it("tells readings with other inputs from the usual ones", function()
    assert.equal(2, select(2, list:last "a"))
    assert.equal(4, select(2, list:last("a", true)))
    assert.is_nil(list:last(experiment.key(e), true))
    assert.same({ 2, 4 }, list:readings "a")
  end)
end)

describe("a survey", function()
  it("keeps all that it measures, whether a record is asked for or not, and takes nothing back", function()
    local made, new = nil, survey.new
    survey.new = function(...) -- luacheck: ignore
      made = new(...)
      return made
    end
    finally(function() survey.new = new end)
    local m, asked = small.golden_cove(), {}
    local p = assert(simulated.new { mapping = m, seed = 1, noise = { kind = "gaussian", width = 0.003, unit = "relative" } })
    local measure = p.measure
    function p.measure(self, list, options)
      for _, e in ipairs(list) do asked[experiment.key(e)] = true end
      return measure(self, list, options)
    end
    local _, record = chart.run(p, { { name = "All", schemes = mapping.schemes(m) } }, { seed = 1, evaluate = 5 })
    assert.is_nil(record)
    local kept = made.evidence
    assert.same(lists.keys(asked), kept:keys())
    assert.is_true(#kept > #kept:keys()) -- some were read again
    local stages = {}
    for i, x in ipairs(kept) do
      assert.is_true(x.before == nil or x.before < i)
      assert.is_true(lists.any(made.stages, function(stage) return stage.name == x.stage end), x.stage)
      stages[#stages + 1] = stages[#stages] ~= x.stage and x.stage or nil
    end
    assert.equal(#lists.distinct(stages), #stages) -- in order
  end)
end)
