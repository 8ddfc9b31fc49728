-- Inference from disturbed measurements; tests/bench/noise.lua runs more of it.
local cegis = require "portolan.infer.cegis"
local experiment = require "portolan.experiment"
local protocol = require "noise_protocol"
local random_mapping = require "support.random_mapping"
local bounds = require "portolan.infer.bounds"
local simulated = require "portolan.processor.simulated"
local verify = require "portolan.infer.cegis.verify"

local function right(truth, outcome)
  local verdict, why = protocol.verdict(truth, outcome)
  assert.is_true(verdict == "equal" or verdict == "open", ("%s: %s"):format(verdict, why or outcome.conflict and outcome.conflict.text or ""))
end

-- Answers as the model does, but for the first readings of some experiments: key -> list of cycles.
local function fibbing(truth, lies)
  local inner, asked = assert(simulated.new { mapping = truth }), {}
  local processor = { name = "fibbing", asked = asked }
  function processor.measure(_, list)
    local results = inner:measure(list)
    for k, e in ipairs(list) do
      local key = experiment.key(e)
      asked[key] = (asked[key] or 0) + 1
      results[k].cycles = lies[key] and lies[key][asked[key]] or results[k].cycles
    end
    return results
  end
  return processor
end

local function core(schemes)
  local truth = { format = "portolan-mapping", version = 1, processor = { name = "test" }, ports = { "0", "1", "2" }, schemes = {} }
  for name, ports in pairs(schemes) do truth.schemes[name] = { uops = { { ports, 1 } }, status = "explained" } end
  return truth
end

describe("noise", function()
  it("widens certain bounds by what a reading may err", function()
    local plain, noisy = bounds.of("asymmetric", 1, 2, 0, 0.01), bounds.of("asymmetric", 1, 2, 0, 0.01, 0.01)
    assert.near(1.02, plain.upper, 1e-12)
    assert.near(1 / 0.955 + 0.02, noisy.upper, 1e-12)
    assert.is_true(noisy[1].bound < plain[1].bound)
    local window = bounds.of("symmetric", 1, 2, 0, 0.01, 0.01)
    assert.same({ 0 }, { window[1].weight })
    assert.near(1 / 1.045 - 0.02, window[1].bound, 1e-12)
  end)

  it("of 1 % does not mislead the inference on a core that binds greedily", function()
    local truth, names = protocol.golden_cove(1)
    local outcome = protocol.run(truth, names, { binder = "recent", seed = 1, noise = { kind = "gaussian", width = 0.01, unit = "relative" } },
      { reading = "asymmetric", epsilon = 0.01, rmax = 6 })
    right(truth, outcome)
    assert.is_true(outcome.noise > 0.008 and outcome.noise < 0.016, "noise found: " .. outcome.noise)
    assert.equal(outcome.noise, outcome.certificate.noise)
  end)

  it("is part of what a certificate says", function()
    local truth = core { a = { "0" }, b = { "1" }, c = { "0", "1" }, d = { "0", "2" } }
    local processor = assert(simulated.new { mapping = truth, seed = 3, noise = { kind = "gaussian", width = 0.02, unit = "relative" } })
    local outcome = assert(cegis.infer(processor, { "a", "b", "c", "d" }, { reading = "asymmetric", epsilon = 0.01, deviation = 0.02 }))
    right(truth, outcome)
    outcome.mapping.certificate = outcome.certificate
    assert.is_true(verify.mapping(outcome.mapping).verified)
  end)

  it("can't be given as half of what is measured", function()
    local outcome, message = cegis.infer(assert(simulated.new { mapping = core { a = { "0" } } }), { "a" }, { deviation = 0.5 })
    assert.is_nil(outcome)
    assert.matches("from 0 to 0.1", message)
  end)

  it("of 0.01 CPI makes no inference wrong", function()
    for seed = 1, 12 do
      local ports = 4 + seed % 7
      local truth, names = protocol.random(seed, ports, 4 + seed % 6)
      right(truth, protocol.run(truth, names, { seed = seed, noise = { kind = "uniform", width = 0.01 } }, { seed = seed, ports = ports }))
    end
  end)
end)

describe("a disturbed reading", function()
  local truth = core { a = { "0" }, b = { "1" }, c = { "0", "1" } }
  local names = { "a", "b", "c" }

  it("that contradicts is taken anew", function()
    local processor = fibbing(truth, { ["a + b"] = { 0.4 }, ["a"] = { 1.7 } })
    local outcome = assert(cegis.infer(processor, names, { ports = 3, initial = { { a = 1, b = 1 }, { a = 1, c = 1 }, { a = 2 } } }))
    assert.equal("equal", protocol.verdict(truth, outcome))
    assert.is_true(outcome.doubted >= 2)
    for _, o in ipairs(outcome.observations) do assert.is_true(math.abs(o.residual) < 0.02) end
  end)

  it("that stays as it is after three readings is a contradiction", function()
    local processor = fibbing(truth, { ["a + b"] = { 0.4, 0.4, 0.4, 0.4 } })
    local outcome = assert(cegis.infer(processor, names, { ports = 3, initial = { { a = 1, b = 1 } } }))
    assert.equal("contradiction", outcome.status)
    assert.equal(3, processor.asked["a + b"])
    local found = false
    for _, o in ipairs(outcome.conflict.experiments) do found = found or experiment.key(o.experiment) == "a + b" end
    assert.is_true(found)
    assert.is_true(#outcome.conflict.experiments <= 2)
  end)

  it("is believed at once if that is wished", function()
    local processor = fibbing(truth, { ["a + b"] = { 0.4 } })
    local outcome = assert(cegis.infer(processor, names, { ports = 3, initial = { { a = 1, b = 1 } }, doubt = false }))
    assert.equal("contradiction", outcome.status)
    assert.equal(1, processor.asked["a + b"])
  end)

  it("must be slow twice to count as slow, with the asymmetric reading", function()
    local processor = fibbing(truth, { ["a + b"] = { 1.6 }, ["c"] = { 0.9 } })
    local outcome = assert(cegis.infer(processor, names, { reading = "asymmetric", epsilon = 0.01, rmax = 4 }))
    assert.equal("equal", protocol.verdict(truth, outcome))
    assert.equal(3, processor.asked["a + b"]) -- they disagreed
    for _, o in ipairs(outcome.observations) do assert.is_true(math.abs(o.residual) < 0.02) end
  end)

  it("does not decide alone with the symmetric reading either, where that is wished", function()
    local believed = assert(cegis.infer(fibbing(truth, { ["a + b"] = { 2 } }), { "a", "b" }, { ports = 3 }))
    local confirmed = assert(cegis.infer(fibbing(truth, { ["a + b"] = { 2 } }), { "a", "b" }, { ports = 3, confirm = true }))
    assert.equal(1, #believed.mapping.ports)
    assert.equal(2, #confirmed.mapping.ports)
  end)

  it("is repeated as far as the budget of experiments goes", function()
    local golden = random_mapping.two_level { seed = 6, ports = 8, schemes = 10 }
    local schemes = {}
    for name in pairs(golden.schemes) do schemes[#schemes + 1] = name end
    table.sort(schemes)
    for _, limit in ipairs { 20, 60 } do
      local processor = assert(simulated.new { mapping = golden, binder = "recent", seed = 1,
        noise = { kind = "gaussian", width = 0.01, unit = "relative" } })
      local outcome = assert(cegis.infer(processor, schemes, { reading = "asymmetric", epsilon = 0.01, rmax = 6, experiment_limit = limit }))
      assert.same({ "limit", limit }, { outcome.status, outcome.experiments })
    end
  end)

  it("stands in a contradiction when it can't be taken again", function()
    local once = {}
    local processor = fibbing(truth, { ["a + b"] = { 0.2 } })
    local measure = processor.measure
    function processor.measure(self, list)
      local results = measure(self, list)
      for k, e in ipairs(list) do
        local key = experiment.key(e)
        if once[key] then results[k] = { status = "unstable" } end
        once[key] = true
      end
      return results
    end
    local outcome = assert(cegis.infer(processor, { "a", "b" }, { ports = 3, initial = { { a = 1, b = 1 } } }))
    assert.equal("contradiction", outcome.status)
  end)
end)
