-- portolan infer and portolan verify as users run them; recorded experiments and given ports.
local cegis = require "portolan.infer.cegis"
local core = require "portolan.core"
local experiments = require "portolan.experiment.list"
local file = require "portolan.support.file"
local json = require "portolan.support.json"
local lists = require "portolan.support.lists"
local mapping = require "portolan.mapping"
local oracle = require "portolan.processor.oracle"
local process = require "process"
local random_mapping = require "support.random_mapping"
local replay = require "portolan.processor.replay"
local simulated = require "portolan.processor.simulated"

local function portolan(...)
  return process.run { args = { process.portolan, ... }, env = { LANG = "C", LC_ALL = false, LC_CTYPE = false, NO_COLOR = "1" } }
end

local function two_level(ports, schemes, extra)
  local on_ports, names = {}, {}
  for port in ports:gmatch(".") do names[#names + 1] = port end
  for name, on in pairs(schemes) do
    on_ports[name] = {}
    for port in on:gmatch(".") do table.insert(on_ports[name], port) end
  end
  return mapping.two_level(names, on_ports, extra)
end

local truth = two_level("0156", { add = "0156", imul = "1", shl = "06", vpaddd = "015", vpermd = "5" })

local function names_of(m) return mapping.schemes(m, true) end

local function same(a, b, epsilon)
  return not assert(core.model.compare(assert(mapping.compile(a)), assert(mapping.compile(b)), { epsilon = epsilon or 0.02 })).distinguishable
end

local function refused(words, ...)
  local r = portolan("infer", "cegis", ...)
  assert.equal(2, r.status, r.out .. r.err)
  assert.equal("", r.out)
  assert.matches("^portolan infer: [^\n]+\n$", r.err)
  assert.matches(words, r.err)
end

describe("portolan infer of a set", function()
  it("takes the schemes of the set that a simulated processor knows, with every strategy", function()
    process.in_directory(function(d)
      local known = two_level("0156", { ["add r64, r64"] = "0156", ["imul r64, r64"] = "1", ["shl r64, imm8"] = "06" }, { rmax = 5 })
      assert(mapping.save(known, d .. "/truth.json"))
      assert(file.write(d .. "/set.lua", 'return { architecture = "x86_64", { schemes = { "imul r64, r64", "shl r64, imm8", "lea r64, m" } } }'))
      assert(file.write(d .. "/mine.lua", [[return { infer = function(_, names)
        local lists = {}
        for _, name in ipairs(names) do lists[name] = { "0" } end
        return require "portolan.mapping".two_level({ "0" }, lists)
      end }]]))
      local sim = "sim:" .. d .. "/truth.json"
      for strategy, more in pairs { palmed = {}, grow = {}, pmevo = { "--generations", "2", "--evaluate", "0" }, ["uops-info"] = {},
        [d .. "/mine.lua"] = {} } do
        local function run(...)
          return portolan("infer", strategy, "--oracle", strategy == "uops-info" and sim .. ",counters=uops+ports" or sim, "--out", d .. "/out", ...)
        end
        local r = run("--set", d .. "/set.lua", table.unpack(more))
        assert.equal(0, r.status, strategy .. r.err)
        assert.matches("%-%-set [^\n]+: the oracle knows 2 of its 3 schemes; the others are left out", r.err)
        local path = strategy == "pmevo" and d .. "/out/mapping.json" or d .. "/out"
        local found = assert(json.decode(assert(file.read(path)))).schemes
        assert.same({ "imul r64, r64", "shl r64, imm8" }, lists.keys(found), strategy)
        assert(os.execute("rm -r " .. d .. "/out"))
        r = run("--set", d .. "/set.lua", "add r64, r64")
        assert.equal(2, r.status, strategy)
        assert.matches("%-%-set: schemes are named as well", r.err)
        os.execute("rm -rf " .. d .. "/out")
      end
    end)
  end)
end)

describe("portolan infer cegis", function()
  it("infers a simulated processor, writes a mapping with a certificate, which is verified", function()
    process.in_directory(function(d)
      assert(mapping.save(truth, d .. "/truth.json"))
      local r = portolan("infer", "cegis", "--oracle", "sim:" .. d .. "/truth.json,noise=0.005,seed=4", "--out", d .. "/m.json",
        "--smtlib", d .. "/q.smt2")
      assert.equal(0, r.status, r.err)
      assert.matches("^unique: if every scheme is one uop, no other mapping with up to %d ports", r.out)
      assert.matches("add +p%d%d%d%d\n", r.out)
      local m = assert(mapping.load(d .. "/m.json"))
      assert.is_true(same(truth, m))
      assert.matches("check%-sat", assert(file.read(d .. "/q.smt2")))
      local v = portolan("verify", d .. "/m.json")
      assert.equal(0, v.status, v.out .. v.err)
      assert.matches("^verified: if every scheme is one uop, the mapping admits all %d+ experiments", v.out)
      -- what is kept by those who do not know the certificate
      assert.equal(assert(file.read(d .. "/m.json")), assert(mapping.encode(m)))
    end)
  end)

  it("infers chosen schemes, and prints JSON", function()
    process.in_directory(function(d)
      assert(mapping.save(truth, d .. "/truth.json"))
      assert(file.write(d .. "/names", "# two\nimul\n\n"))
      local r = portolan("infer", "cegis", "--oracle", "sim:" .. d .. "/truth.json", "--schemes", d .. "/names", "vpermd", "--json", "--ports", "4",
        "--port-counts", "imul=1")
      assert.equal(0, r.status, r.err)
      local o = assert(json.decode(r.out))
      assert.equal("unique", o.status)
      assert.same({ "imul", "vpermd" }, names_of(o.mapping))
      assert.equal(4, o.certificate.ports)
      assert.equal(1, o.certificate.port_counts.imul)
    end)
  end)

  it("ends at its limits without a certificate, with status 1", function()
    process.in_directory(function(d)
      assert(mapping.save(truth, d .. "/truth.json"))
      local r = portolan("infer", "cegis", "--oracle", "sim:" .. d .. "/truth.json", "--experiments", "6", "--out", d .. "/m.json")
      assert.equal(1, r.status, r.err)
      assert.matches("^limit: ", r.out)
      local m = assert(mapping.load(d .. "/m.json"))
      assert.is_nil(m.certificate)
      assert.is_true(m.provenance.partial)
      local v = portolan("verify", d .. "/m.json")
      assert.equal(2, v.status)
      assert.matches("it has no certificate", v.err)
    end)
  end)

  it("names experiments that contradict each other, with status 1", function()
    process.in_directory(function(d)
      assert(experiments.save({ { e = { a = 1 }, cycles = 1 }, { e = { b = 1 }, cycles = 0.5 }, { e = { a = 1, b = 1 }, cycles = 0.5 } },
        d .. "/e.jsonl"))
      local r = portolan("infer", "cegis", "--oracle", "replay:" .. d .. "/e.jsonl", "--out", d .. "/m.json")
      assert.equal(1, r.status, r.err)
      assert.matches("^contradiction: no mapping with up to %d+ ports in which every scheme is one uop explains that a takes 1%.000 cycles and "
        .. "a %+ b takes 0%.500 cycles\nif a scheme has several uops, say how many: %-%-uops SCHEME=N;", r.out)
      assert.is_nil(file.kind(d .. "/m.json"))
    end)
  end)

  it("takes no scheme for one uop that has several by issue slots and memory operands", function()
    process.in_directory(function(d)
      local m = two_level("012345", { ["add r64, r64"] = "0123", ["imul r64, r64"] = "1", ["mov r64, m64"] = "45" }, { rmax = 6 })
      for name, on in pairs { ["add r64, m64"] = { "0", "1", "2", "3" }, ["imul r64, m64"] = { "1" } } do
        m.schemes[name] = { uops = { { on, 1 }, { { "4", "5" }, 1 } }, slots = 1, status = "explained" }
      end
      assert(mapping.save(m, d .. "/truth.json"))
      local sim, out = "sim:" .. d .. "/truth.json", d .. "/m.json"
      refused("'add r64, m64' and 1 more schemes have several uops, .*%-%-uops slots takes these numbers, %-%-uops 'add r64, m64=2' gives one",
        "--oracle", sim)
      refused("'imul r64, m64' has several uops", "--oracle", sim, "--uops", "add r64, m64=2")
      refused("'imul r64, m64' has several uops", "--oracle", sim, "imul r64, m64", "imul r64, r64")
      local r = portolan("infer", "cegis", "--oracle", sim, "--uops", "slots", "--out", out)
      assert.equal(0, r.status, r.out .. r.err)
      assert.matches("^unique: no other mapping with up to", r.out)
      assert.is_true(same(m, assert(mapping.load(out))))
      assert.matches("given the numbers of uops", portolan("verify", out).out)
      -- whoever insists may: the number is a given one
      r = portolan("infer", "cegis", "--oracle", sim, "imul r64, m64", "imul r64, r64", "--uops", "imul r64, m64=1", "--out", out)
      assert.equal(0, r.status, r.out .. r.err)
      assert.matches("^unique: if every scheme is one uop whose number of uops is not given, no other", r.out)
      local c = assert(mapping.load(out)).certificate
      assert.same({ ["imul r64, m64"] = 1 }, c.uops)
      assert.same({ "imul r64, r64" }, c.assumed[1].schemes)
    end)
  end)

  it("takes schemes of several uops", function()
    process.in_directory(function(d)
      local m = two_level("012", { a = "0", b = "12" })
      m.schemes.c = { uops = { { { "0" }, 1 }, { { "1", "2" }, 1 } }, status = "explained" }
      assert(mapping.save(m, d .. "/truth.json"))
      local r = portolan("infer", "cegis", "--oracle", "sim:" .. d .. "/truth.json", "--uops", "c=2", "--same-uop", "c=a;b", "--ports", "3", "--out",
        d .. "/m.json")
      assert.equal(0, r.status, r.out .. r.err)
      assert.is_true(same(m, assert(mapping.load(d .. "/m.json"))))
      local v = portolan("verify", d .. "/m.json")
      assert.equal(0, v.status, v.out .. v.err)
    end)
  end)

  it("finds numbers of uops, too", function()
    process.in_directory(function(d)
      local m = two_level("012", { a = "0", b = "12" })
      m.schemes.c = { uops = { { { "0" }, 1 }, { { "1", "2" }, 1 } }, status = "explained" }
      assert(mapping.save(m, d .. "/truth.json"))
      local sim = "sim:" .. d .. "/truth.json"
      local r = portolan("infer", "cegis", "--oracle", sim, "--find-uops", "2", "--ports", "3", "--out", d .. "/m.json")
      assert.equal(0, r.status, r.out .. r.err)
      assert.matches("no scheme has more than 2 uops", r.out)
      local found = assert(mapping.load(d .. "/m.json"))
      assert.is_true(same(m, found))
      assert.same({ a = 1, b = 1, c = 2 }, found.provenance.uops)
      local v = portolan("verify", d .. "/m.json")
      assert.equal(0, v.status, v.out .. v.err)
      assert.matches("given the numbers of uops", v.out)
      r = portolan("infer", "cegis", "--oracle", sim, "--find-uops", "2", "--uops", "c=1", "--ports", "3", "--json")
      assert.equal(1, r.status, r.err)
      assert.equal("contradiction", assert(json.decode(r.out)).status)
      refused("%-%-find%-uops must be a whole number from 1 to 16", "--oracle", sim, "--find-uops", "0")
      refused("%-%-find%-uops: %-%-same%-uop and %-%-fixed", "--oracle", sim, "--find-uops", "2", "--same-uop", "c=a;b")
    end)
  end)

  it("keeps given ports and their names", function()
    process.in_directory(function(d)
      assert(mapping.save(truth, d .. "/truth.json"))
      assert(mapping.save(two_level("x56", { vpermd = "5", shl = "6x" }), d .. "/given.json"))
      local r = portolan("infer", "cegis", "--oracle", "sim:" .. d .. "/truth.json", "--fixed", d .. "/given.json", "--out", d .. "/m.json")
      assert.equal(0, r.status, r.out .. r.err)
      local m = assert(mapping.load(d .. "/m.json"))
      assert.equal("p5", mapping.usage(m.schemes.vpermd))
      local shl = {}
      for _, port in ipairs(m.schemes.shl.uops[1][1]) do shl[port] = true end
      assert.same({ x = true, ["6"] = true }, shl)
      assert.is_true(same(truth, m))
      local v = portolan("verify", d .. "/m.json")
      assert.equal(0, v.status, v.out .. v.err)
    end)
  end)

  it("explains wrong options in one line", function()
    process.in_directory(function(d)
      assert(mapping.save(truth, d .. "/truth.json"))
      local sim = "sim:" .. d .. "/truth.json"
      refused("no oracle 'mars'", "--oracle", "mars")
      refused("cannot read", "--oracle", "sim:/nosuch.json")
      refused("'x' is no value for noise", "--oracle", sim .. ",noise=x")
      refused("binder 'lazy' is not", "--oracle", sim .. ",binder=lazy")
      refused("'%-%-schemes'", "--oracle", sim, "--schemes")
      refused("cannot read /nosuch", "--oracle", sim, "--schemes", "/nosuch")
      refused("knows no scheme 'div'", "--oracle", sim, "div")
      refused("%-%-ports must be a whole number from 1 to 32, not '40'", "--oracle", sim, "--ports", "40")
      refused("'soon' is not a time", "--oracle", sim, "--time", "soon")
      refused("%-%-port%-counts: 'div' is not one of the schemes", "--oracle", sim, "--port-counts", "div=3")
      refused("allow more ports", "--oracle", sim, "--port-counts", "add=4", "--ports", "3")
      refused("write SCHEME=OTHER", "--oracle", sim, "--same-uop", "add")
      assert(mapping.save(two_level("01", { div = "0" }), d .. "/other.json"))
      refused("explains none of the schemes", "--oracle", sim, "imul", "--fixed", d .. "/other.json")
    end)
  end)
end)

describe("portolan infer grow", function()
  it("infers dozens of schemes, writes a mapping whose experiments explain, recheck and compare read", function()
    process.in_directory(function(d)
      local m = random_mapping.two_level { seed = 3, ports = 8, schemes = 40 }
      assert(mapping.save(m, d .. "/truth.json"))
      local sim = "sim:" .. d .. "/truth.json"
      local r = portolan("infer", "grow", "--oracle", sim, "--core", "10", "--threads", "1", "--out", d .. "/m.json")
      assert.equal(0, r.status, r.err)
      assert.matches("^unique: ", r.out)
      assert.matches("without a certificate", r.out)
      local found = assert(mapping.load(d .. "/m.json"))
      assert.is_true(same(m, found))
      assert.equal("grow", found.provenance.method)
      assert.is_true(#found.provenance.core >= 1)
      local explained = portolan("explain", "--mapping", d .. "/m.json", "s21")
      assert.equal(0, explained.status, explained.err)
      assert.matches("it takes 0%.250 cycles", explained.out)
      assert.equal(0, portolan("recheck", "--mapping", d .. "/m.json", "--oracle", sim, "--all").status)
      assert.equal(0, portolan("compare", d .. "/m.json", d .. "/truth.json").status)
      local v = portolan("verify", d .. "/m.json")
      assert.equal(2, v.status)
      assert.matches("it has no certificate: [^\n]+\n$", v.err)
      assert(file.write(d .. "/core", "s00\ns01\ns02\n"))
      r = portolan("infer", "grow", "--oracle", sim, "--core", d .. "/core", "--json", "s00", "s01", "s02", "s03")
      assert.equal(0, r.status, r.err)
      local o = assert(json.decode(r.out))
      assert.equal("unique", o.status)
      assert.equal("unique", o.schemes.s03.status)
      assert.is_true(#o.schemes.s03.experiments > 0)
    end)
  end)

  it("leaves out schemes of several uops, refuses those that are named, and says what it cannot place", function()
    process.in_directory(function(d)
      local m = two_level("012", { a = "0", b = "12" }, { rmax = 3 })
      m.schemes.c = { uops = { { { "0" }, 1 }, { { "1", "2" }, 1 } }, status = "explained" }
      assert(mapping.save(m, d .. "/truth.json"))
      local sim = "sim:" .. d .. "/truth.json"
      local r = portolan("infer", "grow", "--oracle", sim)
      assert.equal(0, r.status, r.err)
      assert.matches("every scheme is one uop", r.out)
      assert.matches("1 scheme of several uops is left out", r.out)
      local function no(words, ...)
        local refusal = portolan("infer", "grow", ...)
        assert.equal(2, refusal.status, refusal.out)
        assert.equal("", refusal.out)
        assert.matches(words, refusal.err)
        assert.matches("^portolan infer: [^\n]+\n$", refusal.err)
      end
      no("'c' has 2 uops, by its issue slots", "--oracle", sim, "a", "c")
      no("%-%-core x: neither a number nor a file", "--oracle", sim, "--core", "x")
      no("%-%-core must be a whole number from 1 to 64", "--oracle", sim, "--core", "0")
      assert(file.write(d .. "/core", "zz\n"))
      no("%-%-core: 'zz' is not one of the schemes", "--oracle", sim, "--core", d .. "/core")
      no("%-%-ports must be a whole number from 1 to 20", "--oracle", sim, "--ports", "21")
      no("cannot write", "--oracle", sim, "--out", d .. "/none/m.json")
      no("a record lacks", "--oracle", "replay:" .. d .. "/e.jsonl")
    end)
  end)
end)

describe("oracles", function()
  it("are read with their options", function()
    assert.same({ kind = "hw", path = "", options = { store = "a.db", seed = 3 }, measures = true }, oracle.parse "hw,store=a.db,seed=3")
    assert.same({ kind = "sim", path = "x.json", options = { noise = 0.01, binder = "greedy" } }, oracle.parse "sim:x.json,noise=0.01,binder=greedy")
    assert.same({ kind = "replay", path = "a,b.json", options = {} }, oracle.parse "replay:a,b.json")
    for _, text in ipairs { "hw:x", "hw,x", "sim:", "", "replay:a,seed=3" } do assert.is_nil((oracle.parse(text))) end
    -- In process: run as a program under gcc 12's LeakSanitizer, this message ended in a crash of its scan of thread-local storage.
    local none, message = oracle.parse "sim:x.json,colour=red"
    assert.is_nil(none)
    assert.equal("oracle sim has no option 'colour'; there are: binder, bursts, clock, counters, frequency, kind, "
      .. "noise, outliers, seed, store, unit", message)
  end)
end)

describe("what is found out before inferring on a machine", function()
  local prepare = require "portolan.cli.infer.prepare"
  local machine = two_level("0156", { ["add r64, r64"] = "0156", ["imul r64, r64"] = "1", ["popcnt r64, r64"] = "1", ["shl r64, imm8"] = "06",
    ["vpermd ymm, ymm, ymm"] = "5" }, { rmax = 4 })
  machine.schemes["bswap r64"] = { uops = { { { "0", "6" }, 1 }, { { "1", "5" }, 1 } }, slots = 2, status = "explained" }
  local function found(names)
    local o, titles = { seed = 1 }, {}
    local list, message, status = prepare.schemes(assert(simulated.new { mapping = machine }), { kind = "hw", measures = true }, names, {}, o,
      function(title) titles[title] = true end)
    return list, o, message, status, titles
  end

  it("are one scheme per class of the starter set, how many ports each has, and the peak rate", function()
    local list, o, _, _, titles = found(nil)
    table.sort(list)
    assert.same({ "add r64, r64", "imul r64, r64", "shl r64, imm8", "vpermd ymm, ymm, ymm" }, list)
    assert.same({ ["add r64, r64"] = 4, ["imul r64, r64"] = 1, ["shl r64, imm8"] = 2, ["vpermd ymm, ymm, ymm"] = 1 }, o.port_counts)
    assert.equal(4, o.rmax)
    assert.is_true(titles["schemes alone"])
  end)

  it("are the schemes of a single uop, to grow from, on a machine", function()
    local o = { seed = 1 }
    local list = assert(prepare.single_uops(assert(simulated.new { mapping = machine }), { kind = "hw", measures = true }, nil, {}, o,
      function() end, { set = "starter" }))
    table.sort(list)
    assert.same({ "add r64, r64", "imul r64, r64", "popcnt r64, r64", "shl r64, imm8", "vpermd ymm, ymm, ymm" }, list)
    assert.equal(4, o.rmax)
    local none, message = prepare.single_uops(assert(simulated.new { mapping = two_level("01", { ["add r64, m64"] = "01" }, { rmax = 4 }) }),
      { kind = "sim" }, { "add r64, m64" }, { "add r64, m64" }, { seed = 1 }, function() end)
    assert.is_nil(none)
    assert.matches("has 2 uops, by its issue slots and memory operands", message) -- one slot, by micro-fusion
    none, message = prepare.single_uops(assert(simulated.new { mapping = machine }), { kind = "hw", measures = true }, nil, {}, o,
      function() end, { set = "nosuch" })
    assert.is_nil(none)
    assert.matches("nosuch", message)
  end)

  it("are issue slots of named schemes; what cannot be measured is refused", function()
    local list, o = found { "bswap r64", "imul r64, r64" }
    assert.same({ "bswap r64", "imul r64, r64" }, list)
    assert.same({ ["bswap r64"] = 2, ["imul r64, r64"] = 1 }, o.slots)
    assert.equal(4, o.rmax)
    local none, _, message, status = found { "imul r64, r64", "xor r32, r32" }
    assert.is_nil(none)
    assert.matches("'xor r32, r32' cannot be inferred", message)
    assert.equal(1, status)
    none, _, message = found { "frob r64" }
    assert.is_nil(none)
    assert.matches("frob", message)
  end)
end)

describe("recorded experiments", function()
  local function record(m, list)
    local processor, records = assert(simulated.new { mapping = m }), {}
    for k, result in ipairs(processor:measure(list)) do records[k] = { e = list[k], cycles = result.cycles, status = "ok" } end
    return assert(replay.new { records = records })
  end

  it("are all observed, and no others are asked for; what would decide is said", function()
    local m = two_level("01", { a = "0", b = "01" })
    local processor = record(m, { { a = 1 }, { b = 1 }, { c = 1, a = 1 } })
    local asked = 0
    local measure = processor.measure
    function processor.measure(self, list, options)
      for _, e in ipairs(list) do
        asked = asked + 1
        assert.is_true(self:answers(e))
      end
      return measure(self, list, options)
    end
    local outcome = assert(cegis.infer(processor, { "a", "b" }, { ports = 3 }))
    assert.equal("undecided", outcome.status)
    assert.equal(2, asked)
    assert.equal(2, #outcome.observations)
    assert.is_true(#outcome.wanted >= 1)
    for _, w in ipairs(outcome.wanted) do assert.is_true(math.abs(w.chosen - w.other) > 0.04) end
    -- what it asked for does decide
    local list = { { a = 1 }, { b = 1 } }
    for _, w in ipairs(outcome.wanted) do list[#list + 1] = w.experiment end
    outcome = assert(cegis.infer(record(m, list), { "a", "b" }, { ports = 3 }))
    assert.equal("unique", outcome.status)
    assert.same({}, outcome.wanted)
    assert.is_true(same(m, outcome.mapping))
  end)

  it("of a whole inference give its mapping again", function()
    for seed = 1, 4 do
      local m = random_mapping.two_level { seed = seed, ports = 6, schemes = 7 }
      local first, list = assert(cegis.infer(assert(simulated.new { mapping = m }), names_of(m), { seed = seed })), {}
      for k, o in ipairs(first.observations) do list[k] = o.experiment end
      local again = assert(cegis.infer(record(m, list), names_of(m), { seed = seed + 10 }))
      assert.equal("unique", again.status)
      assert.is_true(same(m, again.mapping))
    end
  end)
end)

describe("given ports", function()
  it("lead to the truth, under the given names, whichever schemes they are of", function()
    for seed = 1, 12 do
      local m = random_mapping.two_level { seed = 40 + seed, ports = 6, schemes = 7 }
      local names, given, rng = names_of(m), {}, core.base.rng(seed)
      for _, name in ipairs(names) do
        if rng:unit() < 0.5 then given[name] = m.schemes[name].uops[1][1] end
      end
      local outcome = assert(cegis.infer(assert(simulated.new { mapping = m }), names, { ports = 6, seed = seed, fixed = given }))
      assert.equal("unique", outcome.status)
      assert.is_true(same(m, outcome.mapping))
      for name, ports in pairs(given) do
        local wanted, got = table.move(ports, 1, #ports, 1, {}), outcome.mapping.schemes[name].uops[1][1]
        table.sort(wanted)
        table.sort(got)
        assert.same(wanted, got)
      end
    end
  end)

  it("of schemes of several uops as well", function()
    for seed = 1, 4 do
      local m = two_level("0123", { a = "0", b = "12", d = "013" })
      m.schemes.c = { uops = { { { "1", "2" }, 1 }, { { "3" }, 1 }, { { "0", "3" }, 1 } }, status = "explained" }
      local outcome = assert(cegis.infer(assert(simulated.new { mapping = m }), { "a", "b", "c", "d" },
        { ports = 4, seed = seed, uops = { c = 3 }, fixed = { c = m.schemes.c.uops } }))
      assert.equal("unique", outcome.status)
      assert.is_true(same(m, outcome.mapping))
    end
  end)

  it("that are wrong contradict the experiments", function()
    local processor = assert(simulated.new { mapping = truth })
    local outcome = assert(cegis.infer(processor, names_of(truth), { fixed = { imul = { "1" }, vpermd = { "1" } },
      initial = { { imul = 1, vpermd = 1 } } })) -- as it is given, the inference would not ask
    assert.equal("contradiction", outcome.status)
    assert.matches("and the given ports explains that .*imul", outcome.conflict.text)
    outcome = assert(cegis.infer(processor, names_of(truth), { fixed = { imul = { "1", "2" } } }))
    assert.equal(1, #outcome.conflict.experiments)
    local function message(fixed, options)
      local o = { fixed = fixed }
      for k, v in pairs(options or {}) do o[k] = v end
      local result, text = cegis.infer(processor, names_of(truth), o)
      assert.is_nil(result)
      return text
    end
    assert.matches("'div' are given, but it is not one", message { div = { "1" } })
    assert.matches("are none", message { imul = {} })
    assert.matches("2 uops, but it has 1", message { imul = { { { "1" }, 2 } } })
    assert.matches("allow more ports", message({ add = { "0", "1", "5", "6" } }, { ports = 3 }))
  end)
end)
