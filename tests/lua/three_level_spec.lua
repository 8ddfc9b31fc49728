-- Inference of schemes of several uops.
local core = require "portolan.core"
local cegis = require "portolan.infer.cegis"
local experiment = require "portolan.experiment"
local experiments = require "portolan.experiment.list"
local file = require "portolan.support.file"
local mapping = require "portolan.mapping"
local replay = require "portolan.processor.replay"
local random_mapping = require "support.random_mapping"
local simulated = require "portolan.processor.simulated"
local tiny_mapping = require "support.tiny_mapping"
local uop_counts = require "portolan.infer.cegis.uop_counts"

local function uops_of(m)
  local names, uops = {}, {}
  for name, scheme in pairs(m.schemes) do
    names[#names + 1], uops[name] = name, 0
    for _, uop in ipairs(scheme.uops) do uops[name] = uops[name] + uop[2] end
  end
  table.sort(names)
  return names, uops
end

local function told_apart(a, b, epsilon)
  local answer = assert(core.model.compare(core.model.mapping(a), core.model.mapping(b), { epsilon = epsilon }))
  assert.is_true(answer.complete)
  return answer.distinguishable
end

local function random_cpu(seed, ports, shape)
  local rng, schemes, digits = core.base.rng(seed), {}, "0123456789"
  for i, uops in ipairs(shape) do
    local list = {}
    for u = 1, uops do
      local order = {}
      for k = 1, ports do order[k] = k end
      rng:shuffle(order)
      local set = table.move(order, 1, 1 + rng:below(math.min(4, ports)), 1, {})
      table.sort(set)
      for k, port in ipairs(set) do set[k] = digits:sub(port, port) end
      list[u] = table.concat(set)
    end
    schemes["s" .. i] = list
  end
  return tiny_mapping(nil, digits:sub(1, ports), schemes)
end

describe("three-level inference", function()
  it("finds random mappings, or ones that no experiment tells from them", function()
    for seed, shape in ipairs { { 2, 1, 1 }, { 2, 2, 1 }, { 3, 1, 1, 1 }, { 2, 2, 2 }, { 4, 1, 1 } } do
      local truth = random_cpu(seed, 4 + seed % 2, shape)
      local names, uops = uops_of(truth)
      local outcome = assert(cegis.infer(assert(simulated.new { mapping = truth }), names, { uops = uops, ports = #truth.ports, seed = seed }))
      assert.equal("unique", outcome.status)
      assert.is_false(told_apart(truth, outcome.mapping, outcome.epsilon))
      local _, found = uops_of(outcome.mapping)
      assert.same(uops, found)
      for _, o in ipairs(outcome.observations) do assert.is_true(math.abs(o.residual) <= outcome.epsilon * experiment.length(o.experiment) + 1e-9) end
    end
  end)

  it("is not misled by noise within epsilon", function()
    for seed = 1, 4 do
      local truth = random_cpu(20 + seed, 5, { 2, 1, 1, 1 })
      local names, uops = uops_of(truth)
      local processor = assert(simulated.new { mapping = truth, noise = { kind = "uniform", width = 0.01, unit = "cpi" }, seed = seed })
      local outcome = assert(cegis.infer(processor, names, { uops = uops, ports = 5, seed = seed }))
      assert.equal("unique", outcome.status)
      -- Noise may keep two mappings that are 2 epsilon apart, but not three.
      assert.is_false(told_apart(truth, outcome.mapping, 1.5 * outcome.epsilon))
    end
  end)

  it("lists the usages that remain possible, and no experiment tells them apart", function()
    local truth = tiny_mapping(4, "0123456", { add = { "0123" }, load = { "45" }, store = { "6", "0123" }, mul = { "0" } })
    truth.schemes.store.slots = 1 -- its two uops share it
    local names, uops = uops_of(truth)
    local outcome = assert(cegis.infer(assert(simulated.new { mapping = truth }), names, { uops = uops, ports = 7, rmax = 4 }))
    assert.equal("unique", outcome.status)
    assert.is_false(told_apart(truth, outcome.mapping, outcome.epsilon))
    local open = {}
    for _, point in ipairs(outcome.open) do
      open[point.a] = point
      assert.is_true(#point.usages >= 2)
      assert.matches("^" .. point.a .. " is %[.*it could also be %[", point.text)
    end
    assert.is_truthy(open.store) -- what its second uop shares with the additions is beyond the front end
    assert.is_nil(open.mul)
  end)

  it("finds the numbers of uops, too", function()
    local truth = tiny_mapping(nil, "012", { a = { "0", "12" }, b = { "0" }, c = { "12" } })
    local processor = assert(simulated.new { mapping = truth })
    local outcome = assert(uop_counts.infer(processor, { "a", "b", "c" }, { ports = 3, most_uops = 2 }))
    assert.equal("unique", outcome.status)
    assert.same({ a = 2, b = 1, c = 1 }, outcome.uops)
    assert.is_true(outcome.refuted >= 1)
    assert.is_false(told_apart(truth, outcome.mapping, outcome.epsilon))
    outcome = assert(uop_counts.infer(processor, { "a", "b", "c" }, { ports = 3, most_uops = 1 }))
    assert.equal("contradiction", outcome.status)
    assert.is_truthy(outcome.conflict)
  end)

  it("finds the numbers of uops on as few ports as are needed, where nobody says how many there are", function()
    local truth = tiny_mapping(nil, "0123", { a = { "0123" }, b = { "1" }, c = { "03" }, d = { "0123", "23" }, e = { "1", "23" } })
    local said
    local outcome = assert(uop_counts.infer(assert(simulated.new { mapping = truth }), { "a", "b", "c", "d", "e" }, { most_uops = 2, time_limit = 30,
      progress = function(s) said = s.search end }))
    assert.equal("unique", outcome.status)
    assert.same({ a = 1, b = 1, c = 1, d = 2, e = 2 }, outcome.uops)
    assert.is_false(told_apart(truth, outcome.mapping, outcome.epsilon))
    assert.same({ kind = "fewest ports", ports = 4, text = "no more ports than the 4 that are needed" }, outcome.assumed[#outcome.assumed])
    assert.matches("^numbers of uops up to 2 on %d ports, %d+ refuted$", said)
    -- no scheme alone keeps more than one of them busy
    truth = tiny_mapping(nil, "012", { a = { "0" }, b = { "1" }, c = { "2", "2" } })
    outcome = assert(uop_counts.infer(assert(simulated.new { mapping = truth }), { "a", "b", "c" }, { most_uops = 2, time_limit = 30 }))
    assert.equal("unique", outcome.status)
    assert.is_false(told_apart(truth, outcome.mapping, outcome.epsilon))
    assert.equal(3, outcome.assumed[#outcome.assumed].ports)
    outcome = assert(uop_counts.infer(assert(simulated.new { mapping = truth }), { "a", "b", "c" }, { most_uops = 1 }))
    assert.equal("contradiction", outcome.status)
    assert.matches("^all numbers of uops up to 1 are refuted for up to 16 ports; of the last ones, no mapping", outcome.conflict.text)
  end)

  it("finds numbers of uops that nothing tells from the truth, or says that it did not get there", function()
    for seed = 1, 3 do
      local truth = random_mapping.three_level { seed = seed, ports = 3, schemes = 3, uops = 2 }
      local processor = assert(simulated.new { mapping = truth })
      local names = uops_of(truth)
      local outcome = assert(uop_counts.infer(processor, names, { ports = 3, most_uops = 2 }))
      assert.equal("unique", outcome.status)
      assert.is_false(told_apart(truth, outcome.mapping, outcome.epsilon))
      local cut = assert(uop_counts.infer(processor, names, { ports = 3, most_uops = 2, experiment_limit = 3 }))
      assert.equal("limit", cut.status)
      assert.is_nil(cut.certificate)
    end
  end)

  it("keeps to numbers of uops that are known, and says which others would do", function()
    local truth = tiny_mapping(nil, "01", { a = { "01", "01" }, b = { "0" } })
    local processor = assert(simulated.new { mapping = truth })
    local outcome = assert(uop_counts.infer(processor, { "a", "b" }, { ports = 2, most_uops = 2, uops = { a = 2 } }))
    assert.same({ a = 2, b = 1 }, outcome.uops)
    assert.equal("unique", outcome.status)
    truth.rmax, truth.schemes.a.slots = 0.5, 1 -- the front end hides all of it
    outcome = assert(uop_counts.infer(assert(simulated.new { mapping = truth }), { "a", "b" }, { ports = 2, most_uops = 3, rmax = 0.5 }))
    assert.equal("unique", outcome.status)
    assert.same({ a = 1, b = 1 }, outcome.uops)
    local said = {}
    for _, point in ipairs(outcome.open) do said[#said + 1] = point.text end
    assert.matches("a is 1 uops; 2 or 3 would do as well", table.concat(said, "\n"))
  end)

  it("says which experiments a record lacks to tell numbers of uops apart", function()
    local truth = tiny_mapping(nil, "01", { a = { "0", "1" }, b = { "0" } })
    local records = { { e = { a = 1 }, cycles = 1, status = "ok" }, { e = { b = 1 }, cycles = 1, status = "ok" } }
    local record = assert(require("portolan.processor.replay").new { records = records })
    local outcome = assert(uop_counts.infer(record, { "a", "b" }, { ports = 2, most_uops = 2 }))
    assert.equal("undecided", outcome.status)
    assert.is_true(#outcome.wanted > 0)
    local whole = assert(simulated.new { mapping = truth })
    for _, w in ipairs(outcome.wanted) do
      assert.equal("ok", whole:measure({ w.experiment })[1].status)
      assert.is_true(math.abs(w.chosen - w.other) > 0.02)
    end
  end)

  it("does not call unique what other mappings of other numbers differ from, though the first of them is as good", function()
    local records = {}
    for i, r in ipairs { { { a = 1, b = 1 }, 2 }, { { a = 4, c = 1 }, 5 }, { { b = 2, c = 1 }, 3 } } do
      records[i] = { e = r[1], cycles = r[2], status = "ok" }
    end
    local outcome = assert(uop_counts.infer(assert(replay.new { records = records }), { "a", "b", "c" }, { ports = 2, most_uops = 2 }))
    assert.equal("undecided", outcome.status)
    local seen = {}
    for _, wish in ipairs(outcome.wanted) do
      local key = experiment.key(wish.experiment)
      assert.is_nil(seen[key], key)
      seen[key] = true
    end
    assert.is_truthy(next(seen))
  end)
  it("takes an R_max of 1000, the most that the command line takes", function()
    local processor = assert(simulated.new { mapping = tiny_mapping(nil, "01", { a = { "0", "1" }, b = { "1" } }) })
    assert.equal("unique", assert(cegis.infer(processor, { "a", "b" }, { ports = 2, rmax = 1000 })).status)
  end)
  it("takes no choice twice, and none that is refuted", function()
    local uop_choices = require "portolan.infer.cegis.uop_choices"
    local choices, seen = uop_choices.new { { 1, 3 }, { 2, 2 }, { 1, 3 } }, {}
    choices:each(function(list) seen[#seen + 1] = table.concat(list) end)
    assert.same({ "121", "122", "221", "123", "222", "321", "223", "322", "323" }, seen)
    choices:refute { [1] = 1 }
    choices:refute { [1] = 2, [3] = 3 }
    seen = {}
    choices:each(function(list)
      seen[#seen + 1] = table.concat(list)
      if #seen == 2 then choices:refute { [1] = 3 } end
    end)
    assert.same({ "221", "222" }, seen)
    assert.equal(7, choices:each(function(list) return list[3] == 2 and 7 or nil end))
  end)

  it("shows its question as SMT-LIB", function()
    local search = assert(core.smt.search { schemes = 2, uops = { 2, 1 }, ports = 3, epsilon = 0.02 })
    assert(search:observe({ 1, 1 }, { upper = 1.05, { bound = 0.95 } }))
    local m = assert(search:mapping())
    assert.equal(3, #m)
    local text = search:text(m)
    assert.matches("declare%-fun", text)
    assert.matches("%(check%-sat%-assuming %(.*other", text)
    assert.is_truthy(search:tell(m)) -- and can still be asked
    search:close()
  end)

  it("refuses what makes no sense in one line", function()
    local truth = tiny_mapping(nil, "01", { a = { "0", "1" }, b = { "1" } })
    local processor = assert(simulated.new { mapping = truth })
    local function message(options)
      options.ports = 2
      local outcome, text = cegis.infer(processor, { "a", "b" }, options)
      assert.is_nil(outcome)
      return text
    end
    assert.matches("without uops", message { uops = { a = 0 } })
    assert.matches("more than 64 uops", message { uops = { a = 64 } })
    assert.matches("R_max is 5000 instructions a cycle; it must be 1000 at most", message { rmax = 5000 })
    assert.matches("number of ports for a scheme of 2 uops", message { uops = { a = 2 }, port_counts = { a = 2 } })
    assert.matches("same_uop of 'b': no scheme with a single uop", message { uops = { a = 2 }, same_uop = { { scheme = "b", among = { "a" } } } })
    local many = {}
    for i = 1, 65 do many[i] = { scheme = "a", among = { "b" } } end
    assert.matches("same_uop of 'a': uops that others have, too, are given more than 64 times; say it once",
      message { uops = { a = 2 }, same_uop = many })
  end)
end)

-- The recorded experiments of a real Zen+ (docs/inference.md), with what was known beforehand: ports of the proper blocking
-- instructions from their throughput alone, two uops of the stores, one of which is one of the others'.
describe("Zen+", function()
  local base
  for _, above in ipairs { "/../shared/data/zenp/", "/../../shared/data/zenp/" } do
    if file.kind(os.getenv("PORTOLAN_SOURCE") .. above) then base = os.getenv("PORTOLAN_SOURCE") .. above end
  end
  local function it_if(name, f)
    it(name, function()
      if not base then return pending("the recorded experiments are not there") end
      f()
    end)
  end

  local counts = { add = 4, vpor = 4, vpaddd = 3, vminps = 2, vbroadcastss = 2, vpaddsw = 2, vaddps = 2, mov = 2, vpslld = 1, vroundps = 1 }

  local function options_for(names)
    local o = { ports = 10, rmax = 5, epsilon = 0.02, uops = {}, port_counts = {}, same_uop = {} }
    local proper = {}
    for _, name in ipairs(names) do
      if name:find("^mov dword ptr") or name:find("^vmovapd xmmword ptr") then
        o.uops[name] = 2
      else
        proper[#proper + 1], o.port_counts[name] = name, counts[name:match("^%w+")]
      end
    end
    for name in pairs(o.uops) do o.same_uop[#o.same_uop + 1] = { scheme = name, among = proper } end
    table.sort(o.same_uop, function(x, y) return x.scheme < y.scheme end)
    return o
  end

  local function infer(change)
    local list, names, seen = assert(experiments.load(base .. "experiments.json")), {}, {}
    for _, record in ipairs(list) do
      for name in pairs(record.e) do
        if not seen[name] then names[#names + 1], seen[name] = name, true end
      end
    end
    table.sort(names)
    if change then change(list) end
    local processor, o = assert(replay.new { records = list }), options_for(names)
    o.initial = processor:experiments()
    return assert(cegis.infer(processor, names, o)), list
  end

  it_if("is explained by one mapping, up to what no experiment tells", function()
    local outcome, list = infer()
    assert.equal("unique", outcome.status)
    assert.equal(58, #list)
    local m = core.model.mapping(outcome.mapping)
    for _, record in ipairs(list) do
      local t = assert(m:throughput(record.e))
      assert.is_true(math.abs(t - record.cycles) <= 0.02 * experiment.length(record.e) + 1e-9)
    end
    local published = assert(mapping.load(base .. "mapping.json"))
    published.rmax = 5
    assert.is_false(told_apart(published, outcome.mapping, 0.02))
    local open = {}
    for _, point in ipairs(outcome.open) do open[point.a:match("^%w+ ?%w*")] = point end
    assert.is_truthy(open["add RW"]) -- as in section 6.3.4: may share a port with the vector units
    assert.is_nil(open["vpslld W"])
  end)

  it_if("names a falsified experiment", function()
    for _, k in ipairs { 5, 20, 41 } do
      local falsified
      local outcome = infer(function(list)
        falsified = experiment.key(list[k].e)
        list[k].cycles = list[k].cycles + 0.1 * experiment.length(list[k].e)
      end)
      assert.equal("contradiction", outcome.status)
      local named = false
      for _, o in ipairs(outcome.conflict.experiments) do named = named or experiment.key(o.experiment) == falsified end
      assert.is_true(named)
      assert.is_true(#outcome.conflict.experiments <= 6)
    end
  end)
end)
