local core = require "portolan.core"
local experiment = require "portolan.experiment"
local grow = require "portolan.infer.grow"
local mappings = require "portolan.mapping"
local random_mapping = require "support.random_mapping"
local simulated = require "portolan.processor.simulated"
local tiny_mapping = require "support.tiny_mapping"

local function compare(a, b, epsilon)
  return assert(core.model.compare(core.model.mapping(a), core.model.mapping(b), { epsilon = epsilon }))
end

-- A processor that answers as another one, but for what `change(experiment, result)` makes of it.
local function altered(processor, change)
  return { name = processor.name, measure = function(_, experiments, options)
    local results = processor:measure(experiments, options)
    for k, e in ipairs(experiments) do results[k] = change(e, results[k]) or results[k] end
    return results
  end }
end

local function statuses(outcome)
  local count = {}
  for _, s in pairs(outcome.schemes) do count[s.status] = (count[s.status] or 0) + 1 end
  return count
end

local skylake = { add = "0156", shl = "06", imul = "1", vpermd = "5", vmovmskps = "0", vpaddd = "015", vaddpd = "01", load = "23", store = "4" }

describe("growing from a core", function()
  it("finds random mappings, up to port names or indistinguishable, with noise within epsilon", function()
    for seed = 1, 5 do
      local truth = random_mapping.two_level { seed = seed, ports = 5 + seed % 5, schemes = 20 + seed }
      local processor = assert(simulated.new { mapping = truth, noise = { kind = "uniform", width = 0.01 }, seed = seed })
      local outcome = assert(grow.infer(processor, mappings.schemes(truth), { ports = #truth.ports, core = 6 + seed % 3, seed = seed }))
      assert.equal("unique", outcome.status)
      local relation = compare(truth, outcome.mapping, outcome.epsilon)
      assert.is_false(relation.distinguishable)
      assert.is_true(relation.complete)
      assert.equal(20 + seed, relation.common)
      for _, o in ipairs(outcome.observations) do
        assert.is_true(math.abs(o.residual) <= outcome.epsilon * experiment.length(o.experiment) + 1e-9)
      end
      -- Whatever is said to be unique is so: all of these together are the truth up to port names.
      local certain, real = tiny_mapping(nil, "", {}), tiny_mapping(nil, "", {})
      certain.ports, real.ports = outcome.mapping.ports, truth.ports
      for name, s in pairs(outcome.schemes) do
        if s.status == "unique" then certain.schemes[name], real.schemes[name] = outcome.mapping.schemes[name], truth.schemes[name] end
      end
      assert.is_true(next(certain.schemes) ~= nil)
      if not statuses(outcome).open then assert.is_true(compare(real, certain, 0.02).equal) end
    end
  end)

  it("needs no number of ports, and says what the front end hides", function()
    for seed = 1, 2 do
      local truth = random_mapping.two_level { seed = seed, ports = 7, schemes = 14, rmax = 4 }
      local outcome = assert(grow.infer(assert(simulated.new { mapping = truth }), mappings.schemes(truth), { rmax = 4, seed = seed }))
      assert.equal("unique", outcome.status)
      assert.is_false(compare(truth, outcome.mapping, outcome.epsilon).distinguishable)
      assert.is_true(statuses(outcome).open > 0)
      local said = {}
      for _, point in ipairs(outcome.open) do said[point.a] = true end
      for name, s in pairs(outcome.schemes) do
        if s.status == "open" and #s.alternatives > 1 then
          assert.is_true(said[name])
          assert.same(outcome.mapping.schemes[name].uops[1][1], s.alternatives[1])
        end
      end
    end
  end)

  it("lets schemes that split a class, or bring new ports, join the core", function()
    local truth = tiny_mapping(nil, "01234567", skylake)
    local outcome = assert(grow.infer(assert(simulated.new { mapping = truth }), mappings.schemes(truth), { core = { "vpaddd", "load" }, ports = 9 }))
    assert.equal("unique", outcome.status)
    assert.is_false(compare(truth, outcome.mapping, 0.02).distinguishable)
    assert.same({ "vpaddd", "load" }, { outcome.core[1], outcome.core[2] })
    local inside = {}
    for _, name in ipairs(outcome.core) do inside[name] = true end
    assert.is_true(inside.imul and inside.vpermd and inside.store)
  end)

  it("works with a core that is all or next to nothing", function()
    local truth = tiny_mapping(nil, "01234567", skylake)
    for _, size in ipairs { 1, 64 } do
      local outcome = assert(grow.infer(assert(simulated.new { mapping = truth }), mappings.schemes(truth), { core = size, ports = 8 }))
      assert.equal("unique", outcome.status)
      assert.is_false(compare(truth, outcome.mapping, 0.02).distinguishable)
    end
  end)

  it("reads greedy processors asymmetrically", function()
    for seed = 1, 2 do
      local truth = random_mapping.two_level { seed = seed, ports = 8, schemes = 30, rmax = 6 }
      local processor = assert(simulated.new { mapping = truth, binder = "recent", seed = seed,
        noise = { kind = "uniform", width = 0.005, unit = "relative" } })
      local outcome = assert(grow.infer(processor, mappings.schemes(truth), { rmax = 6, ports = 8, reading = "asymmetric", epsilon = 0.01 }))
      assert.equal("unique", outcome.status)
      assert.is_false(compare(truth, outcome.mapping, 0.02).distinguishable)
    end
  end)

  it("repeats itself, on any number of threads", function()
    local truth = random_mapping.two_level { seed = 5, ports = 7, schemes = 24 }
    local function run(threads)
      local list = {}
      local outcome = assert(grow.infer(assert(simulated.new { mapping = truth }), mappings.schemes(truth), { threads = threads, seed = 2 }))
      for k, o in ipairs(outcome.observations) do list[k] = experiment.format(o.experiment) end
      return list, outcome.mapping
    end
    local first, mapping = run(1)
    local second, again = run(3)
    assert.same(first, second)
    assert.same(mapping, again)
  end)

  it("names what contradicts; the others go on", function()
    local truth = random_mapping.two_level { seed = 7, ports = 7, schemes = 24 }
    local honest, wrong = assert(simulated.new { mapping = truth }), "s20"
    local processor = altered(honest, function(e, result) -- faster together with others than any ports explain
      if e[wrong] and next(e) and experiment.length(e) > e[wrong] then return { status = "ok", cycles = result.cycles * 0.8, n = 1 } end
    end)
    local names = mappings.schemes(truth)
    local core_names = {}
    for _, name in ipairs(names) do
      if name ~= wrong and #core_names < 10 then core_names[#core_names + 1] = name end
    end
    local outcome = assert(grow.infer(processor, names, { core = core_names, ports = 7 }))
    assert.equal("contradiction", outcome.status)
    assert.equal("contradicting", outcome.schemes[wrong].status)
    assert.equal(1, statuses(outcome).contradicting)
    local conflict = outcome.schemes[wrong].conflict
    assert.is_true(#conflict.experiments >= 1 and #conflict.experiments <= 3)
    for _, seen in ipairs(conflict.experiments) do assert.is_truthy(seen.experiment[wrong]) end
    assert.is_truthy(conflict.text:find("no ports of s20 explain that", 1, true))
    assert.equal(conflict.text, outcome.conflict.text)
    assert.equal("contradicting", outcome.mapping.schemes[wrong].status)
    assert.is_nil(outcome.mapping.schemes[wrong].uops)
    truth.schemes[wrong] = nil
    local relation = compare(truth, outcome.mapping, 0.02)
    assert.equal(23, relation.common)
    assert.is_false(relation.distinguishable)
  end)

  it("does not believe a single reading that contradicts", function()
    local truth, disturbed = random_mapping.two_level { seed = 7, ports = 7, schemes = 24 }, {}
    local names = mappings.schemes(truth)
    local processor = altered(assert(simulated.new { mapping = truth }), function(e, result)
      local key = experiment.key(e)
      local first = not disturbed[key]
      disturbed[key] = true
      if first and (e.s20 or e.s21) and next(e, next(e)) then return { status = "ok", cycles = result.cycles * 0.3, n = 1 } end
    end)
    local core_names = table.move(names, 1, 10, 1, {})
    local outcome = assert(grow.infer(processor, names, { core = core_names, ports = 7 }))
    assert.equal("unique", outcome.status)
    assert.is_true(outcome.doubted > 0)
    assert.is_false(compare(truth, outcome.mapping, 0.02).distinguishable)
  end)

  it("says so if the core contradicts itself", function()
    local processor = altered(assert(simulated.new { mapping = tiny_mapping(nil, "01234567", skylake) }), function(e)
      if e.imul and e.vpermd then return { status = "ok", cycles = 0.3, n = 1 } end
    end)
    local outcome = assert(grow.infer(processor, mappings.schemes { schemes = skylake }, { core = { "imul", "vpermd" }, ports = 8 }))
    assert.equal("contradiction", outcome.status)
    assert.is_nil(outcome.mapping)
    assert.is_truthy(outcome.conflict.text:find("imul", 1, true))
  end)

  it("sets aside what can't be measured", function()
    local truth = tiny_mapping(nil, "01234567", skylake)
    local processor = altered(assert(simulated.new { mapping = truth }), function(e)
      if e.load then return { status = "unstable" } end
    end)
    local outcome = assert(grow.infer(processor, mappings.schemes(truth), { ports = 8 }))
    assert.equal("unique", outcome.status)
    assert.equal("unmeasured", outcome.schemes.load.status)
    assert.is_nil(outcome.mapping.schemes.load.uops)
    assert.same({ { load = 1 } }, outcome.failed)
    assert.is_false(compare(truth, outcome.mapping, 0.02).distinguishable)
  end)

  it("goes by given ports and given numbers of them", function()
    local truth = tiny_mapping(nil, "01234567", skylake)
    local measured = {}
    local processor = altered(assert(simulated.new { mapping = truth }), function(e) measured[experiment.key(e)] = true end)
    local outcome = assert(grow.infer(processor, mappings.schemes(truth), { ports = 8, core = 3, port_counts = { add = 4 },
      fixed = { imul = { "M" }, vaddpd = { "A", "M" } } }))
    assert.equal("unique", outcome.status)
    assert.same({ { "M" }, 1 }, outcome.mapping.schemes.imul.uops[1])
    assert.same({ { "A" }, 1 }, outcome.mapping.schemes.vmovmskps.uops[1])
    assert.is_nil(measured[experiment.key { add = 1 }])
    assert.is_false(compare(truth, outcome.mapping, 0.02).distinguishable)
  end)

  it("ends at its budgets and at Ctrl-C", function()
    local truth = random_mapping.two_level { seed = 9, ports = 8, schemes = 30 }
    local names = mappings.schemes(truth)
    local outcome = assert(grow.infer(assert(simulated.new { mapping = truth }), names, { ports = 8, experiment_limit = 120 }))
    assert.equal("limit", outcome.status)
    assert.equal(120, outcome.experiments)
    assert.is_true(statuses(outcome).unfinished > 0)
    assert.is_truthy(outcome.mapping.ports)
    assert.equal("limit", assert(grow.infer(assert(simulated.new { mapping = truth }), names, { ports = 8, time_limit = 0 })).status)
    local asked = 0
    local processor = altered(assert(simulated.new { mapping = truth }), function()
      asked = asked + 1
      if asked == 140 then core.base.set_interrupted(true) end
    end)
    outcome = assert(grow.infer(processor, names, { ports = 8 }))
    core.base.set_interrupted(false)
    assert.equal("interrupted", outcome.status)
  end)

  it("reports progress", function()
    local truth, last, calls = random_mapping.two_level { seed = 2, ports = 6, schemes = 20 }, nil, 0
    local outcome = assert(grow.infer(assert(simulated.new { mapping = truth }), mappings.schemes(truth), { ports = 6, core = 5,
      progress = function(p) last, calls = p, calls + 1 end }))
    assert.is_true(calls > 5 and last.schemes <= 20 and last.of == 20)
    assert.is_true(last.experiments <= outcome.experiments)
  end)

  it("refuses wrong options in one line", function()
    local processor = assert(simulated.new { mapping = tiny_mapping(nil, "01234567", skylake) })
    local function refused(names, options, text)
      local outcome, message = grow.infer(processor, names, options)
      assert.is_nil(outcome)
      assert.is_truthy(message:find(text, 1, true), message)
    end
    refused({}, {}, "no schemes")
    refused({ "add", "add" }, {}, "named twice")
    refused({ "add" }, { ports = 21 }, "20 at most")
    refused({ "add" }, { core = { "sub" } }, "it is not one of the schemes")
    refused({ "add" }, { reading = "loud" }, "no reading 'loud'")
    refused({ "add" }, { uops = { add = 2 } }, "several uops")
    refused({ "add" }, { observations = { { { sub = 1 }, 1 } } }, "'sub' is not one of those")
  end)
end)

describe("core.smt.alone", function()
  it("refuses misuse", function()
    local place = assert(core.smt.alone { ports = 4 })
    assert.is_nil((core.smt.alone { ports = 99 }))
    assert.has_error(function() place:remaining(1) end)
    assert.has_error(function() place:scheme(0) end)
    local s = assert(place:scheme())
    assert.has_error(function() place:observe(s, { [1] = 1 }, 1, {}) end)
    assert.has_error(function() place:observe(s, {}, -1, {}) end)
    assert.is_nil((place:know(1 << 10)))
    place:close()
    assert.has_error(function() place:next {} end)
  end)
end)
