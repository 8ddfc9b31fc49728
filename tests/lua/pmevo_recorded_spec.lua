-- portolan infer pmevo from a record: all of its experiments count, and what it does not answer says nothing.
local accuracy = require "portolan.prediction.accuracy"
local core = require "portolan.core"
local experiment = require "portolan.experiment"
local experiments = require "portolan.experiment.list"
local file = require "portolan.support.file"
local json = require "portolan.support.json"
local mapping = require "portolan.mapping"
local model = require "portolan.prediction.model"
local pmevo = require "portolan.infer.pmevo"
local predictors = require "portolan.prediction.compared"
local process = require "process"
local replay = require "portolan.processor.replay"

local function two_level(text) -- "a=01 b=2"
  local ports, schemes = { "0", "1", "2", "3", "4" }, {}
  for name, digits in text:gmatch "(%w+)=(%d+)" do
    schemes[name] = {}
    for digit in digits:gmatch "." do table.insert(schemes[name], digit) end
  end
  return mapping.two_level(ports, schemes)
end

-- What a processor with this mapping takes for experiments.
local function times(m, list)
  local compiled, records = assert(mapping.compile(m)), {}
  for i, e in ipairs(list) do records[i] = { e = e, cycles = compiled:throughput(e), status = "ok" } end
  return records
end

local function add_all(list, more) return table.move(more, 1, #more, #list + 1, list) end

local function singles(names)
  local list = {}
  for i, name in ipairs(names) do list[i] = { [name] = 1 } end
  return list
end

-- Random experiments of so many instructions.
local function random(names, length, count, seed)
  local rng, list = core.base.rng(seed), {}
  for i = 1, count do
    local picked = {}
    for k = 1, length do picked[k] = names[rng:below(#names) + 1] end
    list[i] = experiment.of_list(picked)
  end
  return list
end

local function infer(records, names, o)
  o = o or {}
  o.ports, o.threads = o.ports or 5, 1
  return pmevo.infer(assert(replay.new { records = records }), names, o)
end

local function error_of(m, records)
  local result = accuracy.evaluate(assert(accuracy.set(records)), { predictors.of_model(assert(model.of(m)), "m") })
  return result.models[1].summary.mape, result.models[1].summary.n
end

-- 24 schemes, of eight kinds that take the same time alone three by three.
local function wide()
  local kinds, parts = { "01", "23", "04", "12", "0", "1", "2", "012" }, {}
  for k, ports in ipairs(kinds) do
    for i = 1, 3 do parts[#parts + 1] = ("s%d%d=%s"):format(k, i, ports) end
  end
  local m = two_level(table.concat(parts, " "))
  return m, mapping.schemes(m, true)
end

describe("a record", function()
  it("is no evidence that schemes are equal whose pairs it lacks", function()
    local m = two_level "a=0 b=1 c=0 d=01"
    -- a and b take the same time alone; only their company tells them apart, and that they were not measured together is no such thing
    local outcome = assert(infer(times(m, add_all(singles { "a", "b", "c", "d" }, { { a = 1, c = 1 }, { b = 1, c = 1 } })), { "a", "b", "c", "d" }))
    assert.not_equal(outcome.classes.class.a, outcome.classes.class.b)
    assert.is_true(outcome.error < 1e-5, outcome.error)
  end)
  it("does not merge schemes whose company was not recorded alone", function()
    -- {a, b} takes twice the time of either, as if they had the same ports; what tells them apart are c and d, which occur in pairs only
    local records = times(two_level "a=0 b=0 c=1 d=0", { { a = 1 }, { b = 1 }, { a = 1, b = 1 }, { a = 1, c = 1 }, { b = 1, d = 1 } })
    local classes = assert(infer(records, { "a", "b", "c", "d" })).classes
    assert.not_equal(classes.class.a, classes.class.b)
  end)
  it("tells schemes apart by longer experiments that differ in nothing else", function()
    local names = { "a", "b", "c" }
    local list = { { a = 1 }, { b = 1 }, { c = 1 }, { a = 1, b = 1 }, { a = 1, c = 1 }, { b = 1, c = 1 } }
    local records = times(two_level "a=0 b=0 c=1", list)
    assert.equal(2, assert(infer(records, names)).counts.classes)
    records[7], records[8] = { e = { a = 2, c = 3 }, cycles = 3 }, { e = { b = 2, c = 3 }, cycles = 4 }
    assert.equal(3, assert(infer(records, names)).counts.classes)
  end)
  it("of all pairs gives the classes that measuring gives, and trains with all of them", function()
    local m = two_level "a=0 b=0 c=1 d=1 e=01"
    local names = mapping.schemes(m, true)
    local list = singles(names)
    for i, s in ipairs(names) do
      for k = 1, i - 1 do
        list[#list + 1] = { [s] = 1, [names[k]] = 1 }
        list[#list + 1] = { [s] = 1, [names[k]] = 2 }
        list[#list + 1] = { [s] = 2, [names[k]] = 1 }
      end
    end
    local outcome = assert(infer(times(m, list), names))
    assert.same({ a = { "a", "b" }, c = { "c", "d" }, e = { "e" } }, outcome.classes.members)
    assert.same({ schemes = 5, classes = 3, recorded = 35, used = 35, left_out = {}, training = outcome.counts.training }, outcome.counts)
    -- of those that are equal up to congruent schemes there is one: 3 alone, pairs of 3 kinds three times, {a: 2}, {a: 3} and the like
    assert.equal(3 + 9 + 4, outcome.counts.training)
  end)
  it("averages experiments that are the same but for congruent schemes", function()
    local records = times(two_level "a=0 b=0", { { a = 1 }, { b = 1 }, { a = 1, b = 1 } })
    records[2].cycles = 1.02
    local outcome = assert(infer(records, { "a", "b" }))
    assert.equal(1, outcome.counts.classes)
    local alone = {}
    for _, x in ipairs(outcome.experiments) do alone[experiment.format(x.e)] = x.cycles end
    assert.near(1.01, alone.a, 1e-9)
    assert.equal(2, alone["2*a"])
  end)
  it("of random experiments of up to four instructions predicts those of five", function()
    local m, names = wide()
    local list = singles(names)
    for length = 2, 4 do add_all(list, random(names, length, 150, length)) end
    local records = times(m, list)
    local outcome = assert(infer(records, names))
    assert.equal(outcome.counts.recorded, outcome.counts.used)
    local error, n = error_of(outcome.mapping, times(m, random(names, 5, 300, 9)))
    assert.equal(300, n)
    assert.is_true(error < 0.03, error)
  end)
  it("of random pairs merges no schemes with different ports", function()
    local m, names = wide()
    local outcome = assert(infer(times(m, add_all(singles(names), random(names, 2, 120, 3))), names, { generations = 1 }))
    for _, name in ipairs(names) do
      assert.same(m.schemes[name].uops, m.schemes[outcome.classes.class[name]].uops)
    end
  end)
  it("needs no scheme alone", function()
    local m = two_level "a=0 b=1 c=01"
    local outcome = assert(infer(times(m, { { a = 2 }, { b = 1, c = 1 }, { a = 1, b = 1 }, { a = 1, b = 1, c = 4 } }), { "a", "b", "c" }))
    assert.equal(3, outcome.counts.classes)
    assert.is_nil(outcome.mapping.schemes.a.tp) -- nobody measured it
    assert.is_true(outcome.error < 1e-5, outcome.error)
  end)
  it("counts what cannot be used", function()
    local records = times(two_level "a=0 b=1 c=2", { { a = 1 }, { b = 1 }, { a = 1, b = 1 }, { a = 1, c = 1 }, { c = 1 } })
    records[#records + 1] = { e = { a = 3 }, status = "unstable" }
    local many = {}
    for k = 1, 17 do many["x" .. k] = 1 end
    records[#records + 1] = { e = many, cycles = 1, status = "ok" }
    local counts = assert(infer(records, { "a", "b", "d" })).counts
    assert.same({ 7, 3, 2 }, { counts.recorded, counts.used, counts.schemes })
    assert.same({ ["with schemes that are not inferred"] = 2, ["without a time"] = 1, ["of more than 16 schemes"] = 1 }, counts.left_out)
  end)
  it("without any time is an error", function()
    local outcome, message = infer({ { e = { a = 1 }, status = "unstable" }, { e = { b = 1 }, cycles = 1 } }, { "a" })
    assert.is_nil(outcome)
    assert.equal("the record has no time of an experiment of these schemes alone", message)
  end)
end)

describe("a record of a Zen+", function()
  local source, path = assert(os.getenv "PORTOLAN_SOURCE"), nil
  for _, root in ipairs { source .. "/../shared/data/", source .. "/../../shared/data/" } do
    if file.kind(root .. "zenp/experiments.json") then path = root .. "zenp/experiments.json" end
  end
  it("of which only two schemes were recorded alone is used whole", function()
    if not path then return pending "no recorded data at ../shared/data" end
    local records, names, seen = assert(experiments.load(path)), {}, {}
    for _, record in ipairs(records) do
      for name in pairs(record.e) do
        if not seen[name] then names[#names + 1], seen[name] = name, true end
      end
    end
    table.sort(names)
    local outcome = assert(infer(records, names, { ports = 10, rmax = 5, generations = 20 }))
    assert.same({ 58, 58, 12, 12 }, { outcome.counts.recorded, outcome.counts.used, outcome.counts.schemes, outcome.counts.classes })
    assert.is_true(outcome.error < 0.02, outcome.error)
  end)
end)

describe("portolan infer pmevo --oracle replay:", function()
  it("says how much of the record it used, and does not ask it for random experiments", function()
    process.in_directory(function(d)
      local records = times(two_level "a=0 b=1 c=01", { { a = 1 }, { b = 1 }, { c = 1 }, { a = 1, b = 1, c = 2 }, { a = 3, c = 2 } })
      records[6] = { e = { a = 9 }, status = "unstable" }
      assert(file.write(d .. "/r.jsonl", assert(experiments.encode(records))))
      local function run(...)
        local r = process.run { args = { process.portolan, "infer", "pmevo", "--oracle", "replay:" .. d .. "/r.jsonl", "--ports", "2", "--out",
          d .. "/out", ... }, env = { LANG = "C" } }
        assert.equal(0, r.status, r.err)
        return r.out
      end
      local out = run()
      assert.matches("\n3 schemes in 3 classes; 5 of 6 recorded experiments used; left out: 1 without a time\n", out)
      assert.matches("\ntraining error 0.00%% on 5 experiments", out)
      assert.matches("test it with experiments of another record: portolan eval OTHER %-%-mapping [^\n]*out/mapping.json\n$", out)
      assert.is_nil(out:find "random experiments")
      local counts = assert(json.decode(run "--json")).counts
      assert.same({ 6, 5, { ["without a time"] = 1 } }, { counts.recorded, counts.used, counts.left_out })
    end)
  end)
end)
