local experiment = require "portolan.experiment"
local mapping = require "portolan.mapping"
local random_mapping = require "support.random_mapping"
local replay = require "portolan.processor.replay"
local simulated = require "portolan.processor.simulated"

local truth = random_mapping.two_level { ports = 6, schemes = 8, seed = 4, rmax = 4 }
local list = random_mapping.experiments(mapping.schemes(truth), 200, { seed = 9 })
local model = mapping.compile(truth)

local function cycles(results)
  local values = {}
  for i, r in ipairs(results) do values[i] = r.cycles end
  return values
end

describe("a simulated processor", function()
  it("without noise is the model", function()
    local p = assert(simulated.new { mapping = truth })
    for i, r in ipairs(p:measure(list)) do
      assert.equal("ok", r.status)
      assert.equal(model:throughput(list[i]), r.cycles)
    end
    assert.equal(200, p.measured)
    assert.equal("simulated", p:describe().kind)
  end)
  it("with a greedy binder is never faster, and slower now and then", function()
    local p, slower = assert(simulated.new { mapping = truth, binder = "recent" }), 0
    for i, r in ipairs(p:measure(list)) do
      local t = model:throughput(list[i])
      assert.is_true(r.cycles >= t - 1e-9)
      if r.cycles > 1.02 * t then slower = slower + 1 end
    end
    assert.is_true(slower > 5 and slower < 150, slower)
  end)
  it("repeats its noise for a seed, whatever the order, and draws anew for a repetition", function()
    local noise = { kind = "gaussian", width = 0.01 }
    local function run(seed, order)
      local p = assert(simulated.new { mapping = truth, noise = noise, seed = seed })
      local results = cycles(p:measure(order))
      return results, cycles(p:measure(order))
    end
    local first, again = run(1, list)
    assert.same(first, (run(1, list)))
    assert.not_same(first, again)
    assert.not_same(first, (run(2, list)))
    local reversed, distinct, seen = {}, {}, {}
    for _, e in ipairs(list) do
      if not seen[experiment.key(e)] then distinct[#distinct + 1], seen[experiment.key(e)] = e, true end
    end
    for i, e in ipairs(distinct) do reversed[#distinct + 1 - i] = e end
    local forward, backward = run(3, distinct), run(3, reversed)
    for i in ipairs(distinct) do assert.equal(forward[i], backward[#distinct + 1 - i]) end
  end)
  it("keeps uniform noise within its width, in CPI or relative", function()
    for _, unit in ipairs { "cpi", "relative" } do
      local p = assert(simulated.new { mapping = truth, noise = { kind = "uniform", width = 0.02, unit = unit }, seed = 5 })
      local most = 0
      for i, r in ipairs(p:measure(list)) do
        local t = model:throughput(list[i])
        local scale = unit == "cpi" and experiment.length(list[i]) or t
        most = math.max(most, math.abs(r.cycles - t) / scale)
      end
      assert.is_true(most <= 0.02 + 1e-12 and most > 0.015, most)
    end
  end)
  it("has outliers as often as asked, and only slow ones", function()
    local p, outliers = assert(simulated.new { mapping = truth, noise = { outliers = 0.25 } }), 0
    for i, r in ipairs(p:measure(list)) do
      local t = model:throughput(list[i])
      assert.is_true(r.cycles >= t)
      if r.cycles >= 1.1 * t then outliers = outliers + 1 end
    end
    assert.is_true(outliers > 30 and outliers < 75, outliers)
  end)
  it("says what it does not support", function()
    local p = assert(simulated.new { mapping = truth })
    local done = 0
    local results = p:measure({ { nosuch = 1 }, { s0 = 0 }, {}, { s0 = 1 } }, { progress = function(n, total) done = n / total end })
    assert.same({ "unsupported", "unsupported", "unsupported", "ok" },
      { results[1].status, results[2].status, results[3].status, results[4].status })
    assert.is_nil(results[1].cycles)
    assert.equal(1, done)
    for _, bad in ipairs { { noise = { kind = "pink" } }, { noise = { width = -1 } }, { noise = { outliers = 2 } },
      { noise = { unit = "miles" } }, { binder = "magic" } } do
      bad.mapping = truth
      local none, message = simulated.new(bad)
      assert.is_nil(none)
      assert.is_string(message)
    end
    assert.is_nil(simulated.new { mapping = { ports = {}, schemes = {} } })
  end)
end)

describe("a replay processor", function()
  it("answers what was recorded, a multiple or a part of it, and nothing else", function()
    local p = assert(replay.new { records = {
      { e = { a = 1 }, cycles = 1, status = "ok", n = 3 }, { e = { b = 2, a = 1 }, cycles = 2 },
      { e = { a = 1 }, status = "unstable" }, { e = { ud2 = 1 }, status = "illegal instruction" },
    } })
    local r = p:measure { { a = 1, b = 2 }, { a = 1 }, { a = 2, b = 1 }, { ud2 = 1 }, { a = 2 }, { a = 3, b = 6 }, { ud2 = 2 } }
    assert.same({ 2, 1 }, { r[1].cycles, r[2].cycles })
    assert.same({ "ok", "ok", "not recorded", "illegal instruction" }, { r[1].status, r[2].status, r[3].status, r[4].status })
    assert.same({ 2, 6, "not recorded" }, { r[5].cycles, r[6].cycles, r[7].status })
    assert.is_true(p:answers { a = 3, b = 6 })
    assert.is_false(p:answers { a = 2, b = 1 })
    r[2].cycles = 99
    assert.equal(1, p:measure({ { a = 1 } })[1].cycles)
    assert.equal(3, p:describe().experiments)
    assert.same({ { a = 1 }, { a = 1, b = 2 }, { ud2 = 1 } }, p:experiments())
    assert.is_nil(replay.new { records = { { e = {} } } })
    assert.is_nil(replay.new { path = "/nonexistent/x.jsonl" })
  end)
end)
