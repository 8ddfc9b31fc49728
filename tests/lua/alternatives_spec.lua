-- What else the uops of a scheme may be, and how long mixtures take then.
local alternatives = require "portolan.infer.chart.alternatives"
local lists = require "portolan.support.lists"
local mapping = require "portolan.mapping"
local simulated = require "portolan.processor.simulated"
local survey = require "portolan.infer.chart.survey"

local core = { format = "portolan-mapping", version = 1, ports = { "0", "1", "2" }, rmax = 4, schemes = {
  ["imul r64, r64"] = { uops = { { { "0" }, 1 } }, slots = 1, status = "explained" },
  ["add r64, r64"] = { uops = { { { "0", "1" }, 1 } }, slots = 1, status = "explained" },
  ["vpaddd ymm, ymm, ymm"] = { uops = { { { "2" }, 1 } }, slots = 1, status = "explained" },
} }

-- A survey of these classes that claims what is true.
local function charted()
  local s = survey.new(assert(simulated.new { mapping = core }), { { name = "All", schemes = mapping.schemes(core) } }, { seed = 1 })
  s.ports, s.rmax = core.ports, core.rmax
  for name, scheme in pairs(core.schemes) do
    local f = s.facts[name]
    f.status, f.uops, f.slots = scheme.status, scheme.uops, scheme.slots
    s.classes[#s.classes + 1] = { representative = name, ports = scheme.uops[1][1] }
  end
  return s
end

describe("alternatives", function()
  it("are a uop more on the ports of a class, or fewer ports for one", function()
    local list = alternatives.of(charted(), { "add r64, r64" })["add r64, r64"]
    local texts = lists.map(list, function(other) return mapping.usage({ uops = other.uops }) end)
    table.sort(texts)
    assert.same({ "2*p01", "p0", "p0 + p01", "p01 + p2" }, texts)
  end)

  it("say how long mixtures take then, with as many slots as before", function()
    local list = alternatives.of(charted(), { "imul r64, r64" })["imul r64, r64"]
    local e, times = { ["imul r64, r64"] = 4, ["vpaddd ymm, ymm, ymm"] = 4 }, {}
    for _, other in ipairs(list) do
      assert.is_true(#other.uops > 0)
      times[#times + 1] = other.time(e)
    end
    table.sort(times)
    assert.same({ 4, 8, 8 }, times) -- with 01; with 0 and with 2
  end)
end)
