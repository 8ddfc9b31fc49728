-- Certificates: what is true is verified, whatever is falsified is noticed, also where the digest is put right again.
local cegis = require "portolan.infer.cegis"
local certificate = require "portolan.infer.cegis.certificate"
local core = require "portolan.core"
local file = require "portolan.support.file"
local json = require "portolan.support.json"
local mapping = require "portolan.mapping"
local process = require "process"
local random_mapping = require "support.random_mapping"
local replay = require "portolan.processor.replay"
local simulated = require "portolan.processor.simulated"
local verify = require "portolan.infer.cegis.verify"

local function certified(truth, options, processor_options)
  local o = { mapping = truth }
  for k, v in pairs(processor_options or {}) do o[k] = v end
  local outcome = assert(cegis.infer(assert(simulated.new(o)), mapping.schemes(truth, true), options))
  assert.equal("unique", outcome.status)
  outcome.mapping.certificate = assert(outcome.certificate)
  return outcome.mapping
end

-- As it comes from a file.
local function read_back(m) return assert(mapping.parse(assert(mapping.encode(m)))) end

local function sealed(m)
  m.certificate.digest = certificate.digest(m.certificate)
  return m
end

local function kinds(m)
  local result = assert(verify.mapping(m, { seed = 7 }))
  local list = {}
  for k, fault in ipairs(result.faults) do list[k] = fault.kind end
  assert.equal(#list == 0, result.verified)
  return list, result
end

local function truth_of(seed) return random_mapping.two_level { seed = seed, ports = 6, schemes = 6 } end

describe("a certificate", function()
  it("is verified from the file alone, with any seed", function()
    for seed = 1, 4 do
      local m = read_back(certified(truth_of(seed), { seed = seed }))
      for solver = 1, 2 do assert.is_true(assert(verify.mapping(m, { seed = solver })).verified) end
    end
  end)

  it("is about schemes of one uop where no numbers are given, and names those that say otherwise", function()
    local truth = mapping.two_level({ "0", "1" }, { ["add r64, m64"] = { "0", "1" }, ["imul r64, r64"] = { "1" } })
    local m = read_back(certified(truth, {}))
    assert.same({ { kind = "one uop", text = "every scheme is one uop", schemes = { "add r64, m64", "imul r64, r64" } } }, m.certificate.assumed)
    local result = select(2, kinds(m))
    assert.equal("every scheme is one uop", result.assumed)
    assert.same({ "add r64, m64" }, result.doubtful)
    process.in_directory(function(d)
      assert(mapping.save(m, d .. "/m.json"))
      local r = process.run { args = { process.portolan, "verify", d .. "/m.json" } }
      assert.equal(0, r.status, r.err)
      assert.matches("^verified: if every scheme is one uop, the mapping admits", r.out)
      assert.matches("\n  but 1 scheme has several uops by issue slots and memory operands, [^\n]+: add r64, m64\n", r.out)
    end)
    m = certified(truth, { uops = { ["add r64, m64"] = 1, ["imul r64, r64"] = 1 } })
    result = select(2, kinds(read_back(m)))
    assert.is_nil(result.assumed)
    assert.same({}, result.doubtful)
  end)

  it("holds for greedy cores, known numbers of ports, limits of the front end, and several uops", function()
    local truth = truth_of(5)
    assert.same({}, (kinds(read_back(certified(truth, { reading = "asymmetric", epsilon = 0.01, rmax = 6 }, { binder = "recent" })))))
    local counts = {}
    for name, scheme in pairs(truth.schemes) do counts[name] = #scheme.uops[1][1] end
    assert.same({}, (kinds(read_back(certified(truth, { port_counts = counts })))))
    truth.rmax = 3
    assert.same({}, (kinds(read_back(certified(truth, { rmax = 3, ports = 7 })))))
    local three = mapping.two_level({ "0", "1", "2" }, { a = { "0" }, b = { "1", "2" } })
    three.schemes.c = { uops = { { { "0" }, 1 }, { { "1", "2" }, 2 } }, status = "explained" }
    assert.same({}, (kinds(read_back(certified(three, { uops = { c = 3 }, ports = 3 })))))
  end)

  it("notices a falsified experiment, each of them", function()
    local m = certified(truth_of(2), { seed = 2 })
    for k = 1, #m.certificate.experiments do
      for _, factor in ipairs { 0.8, 1.3 } do
        local changed = read_back(m)
        changed.certificate.experiments[k].cycles = changed.certificate.experiments[k].cycles * factor
        assert.equal("digest", kinds(changed)[1])
        local list, result = kinds(sealed(changed))
        assert.equal("experiment", list[1])
        assert.is_truthy(result.faults[1].text:find("%.%d+ cycles measured"))
      end
    end
  end)

  it("notices an experiment that was dropped, each of them; if it was needed, the other mapping is shown", function()
    local m, needed = certified(truth_of(3), { seed = 3 }), 0
    for k = 1, #m.certificate.experiments do
      local changed = read_back(m)
      table.remove(changed.certificate.experiments, k)
      local list, result = kinds(changed)
      assert.equal("digest", list[1])
      assert.equal(#list == 1 or nil, result.sound)
      local rest
      rest, result = kinds(sealed(changed))
      for _, fault in ipairs(result.faults) do
        if fault.kind == "other" then
          needed = needed + 1
          local a = assert(mapping.compile(changed)):throughput(fault.experiment)
          local b = assert(mapping.compile(fault.rival)):throughput(fault.experiment)
          assert.near(fault.predicted, a, 1e-9)
          assert.near(fault.other, b, 1e-9)
          assert.is_true(math.abs(a - b) > 0.04)
        end
      end
      assert.is_true(#rest <= 1)
    end
    assert.is_true(needed >= 3)
  end)

  it("notices a port that was moved, unless no experiment could", function()
    local noticed, all = 0, 0
    for seed = 1, 3 do
      local m = certified(truth_of(seed), { seed = seed })
      for _, name in ipairs(mapping.schemes(m)) do
        for _, port in ipairs(m.ports) do
          local changed, kept, had = read_back(m), {}, false
          for _, p in ipairs(changed.schemes[name].uops[1][1]) do
            if p == port then had = true else kept[#kept + 1] = p end
          end
          if not had then kept[#kept + 1] = port end
          changed.schemes[name].uops[1][1] = kept
          if #kept > 0 then
            local told = assert(core.model.compare(assert(mapping.compile(m)), assert(mapping.compile(changed)), { epsilon = 0.02 })).distinguishable
            local found = #kinds(changed) > 0
            if told then assert.is_true(found) end
            noticed, all = noticed + (found and 1 or 0), all + 1
          end
        end
      end
    end
    assert.is_true(noticed > 0.9 * all)
  end)

  it("notices other limits, claims that are too wide, and open points that are left out", function()
    local truth = truth_of(6)
    truth.rmax = 4
    local m = certified(truth, { rmax = 4, ports = 8 })
    assert.is_true(#m.certificate.open > 0)
    local changed = read_back(m)
    changed.certificate.open = json.array {}
    assert.same({ "open" }, (kinds(sealed(changed))))
    changed = read_back(m)
    changed.rmax = 5
    assert.same({ "mapping" }, (kinds(changed)))
    changed = read_back(m)
    changed.schemes[changed.certificate.schemes[1]] = nil
    assert.same({ "mapping" }, (kinds(changed)))
    changed = read_back(certified(truth_of(1), {}))
    changed.certificate.epsilon = 0.001 -- experiments of a coarser reading tell less than this claims
    changed.certificate.experiments = json.array {}
    assert.same({ "other" }, (kinds(sealed(changed))))
  end)

  it("says which sets of schemes recorded experiments leave undecided", function()
    local processor = assert(replay.new { records = { { e = { a = 1 }, cycles = 1, status = "ok" },
      { e = { b = 1 }, cycles = 0.5, status = "ok" } } })
    local outcome = assert(cegis.infer(processor, { "a", "b" }, { ports = 3 }))
    assert.equal("undecided", outcome.status)
    outcome.mapping.certificate = outcome.certificate
    local m = read_back(outcome.mapping)
    assert.same({ { "a", "b" } }, m.certificate.undecided)
    assert.same({}, (kinds(m)))
    m.certificate.undecided = json.array {}
    assert.same({ "other" }, (kinds(sealed(m))))
  end)

  it("is read without harm, whatever is in it", function()
    local m, rng = certified(truth_of(1), { ports = 6 }), core.base.rng(11)
    local text = assert(json.encode(m.certificate))
    local values = { json.null, true, -1, 0.5, "x", 1 << 40, json.array {}, json.object {}, { { 1 } }, math.mininteger }
    local function spoil(t)
      local keys = {}
      for key in pairs(t) do keys[#keys + 1] = key end
      table.sort(keys, function(a, b) return tostring(a) < tostring(b) end)
      if #keys == 0 then return end
      local key = keys[rng:below(#keys) + 1]
      if type(t[key]) == "table" and rng:unit() < 0.7 then return spoil(t[key]) end
      if rng:unit() < 0.2 then t[key] = nil else t[key] = values[rng:below(#values) + 1] end
    end
    local refused = 0
    for _ = 1, 400 do
      m.certificate = assert(json.decode(text))
      spoil(m.certificate)
      pcall(sealed, m)
      local ok, result, message = pcall(verify.mapping, m, { time_limit = 1 })
      assert.is_true(ok, result)
      if not result then
        assert.is_string(message)
        refused = refused + 1
      end
    end
    assert.is_true(refused > 100)
  end)
end)

describe("portolan verify", function()
  local function portolan(...) return process.run { args = { process.portolan, "verify", ... }, env = { NO_COLOR = "1" } } end

  it("says what fails and how the other mapping differs", function()
    process.in_directory(function(d)
      local m, path = read_back(certified(truth_of(3), { seed = 3 })), d .. "/m.json"
      m.certificate.experiments = json.array { m.certificate.experiments[1] }
      assert(mapping.save(sealed(m), path))
      local r = portolan(path)
      assert.equal(1, r.status, r.err)
      assert.matches("^not verified\n  another mapping admits all experiments, too; [^\n]+ would tell: %d%.%d+ cycles with this one", r.out)
      assert.matches("\n    [^\n]*the second", r.out)
      r = portolan(path, "--json")
      assert.equal(1, r.status)
      assert.is_false(assert(json.decode(r.out)).verified)
    end)
  end)

  it("refuses what is no certificate", function()
    process.in_directory(function(d)
      assert(mapping.save(truth_of(1), d .. "/bare.json"))
      local spoilt = certified(truth_of(1), {})
      spoilt.certificate.reading = 7
      assert(mapping.save(spoilt, d .. "/spoilt.json"))
      assert(file.write(d .. "/text", "hello"))
      for name, words in pairs {
        ["bare.json"] = "has no certificate", ["spoilt.json"] = "certificate%.reading", ["text"] = "text: not a mapping", none = "cannot read",
      } do
        local r = portolan(d .. "/" .. name)
        assert.same({ 2, "" }, { r.status, r.out })
        assert.matches("^portolan verify: [^\n]*" .. words .. "[^\n]*\n$", r.err)
      end
    end)
  end)
end)
