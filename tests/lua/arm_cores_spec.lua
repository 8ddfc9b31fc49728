-- Charts of cores as Arm has them, read with a clock that steps 54 million times a second: single uops that share the ports of loads, stores that
-- are addressed by a part of these, front ends of three and sixteen slots.
local chart = require "portolan.infer.chart"
local judge = require "cores.judge"
local mapping = require "portolan.mapping"
local readings = require "portolan.measuring.slots"
local simulated = require "portolan.processor.simulated"
local small = require "cores.small"

local function charted(m, seed)
  local p = assert(simulated.new { mapping = m, seed = seed, noise = { kind = "gaussian", width = 0.01, unit = "relative" }, clock = { hz = 54e6 } })
  local names = mapping.schemes(m, true)
  return chart.run(p, { { name = "All", schemes = names } }, { seed = seed, evaluate = 0 }).mapping, names
end

local function check(m, seed)
  local found, names = charted(m, seed)
  local j = judge(found, m, names)
  assert.same({}, j.texts)
  assert.equal(0, j.bare)
  assert.equal(#names, j.right)
  return found.schemes
end

describe("a chart of a core like", function()
  for _, name in ipairs { "cortex_a72", "neoverse_n1", "neoverse_v2" } do
    it(name .. " is right, with a percent of noise and a coarse clock", function()
      for seed = 1, 2 do check(small[name](), seed) end
    end)
  end
end)

describe("stores that are addressed by a part of the ports of loads", function()
  it("say so by those of another kind", function()
    local found = check(small.neoverse_v2(), 1)
    local said = false
    for _, w in ipairs(found["str w, [x, imm12]"].witnesses) do said = said or w.says:find("the same 2 ports address both", 1, true) ~= nil end
    assert.is_true(said)
  end)
end)

describe("schemes that take two of three slots with one uop", function()
  it("are left open: ports may be what nothing else shows", function()
    local m = small.cortex_a72()
    m.schemes["abs v.4s, v.4s"].slots, m.schemes["aese v.16b, v.16b"].slots = 2, 2
    local found = charted(m, 1)
    assert.equal("contradicting", found.schemes["abs v.4s, v.4s"].status)
    assert.equal("contradicting", found.schemes["aese v.16b, v.16b"].status)
  end)
end)

describe("slots that several paddings show", function()
  it("are the least of them, and the mean of what noise sets apart", function()
    local counts = { { count = 2.9, probe = 20 }, { count = 2.0, probe = 20 }, { count = 2.2, probe = 21 } }
    assert.equal(2.0, readings.of_paddings(counts))
    assert.near(2.1, readings.of_paddings(counts, 0.003), 1e-9)
    assert.is_nil(readings.of_paddings {})
  end)
end)
