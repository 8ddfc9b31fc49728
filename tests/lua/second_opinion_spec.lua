-- A second opinion of the ports, from the same measurements: it says nothing where a chart is right, and catches a claim that is wrong.
local chart = require "portolan.infer.chart"
local check = require "portolan.report.check"
local mapping = require "portolan.mapping"
local report = require "portolan.report"
local second_opinion = require "portolan.infer.chart.stages.second_opinion"
local simulated = require "portolan.processor.simulated"
local small = require "cores.small"
local survey = require "portolan.infer.chart.survey"
local trial = require "portolan.report.trial"

-- Charts a small core; `spoil`, if any, may change what is claimed before the second opinion is asked for.
local function charted(name, spoil, binder)
  local m, stage = small[name](), survey.stage
  survey.stage = function(self, stage_name) -- luacheck: ignore
    if stage_name == "second opinion" and spoil then spoil(self) end
    return stage(self, stage_name)
  end
  finally(function() survey.stage = stage end)
  local p = assert(simulated.new { mapping = m, seed = 1, noise = { kind = "gaussian", width = 0.003, unit = "relative" },
    binder = binder and "greedy", binder_options = { kind = binder } })
  return (chart.run(p, { { name = "All", schemes = mapping.schemes(m) } }, { seed = 1, evaluate = 5 }))
end

-- Gives the schemes of a class the ports of another one.
local function give(s, name, other)
  local uops = s.facts[other].uops
  for _, class in ipairs(s.classes) do
    if class.representative == name then class.ports, class.uops = uops[1][1], uops end
  end
  s.facts[name].uops = uops
end

describe("a second opinion", function()
  it("agrees with a chart that is right", function()
    for _, core in ipairs { "skylake", "zen4" } do
      local result = charted(core)
      local o = result.opinion
      assert.is_true(o.schemes > 8, core)
      assert.same({ 0, 0 }, { o.opinion, o.neither }, core)
      assert.equal(o.experiments, o.chart)
      assert.is_nil(trial.differs(o))
    end
  end)

  it("is not right where a core binds unwisely: the chart is", function()
    for _, binder in ipairs { "pending", "late" } do
      local o = charted("golden_cove", nil, binder).opinion
      assert.is_true(o.experiments > 0, binder)
      assert.same({ 0, 0 }, { o.opinion, o.neither }, binder)
    end
  end)

  it("catches a claim that is wrong, which the report says first, and takes nothing back", function()
    local result = charted("golden_cove", function(s) give(s, "blsr r64, r64", "mov r64, m64") end)
    local o, words = result.opinion, trial.differs(result.opinion)
    assert.is_true(o.opinion > 5 and o.neither == 0, o.opinion)
    assert.truthy(words:find(("the second opinion about %d, neither about 0."):format(o.opinion), 1, true), words)
    assert.same(o, assert(check.chart(result)).opinion)
    for _, one in ipairs(o.examples) do
      assert.truthy(one.experiment:find("blsr r64, r64", 1, true), one.experiment)
      assert.is_true(math.abs(one.opinion / one.measured - 1) < 0.05 and math.abs(one.chart / one.measured - 1) > 0.12, one.experiment)
    end
    assert.equal("explained", result.mapping.schemes["blsr r64, r64"].status)
    local page = report.chart(result)
    local told, figures = page:find(words, 1, true), page:find("Schemes explained", 1, true)
    assert.is_true(told < figures)
    assert.truthy(page:find("A second opinion</h3>", 1, true))
  end)
end)

describe("a mixture for which two opinions differ", function()
  local m = mapping.two_level({ "0", "1", "2" }, { a = { "0", "1" }, b = { "1", "2" }, c = { "0" } }, { rmax = 4 })
  local compiled = assert(mapping.compile(m))

  -- Who is right where it takes so long, and the second opinion says another time.
  local function judged(e, cycles, by_opinion)
    return second_opinion.judge(compiled, { e = e, cycles = cycles, chart = compiled:throughput(e), opinion = by_opinion })
  end

  it("is one that the chart is wrong about where it is faster", function()
    assert.equal("opinion", judged({ a = 2, c = 2 }, 1.5, 1.5))
    assert.equal("neither", judged({ a = 2, c = 2 }, 1.5, 1))
    assert.equal("chart", judged({ a = 2, c = 2 }, 1.97, 1.5))
  end)

  it("is one that the chart is wrong about where it is slower, and no binder the reason", function()
    local e = { a = 2, b = 2, c = 1 }
    assert.equal("opinion", judged(e, 2.5, 2.5))
    assert.equal("neither", judged(e, 2.5, 2))
    assert.equal("chart", judged(e, 1.7, 2))
    local bound = compiled:bind(e, { kind = "late" })
    assert.is_true(bound > 1.05 * compiled:throughput(e), bound)
    assert.equal("chart", judged(e, 1.1 * bound, 1.1 * bound))
  end)
end)
