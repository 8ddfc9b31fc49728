-- Whose time depends on what it works on: the first of those that do the same is asked, the others if it does.
local experiment = require "portolan.experiment"
local inputs = require "portolan.infer.chart.stages.inputs"
local lists = require "portolan.support.lists"
local survey = require "portolan.infer.chart.survey"

describe("other inputs", function()
  it("are asked of one scheme of those that do the same, and of all where they matter", function()
    local names = { "add r32, r32", "add r64, r64", "imul r32, r32", "imul r64, r64", "add r64, m64" }
    local asked, processor = {}, { name = "a table" }
    local function answers(list, factor)
      return lists.map(list, function(e)
        local name = next(e)
        return { status = "ok", cycles = name:find "^imul" and factor or 1, deviation = 0.001, n = 9 }
      end)
    end
    function processor:measure(list) return self and answers(list, 1) end
    function processor:measure_other_inputs(list)
      for _, e in ipairs(list) do asked[experiment.format(e)] = true end
      return self and answers(list, 2)
    end
    local s = survey.new(processor, { { name = "All", schemes = names } }, { seed = 1 })
    for _, name in ipairs(names) do s.facts[name].single = { cycles = 1, status = "ok" } end
    inputs(s)
    assert.same({ "add r32, r32", "add r64, m64", "imul r32, r32", "imul r64, r64" }, lists.keys(asked))
    assert.same({ "imul r32, r32", "imul r64, r64" }, lists.where(names, function(name) return s.facts[name].depends end))
    assert.equal(s.facts["imul r64, r64"].depends, s.facts["imul r64, r64"].unfit)
  end)
end)
