-- What the stage "ports behind the front end" takes from what it measures: slowness is a sign of common ports only where it is exact, and seen twice.
local names = { "portolan.infer.chart.stages.hidden_ports", "portolan.infer.chart.stages.class_ports", "portolan.infer.chart.stages.several_uops" }

-- Runs the stage; `cycles` of each experiment by number of its folds; returns the observations that the inference of ports is given.
local function observations(cycles, singles)
  local saved, given = {}, nil
  for _, name in ipairs(names) do saved[name], package.loaded[name] = package.loaded[name], nil end
  package.loaded[names[2]] = { infer = function(_, list) given = list end }
  package.loaded[names[3]] = {}
  local hidden_ports = require(names[1])
  for _, name in ipairs(names) do package.loaded[name] = saved[name] end
  local adders = { representative = "add r64, r64", count = 5, ports = { "0", "1", "2", "3", "4" }, ambiguous = true }
  local loads = { representative = "mov r64, m64", count = 3, ports = { "5", "6", "7" }, ambiguous = true }
  local survey = { rmax = 6, classes = { adders, loads }, order = {}, facts = {}, stage = function() end }
  for name, time in pairs(singles) do
    survey.order[#survey.order + 1] = name
    survey.facts[name] = { status = "explained", issued = 1, memory = {}, single = { cycles = time },
      parts = { { class = adders, uops = 1 }, { class = loads, uops = 1 } } }
  end
  table.sort(survey.order)
  function survey.measure(_, list)
    local results = {}
    for i in ipairs(list) do results[i] = { status = "ok", cycles = i * cycles } end
    return results
  end
  hidden_ports(survey)
  return given
end

-- The observations of five additions and three loads: { cycles, front end }, one for each fold.
local function of_pairs(list)
  local found = {}
  for _, o in ipairs(list) do
    if o[1]["add r64, r64"] == 5 * (o[1]["mov r64, m64"] // 3) and o[1]["mov r64, m64"] > 1 then found[#found + 1] = { o[2], o[3] } end
  end
  return found
end

describe("ports behind the front end", function()
  it("are told by slowness that common ports explain exactly", function()
    for _, cycles in ipairs { 8 / 7, 1.01 * 8 / 7, 8 / 6 } do
      local found = of_pairs(observations(cycles, { ["add r64, m64"] = 0.34 }))
      assert.equal(3, #found)
      for fold, o in ipairs(found) do assert.is_true(o[2] < fold * 0.9, "the front end takes " .. o[2]) end
    end
  end)

  it("are not told by other slowness", function()
    for _, cycles in ipairs { 1.22, 1.4, 1.5 } do
      local found = of_pairs(observations(cycles, { ["add r64, m64"] = 0.34 }))
      assert.equal(3, #found)
      for _, o in ipairs(found) do assert.equal(o[1], o[2]) end
    end
  end)

  it("are told by schemes of several uops if two of them are slow; the faster one counts", function()
    local one = observations(1, { ["add r64, m64"] = 0.44 })
    assert.same({ { ["add r64, r64"] = 1, ["mov r64, m64"] = 1 }, 0.44, 0.44 }, one[1])
    local two = observations(1, { ["add r64, m64"] = 0.44, ["sub r64, m64"] = 0.4 })
    assert.same({ { ["add r64, r64"] = 1, ["mov r64, m64"] = 1 }, 0.4, 1 / 6 }, two[1])
  end)
end)
