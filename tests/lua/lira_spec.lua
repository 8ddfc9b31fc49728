-- The dissertation's own encodings against the default ones.
local core = require "portolan.core"
local cegis = require "portolan.infer.cegis"
local experiment = require "portolan.experiment"
local random_mapping = require "support.random_mapping"
local simulated = require "portolan.processor.simulated"
local verify = require "portolan.infer.cegis.verify"

local epsilon = 0.02
local scale = (os.getenv "PORTOLAN_SANITIZE" or "") == "" and 1 or 4 -- everything takes ten times as long

local function shape_of(m)
  local names, uops = {}, {}
  for name, scheme in pairs(m.schemes) do
    names[#names + 1], uops[name] = name, 0
    for _, uop in ipairs(scheme.uops) do uops[name] = uops[name] + uop[2] end
  end
  table.sort(names)
  return names, uops
end

local function told_apart(a, b)
  local answer = assert(core.model.compare(core.model.mapping(a), core.model.mapping(b), { epsilon = epsilon }))
  assert.is_true(answer.complete)
  return answer.distinguishable
end

-- Both encodings on one processor; neither result may be told from the truth, nor from the other.
local function check(truth, seed, options)
  local names, results = shape_of(truth), {}
  for _, encoding in ipairs { "union", "lira" } do
    local o = setmetatable({ encoding = encoding, seed = seed, epsilon = epsilon, ports = options.ports or #truth.ports }, { __index = options })
    local outcome = assert(cegis.infer(assert(simulated.new { mapping = truth, noise = options.noise, seed = seed }), names, o))
    assert.equal("unique", outcome.status)
    assert.is_false(told_apart(truth, outcome.mapping))
    for _, seen in ipairs(outcome.observations) do
      assert.is_true(math.abs(seen.residual) <= epsilon * experiment.length(seen.experiment) + 1e-9)
    end
    results[encoding] = outcome
  end
  assert.is_false(told_apart(results.union.mapping, results.lira.mapping))
  return results.lira, results.union
end

describe("the LIRA encoding", function()
  it("finds the same two-level mappings", function()
    for seed = 1, 20 // scale do
      local truth = random_mapping.two_level { seed = seed, ports = 2 + seed % 4, schemes = 2 + seed // 4 % 4 }
      check(truth, seed, {})
    end
  end)

  it("is right under a limit of the front end and with noise within epsilon", function()
    for seed = 1, 16 // scale do
      local rmax = seed % 2 == 0 and 2 + seed % 3 or nil
      local truth = random_mapping.two_level { seed = 50 + seed, ports = 2 + seed % 4, schemes = 2 + seed // 4 % 3, rmax = rmax }
      check(truth, seed, { rmax = rmax, noise = { kind = "uniform", width = 0.01 } })
    end
  end)

  it("finds the same three-level mappings for known numbers of uops", function()
    for seed = 1, 12 // scale do
      local rmax = seed % 3 == 0 and 4 or nil
      local truth = random_mapping.three_level { seed = seed, ports = 2 + seed % 3, schemes = 2 + seed // 6 % 2, uops = 2, slots = true, rmax = rmax }
      local _, uops = shape_of(truth)
      local slots = {}
      for name, scheme in pairs(truth.schemes) do slots[name] = scheme.slots end
      check(truth, seed, { uops = uops, rmax = rmax, slots = slots, noise = { kind = "uniform", width = 0.01 } })
    end
  end)

  it("finds the number of ports, and says what remains open", function()
    local truth = random_mapping.two_level { seed = 4, ports = 3, schemes = 3 }
    local names = shape_of(truth)
    local outcome = assert(cegis.infer(assert(simulated.new { mapping = truth }), names, { encoding = "lira" }))
    assert.equal("unique", outcome.status)
    assert.is_false(told_apart(truth, outcome.mapping))
    local hidden = random_mapping.two_level { seed = 2, ports = 4, schemes = 3, rmax = 2 }
    local lira, union = check(hidden, 1, { rmax = 2 })
    local function counts(o) -- of single schemes: all that are possible are found
      local list = {}
      for _, point in ipairs(o.open) do
        if point.ports then list[point.a] = point.ports end
      end
      return list
    end
    assert.is_truthy(next(counts(lira)))
    assert.same(counts(union), counts(lira))
  end)

  it("asks for short experiments first", function()
    local truth = random_mapping.two_level { seed = 9, ports = 4, schemes = 4 }
    local names = shape_of(truth)
    local outcome, last = assert(cegis.infer(assert(simulated.new { mapping = truth }), names, { encoding = "lira", ports = 4 })), 0
    for _, o in ipairs(outcome.observations) do
      assert.is_true(experiment.length(o.experiment) >= last or last <= 2)
      last = experiment.length(o.experiment)
    end
    assert.is_true(last <= 5) -- as in §4.5.1
  end)

  it("names a minimal contradiction", function()
    local observations = { { { a = 1 }, 1.0 }, { { b = 1 }, 0.25 }, { { c = 1 }, 1.0 }, { { a = 1, b = 1 }, 0.4 }, { { a = 1, c = 1 }, 1.0 } }
    local outcome = assert(cegis.infer({ name = "none", measure = function() error("nothing to measure") end }, { "a", "b", "c" },
      { observations = observations, encoding = "lira", ports = 5 }))
    assert.equal("contradiction", outcome.status)
    assert.equal(2, #outcome.conflict.experiments)
    assert.is_truthy(outcome.conflict.text:find("a + b takes 0.400 cycles", 1, true))
  end)

  it("gives certificates that the default encoding confirms", function()
    local truth = random_mapping.two_level { seed = 7, ports = 4, schemes = 4 }
    local names = shape_of(truth)
    local outcome = assert(cegis.infer(assert(simulated.new { mapping = truth }), names, { encoding = "lira", ports = 4, question = true }))
    assert.equal("lira", outcome.certificate.encoding)
    local m = outcome.mapping
    m.certificate = outcome.certificate
    local answer = assert(verify.mapping(m))
    assert.is_true(answer.verified)
    assert.is_truthy(outcome.question:find("(check-sat)", 1, true))
  end)

  it("keeps given ports and shared uops", function()
    local truth = random_mapping.three_level { seed = 3, ports = 3, schemes = 3, uops = 2 }
    local names, uops = shape_of(truth)
    local given = { [names[1]] = truth.schemes[names[1]].uops }
    local outcome = assert(cegis.infer(assert(simulated.new { mapping = truth }), names, { encoding = "lira", ports = 3, uops = uops,
      fixed = given }))
    assert.equal("unique", outcome.status)
    assert.is_false(told_apart(truth, outcome.mapping))
    assert.same(#given[names[1]], #outcome.mapping.schemes[names[1]].uops)
  end)

  it("ends at its time limit with what it knows", function()
    local truth = random_mapping.two_level { seed = 6, ports = 8, schemes = 12 }
    local names = shape_of(truth)
    local began = core.base.now()
    local outcome = assert(cegis.infer(assert(simulated.new { mapping = truth }), names, { encoding = "lira", ports = 8, time_limit = 1 }))
    assert.equal("limit", outcome.status)
    assert.is_true(core.base.now() - began < 10)
  end)

  it("refuses in one line what it can't do", function()
    local processor = { name = "none", measure = function() error("nothing to measure") end }
    local outcome, message = cegis.infer(processor, { "a" }, { encoding = "lira", reading = "asymmetric" })
    assert.is_nil(outcome)
    assert.is_truthy(message:find("symmetric reading only", 1, true))
    outcome, message = cegis.infer(processor, { "a" }, { encoding = "unary" })
    assert.is_nil(outcome)
    assert.is_truthy(message:find("union or lira", 1, true))
  end)
end)

-- The free form has no strategy of its own; this is Algorithm 4.1 with it.
local function infer_free(truth, ports, schemes)
  local search = assert(core.smt.lira { schemes = schemes, ports = ports, epsilon = epsilon, free = true, seed = 1 })
  local function observe(terms)
    local e, length = {}, 0
    for i, copies in pairs(terms) do e["s" .. i - 1], length = copies, length + copies end
    local t = truth:throughput(e)
    assert(search:observe(terms, { upper = t + epsilon * length, { bound = t - epsilon * length } }))
  end
  for i = 1, schemes do observe { [i] = 1 } end
  while true do
    local mapping = assert(search:mapping())
    local found, terms
    for length = 1, 4 do
      found, terms = search:other(mapping, length)
      if found then break end
    end
    if not found then
      found, terms = search:other(mapping)
      assert.is_not_nil(found, terms)
    end
    if not found then return mapping, search end
    observe(terms)
  end
end

local function table_of(mapping, ports)
  local m = { format = "portolan-mapping", version = 1, processor = { name = "free" }, ports = {}, schemes = {} }
  for k = 1, ports do m.ports[k] = tostring(k - 1) end
  for i, masks in ipairs(mapping) do
    local uops = {}
    for u, mask in ipairs(masks) do
      local on = {}
      for k = 1, ports do
        if mask >> (k - 1) & 1 == 1 then on[#on + 1] = m.ports[k] end
      end
      uops[u] = { on, 1 }
    end
    m.schemes["s" .. i - 1] = { uops = uops, status = "explained" }
  end
  return m
end

describe("the free form", function()
  it("finds mappings of 2 schemes to 2 ports without knowing numbers of uops", function()
    for seed = 1, 3 do
      local truth = random_mapping.three_level { seed = seed, ports = 2, schemes = 2, uops = 2 }
      local mapping, search = infer_free(core.model.mapping(truth), 2, 2)
      assert.is_false(told_apart(truth, table_of(mapping, 2)))
      search:close()
    end
  end)

  it("names contradictions", function()
    local search = assert(core.smt.lira { schemes = 1, ports = 2, free = true })
    assert(search:observe({ 1 }, { upper = 9, { bound = 1 } }))
    assert(search:observe({ 1 }, { upper = 3.2, { bound = 2.8 } }))
    assert(search:observe({ 2 }, { upper = 4.1 }))
    assert.is_false(search:mapping())
    assert.same({ 2, 3 }, search:conflict())
    assert.equal(3, search:statistics().observations)
  end)
end)

describe("core.smt.lira", function()
  it("refuses misuse", function()
    local search = assert(core.smt.lira { schemes = 2, ports = 3 })
    assert.has_error(function() search:observe({ 0 }, {}) end)
    assert.has_error(function() search:other({ 1 }) end)
    assert.has_error(function() search:other({ 1, 0 }) end)
    assert.has_error(function() search:fix({ 1 }) end)
    assert.has_error(function() search:same(3, 1) end)
    assert.is_nil((search:observe({ 1 }, { upper = 2, { bound = 1, weight = 3 } })))
    assert.is_nil((search:fix({ 8, 0 })))
    search:close()
    assert.has_error(function() search:mapping() end, "search is closed")
    local free = assert(core.smt.lira { schemes = 1, ports = 2, free = true })
    assert.has_error(function() free:other({ 1 }) end)
    assert.has_error(function() free:other({ {} }) end)
    assert.is_nil((free:fix({ 0 })))
    assert.is_nil((core.smt.lira { schemes = 2, ports = 9, free = true }))
    assert.is_nil((core.smt.lira { schemes = 2, ports = 40 }))
    assert.has_error(function() core.smt.lira { schemes = 1, ports = 1, epsilon = 0 / 0 } end)
  end)
end)
