local algebra = require "portolan.mapping.algebra"
local disagreements = require "portolan.report.disagreements"
local experiment = require "portolan.experiment"
local json = require "portolan.support.json"
local mapping = require "portolan.mapping"
local process = require "process"
local random_mapping = require "support.random_mapping"
local reference = require "portolan.infer.reference"
local replay = require "portolan.processor.replay"
local simulated = require "portolan.processor.simulated"

-- A core of six ports, six instructions a cycle.
local function truth()
  local m = mapping.two_level({ "0", "1", "2", "3", "5", "6" }, {
    ["imul r64, r64"] = { "1" }, ["vpermd ymm, ymm, ymm"] = { "5" }, ["vmulpd ymm, ymm, ymm"] = { "0", "1" }, ["vaddpd ymm, ymm, ymm"] = { "0", "1" },
    ["vaddps ymm, ymm, ymm"] = { "0", "1" }, ["vaddps xmm, xmm, xmm"] = { "0", "1" }, ["vsubps ymm, ymm, ymm"] = { "0", "1" },
    ["vpaddd ymm, ymm, ymm"] = { "0", "1", "5" }, ["add r64, r64"] = { "0", "1", "5", "6" }, ["shl r64, imm8"] = { "0", "6" },
    ["mov r64, m64"] = { "2", "3" }, ["lea r64, m"] = { "1", "5" }, ["vmovmskps r32, ymm"] = { "0" },
  }, { rmax = 6 })
  m.schemes["mov r64, r64"] = { uops = {}, status = "eliminated at rename" }
  m.schemes["vphaddd ymm, ymm, ymm"] = { uops = { { { "0", "1", "5" }, 1 }, { { "5" }, 2 } }, slots = 3, status = "explained" }
  m.schemes["imul r64, m64"] = { uops = { { { "1" }, 1 }, { { "2", "3" }, 1 } }, status = "explained" }
  return m
end

local nameless = { ["0"] = "a", ["1"] = "d", ["2"] = "b", ["3"] = "f", ["5"] = "c", ["6"] = "e" }

-- What a model gets wrong.
local function modelled()
  local m = truth()
  for _, name in ipairs { "vaddps ymm, ymm, ymm", "vaddps xmm, xmm, xmm", "vsubps ymm, ymm, ymm" } do
    m.schemes[name].uops = { { { "1", "5" }, 1 } }
  end
  m.schemes["vphaddd ymm, ymm, ymm"].uops = { { { "0", "1" }, 1 }, { { "5" }, 1 } }
  m.schemes["mov r64, r64"].uops = { { { "0", "1", "5", "6" }, 1 } }
  m.schemes["imul r64, m64"].slots = 2 -- which is no difference of ports
  m.schemes["add r64, r64"].uops = { { { "0", "1", "2", "5", "6" }, 1 } }
  return m
end

local function processor_of(m, options)
  options = options or {}
  return assert(simulated.new { mapping = m, binder = options.binder, noise = options.noise, seed = options.seed })
end

local function by_name(d)
  local entries = {}
  for _, entry in ipairs(d.list) do entries[entry.scheme] = entry end
  return entries
end

describe("a mapping and a reference", function()
  it("differ in schemes whose usage differs after renaming, each with an experiment that tells", function()
    local ours, theirs = algebra.rename(truth(), nameless), modelled()
    local d = assert(reference.differences(ours, theirs))
    assert.equal(16, d.common)
    assert.equal(10, d.same)
    assert.equal(6, #d.list)
    assert.equal("d", d.renaming["1"])
    local a, b = assert(mapping.compile(ours)), assert(mapping.compile(assert(algebra.match(theirs, ours))))
    for _, entry in ipairs(d.list) do
      assert.is_true(entry.apart >= 0.05, entry.scheme)
      assert.same(entry.e, experiment.parse(entry.experiment))
      assert.is_truthy(entry.e[entry.scheme])
      assert.is_true(experiment.length(entry.e) <= 20)
      assert.is_true(math.abs(a:throughput(entry.e) - entry.ours) < 1e-9)
      assert.is_true(math.abs(b:throughput(entry.e) - entry.theirs) < 1e-9)
    end
    for i = 2, #d.list do assert.is_true(d.list[i].apart <= d.list[i - 1].apart + 1e-9) end
    local entries = by_name(d)
    assert.is_nil(entries["imul r64, m64"])
    assert.same({ "pad", "pdc" }, { entries["vaddps ymm, ymm, ymm"].usage, entries["vaddps ymm, ymm, ymm"].reference_usage })
    assert.same({ "none", "padce" }, { entries["mov r64, r64"].usage, entries["mov r64, r64"].reference_usage })
  end)

  it("do not differ where they are the same", function()
    local d = assert(reference.differences(algebra.rename(truth(), nameless), truth()))
    assert.same({ 16, 16, 0 }, { d.common, d.same, #d.list })
    assert.same({ ours = 0, theirs = 0, neither = 0, undecided = 0 }, reference.decide(processor_of(truth()), d))
  end)

  it("are indistinguishable where no experiment tells", function()
    -- as wide as the front end, which hides one port more
    local ports = { "0", "1", "2", "3", "4" }
    local a = mapping.two_level(ports, { a = { "0", "1", "2", "3" }, b = { "4" } }, { rmax = 3 })
    local b = mapping.two_level(ports, { a = { "0", "1", "2" }, b = { "4" } }, { rmax = 3 })
    local d = assert(reference.differences(a, b))
    assert.equal(1, #d.list)
    assert.is_nil(d.list[1].experiment)
    assert.same({ ours = 0, theirs = 0, neither = 0, undecided = 0 }, reference.decide(processor_of(a), d))
    assert.is_nil(d.list[1].verdict)
  end)

  it("must have schemes in common", function()
    local d, message = reference.differences(truth(), mapping.two_level({ "0" }, { x = { "0" } }))
    assert.is_nil(d)
    assert.is_string(message)
  end)
end)

describe("deciding", function()
  it("finds out who is right, whoever it is, also on noisy cores that bind ports greedily", function()
    local ours, theirs = algebra.rename(truth(), nameless), modelled()
    local noise = { kind = "gaussian", width = 0.01, unit = "relative" }
    for _, options in ipairs { {}, { binder = "recent" }, { binder = "recent", noise = noise, seed = 3 } } do
      local d = assert(reference.differences(ours, theirs))
      assert.same({ ours = 6, theirs = 0, neither = 0, undecided = 0 }, reference.decide(processor_of(truth(), options), d))
      d = assert(reference.differences(ours, theirs))
      assert.same({ ours = 0, theirs = 6, neither = 0, undecided = 0 }, reference.decide(processor_of(modelled(), options), d))
      for _, entry in ipairs(d.list) do assert.is_true(math.abs(entry.errors.theirs) < math.abs(entry.errors.ours)) end
    end
  end)

  it("is right about random mappings", function()
    local right, all = 0, 0
    for seed = 1, 12 do
      local m = random_mapping.three_level { ports = 6, schemes = 14, uops = 2, rmax = 5, seed = seed }
      local other = assert(algebra.restrict(m, mapping.schemes(m)))
      local donors = random_mapping.three_level { ports = 6, schemes = 14, uops = 2, seed = seed + 100 }
      for _, name in ipairs { "s01", "s05", "s09" } do other.schemes[name].uops = donors.schemes[name].uops end
      local d = assert(reference.differences(m, other))
      local counts = reference.decide(processor_of(m, { binder = "recent" }), d)
      right, all = right + counts.ours, all + #d.list
      assert.equal(0, counts.theirs, "seed " .. seed)
    end
    assert.is_true(all >= 25 and right >= 0.8 * all, ("%d of %d"):format(right, all))
  end)

  it("judges by the nearer prediction, and not where neither is near", function()
    assert.equal("ours", reference.verdict(1, 2, 1.1))
    assert.equal("theirs", reference.verdict(1, 2, 1.9))
    assert.equal("ours", reference.verdict(2, 1, 2.2))
    assert.equal("undecided", reference.verdict(1, 2, 1.5))
    assert.equal("neither", reference.verdict(1, 2, 0.9))
    assert.equal("neither", reference.verdict(1, 2, 2.6))
  end)

  it("says what could not be measured", function()
    local d = assert(reference.differences(algebra.rename(truth(), nameless), modelled()))
    local known = d.list[1]
    local processor = assert(replay.new { records = { { e = known.e, cycles = known.ours, status = "ok" } } })
    assert.same({ ours = 1, theirs = 0, neither = 0, undecided = 5 }, reference.decide(processor, d))
    assert.equal("not recorded", d.list[2].status)
    assert.is_nil(d.list[2].measured)
  end)
end)

describe("portolan disagree", function()
  local directory
  setup(function()
    directory = os.tmpname()
    os.remove(directory)
    os.execute("mkdir " .. directory)
    assert(mapping.save(assert(algebra.rename(truth(), nameless)), directory .. "/mine.json"))
    assert(mapping.save(truth(), directory .. "/truth.json"))
    assert(mapping.save(modelled(), directory .. "/model.json"))
  end)
  teardown(function() os.execute("rm -rf " .. directory) end)

  local function disagree(...) return process.run { args = { process.portolan, "disagree", ... }, cwd = directory } end

  it("prints kinds of difference with experiments that can be rerun", function()
    local r = disagree("mine.json", "--reference", "model.json", "--oracle", "sim:truth.json")
    assert.equal(0, r.status, r.err)
    assert.matches("mine.json and model.json: 10 of 16 common schemes used the same, 6 not, in 4 kinds of difference.\n", r.out)
    assert.matches("ports %(reference=mapping%): 0=a 1=d 2=[bf] 3=[bf] 5=c 6=e\n", r.out)
    assert.matches("modelled p15, inferred p01: vaddps xmm, xmm, xmm; vaddps ymm, ymm, ymm; vsubps ymm, ymm, ymm\n", r.out)
    assert.matches("of 3: the mapping: 3\n", r.out)
    assert.matches("Measured right: the mapping: 6, the reference: 0", r.out)
    local text = r.out:match "modelled p15, inferred p01:[^\n]*\n    portolan bench %-%-experiment '([^']+)'\n"
    local e = assert(experiment.parse(text))
    local cycles = assert(mapping.compile(truth())):throughput(e)
    assert.matches(("%.3f measured; right is the mapping"):format(cycles):gsub("%p", "%%%0"), r.out)
  end)

  it("writes what a report shows", function()
    local r = disagree("mine.json", "--reference", "model.json", "--oracle", "sim:truth.json", "--names", "mapping", "--out", "d.json", "--json")
    assert.equal(0, r.status, r.err)
    local d = assert(json.decode(r.out))
    local file = assert(io.open(directory .. "/d.json"))
    assert.equal(r.out, file:read "a")
    file:close()
    assert.equal("a", d.renaming["0"])
    assert.equal(6, d.counts.ours)
    local page = disagreements.render({ disagreements = d }, { by_name = {}, ports = { "a", "b", "c", "d", "e", "f" } })
    assert.is_table(page)
    local pairs_of = disagreements.pairs(d.list, { "a", "b", "c", "d", "e", "f" })
    assert.equal(3, #pairs_of[1].entries)
    assert.same({ "pad", "pdc" }, { pairs_of[1].ours, pairs_of[1].theirs })
  end)

  it("says what it cannot do in one line", function()
    for _, arguments in ipairs { { "mine.json" }, { "mine.json", "--reference", "none.json" }, { "none.json", "--reference", "model.json" },
      { "mine.json", "--reference", "model.json", "--oracle", "tea" }, { "mine.json", "--reference", "model.json", "--oracle", "sim:none.json" } } do
      local r = disagree(table.unpack(arguments))
      assert.equal(2, r.status)
      assert.matches("^portolan disagree: [^\n]+\n$", r.err)
    end
    local r = disagree("mine.json", "--reference", "truth.json")
    assert.equal(0, r.status)
    assert.matches("16 of 16 common schemes used the same.\n", r.out)
  end)
end)
