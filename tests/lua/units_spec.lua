-- What is slower alone than its ports: is it beside others, too?
local chart = require "portolan.infer.chart"
local mapping = require "portolan.mapping"
local simulated = require "portolan.processor.simulated"
local small = require "cores.small"
local units = require "portolan.infer.chart.stages.units"

-- A survey in which one scheme takes a cycle alone, and two of them beside loads what `cycles` says.
local function survey_of(cycles, options)
  local asked, witnesses, facts = {}, {}, {}
  facts["jnz rel8"] = { status = "slower than ports", single = { cycles = 1 }, slots = 1, breakers = 1, memory = {}, uops = { { { "6", "7" }, 1 } } }
  for key, value in pairs(options or {}) do facts["jnz rel8"][key] = value end
  local survey = { width = 6, order = { "jnz rel8" }, facts = facts, processor = {}, classes = {
    { representative = "add r64, r64", count = 4, ports = { "0", "2", "6", "7" } },
    { representative = "imul r64, r64", count = 1, ports = { "0" } },
    { representative = "mov r64, m64", count = 3, ports = { "8", "9", "10" } },
  } }
  function survey.stage() end
  function survey.witness(_, _, e, measured) witnesses[#witnesses + 1] = { e, measured } end
  function survey.measure(_, list)
    local results = {}
    for i, e in ipairs(list) do
      asked[#asked + 1] = e
      results[i] = { status = "ok", cycles = cycles(e["mov r64, m64"]) }
    end
    return results
  end
  units(survey)
  return facts["jnz rel8"], asked, witnesses
end

describe("a scheme that is slower alone than its ports", function()
  it("keeps its unit for as long as it takes beside others, where that is less", function()
    local f, asked, witnesses = survey_of(function(loads) return loads == 1 and 2 or loads == 2 and 1.02 or 1.35 end)
    assert.equal(0.51, f.busy)
    for _, e in ipairs(asked) do assert.equal(2, e["jnz rel8"]) end
    assert.equal(1, #witnesses)
    assert.same({ ["jnz rel8"] = 2, ["mov r64, m64"] = 2 }, witnesses[1][1])
  end)

  it("keeps it for as long as it takes alone, where others change nothing", function()
    local f, asked, witnesses = survey_of(function() return 2 end)
    assert.is_nil(f.busy)
    assert.is_true(#asked > 0)
    assert.equal(0, #witnesses)
  end)

  it("is not asked about where nothing would tell", function()
    local function none() error "asked" end
    assert.is_nil(survey_of(none, { uops = { { { "8", "0" }, 1 }, { { "9" }, 1 } } }).busy) -- it shares ports with all classes
    assert.is_nil(survey_of(none, { slots = 7 }).busy) -- the front end takes as long
    assert.is_nil(survey_of(none, { status = "explained" }).busy)
    assert.is_nil(survey_of(none, { taken = true }).busy)
  end)

  it("is not asked of a record that lacks the experiments", function()
    local f = { status = "slower than ports", single = { cycles = 1 }, slots = 1, memory = {}, uops = { { { "6" }, 1 } } }
    local survey = { width = 6, order = { "x" }, facts = { x = f }, classes = { { representative = "y", count = 4, ports = { "0" } } },
      processor = { answers = function() return false end }, stage = function() end, measure = function() error "asked" end }
    units(survey)
    assert.is_nil(f.busy)
  end)
end)

describe("schemes that share a unit", function()
  local stores = { "mov m64, r64", "mov m32, r32", "mov m8, r8" }

  -- A core whose stores take half a cycle whatever their ports, all together or each by itself, and what a chart makes of it.
  local function charted(unit)
    local m = small.zen5()
    for _, name in ipairs(stores) do
      m.schemes[name] = { uops = { { { "w", "x", "y", "z" }, 1 }, { { "a", "b", "c", "d", "e", "f" }, 1 } }, slots = 1, tp = 0.5,
        status = "slower than ports", unit = unit }
    end
    local p = assert(simulated.new { mapping = m, seed = 1, noise = { kind = "gaussian", width = 0.001, unit = "relative" } })
    return chart.run(p, { { name = "All", schemes = mapping.schemes(m) } }, { seed = 1, evaluate = 0 }).mapping.schemes
  end

  it("have the name of one of them, as their times add up", function()
    local schemes = charted(stores[1])
    for _, name in ipairs(stores) do
      assert.equal("slower than ports", schemes[name].status)
      assert.equal(schemes[stores[1]].unit, schemes[name].unit)
    end
    assert.is_string(schemes[stores[1]].unit)
  end)

  it("are not those that are slow each by itself", function()
    local schemes = charted(nil)
    for _, name in ipairs(stores) do assert.is_nil(schemes[name].unit) end
  end)
end)
