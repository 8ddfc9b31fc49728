-- Simulated processors whose clock steps less often than the core: what the measuring engine's longer samples make of it.
local clock = require "portolan.processor.simulated_clock"
local core = require "portolan.core"
local oracle = require "portolan.processor.oracle"
local simulated = require "portolan.processor.simulated"
local small_core = require "small_core"

local function worst(c, values, seed)
  local rng, most = core.base.rng(seed), 0
  for _, value in ipairs(values) do
    for k = 1, 50 do most = math.max(most, math.abs(c:read(value, rng:split(k + math.floor(1000 * value))) / value - 1)) end
  end
  return most
end

local values = { 0.25, 1, 4 / 3, 7, 40, 1234.5 }

describe("a coarse clock", function()
  it("gets samples that are so much longer", function()
    assert.equal(1, core.bench.coarseness(2e9, 2))
    assert.equal(1, core.bench.coarseness(1e9))
    local a72, apple = core.bench.coarseness(54e6), core.bench.coarseness(24e6)
    assert.is_true(a72 > 5 and apple > 2 * a72)
  end)

  it("reads rates as exactly as it resolves them", function()
    for _, hz in ipairs { 24e6, 54e6, 1e9 } do
      local c = assert(clock.new { hz = hz, frequency = 1.5e9 })
      local most = worst(c, values, 3)
      assert.is_true(most < 0.004, ("%g Hz: %.4f"):format(hz, most))
      assert.is_true(most > 0)
    end
  end)

  it("would not with samples of the usual length", function()
    assert.is_true(worst(assert(clock.new { hz = 54e6, frequency = 1.5e9, coarseness = 1 }), values, 3) > 0.004)
  end)

  it("is refused where it is none", function()
    for _, hz in ipairs { 0, -1, 999, 0 / 0, math.huge, 2e12, "fast" } do
      local none, message = clock.new { hz = hz }
      assert.is_nil(none)
      assert.matches("1e6 to 1e12", message)
    end
    assert.is_nil((clock.new { hz = 54e6, frequency = 0 }))
  end)
end)

describe("a simulated processor with a coarse clock", function()
  local function processor(options)
    return assert(simulated.new { mapping = small_core(), clock = options, seed = 5 })
  end

  it("answers close to the truth, not always alike, and says its clock", function()
    local exact, coarse = processor(), processor { hz = 54e6, frequency = 1.5e9 }
    local e = { ["imul r64, r64"] = 1, ["add r64, r64"] = 4 }
    local truth = exact:measure({ e })[1].cycles
    local seen = {}
    for _ = 1, 20 do
      local cycles = coarse:measure({ e })[1].cycles
      assert.near(truth, cycles, 0.004 * truth)
      seen[cycles] = true
    end
    assert.is_truthy(next(seen, next(seen)))
    assert.same({ hz = 54e6, frequency = 1.5e9, coarseness = core.bench.coarseness(54e6) }, coarse:describe().clock)
    assert.is_nil(exact:describe().clock)
  end)

  it("is had by the oracle's options", function()
    assert.same({ clock = 54e6, frequency = 1.5e9 }, oracle.parse("sim:m.json,clock=54e6,frequency=1.5e9").options)
  end)
end)
