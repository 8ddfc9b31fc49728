-- Accuracy of models: coverage, units, metrics of published data, lengths, orders, the worst.
local accuracy = require "portolan.prediction.accuracy"
local core = require "portolan.core"
local experiment = require "portolan.experiment"
local experiments = require "portolan.experiment.list"
local file = require "portolan.support.file"
local lengths = require "portolan.scheme.lengths"
local mapping = require "portolan.mapping"
local orders = require "portolan.experiment.orders"
local predictors = require "portolan.prediction.compared"

local source = assert(os.getenv("PORTOLAN_SOURCE"))

-- A file of the recorded data, next to the source tree; nil if it is not there.
local function recorded(name)
  for _, root in ipairs { source .. "/../shared/data/", source .. "/../../shared/data/" } do
    if file.kind(root .. name) then return root .. name end
  end
end

local function constant(name, cycles)
  return { name = name, predict = function() if cycles then return cycles end return nil, "it is silent" end }
end

local function record(e, cycles, extra)
  local r = { e = e, cycles = cycles, status = "ok" }
  for key, value in pairs(extra or {}) do r[key] = value end
  return r
end

-- tau-b, Pearson and MAPE the slow and obvious way.
local function slowly(modelled, measured)
  local n, error, balance, tied_x, tied_y, all = #measured, 0, 0, 0, 0, 0
  for i = 1, n do
    error = error + math.abs(modelled[i] - measured[i]) / measured[i]
    for j = 1, i - 1 do
      local a, b = modelled[i] - modelled[j], measured[i] - measured[j]
      all, tied_x, tied_y = all + 1, tied_x + (a == 0 and 1 or 0), tied_y + (b == 0 and 1 or 0)
      if a * b ~= 0 then balance = balance + (a * b > 0 and 1 or -1) end
    end
  end
  return error / n, balance / math.sqrt((all - tied_x) * (all - tied_y))
end

describe("units", function()
  local set = accuracy.set { record({ a = 2 }, 1), record({ a = 1, b = 3 }, 8) }

  it("are cycles, CPI and IPC", function()
    local function series(unit)
      local m = accuracy.evaluate(set, { constant("two", 2) }, { unit = unit }).models[1]
      return m.measured, m.modelled
    end
    assert.same({ { 1, 8 }, { 2, 2 } }, { series "cycles" })
    assert.same({ { 0.5, 2 }, { 1, 0.5 } }, { series "cpi" })
    assert.same({ { 2, 0.5 }, { 1, 2 } }, { series "ipc" })
  end)

  it("give the error in CPI in any case", function()
    for _, unit in ipairs(accuracy.units) do
      assert.equal(1.5, accuracy.evaluate(set, { constant("two", 2) }, { unit = unit }).models[1].largest_cpi)
    end
  end)

  it("leave out what has none: no cycles, no IPC", function()
    local cycles = accuracy.evaluate(set, { constant("none", 0) }, { unit = "cycles" }).models[1]
    assert.equal(2, cycles.summary.n)
    assert.equal(1, cycles.summary.mape)
    local ipc = accuracy.evaluate(set, { constant("none", 0) }, { unit = "ipc" }).models[1]
    assert.equal(0, ipc.summary.n)
    assert.equal(2, ipc.left_out[1].n)
    assert.is_nil(ipc.summary.mape)
  end)
end)

describe("a set", function()
  it("keeps what was measured and counts the rest", function()
    local set = accuracy.set { record({ a = 1 }, 1), { e = { b = 1 }, status = "unstable" }, { e = { b = 2 }, status = "unstable" } }
    assert.equal(1, #set.records)
    assert.equal(3, set.total)
    assert.same({ unstable = 2 }, set.unmeasured)
  end)

  it("refuses what is no experiment or no number", function()
    for _, bad in ipairs { record({}, 1), record({ a = 0 }, 1), record({ [1] = 1 }, 1), record({ a = 1 }, -1), record({ a = 1 }, 0 / 0),
      record({ a = 1 }, math.huge), record({ a = 1 }, 1e-200), record({ a = 1 }, "1"), record({ a = 1 }) } do
      local set, message = accuracy.set { record({ a = 1 }, 1), bad }
      assert.is_nil(set)
      assert.matches("^experiment 2: ", message)
    end
  end)
end)

describe("coverage", function()
  local m = mapping.two_level({ "0", "1" }, { a = { "0" }, b = { "0", "1" } })
  m.schemes.c = { status = "unstable" }
  local set = accuracy.set { record({ a = 1 }, 1), record({ a = 1, c = 1 }, 1), record({ c = 2 }, 1), record({ b = 1, d = 1 }, 1),
    record({ b = 2 }, 1, { others = { tool = 1.5 } }) }
  local path = os.tmpname()
  assert(mapping.save(m, path))
  local list = assert(predictors.load("mine=" .. path, {}))
  os.remove(path)
  list[2] = predictors.recorded "tool"

  it("is each model's own, and says what is missing", function()
    local result = accuracy.evaluate(set, list)
    assert.equal(1, result.common)
    assert.same({ 1, 5 }, result.models[1].index)
    assert.same({ { reason = "schemes that it does not explain", n = 3, scheme = "c", scheme_n = 2 } }, result.models[1].left_out)
    assert.same({ 5 }, result.models[2].index)
    assert.equal(4, result.models[2].left_out[1].n)
  end)

  it("can be what all have in common", function()
    local result = accuracy.evaluate(set, list, { common = true })
    for _, model in ipairs(result.models) do assert.same({ 5 }, model.index) end
    assert.equal(0.5, result.models[2].summary.mape)
  end)

  it("survives predictions that are none", function()
    for _, cycles in ipairs { 0 / 0, math.huge, -1, 1e300 } do
      local model = accuracy.evaluate(set, { constant("odd", cycles) }).models[1]
      assert.equal(0, model.summary.n)
      assert.equal(5, model.left_out[1].n)
    end
    assert.same({ { reason = "it is silent", n = 5 } }, accuracy.evaluate(set, { constant("silent", nil) }).models[1].left_out)
  end)
end)

describe("a summary", function()
  it("agrees with looking at all pairs", function()
    local rng = core.base.rng(5)
    for _ = 1, 50 do
      local modelled, measured = {}, {}
      for i = 1, 2 + rng:below(40) do modelled[i], measured[i] = rng:below(8) / 3, (1 + rng:below(20)) / 7 end
      local s, mape, tau = accuracy.summary(modelled, measured), slowly(modelled, measured)
      assert.is_true(math.abs(s.mape - mape) < 1e-12)
      if tau == tau then assert.is_true(math.abs(s.kendall - tau) < 1e-12) else assert.is_nil(s.kendall) end
    end
  end)

  it("tells sides and quantiles", function()
    local s = accuracy.summary({ 1, 2.2, 3, 2, 5.005 }, { 1, 2, 3, 4, 5 })
    assert.is_true(math.abs(s.bias - (0.1 - 0.5 + 0.001) / 5) < 1e-12)
    assert.same({ 0.2, 0.2 }, { s.over, s.under })
    assert.equal(0, s.quantiles[3])
    assert.is_true(math.abs(s.quantiles[1] - (0.2 * 0 + 0.8 * -0.5)) < 1e-12)
  end)

  it("of nothing is empty", function()
    local s = accuracy.summary({}, {})
    assert.same({ n = 0, quantiles = {}, absolute = {} }, s)
  end)
end)

describe("the engine's functions on series", function()
  it("give bins and quantiles", function()
    local grid = core.model.heatmap({ 0.5, 1.5, 9, 2 }, { 1.5, 1.5, 1, 2 }, { max = 2, columns = 2, rows = 4 })
    assert.same({ inside = 3, outside = 1, counts = { [2] = { [2] = 1 }, [4] = { [2] = 2 } } }, grid)
    assert.same({ n = 2, bias = 0.25, over = 0.5, under = 0, largest = 1, quantiles = { 0.5 }, absolute = { 0.5 } },
      core.model.deviation({ 3, 4 }, { 2, 4 }, { quantiles = { 1 } }))
    assert.same({ n = 0, quantiles = {}, absolute = {} }, core.model.deviation({}, {}))
  end)

  it("refuse what are no series", function()
    for _, f in ipairs { core.model.metrics, core.model.deviation } do
      local result, message, status = f({ 1 }, { 0 })
      assert.is_nil(result)
      assert.matches("pair 1", message)
      assert.equal("bad input", status)
      assert.has_error(function() f({ 1 }, { 1, 2 }) end)
      assert.has_error(function() f({ "x" }, { 1 }) end)
      assert.has_error(function() f(nil, { 1 }) end)
    end
    for _, bad in ipairs { { max = 0 }, { max = 0 / 0 }, { max = math.huge }, { max = 1, rows = 0 }, { max = 1, columns = 1001 } } do
      assert.has_error(function() core.model.heatmap({ 1 }, { 1 }, bad) end)
    end
    assert.is_nil((core.model.deviation({ 1 }, { 1 }, { tolerance = -1 })))
    assert.is_nil((core.model.deviation({ 1 }, { 1 }, { quantiles = { 2 } })))
  end)
end)

describe("methods", function()
  it("agree where they must", function()
    local m = mapping.two_level({ "0", "1", "5" }, { a = { "0", "1" }, b = { "1" }, c = { "0", "5" } }, { rmax = 2 })
    local path, list = os.tmpname(), {}
    assert(mapping.save(m, path))
    for i = 1, 40 do list[i] = record({ a = 1 + i % 4, b = 1 + i % 3, c = 1 + i % 5 }, 1 + i / 10) end
    local result = accuracy.evaluate(accuracy.set(list), assert(predictors.load("m=" .. path, predictors.methods)))
    os.remove(path)
    local names = {}
    for k, model in ipairs(result.models) do
      names[k] = model.name
      for i, modelled in ipairs(model.modelled) do
        local optimum = result.models[1].modelled[i]
        local below, above = k == 5 and math.huge or 1e-9, k == 6 and math.huge or 1e-9 -- Facile never above, the binder never below
        assert.is_true(modelled > optimum - below and modelled < optimum + above)
      end
    end
    assert.same({ "m", "m (lp)", "m (lp-exact)", "m (conjunctive)", "m (facile)", "m (binder)" }, names)
  end)
end)

describe("by length", function()
  it("experiments fall into classes, each with its own metrics", function()
    local list = {}
    for i = 1, 30 do list[i] = record({ a = 1 + i % 3 }, 1 + i % 3) end
    local result = accuracy.evaluate(accuracy.set(list), { constant("one", 1) }, { unit = "cpi", by_length = true })
    local parts = result.models[1].by_length
    assert.same({ "1", "2", "3" }, { parts[1].label, parts[2].label, parts[3].label })
    assert.same({ 10, 0.5 }, { parts[2].summary.n, parts[2].summary.mape })
    assert.is_nil(accuracy.evaluate(accuracy.set(list), { constant("one", 1) }).models[1].by_length)
  end)

  it("many lengths become ranges that hold them all", function()
    local list = {}
    for i = 1, 150 do list[i] = i end
    local classes, n = lengths.classes(list), 0
    for k, class in ipairs(classes) do
      n = n + class.n
      assert.is_true(k == 1 or class.least == classes[k - 1].most + 1)
    end
    assert.equal(150, n)
    assert.equal("101+", classes[#classes].label)
    assert.equal("6–7", classes[6].label)
    local of = lengths.lookup(classes)
    for i = 1, 150 do assert.is_true(classes[of(i)].least <= i and i <= classes[of(i)].most) end
    assert.same({}, lengths.classes {})
  end)
end)

describe("the worst experiments", function()
  it("come first by relative error", function()
    local rng, list = core.base.rng(9), {}
    for i = 1, 200 do list[i] = record({ a = i }, 0.5 + rng:below(1000) / 100) end
    local set = accuracy.set(list)
    local model = accuracy.evaluate(set, { constant("three", 3) }).models[1]
    local all = {}
    for i, r in ipairs(list) do all[i] = math.abs(3 / r.cycles - 1) end
    table.sort(all, function(a, b) return a > b end)
    for _, count in ipairs { 1, 7, 200, 500 } do
      local worst = accuracy.worst(set, model, count)
      assert.equal(math.min(count, 200), #worst)
      for i, w in ipairs(worst) do assert.equal(all[i], math.abs(w.error)) end
    end
  end)

  it("name the ports that a mapping holds for the bottleneck", function()
    local m = mapping.two_level({ "0", "1" }, { a = { "0" }, b = { "0", "1" } }, { rmax = 2 })
    local path = os.tmpname()
    assert(mapping.save(m, path))
    local set = accuracy.set { record({ a = 3, b = 1 }, 4), record({ b = 2, a = 2 }, 4), record({ b = 5 }, 4) }
    local model = accuracy.evaluate(set, assert(predictors.load(path, {}, 1.5))).models[1]
    os.remove(path)
    assert.equal("port 0", accuracy.limit(model, set.records[1]))
    assert.equal("issue slots", accuracy.limit(model, set.records[2]))
    assert.is_nil(accuracy.limit({ predictor = constant("x", 1) }, set.records[1]))
  end)
end)

describe("orders", function()
  local function spread(list) return orders.spread(assert(accuracy.set(list))) end

  it("are measured by the spread of CPI, per length (Table 3.1)", function()
    local found = spread {
      record({ a = 1, b = 1 }, 1), record({ b = 1, a = 1 }, 1.02), record({ a = 1, b = 1 }, 1.3), -- 0.15 CPI
      record({ a = 2 }, 1), record({ a = 2 }, 1), -- 0
      record({ a = 4 }, 2), record({ a = 4 }, 2.16), -- 0.04
      record({ c = 1 }, 5), -- alone
    }
    assert.equal(2, #found.rows)
    local two, four = found.rows[1], found.rows[2]
    assert.same({ "2", 2, 0.5 }, { two.label, two.n, two.above })
    assert.is_true(math.abs(two.max - 0.15) < 1e-12 and math.abs(two.mean - 0.075) < 1e-12)
    assert.equal("a + b", experiment.format(two.widest))
    assert.is_true(four.above == 0 and math.abs(four.max - 0.04) < 1e-12)
    assert.equal(3, found.all.n)
  end)

  it("that are named are told from repetitions", function()
    local ab, ba = { "a", "b" }, { "b", "a" }
    local e = { a = 1, b = 1 }
    local found = spread { record(e, 1, { order = ab }), record(e, 3, { order = ab }), record(e, 2.2, { order = ba }) }
    assert.is_true(math.abs(found.all.max - 0.1) < 1e-12) -- means 2 and 2.2
    assert.is_false(spread { record(e, 1, { order = ab }), record(e, 3, { order = ab }) })
    assert.is_false(spread { record(e, 1) })
  end)

  it("must be of the experiment's schemes", function()
    for _, order in ipairs { { "a" }, { "a", "b", "b" }, { "a", 7 }, { x = 1 } } do
      local found, message = spread { record({ a = 1, b = 1 }, 1, { order = order }) }
      assert.is_nil(found)
      assert.matches("'order'", message)
    end
  end)
end)

describe("models' names", function()
  it("are what distinguishes their files", function()
    for path, name in pairs { ["x/mapping_uops_info.json"] = "uops.info", ["mapping_pmevo.json"] = "PMEvo", ["zenp/mapping.json"] = "zenp",
      ["./mapping.json"] = "mapping", ["mapping.json"] = "mapping", ["a/skl.v2.json"] = "skl.v2", ["palmed-mapping.json"] = "Palmed",
      ["d/port_mapping.json"] = "d" } do
      assert.equal(name, predictors.name(path), path)
    end
    assert.equal("Imaginary", predictors.name("mapping.json", { processor = { name = "Imaginary" } }))
  end)

  it("can be given", function()
    assert.same({ "b=c.json", "a" }, { predictors.split "a=b=c.json" })
    assert.same({ "b.json" }, { predictors.split "b.json" })
    assert.same({ "=b.json" }, { predictors.split "=b.json" })
  end)

  it("become different", function()
    local list = { { name = "m", file = "a/m.json" }, { name = "m", file = "b/m.json" }, { name = "t" }, { name = "t" }, { name = "t (2)" } }
    predictors.distinguish(list)
    local seen = {}
    for _, p in ipairs(list) do
      assert.is_nil(seen[p.name], p.name)
      seen[p.name] = true
    end
    assert.same({ "a/m", "b/m", "t" }, { list[1].name, list[2].name, list[3].name })
  end)
end)

describe("recorded measurements of a Skylake", function()
  local path = recorded "pmevo-skl/exps_eval_small_annotated.json"

  it("give the published accuracies", function()
    if not path then return pending("shared/data is not here") end
    local set = assert(accuracy.set(assert(experiments.load(path))))
    local list = predictors.all_recorded(set.records)
    for _, name in ipairs { "uops_info", "pmevo" } do
      list[#list + 1] = assert(predictors.load(recorded("pmevo-skl/mapping_" .. name .. ".json"), {}))[1]
    end
    local expected = { IACA = "7.9 0.867 0.689", Ithemal = "62.1 0.322 0.395", ["uops.info"] = "9.6 0.913 0.758",
      PMEvo = "14.7 0.978 0.720", ["llvm-mca"] = "223.5 0.331 0.458" }
    for _, unit in ipairs { "cycles", "cpi" } do
      local result, n = accuracy.evaluate(set, list, { unit = unit }), 0
      for _, model in ipairs(result.models) do
        local s = model.summary
        assert.equal(expected[model.name], ("%.1f %.3f %.3f"):format(100 * s.mape, s.pearson, s.kendall), model.name)
        assert.equal(2000, s.n)
        n = n + 1
      end
      assert.equal(5, n)
    end
  end)

  it("of a Zen+ are explained within 0.012 CPI", function()
    if not path then return pending("shared/data is not here") end
    local set = assert(accuracy.set(assert(experiments.load(recorded "zenp/experiments.json"))))
    local list = assert(predictors.load(recorded "zenp/mapping.json", {}, 5))
    local model = accuracy.evaluate(set, list).models[1]
    assert.equal(58, model.summary.n)
    assert.is_true(model.largest_cpi <= 0.0125)
    assert.equal("0.012", ("%.3f"):format(model.largest_cpi))
  end)
end)

describe("experiments files", function()
  it("carry predictions and orders", function()
    local line = '{"cycles":1,"e":{"a":2},"order":["a","a"],"others":{"tool":1.5}}\n'
    local list = assert(experiments.parse(line))
    assert.equal(1.5, list[1].others.tool)
    assert.matches('"order":%["a","a"%],"others":{"tool":1.5}', assert(experiments.encode(list)))
    for _, bad in ipairs { '"others":{"tool":"x"}', '"others":[1]', '"others":null', '"others":7', '"order":7' } do
      local found, message = experiments.parse('{"cycles":1,"e":{"a":1},' .. bad .. "}")
      assert.is_nil(found, bad)
      assert.matches("^experiments:1: field '" .. bad:match("%a+") .. "'", message)
    end
  end)
end)

describe("evaluation of damaged files", function()
  local texts = {
    [[{"kind":"ExperimentList","exps":[{"iseq":["a","b"],"result":{"cycles":1.5},"other_results":[{"id":"tool","cycles":1}]},
      {"iseq":["a"],"result":{"cycles":0.5}},{"iseq":["a"],"result":{"cycles":0.6},"other_results":[{"id":"x","cycles":2}]}]}]],
    '{"cycles":1,"e":{"a":2,"b":1},"order":["a","b","a"],"others":{"tool":1.5}}\n{"cycles":1.1,"e":{"a":2,"b":1},"order":["a","a","b"]}\n'
      .. '{"e":{"c":1},"status":"unstable"}\n',
  }
  local scraps = { "null", "0", "-1", "1e308", "1e-308", "1e999", "{}", "[]", '""', '"a"', "[null]", "true", "1.5", "\0", "\255", ",", "" }

  -- One of the values of a text replaced by something else, or a byte.
  local function damage(text, rng)
    local scrap = scraps[1 + rng:below(#scraps)]
    local places = {}
    for from, to in text:gmatch('()[%w."]+()') do places[#places + 1] = { from, to } end
    local place = places[1 + rng:below(#places)]
    return text:sub(1, place[1] - 1) .. scrap .. text:sub(place[2])
  end

  it("ends with a result or a message", function()
    local rng, evaluated = core.base.rng(11), 0
    local report = require "portolan.report"
    local m = mapping.two_level({ "0" }, { a = { "0" } })
    local path = os.tmpname()
    assert(mapping.save(m, path))
    local mine = assert(predictors.load(path, {}))[1]
    os.remove(path)
    for round = 1, 1500 do
      local text = damage(texts[1 + round % 2], rng)
      if round % 3 == 0 then text = damage(text, rng) end
      local list, message = experiments.parse(text, "x")
      local set
      if list then set, message = accuracy.set(list) end
      if set then
        evaluated = evaluated + 1
        local all = predictors.all_recorded(set.records)
        all[#all + 1] = mine
        predictors.distinguish(all)
        local result = accuracy.evaluate(set, all, { unit = accuracy.units[1 + round % 3], by_length = true })
        local spread, fault = orders.spread(set)
        assert.is_true(spread ~= nil or type(fault) == "string")
        if round % 10 == 0 then report.accuracy { result = result, set = set, spread = spread or nil } end
      else
        assert.equal("string", type(message))
        assert.is_nil(message:find("\n", 1, true))
      end
    end
    assert.is_true(evaluated > 100, tostring(evaluated))
  end)
end)
