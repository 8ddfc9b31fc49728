local core = require "portolan.core"
local cegis = require "portolan.infer.cegis"
local experiment = require "portolan.experiment"
local mappings = require "portolan.mapping"
local random_mapping = require "support.random_mapping"
local simulated = require "portolan.processor.simulated"
local tiny_mapping = require "support.tiny_mapping"

local function counts_of(mapping)
  local counts = {}
  for name, scheme in pairs(mapping.schemes) do counts[name] = #scheme.uops[1][1] end
  return counts
end

local function compare(a, b, epsilon)
  return assert(core.model.compare(core.model.mapping(a), core.model.mapping(b), { epsilon = epsilon }))
end

local function overlap(mapping, a, b)
  local on, n = {}, 0
  for _, port in ipairs(mapping.schemes[a].uops[1][1]) do on[port] = true end
  for _, port in ipairs(mapping.schemes[b].uops[1][1]) do n = n + (on[port] and 1 or 0) end
  return n
end

-- Overlaps that are neither as in the truth nor reported as open.
local function wrong_overlaps(truth, outcome)
  local open, wrong, names = {}, {}, mappings.schemes(truth)
  for _, point in ipairs(outcome.open) do
    if point.b then open[point.a .. "|" .. point.b], open[point.b .. "|" .. point.a] = true, true end
  end
  for i, a in ipairs(names) do
    for j = 1, i - 1 do
      local b = names[j]
      if overlap(truth, a, b) ~= overlap(outcome.mapping, a, b) and not open[a .. "|" .. b] then wrong[#wrong + 1] = a .. " and " .. b end
    end
  end
  return wrong
end

local skylake = tiny_mapping(4, "01234567", { add = "0156", shl = "06", imul = "1", vpermd = "5", vmovmskps = "0", vpaddd = "015",
  vaddpd = "01", vpsllvd = "01", load = "23", store = "4" })
local golden_cove = tiny_mapping(6, "0123456789AB", { imul = "1", vpermd = "5", vmovmskps = "0", shl = "06", vaddpd = "15", vmulpd = "01",
  blsr = "15B", load = "23A", vpaddd = "015", add = "0156B", store = "49" })

describe("symmetric inference", function()
  it("finds random mappings, up to port names or indistinguishable", function()
    for seed = 1, 8 do
      local truth = random_mapping.two_level { seed = seed, ports = 4 + seed % 5, schemes = 6 + seed % 4 }
      local outcome = assert(cegis.infer(assert(simulated.new { mapping = truth }), mappings.schemes(truth), { ports = #truth.ports, seed = seed }))
      assert.equal("unique", outcome.status)
      assert.is_false(compare(truth, outcome.mapping, outcome.epsilon).distinguishable)
      for _, o in ipairs(outcome.observations) do assert.is_true(math.abs(o.residual) <= outcome.epsilon * experiment.length(o.experiment) + 1e-9) end
    end
  end)

  it("is not misled by noise within epsilon, nor by not knowing the number of ports", function()
    for seed = 1, 8 do
      local truth = random_mapping.two_level { seed = 100 + seed, ports = 7, schemes = 8 }
      local processor = assert(simulated.new { mapping = truth, noise = { kind = "uniform", width = 0.01 }, seed = seed })
      local outcome = assert(cegis.infer(processor, mappings.schemes(truth), { seed = seed, batch = seed % 3 + 1 }))
      assert.equal("unique", outcome.status)
      assert.is_false(compare(truth, outcome.mapping, outcome.epsilon).distinguishable)
      assert.is_true(#outcome.mapping.ports <= 7)
    end
  end)

  it("says what the front end hides", function()
    local truth = tiny_mapping(4, "0123456", { add = "0123", sub = "3456", mul = "0", shift = "01" })
    local outcome = assert(cegis.infer(assert(simulated.new { mapping = truth }), mappings.schemes(truth), { rmax = 4, ports = 8 }))
    assert.equal("unique", outcome.status)
    assert.is_false(compare(truth, outcome.mapping, outcome.epsilon).distinguishable)
    assert.same({}, wrong_overlaps(truth, outcome))
    local open = {}
    for _, point in ipairs(outcome.open) do open[point.a .. "|" .. (point.b or "")] = point end
    assert.is_truthy(open["add|sub"])
    assert.is_truthy(open["add|"]) -- four ports or more
    assert.is_nil(open["mul|shift"])
    assert.equal(4, #outcome.mapping.schemes.add.uops[1][1]) -- Occam
    assert.same({ "one uop", "fewest ports" }, { outcome.assumed[1].kind, outcome.assumed[2].kind })
  end)

  it("repeats itself for a seed", function()
    local truth = random_mapping.two_level { seed = 3, ports = 6, schemes = 8 }
    local function run()
      local list = {}
      local outcome = assert(cegis.infer(assert(simulated.new { mapping = truth }), mappings.schemes(truth), { seed = 9 }))
      for k, o in ipairs(outcome.observations) do list[k] = experiment.format(o.experiment) end
      return list, outcome.mapping
    end
    local first, mapping = run()
    local second, again = run()
    assert.same(first, second)
    assert.same(mapping, again)
  end)

  it("names a minimal set of observations that contradict each other", function()
    local observations = { { { a = 1 }, 1.0 }, { { b = 1 }, 0.25 }, { { c = 1 }, 1.0 }, { { a = 1, b = 1 }, 0.4 }, { { a = 1, c = 1 }, 1.0 } }
    local outcome = assert(cegis.infer({ name = "none", measure = function() error("nothing to measure") end }, { "a", "b", "c" },
      { observations = observations }))
    assert.equal("contradiction", outcome.status)
    assert.is_nil(outcome.mapping)
    assert.equal(2, #outcome.conflict.experiments) -- a alone takes one cycle, so a + b can't take 0.4
    assert.is_truthy(outcome.conflict.text:find("a takes 1.000 cycles", 1, true))
    assert.is_truthy(outcome.conflict.text:find("a + b takes 0.400 cycles", 1, true))
  end)

  it("does not ask again what could not be measured", function()
    local truth = random_mapping.two_level { seed = 5, ports = 5, schemes = 5 }
    local inner, asked = assert(simulated.new { mapping = truth }), {}
    local processor = { name = "flaky" }
    function processor.measure(_, list)
      local results = inner:measure(list)
      for k, e in ipairs(list) do
        local key = experiment.key(e)
        assert.is_nil(asked[key])
        asked[key] = true
        if experiment.length(e) > 1 and #key % 3 == 0 then results[k] = { status = "unstable" } end
      end
      return results
    end
    local outcome = assert(cegis.infer(processor, mappings.schemes(truth), { seed = 1 }))
    assert.equal("unique", outcome.status)
    assert.is_true(#outcome.observations < outcome.experiments)
  end)

  it("ends at its budgets and on interruption, with what it knows", function()
    local truth = random_mapping.two_level { seed = 6, ports = 8, schemes = 10 }
    local processor = assert(simulated.new { mapping = truth })
    local outcome = assert(cegis.infer(processor, mappings.schemes(truth), { experiment_limit = 14 }))
    assert.equal("limit", outcome.status)
    assert.equal(14, outcome.experiments)
    assert.is_truthy(outcome.mapping)
    outcome = assert(cegis.infer(processor, mappings.schemes(truth), { time_limit = 0 }))
    assert.equal("limit", outcome.status)
    local rounds = 0
    outcome = assert(cegis.infer(processor, mappings.schemes(truth), { progress = function(state)
      rounds = state.rounds
      if rounds == 5 then core.base.set_interrupted(true) end
    end }))
    core.base.set_interrupted(false)
    assert.equal("interrupted", outcome.status)
    assert.equal(5, rounds)
    assert.is_truthy(outcome.mapping)
  end)

  it("explains wrong options in one line", function()
    local processor = assert(simulated.new { mapping = skylake })
    local function message(schemes, options)
      local outcome, text = cegis.infer(processor, schemes, options)
      assert.is_nil(outcome)
      return text
    end
    assert.is_truthy(message({}, {}):find("no schemes"))
    assert.is_truthy(message({ "add", "add" }, {}):find("twice"))
    assert.is_truthy(message({ "add" }, { reading = "optimistic" }):find("symmetric or asymmetric"))
    assert.is_truthy(message({ "add" }, { initial = { { shl = 1 } } }):find("'shl'"))
    assert.is_truthy(message({ "add" }, { ports = 40 }):find("1 to 32"))
    assert.is_truthy(message({ "add" }, { ports = 3, port_counts = { add = 4 } }):find("allow more ports"))
  end)
end)

describe("asymmetric inference", function()
  it("charts cores that bind ports greedily", function()
    for _, truth in ipairs { skylake, golden_cove } do
      local processor = assert(simulated.new { mapping = truth, binder = "recent", seed = 2,
        noise = { kind = "gaussian", width = 0.002, unit = "relative" } })
      local outcome = assert(cegis.infer(processor, mappings.schemes(truth), { reading = "asymmetric", rmax = truth.rmax, epsilon = 0.01,
        port_counts = counts_of(truth) }))
      assert.equal("unique", outcome.status)
      assert.same({}, wrong_overlaps(truth, outcome))
      if truth == golden_cove then assert.is_true(compare(truth, outcome.mapping, 0.01).equal) end
    end
  end)

  it("finds random mappings on a core that is slow more often than real ones", function()
    for seed = 1, 3 do
      local truth = random_mapping.two_level { seed = seed, ports = 7, schemes = 7 }
      local processor = assert(simulated.new { mapping = truth, binder = "recent", seed = seed,
        binder_options = { delay = 4, saturation = 2, rotate = false, scheduler = 40 } })
      local outcome = assert(cegis.infer(processor, mappings.schemes(truth), { reading = "asymmetric", epsilon = 0.01, rmax = 6, seed = seed }))
      assert.equal("unique", outcome.status)
      assert.same({}, wrong_overlaps(truth, outcome))
    end
  end)

  -- Ratios measured on a 4-wide Skylake: these five pairs are slower than the model, the others are as it says.
  it("reads a real core's slowness as a sign of shared ports", function()
    local slow = { ["3*add + imul"] = 1.50, ["3*add + vmovmskps"] = 1.12, ["shl + vmovmskps"] = 1.35, ["2*load + 2*vaddpd"] = 1.10,
      ["2*shl + vmovmskps"] = 1.53 }
    local truth = tiny_mapping(4, "01234567", { add = "0156", shl = "06", imul = "1", vmovmskps = "0", vaddpd = "01", load = "23" })
    local model = assert(simulated.new { mapping = truth })
    local processor = { name = "recorded" }
    function processor.measure(_, list)
      local results = model:measure(list)
      for k, e in ipairs(list) do results[k].cycles = slow[experiment.key(e)] or results[k].cycles end
      return results
    end
    local outcome = assert(cegis.infer(processor, mappings.schemes(truth), { reading = "asymmetric", rmax = 4, epsilon = 0.01,
      port_counts = counts_of(truth) }))
    assert.equal("unique", outcome.status)
    assert.same({}, wrong_overlaps(truth, outcome))
    assert.equal(1, overlap(outcome.mapping, "shl", "vmovmskps"))
    assert.equal(0, overlap(outcome.mapping, "load", "vaddpd")) -- slow, but proved to be apart
    assert.equal(1, overlap(outcome.mapping, "add", "imul"))
    assert.equal(1, overlap(outcome.mapping, "add", "vmovmskps"))
    local assumed = {}
    for _, a in ipairs(outcome.assumed) do assumed[#assumed + 1] = a.kind end
    assert.is_true(#assumed >= 1) -- how add overlaps the others can't be inferred at four instructions a cycle
    local open = {}
    for _, point in ipairs(outcome.open) do open[point.a .. "|" .. (point.b or "")] = point end
    assert.same({ 0, 1 }, open["add|imul"].overlaps)
    assert.equal(1, open["add|imul"].chosen)
  end)

  it("proposes pairs around saturation", function()
    local list = {}
    for k, e in ipairs(cegis.pair_experiments { mul = 1, shift = 2, add = 4 }) do list[k] = experiment.format(e) end
    assert.same({ "mul + 2*shift", "mul + shift", "4*add + mul", "3*add + mul", "4*add + 2*shift", "2*add + 2*shift", "3*add + 2*shift" }, list)
  end)
end)

describe("core.smt", function()
  it("shows its question as SMT-LIB", function()
    local search = assert(core.smt.search { schemes = 2, ports = 3, epsilon = 0.02 })
    assert(search:observe({ 1, 1 }, { upper = 0.7, { bound = 0.6 } }))
    local mapping = assert(search:mapping())
    local text = search:text(mapping, 2)
    assert.is_truthy(text:find("declare%-fun"))
    assert.is_truthy(text:find("check%-sat%-assuming"))
    assert.same({ observations = 1 }, { observations = search:statistics().observations })
    search:close()
    assert.has_error(function() search:mapping() end, "search is closed")
  end)

  it("refuses misuse", function()
    local search = assert(core.smt.search { schemes = 2, ports = 3 })
    assert.has_error(function() search:observe({ 0 }, {}) end)
    assert.has_error(function() search:observe({ [99] = 1 }, {}) end)
    assert.has_error(function() search:other({ 1 }) end)
    assert.has_error(function() search:observe({ 1 }, { { bound = 1 }, { bound = 2 } }) end)
    assert.is_nil((core.smt.search { schemes = 0, ports = 3 }))
  end)
end)
