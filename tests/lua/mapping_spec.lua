local core = require "portolan.core"
local experiment = require "portolan.experiment"
local experiments = require "portolan.experiment.list"
local mapping = require "portolan.mapping"
local pmevo = require "portolan.format.pmevo"
local random_mapping = require "support.random_mapping"

local data = (os.getenv("PORTOLAN_SOURCE") or ".") .. "/../shared/data"
local function recorded(name, block)
  local f = io.open(data .. "/README.md")
  if f then
    f:close()
    it(name, block)
  else
    pending(name .. " (no recorded data at ../shared/data)")
  end
end

local text = [==[{"format": "portolan-mapping", "version": 1, "processor": {"name": "x", "vendor": "y"}, "ports": ["0", "1"], "rmax": 4,
  "schemes": {"add r64, r64": {"uops": [[["0", "1"], 1]], "tp": 0.5, "status": "explained", "slots": 1, "witnesses": [], "note": "kept"},
    "cpuid": {"status": "not explained"}, "mov r64, r64": {"uops": [], "status": "explained"}},
  "provenance": {}, "extra": [1, {"a": null}]}]==]

describe("a mapping file", function()
  it("keeps everything on its way through, with the same bytes", function()
    local m = assert(mapping.parse(text))
    assert.equal("kept", m.schemes["add r64, r64"].note)
    local out = assert(mapping.encode(m))
    local again = assert(mapping.parse(out))
    assert.equal(out, mapping.encode(again))
    assert.is_truthy(out:find('"uops": []', 1, true))
    assert.is_truthy(out:find('"provenance": {}', 1, true))
    assert.is_truthy(out:find('"extra": [1, {"a": null}]', 1, true))
    assert.same({ "add r64, r64", "mov r64, r64" }, mapping.schemes(m, true))
    assert.equal(3, #mapping.schemes(m))
  end)
  it("is written whole and read back", function()
    local path = os.tmpname()
    local m = random_mapping.three_level { ports = 6, schemes = 10, seed = 3, rmax = 4 }
    assert(mapping.save(m, path))
    assert.same(m, (function(read)
      for _, s in pairs(read.schemes) do setmetatable(s, nil) end
      return setmetatable(read, nil)
    end)(assert(mapping.load(path))))
    os.remove(path)
    assert.is_nil(mapping.load(path))
    assert.is_nil(mapping.save({ format = "x" }, path))
    assert.is_nil(io.open(path))
  end)
  it("is refused with the place of what is wrong", function()
    local function fault(from, to)
      local changed, n = text:gsub(from, function() return to end)
      assert.equal(1, n, from)
      local m, message = mapping.parse(changed, "m.json")
      assert.is_nil(m, message)
      assert.equal("m.json:", message:sub(1, 7))
      assert.is_nil(message:find("\n", 1, true))
      return message
    end
    assert.matches("m.json:2:", fault('"slots": 1', '"slots": ]'))
    assert.matches("format", fault("portolan%-mapping", "other"))
    assert.matches("version", fault('"version": 1', '"version": 2'))
    assert.matches("processor", fault('{"name": "x", "vendor": "y"}', '"x"'))
    assert.matches('schemes%."add r64, r64"%.uops%[1%]', fault('"0", "1"%], 1%]', '"0", "2"], 1]'))
    assert.matches("slots", fault('"slots": 1', '"slots": -1'))
    assert.matches("status", fault('"not explained"', "7"))
    assert.matches("needs 'uops'", fault('"not explained"', '"explained"'))
    assert.matches("rmax", fault('"rmax": 4', '"rmax": -4'))
    assert.matches("tp", fault('"tp": 0.5', '"tp": "fast"'))
    for _, other in ipairs { "", "[]", "null", "3", "{}", '"x"', "{", '{"format":"portolan-mapping","version":1}', "\255" } do
      local m, message = mapping.parse(other, "m.json")
      assert.is_nil(m, other)
      assert.matches("^m.json", message)
    end
  end)
  it("shows port usage in short", function()
    assert.equal("2*p015 + p4", mapping.usage { uops = { { { "0", "1", "5" }, 2 }, { { "4" }, 1 } } })
    assert.equal("p0,10", mapping.usage { uops = { { { "0", "10" }, 1 } } })
    assert.equal("none", mapping.usage { uops = {} })
    assert.is_nil(mapping.usage {})
  end)
end)

describe("an experiments file", function()
  it("keeps everything on its way through", function()
    local lines = '{"e":{"add r64, r64":2},"cycles":0.41,"n":31,"spread":0.004,"status":"ok","note":[1]}\n\n'
      .. '{"e":{"ud2":1},"status":"illegal instruction"}\n'
    local list = assert(experiments.parse(lines))
    assert.equal(2, #list)
    assert.equal(0.41, list[1].cycles)
    assert.same(list, experiments.parse(assert(experiments.encode(list))))
  end)
  it("is refused with the line and the field", function()
    for line, words in pairs {
      ['{"e":{"a":1},"cycles":1'] = "^x%.jsonl:2:", ['{"e":{"a":0},"cycles":1}'] = "field 'e'", ['{"cycles":1}'] = "field 'e'",
      ['{"e":{"a":1}}'] = "field 'cycles'", ['{"e":{"a":1},"cycles":"1"}'] = "field 'cycles'", ["[]"] = "field 'e'", ["7"] = "object",
      ['{"e":{"a":1},"cycles":1,"status":1}'] = "field 'status'", ['{"e":{},"cycles":1}'] = "empty",
    } do
      local list, message = experiments.parse('{"e":{"a":1},"cycles":1}\n' .. line .. "\n", "x.jsonl")
      assert.is_nil(list, line)
      assert.matches("^x%.jsonl:2:", message)
      assert.matches(words, message)
    end
  end)
end)

describe("random mappings", function()
  it("repeat for a seed and respect their options", function()
    local options = { ports = 8, schemes = 20, seed = 5, least = 2, most = 3 }
    local m = random_mapping.two_level(options)
    assert.same(m, random_mapping.two_level(options))
    assert.is_true(mapping.validate(m))
    local sizes = {}
    for _, scheme in pairs(m.schemes) do sizes[#scheme.uops[1][1]] = true end
    assert.same({ [2] = true, [3] = true }, sizes)
    assert.is_true(mapping.validate(random_mapping.three_level { ports = 3, schemes = 40, uops = 4, seed = 1 }))
  end)
end)

describe("compare", function()
  local function compare(x, y, options) return core.model.compare(assert(mapping.compile(x)), assert(mapping.compile(y)), options) end
  it("sees through port names", function()
    local a = mapping.two_level({ "0", "1", "5" }, { add = { "0", "1", "5" }, mul = { "1" }, shuffle = { "5" } })
    local b = mapping.two_level({ "A", "B", "C" }, { add = { "A", "B", "C" }, mul = { "C" }, shuffle = { "A" } })
    local result = compare(a, b)
    assert.is_true(result.equal)
    assert.is_false(result.distinguishable)
    assert.same({ ["0"] = "B", ["1"] = "C", ["5"] = "A" }, result.renaming)
  end)
  it("gives an experiment and the schemes that differ", function()
    local a = mapping.two_level({ "0", "1", "2" }, { add = { "0", "1", "2" }, mul = { "1" }, fma = { "0", "1" } })
    local b = mapping.two_level({ "0", "1", "2" }, { add = { "0", "1", "2" }, mul = { "1" }, fma = { "0", "2" } })
    local result = compare(a, b)
    assert.is_false(result.equal)
    assert.is_true(result.distinguishable)
    assert.same({ "fma" }, result.differing)
    assert.same({ ["0"] = "0", ["1"] = "1", ["2"] = "2" }, result.closest)
    assert.equal(result.a, mapping.compile(a):throughput(result.experiment))
    assert.equal(result.b, mapping.compile(b):throughput(result.experiment))
    assert.is_false(compare(a, b, { epsilon = 0.5 }).distinguishable)
    assert.is_nil(compare(a, mapping.two_level({ "0" }, { other = { "0" } })))
  end)
  it("sees a different R_max", function()
    local a = mapping.two_level({ "0", "1", "2" }, { add = { "0", "1", "2" } }, { rmax = 2 })
    local b = mapping.two_level({ "0", "1", "2" }, { add = { "0", "1", "2" } })
    local result = compare(a, b)
    assert.is_true(result.equal)
    assert.is_false(result.same_limits)
    assert.is_true(result.distinguishable)
  end)
end)

describe("recorded data of real processors", function()
  local function read(path)
    local f = assert(io.open(data .. "/" .. path))
    local content = f:read("a")
    f:close()
    return content
  end
  recorded("Zen+: the mapping explains all 58 experiments within 0.012 CPI at R_max 5", function()
    local m = assert(mapping.load(data .. "/zenp/mapping.json"))
    m.rmax = 5
    local compiled = assert(mapping.compile(m))
    local list = assert(experiments.load(data .. "/zenp/experiments.json"))
    assert.equal(58, #list)
    local worst = 0
    for _, record in ipairs(list) do
      worst = math.max(worst, math.abs(compiled:throughput(record.e) - record.cycles) / experiment.length(record.e))
    end
    assert.is_true(worst <= 0.012 and worst > 0.005, worst)
  end)
  recorded("Zen+: the whole inferred port mapping can be read", function()
    local m = assert(mapping.load(data .. "/zenp/port_mapping.json"))
    assert.equal(5, m.rmax)
    assert.equal(10, #m.ports)
    assert.equal(1819, #mapping.schemes(m))
    assert.equal("p6789", mapping.usage(m.schemes["add RW:GPR:32, R:GPR:32"]))
  end)
  recorded("Skylake: the table of accuracies over 2,000 experiments", function()
    local list = assert(experiments.parse(read("pmevo-skl/exps_eval_small_annotated.json")))
    assert.equal(2000, #list)
    local function accuracy(file)
      local compiled = assert(mapping.compile(assert(mapping.load(data .. "/pmevo-skl/" .. file))))
      local modelled, measured = {}, {}
      for i, record in ipairs(list) do modelled[i], measured[i] = assert(compiled:throughput(record.e)), record.cycles end
      return core.model.metrics(modelled, measured)
    end
    local function of_predictor(id)
      local modelled, measured = {}, {}
      for i, record in ipairs(list) do modelled[i], measured[i] = record.others[id], record.cycles end
      return core.model.metrics(modelled, measured)
    end
    local function assert_close(expected, m)
      assert.is_true(math.abs(m.mape - expected[1]) < 0.0006, "MAPE " .. m.mape)
      assert.is_true(math.abs(m.pearson - expected[2]) < 0.0006, "Pearson " .. m.pearson)
      assert.is_true(math.abs(m.kendall - expected[3]) < 0.0006, "Kendall " .. m.kendall)
    end
    assert_close({ 0.096, 0.913, 0.758 }, accuracy("mapping_uops_info.json"))
    assert_close({ 0.147, 0.978, 0.720 }, accuracy("mapping_pmevo.json"))
    assert_close({ 0.079, 0.867, 0.689 }, of_predictor("IACA"))
    assert_close({ 0.621, 0.322, 0.395 }, of_predictor("Ithemal"))
    assert_close({ 2.235, 0.331, 0.458 }, of_predictor("llvm-mca"))
  end)
  it("has readers that refuse other things", function()
    assert.is_nil(pmevo.mapping { kind = "Mapping3" })
    assert.is_nil(pmevo.mapping { kind = "Mapping3", assignment = { x = { {} } } })
    assert.is_nil(pmevo.mapping { kind = "Mapping3", assignment = { x = { { {} } } } })
    assert.is_nil(pmevo.mapping { uarchname = "x", data = { x = { portusage = { { { 1 } } } } } })
    assert.is_nil(pmevo.experiments {})
    assert.is_nil(pmevo.experiments { exps = { {} } })
  end)
end)
