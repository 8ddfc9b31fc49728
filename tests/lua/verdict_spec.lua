-- What is said of a scheme whose floods told nothing (portolan.infer.chart.blocking.verdict).
local lists = require "portolan.support.lists"
local verdict = require "portolan.infer.chart.blocking.verdict"

describe("a scheme of which no flood tells anything", function()
  local function settled(loses_slots)
    local wide = { ports = { "0", "1", "2", "3" }, wide = true, count = 4, representative = "wide", members = {} }
    local f = { single = { cycles = 0.5 }, total = { least = 1, most = 1 }, slots = 1, issued = 1, memory = {}, loses_slots = loses_slots }
    local survey = { rmax = 4, width = 4, facts = { x = f }, classes = { wide }, blocked = { x = {} }, lead = 1 }
    function survey.effects() end
    function survey.witness() end
    function survey.settle(_, _, status) f.status = status end
    verdict.settle(survey, "x")
    return f.status
  end

  it("is not explained, though a set of ports is hidden on which it might run", function()
    assert.equal("contradicting", settled())
    assert.equal("contradicting", settled(true))
  end)
end)

describe("an instruction that updates memory", function()
  local loads = { ports = { "2", "3", "7" }, loads = true, count = 3, representative = "load", members = {} }
  local stores = { ports = { "2", "3" }, improper = true, count = 2, representative = "store", members = {} }
  local adds = { ports = { "0", "1" }, count = 2, representative = "add r64, r64", members = {} }

  -- Its status where the ports of loads keep so many uops, or were not flooded (nil).
  local function settled(on_loads)
    local name = "add m64, r64"
    local f = { single = { cycles = 0.5 }, total = { least = 1, most = 3 }, slots = 1, issued = 1, memory = { reads = true, writes = true },
      witnesses = {} }
    local registers = { status = "explained", uops = { { adds.ports, 1 } } }
    local survey = { rmax = 6, width = 6, facts = { [name] = f, ["add r64, r64"] = registers }, classes = { adds, stores, loads }, lead = 1 }
    function survey.effects() end
    function survey.witness() end
    function survey.settle(_, _, status) f.status = status end
    local jobs = {}
    for i, class in ipairs { adds, stores, loads } do
      local count = class ~= loads and 1 or on_loads
      jobs[i] = { name = name, class = class, count = count, uops = count and math.floor(count + 0.4), sd = 0.05, held = 0, alone = 10,
        cycles = count and 10 + count / class.count, e = { [name] = 1 }, readings = 1 }
    end
    survey.blocked = { [name] = jobs }
    verdict.settle(survey, name)
    return f.status
  end

  it("is explained without a uop of its own for the load, if the ports of loads show none", function()
    assert.equal("explained", settled(1))
    assert.equal("contradicting", settled(nil))
  end)
end)

describe("a scheme that fits nothing beside a slow class", function()
  -- Its status, what is assumed and the classes of the floods that counted; it keeps both classes busy in one slot.
  local function settled(slow_beside)
    local multiplies = { ports = { "0", "1" }, count = 2, representative = "vmulpd", members = {} }
    local moves = { ports = { "2", "3" }, count = 2, representative = "vmovd", members = {}, slow_beside = slow_beside }
    local adds = { ports = { "2", "3", "4" }, count = 3, representative = "add", members = {} }
    local f = { single = { cycles = 0.5 }, total = { least = 1, most = 1 }, slots = 1, issued = 1, memory = {}, witnesses = {} }
    local survey = { rmax = 6, width = 6, facts = { fma = f }, classes = { multiplies, moves, adds }, lead = 1 }
    function survey.effects() end
    function survey.witness() end
    function survey.settle(_, _, status) f.status = status end
    local jobs = lists.map({ { multiplies, 1 }, { moves, 1 }, { adds, 0 } }, function(pair)
      return { name = "fma", class = pair[1], count = pair[2], uops = pair[2], sd = 0.05, held = 0, alone = 10, cycles = 10 + pair[2] / pair[1].count,
        e = { fma = 1 }, readings = 1 }
    end)
    survey.blocked = { fma = jobs }
    verdict.settle(survey, "fma")
    return f.status, f.assumed, lists.map(survey.blocked.fma, function(job) return job.class.representative end)
  end

  it("is explained without that class's floods, and its ports are assumed", function()
    assert.equal("contradicting", (settled(nil)))
    local status, assumed, counted = settled(true)
    assert.equal("explained", status)
    assert.same({ "0", "1" }, assumed)
    assert.same({ "vmulpd", "add" }, counted)
  end)
end)
