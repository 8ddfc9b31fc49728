-- What is said of a scheme whose floods told nothing (portolan.infer.chart.blocking.verdict).
local verdict = require "portolan.infer.chart.blocking.verdict"

describe("a scheme of which no flood tells anything", function()
  local function settled(loses_slots)
    local wide = { ports = { "0", "1", "2", "3" }, wide = true, count = 4, representative = "wide", members = {} }
    local f = { single = { cycles = 0.5 }, total = { least = 1, most = 1 }, slots = 1, issued = 1, memory = {}, loses_slots = loses_slots }
    local survey = { rmax = 4, width = 4, facts = { x = f }, classes = { wide }, blocked = { x = {} }, lead = 1 }
    function survey.effects() end
    function survey.witness() end
    function survey.settle(_, _, status) f.status = status end
    verdict.settle(survey, "x", {})
    return f.status
  end

  it("is not explained, though a set of ports is hidden on which it might run", function()
    assert.equal("contradicting", settled())
    assert.equal("contradicting", settled(true))
  end)
end)
