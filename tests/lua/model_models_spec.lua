-- portolan.prediction.model: the methods, conjunctive mappings, schedules (the C tests check them on random mappings).
local conjunctive = require "portolan.mapping.conjunctive"
local core = require "portolan.core"
local json = require "portolan.support.json"
local mapping = require "portolan.mapping"
local model = require "portolan.prediction.model"
local random_mapping = require "support.random_mapping"

local function file_of(text, path)
  path = path or os.tmpname()
  local f = assert(io.open(path, "wb"))
  f:write(text)
  f:close()
  return path
end

-- Figure 7.1 of the dissertation.
local function figure(rmax)
  local m = mapping.two_level({ "1", "2", "3" }, { mul = { "1" }, add = { "1", "2" }, sub = { "1", "2" } }, { rmax = rmax })
  m.schemes.mul.uops[1][2] = 2
  m.schemes.store = { uops = { { { "1", "2" }, 1 }, { { "3" }, 1 } } }
  m.schemes.cpuid = { status = "unstable" }
  return m
end

-- Appendix E.2.
local function pairs_example()
  return mapping.two_level({ "1", "2", "3", "4" }, { A = { "1", "2" }, B = { "2", "3" }, C = { "2", "4" } })
end

describe("a throughput model", function()
  local e = { mul = 1, add = 2, store = 1 }

  it("gives the same by every exact method", function()
    for _, rmax in ipairs { 100, 1.5 } do
      local m = figure(rmax)
      for _, method in ipairs { "bottleneck", "lp", "lp-exact", "conjunctive" } do
        local object = assert(model.of(m, method))
        assert.near(rmax == 1.5 and 4 / 1.5 or 2.5, object:throughput(e), 1e-9, method)
        assert.equal(method, object.method)
      end
      assert.is_true(model.of(m, "binder"):throughput(e) >= model.of(m):throughput(e) - 1e-9)
    end
  end)

  it("knows Facile's error", function()
    local m, all = pairs_example(), { A = 1, B = 1, C = 1 }
    assert.equal(0.75, model.of(m):throughput(all))
    assert.near(2 / 3, model.of(m, "facile"):throughput(all), 1e-15)
    local p = assert(model.of(m, "facile"):predict(all))
    assert.equal(0.75, p.optimal_cycles)
    assert.near(2 / 9, p.cpi, 1e-15)
  end)

  it("says what it explains, and why it cannot predict", function()
    for _, method in ipairs(model.methods) do
      local object = assert(model.of(figure(), method))
      assert.is_true(object:explains "mul")
      assert.is_false(object:explains "cpuid")
      assert.is_false(object:explains "nop")
      for _, name in ipairs { "cpuid", "nop" } do
        local cycles, message, status = object:throughput { [name] = 1 }
        assert.is_nil(cycles)
        assert.matches(name, message)
        assert.equal("bad input", status)
        assert.is_nil(object:predict { [name] = 1 })
      end
    end
    local object, message = model.of(figure(), "oracle")
    assert.is_nil(object)
    assert.matches("no method 'oracle'; there are bottleneck,", message)
    assert.is_nil(model.of({ ports = {} }, "lp"))
  end)

  it("tells what lies inside the bottleneck", function()
    local p = assert(model.of(figure()):predict(e))
    assert.same({ "1", "2" }, p.bottleneck)
    assert.same({
      { scheme = "add", uops = { { { "1", "2" }, 2 } } }, { scheme = "mul", uops = { { { "1" }, 2 } } },
      { scheme = "store", uops = { { { "1", "2" }, 1 } } },
    }, p.inside)
    assert.same({}, model.of(figure()):predict({}).inside)
  end)

  it("shows the engine's functions as well", function() assert.equal(core.model.mapping, model.mapping) end)
end)

describe("a schedule", function()
  it("is that of Example 3.4", function()
    local m = mapping.two_level({ "1", "2", "3" }, { mul = { "1" }, add = { "1", "2" }, store = { "3" } })
    local s = assert(assert(mapping.compile(m)):schedule({ add = 2, mul = 1, store = 1 }, 2))
    assert.equal(3, s.cycles)
    assert.equal(2, s.iterations)
    local count = {}
    for _, row in ipairs(s.table) do
      for _, slot in pairs(row) do count[slot.scheme] = (count[slot.scheme] or 0) + 1 end
    end
    assert.same({ add = 4, mul = 2, store = 2 }, count)
    assert.same({ scheme = "store", uop = 1, instance = 1, iteration = 1 }, s.table[1]["3"])
    assert.is_nil(s.table[3]["3"])
  end)

  it("says what is wrong", function()
    local compiled = assert(mapping.compile(figure()))
    local s, message, status = compiled:schedule({ add = 1000000 }, 1000000)
    assert.is_nil(s)
    assert.matches("too large.*ask for fewer iterations", message)
    assert.equal("limit reached", status)
    assert.has_error(function() compiled:schedule({ add = 1 }, 0) end)
    assert.is_nil(compiled:schedule({ cpuid = 1 }, 1))
  end)
end)

describe("a conjunctive mapping", function()
  it("made of a port mapping is that of Figure 7.1", function()
    local m = figure(4)
    m.schemes.mov = { uops = {} } -- else issue would never be what limits
    local t = assert(conjunctive.of(m))
    assert.same({ "R1", "R3", "R12", "issue" }, t.resources)
    assert.same({ R1 = 2, R12 = 1, issue = 0.25 }, t.schemes.mul)
    assert.same({ R12 = 0.5, R3 = 1, issue = 0.25 }, t.schemes.store)
    assert.is_nil(t.schemes.cpuid)
    assert.same({ issue = 0.25 }, t.schemes.mov)
    local p = assert(model.of(m, "conjunctive"):predict { mul = 1, add = 2, store = 1 })
    assert.equal(2.5, p.cycles)
    assert.same({ "R12" }, p.resources)
    assert.equal(1, p.pressure.issue)
    assert.same({ "1", "2" }, p.bottleneck)
  end)

  it("is written and read back, with the same bytes and the same predictions", function()
    for seed = 1, 20 do
      local m = random_mapping.three_level { ports = 8, schemes = 12, seed = seed, rmax = seed % 2 == 0 and 4 or nil, slots = true }
      m.schemes.none = { uops = {}, slots = 0 }
      local text = assert(conjunctive.encode(assert(conjunctive.of(m))))
      local path = file_of(text)
      local object = assert(model.load(path))
      assert.equal("conjunctive", object.method)
      assert.equal(path:match("[^/]+$"), object.name)
      assert.equal(text, conjunctive.encode(assert(json.decode(text))))
      local formula = assert(model.of(m))
      for _, e in ipairs(random_mapping.experiments(mapping.schemes(m), 30, { seed = seed })) do
        local expected = formula:throughput(e)
        assert.near(expected, object:throughput(e), 1e-14 * expected)
      end
      assert.is_true(object:explains "none")
      os.remove(path)
    end
  end)

  it("has no ports", function()
    local path = file_of(assert(conjunctive.encode(assert(conjunctive.of(figure())))))
    local object, message = model.load(path, "lp")
    assert.is_nil(object)
    assert.matches("no ports for the method 'lp'", message)
    local p = assert(model.load(path, "conjunctive"):predict { store = 1 })
    assert.equal("resources", p.limit)
    assert.same({ "R3" }, p.resources)
    assert.is_nil(p.bottleneck)
    os.remove(path)
  end)

  it("is refused with the place of what is wrong", function()
    local good = '{"format": "portolan-conjunctive", "version": 1, "resources": ["a", "b"], "schemes": {"x": {"a": 1.5}}}'
    local function fault(from, to)
      local text, n = good:gsub(from, to)
      assert.equal(1, n)
      local path = file_of(text)
      local object, message = model.load(path)
      os.remove(path)
      assert.is_nil(object)
      assert.equal(path .. ":", message:sub(1, #path + 1))
      assert.is_nil(message:find("\n", 1, true))
      return message
    end
    assert.matches("%(version%)", fault('"version": 1', '"version": 2'))
    assert.matches('resource \'c\' is not in the list of resources %(schemes."x"%)', fault('"a": 1.5', '"c": 1.5'))
    assert.matches('a load must be a number of cycles %(schemes."x"%)', fault("1.5", '"1.5"'))
    assert.matches("from 0 to", fault("1.5", "-1"))
    assert.matches("'a' is there twice", fault('"b"', '"a"'))
    assert.matches("%(resources%[2%]%)", fault('"b"', "7"))
    assert.matches("list of names %(resources%)", fault('%["a", "b"%]', '"a"'))
    assert.matches('%(schemes."x"%)', fault('{"a": 1.5}', "[1]"))
    assert.matches("%(schemes%)", fault('{"x": .*}}', "7}"))
    assert.matches(":1:", fault('1.5', '1.5,'))
    assert.matches("%(provenance%)", fault('"version": 1', '"version": 1, "provenance": 1'))
  end)
end)

describe("Palmed's mapping", function()
  local good = [==[{"instr_to_class": {"ADD_A": "ADD_A", "SUB_A": "ADD_A", "MUL_A": "MUL_A", "CPUID": "CPUID"},
    "class_to_resources": {"ADD_A": {"name": "ADD_A", "resource_use": [[0.25, "R10"], [0.25, "R2"]]},
      "MUL_A": {"name": "MUL_A", "resource_use": [[0.25, "R10"], [1.0, "R0"]]},
      "CPUID": {"name": "CPUID", "resource_use": [[100.5, "R_Other"]]}}}]==]

  it("is read", function()
    local path = file_of(good)
    local object = assert(model.load(path))
    assert.same({ "R0", "R2", "R10", "R_Other" }, object.resources:resources())
    assert.equal(1, object:throughput { ADD_A = 1, SUB_A = 2, MUL_A = 1 })
    assert.equal(100.5, object:throughput { CPUID = 1, MUL_A = 3 })
    assert.is_false(object:explains "nop")
    os.remove(path)
  end)

  it("is read under other names", function()
    local directory = os.tmpname()
    os.remove(directory)
    assert(require("portolan.support.file").make_directory(directory))
    local base = directory .. "/"
    file_of(good, base .. "palmed.json")
    file_of('{"processor_kind": "palmed", "spm_path": "./palmed.json", "palmed_insnmap_path": "names.json"}', base .. "processor.json")
    file_of('{"add r64, r64": ["ADD_A"], "nop": ["NOP"]}', base .. "names.json")
    local object = assert(model.load(base .. "processor.json"))
    assert.equal(0.5, object:throughput { ["add r64, r64"] = 2 })
    assert.is_false(object:explains "nop")
    assert.is_false(object:explains "ADD_A")
    local function fault(name, text)
      local before = assert(require("portolan.support.file").read(base .. name))
      file_of(text, base .. name)
      local none, message = model.load(base .. "processor.json")
      file_of(before, base .. name)
      assert.is_nil(none)
      return message
    end
    assert.matches('names.json: .*%("nop"%)', fault("names.json", '{"nop": ["A", "B"]}'))
    assert.matches("palmed.json: .*instr_to_class", fault("palmed.json", "{}"))
    assert.matches("processor.json: .*%(palmed_insnmap_path%)", fault("processor.json",
      '{"processor_kind": "palmed", "spm_path": "palmed.json"}'))
    assert.matches("cannot read .*/none", fault("processor.json",
      '{"processor_kind": "palmed", "spm_path": "none", "palmed_insnmap_path": "names.json"}'))
    for _, name in ipairs { "palmed.json", "processor.json", "names.json" } do os.remove(base .. name) end
    os.remove(directory)
  end)

  it("is refused with the place of what is wrong", function()
    local function fault(from, to)
      local text, n = good:gsub(from, to)
      assert.equal(1, n)
      local path = file_of(text)
      local object, message = model.load(path)
      os.remove(path)
      assert.is_nil(object)
      assert.equal(path .. ":", message:sub(1, #path + 1))
      return message
    end
    assert.matches("no class 'X' %(instr_to_class.\"SUB_A\"%)", fault('"SUB_A": "ADD_A"', '"SUB_A": "X"'))
    assert.matches('class_to_resources."MUL_A".resource_use%[2%]', fault('%[1.0, "R0"%]', '["R0", 1.0]'))
    assert.matches('class_to_resources."CPUID".resource_use', fault('%[%[100.5, "R_Other"%]%]', "7"))
    assert.matches("from 0 to", fault("100.5", "-100.5"))
    assert.matches("class_to_resources", fault('"class_to_resources": .*', '"class_to_resources": 1}'))
  end)
end)
