-- What experiments take with fillers in the place of other schemes (portolan.infer.chart.controls).
local controls = require "portolan.infer.chart.controls"
local evidence = require "portolan.infer.chart.evidence"
local experiment = require "portolan.experiment"
local lists = require "portolan.support.lists"

-- A survey of two schemes of three and of six ports on a core of eight slots; `cycles` = function(e); `asked` lists what was measured.
local function survey_of(cycles, filler)
  local survey = { rmax = 8, filler = filler, fillers_of = function(_, n) return n end, evidence = evidence.new(), asked = {}, faster = {},
    facts = { narrow = { issued = 1, single = { cycles = 1 / 3 } }, wide = { issued = 2, single = { cycles = 1 / 6 } } } }
  function survey:measure(list)
    local results = {}
    for i, e in ipairs(list) do
      self.asked[#self.asked + 1] = experiment.format(e)
      results[i] = cycles(e) and { status = "ok", cycles = cycles(e) } or { status = "unstable" }
      self.evidence:add(e, results[i], "a stage")
    end
    return results
  end
  return survey
end

describe("controls of slow experiments", function()
  local pair = { narrow = 3, wide = 2 }

  -- What both take together, so many times: `once` cycles more, however often.
  local function both(e, each, once) return e.narrow and e.wide and each * e.narrow / 3 + (once or 0) or nil end

  it("say how slow a scheme is among as many slots of fillers", function()
    local survey = survey_of(function(e) return both(e, 1.3) or e.narrow and 1.25 or 0.9 end, "nop")
    assert.same({ 1.25 }, controls.floors(survey, { pair }, { 1.3 }))
    assert.same({ "3*narrow + 4*nop", "3*nop + 2*wide", "9*narrow + 6*wide" }, survey.asked)
  end)

  it("are those of the members that were faster", function()
    local survey = survey_of(function(e) return e.other and e.wide and 1.1 * e.other / 3 or e.narrow and 2 or 0.9 end, "nop")
    survey.facts.other = survey.facts.narrow
    survey.faster[experiment.key(pair)] = { other = 3, wide = 2 }
    assert.same({ 0.9 }, controls.floors(survey, { pair }, { 1.1 }))
    assert.same({ "4*nop + 3*other", "3*nop + 2*wide", "9*other + 6*wide" }, survey.asked)
  end)

  it("say that what costs so once, however often, is no sign of ports", function()
    local hindered = survey_of(function(e) return both(e, 1, 0.3) end, nil)
    assert.same({ 1.3 }, controls.floors(hindered, { pair }, { 1.3 }))
    local mostly_ports = survey_of(function(e) return both(e, 1.2, 0.1) end, nil)
    assert.same({ 0 }, controls.floors(mostly_ports, { pair }, { 1.3 }))
  end)

  it("are not asked of what is as fast as its schemes alone, nor of one scheme; of fillers not where nothing fills slots", function()
    local survey = survey_of(function() return 2 end, "nop")
    assert.same({ 0, 0 }, controls.floors(survey, { pair, { narrow = 3 } }, { 1.01, 5 }))
    assert.same({}, survey.asked)
    local without = survey_of(function(e) return both(e, 1.3) end, nil)
    assert.same({ 0 }, controls.floors(without, { pair }, { 1.3 }))
    assert.same({ "9*narrow + 6*wide" }, without.asked)
  end)

  it("are asked once, and say nothing where they could not be measured", function()
    local survey = survey_of(function(e) return not e.narrow and 1.1 or nil end, "nop")
    assert.same({ 1.1, 1.1 }, controls.floors(survey, { pair, pair }, { 1.3, 1.3 }))
    assert.same({ 1.1 }, controls.floors(survey, { pair }, { 1.4 }))
    local fillers = lists.where(survey.asked, function(text) return text:find("nop", 1, true) ~= nil end)
    assert.equal(2, #fillers)
  end)
end)
