-- portolan.infer.pmevo: experiments, congruence filtering, evolution as published and by islands, checkpoints, the command.
local congruence = require "portolan.infer.pmevo.congruence"
local core = require "portolan.core"
local experiment_set = require "portolan.infer.pmevo.experiment_set"
local file = require "portolan.support.file"
local json = require "portolan.support.json"
local mapping = require "portolan.mapping"
local meter = require "portolan.infer.pmevo.meter"
local pmevo = require "portolan.infer.pmevo"
local process = require "process"
local simulated = require "portolan.processor.simulated"

local function usage(text) -- "2*01+5" -> uops
  local uops = {}
  for term in text:gmatch "[^+]+" do
    local count, ports, list = term:match "^(%d)%*(%d+)$", term:match "%d+$", {}
    for port in ports:gmatch "." do list[#list + 1] = port end
    uops[#uops + 1] = { list, tonumber(count) or 1 }
  end
  return uops
end

local function toy(ports, schemes, extra)
  local m = { format = "portolan-mapping", version = 1, ports = {}, schemes = {} }
  for port in ports:gmatch "." do table.insert(m.ports, port) end
  for name, text in pairs(schemes) do m.schemes[name] = { uops = usage(text), status = "explained" } end
  for key, value in pairs(extra or {}) do m[key] = value end
  return m
end

-- Additions on three ports, a multiplier, a shifter, loads, a store, an addition from memory, and doubles of three of them.
local truth = toy("012345", { add = "013", sub = "013", mul = "1", mulx = "1", shl = "03", load = "24", store = "24+5", addm = "013+24",
  subm = "013+24", cmov = "2*03" })

local function processor(m, noise, seed)
  return assert(simulated.new { mapping = m or truth, seed = seed or 2,
    noise = noise and { kind = "uniform", width = noise, unit = "relative" } or nil })
end

local function infer(o, m, p)
  o.ports, o.threads = o.ports or #(m or truth).ports, o.threads or 1
  return assert(pmevo.infer(p or processor(m), mapping.schemes(m or truth, true), o))
end

-- Whether some experiment tells two mappings apart.
local function same(a, b)
  return not assert(core.model.compare(assert(mapping.compile(a)), assert(mapping.compile(b)), { epsilon = 0.01 })).distinguishable
end

describe("the experiments", function()
  it("repeat the faster of two until it takes as long", function()
    assert.same({ { 1, 1 }, { 1, 4 } }, experiment_set.pair(1, 0.25, 0.05))
    assert.same({ { 1, 1 }, { 3, 1 } }, experiment_set.pair(0.4, 1, 0.05))
    assert.same({ { 1, 1 } }, experiment_set.pair(1, 1.02, 0.05))
    assert.equal(3, experiment_set.repeats(1, 1 / 3, 1e-9)) -- not 4, for the last bit
    assert.equal(3 + 3 + 1, experiment_set.count({ 1, 1, 0.5 }, 0.05) - 1)
  end)
end)

describe("congruence filtering", function()
  local names = mapping.schemes(truth, true)
  local function classes(p)
    local m, alone = assert(meter.new(p)), {}
    for _, name in ipairs(names) do alone[name] = m:measure({ { [name] = 1 } })[1] end
    return assert(congruence.classes(m, names, alone, { epsilon = 0.05 })), m
  end
  it("finds the schemes with equal uops and measures a fraction of the pairs", function()
    local found, m = classes(processor())
    assert.same({ add = { "add", "sub" }, mul = { "mul", "mulx" }, addm = { "addm", "subm" }, shl = { "shl" }, load = { "load" },
      store = { "store" }, cmov = { "cmov" } }, found.members)
    assert.is_true(m.measured < experiment_set.count({ 0.34, 0.34, 0.5, 1, 1, 1, 0.5, 0.5, 1, 0.5 }, 0.05), m.measured)
  end)
  it("saves the more the larger the classes are", function()
    local many, alone = toy("012345", {}), {}
    for name, scheme in pairs(truth.schemes) do
      for k = 1, 6 do many.schemes[name .. k] = scheme end
    end
    local m, all, times = assert(meter.new(processor(many))), mapping.schemes(many, true), {}
    for i, name in ipairs(all) do
      alone[name] = m:measure({ { [name] = 1 } })[1]
      times[i] = alone[name]
    end
    assert.equal(7, #assert(congruence.classes(m, all, alone, { epsilon = 0.05 })).representatives)
    assert.is_true(m.measured < experiment_set.count(times, 0.05) / 4, m.measured)
  end)
  it("does so under noise within epsilon", function()
    for seed = 1, 10 do assert.equal(7, #classes(processor(truth, 0.01, seed)).representatives) end
  end)
  it("takes the symmetric relative difference", function()
    assert.is_true(congruence.equal(1, 1.05, 0.05))
    assert.is_false(congruence.equal(1, 1.052, 0.05))
    assert.equal(congruence.equal(2, 3, 0.39), congruence.equal(3, 2, 0.39))
  end)
  it("takes no answer for no evidence, and does without a few", function()
    -- p0 and p1 each: alone they are alike; with {a, b} unmeasured, nothing tells them apart, nor that they are one
    local twins, schemes = toy("01", { a = "0", b = "1" }), { "a", "b" }
    for k = 1, 30 do
      schemes[#schemes + 1] = ("c%02d"):format(k)
      twins.schemes[schemes[#schemes]] = { uops = usage(k % 2 == 0 and "0" or "01+0"), status = "explained" }
    end
    local function count(silent)
      local p, alone = processor(twins), {}
      local deaf = { measure = function(_, list, options)
        local results = p:measure(list, options)
        for i, e in ipairs(list) do
          if silent(e) then results[i] = { status = "unstable" } end
        end
        return results
      end }
      local m = assert(meter.new(deaf))
      for _, name in ipairs(schemes) do alone[name] = m:measure({ { [name] = 1 } })[1] end
      local found = assert(congruence.classes(m, schemes, alone, { epsilon = 0.05 }))
      return #found.representatives, found.class
    end
    assert.equal(3, (count(function() return false end)))
    assert.equal(3, (count(function(e) return e.c05 and e.c09 end)))
    local _, class = count(function(e) return e.a and e.b end)
    assert.not_equal(class.a, class.b)
    assert.equal(32, (count(function(e) return next(e, next(e)) ~= nil end))) -- no pair at all
  end)
  it("splits a class by a representative that comes later", function()
    -- before c comes, a and b differ in nothing: p01 + p23 each, on other ports; {a, b} = 2, as twice either
    local twins = toy("0123", { a = "01+23", b = "2*0123", c = "2*01" })
    local m = assert(meter.new(processor(twins)))
    local found = assert(congruence.classes(m, { "a", "b", "c" }, { a = 0.5, b = 0.5, c = 1 }, { epsilon = 0.05 }))
    assert.equal(3, #found.representatives)
  end)
end)

describe("all pairs, as published,", function()
  local all_pairs = require "portolan.infer.pmevo.all_pairs"
  local function classes(m, p)
    local names, alone, asked = mapping.schemes(m, true), {}, assert(meter.new(p or processor(m)))
    for _, name in ipairs(names) do alone[name] = asked:measure({ { [name] = 1 } })[1] end
    return assert(all_pairs.classes(asked, names, alone, { epsilon = 0.05 })), asked, alone, names
  end
  it("are measured each once, with the rounded-up number of copies, and give the same classes", function()
    local found, asked, alone, names = classes(truth)
    assert.same(assert(congruence.classes(asked, names, alone, { epsilon = 0.05 })).members, found.members)
    local times = {}
    for i, name in ipairs(names) do times[i] = alone[name] end
    local again = select(2, classes(truth))
    assert.equal(experiment_set.count(times, 0), again.measured)
    assert.same({ { 1, 1 }, { 1, 2 } }, experiment_set.pair(1.02, 1, all_pairs.tolerance)) -- the default takes these for equal
  end)
  it("find classes under noise, where numbers of copies differ by one", function()
    for seed = 1, 5 do assert.equal(7, #classes(truth, processor(truth, 0.01, seed)).representatives) end
  end)
  it("keep schemes apart that only their own pair tells apart", function()
    assert.equal(2, #classes(toy("01", { a = "0", b = "1" })).representatives)
  end)
  it("take no answer for no evidence", function()
    local p = processor(toy("01", { a = "0", b = "0", c = "1" }))
    local deaf = { measure = function(_, list, options)
      local results = p:measure(list, options)
      for i, e in ipairs(list) do
        if e.c and next(e, next(e)) then results[i] = { status = "unstable" } end
      end
      return results
    end }
    assert.equal(3, #classes(toy("01", { a = "0", b = "0", c = "1" }), deaf).representatives)
  end)
  it("lead to the same processor, and are asked of no record", function()
    local outcome = infer { pairs = "all", seed = 1 }
    assert.is_true(same(truth, outcome.mapping))
    assert.equal(outcome.counts.all, outcome.counts.measured)
    assert.is_true(infer({ seed = 1 }).counts.measured < outcome.counts.measured)
    local record = assert(require("portolan.processor.replay").new { records = { { e = { add = 1 }, cycles = 1, status = "ok" } } })
    local none, message = pmevo.infer(record, { "add" }, { ports = 2, pairs = "all" })
    assert.is_nil(none)
    assert.matches("a record is used as it is", message)
  end)
end)

describe("the default evolution", function()
  it("recovers a toy processor exactly", function()
    for seed = 1, 3 do
      local outcome = infer { seed = seed }
      assert.equal("converged", outcome.status)
      assert.is_true(outcome.error < 1e-5, outcome.error)
      assert.is_true(same(truth, outcome.mapping))
      assert.equal("add", outcome.mapping.schemes.sub.congruent_to)
    end
  end)
  it("recovers it from noisy times and under R_max", function()
    local limited = toy("012345", { add = "013", mul = "1", shl = "03", load = "24", store = "24+5", addm = "013+24", fast = "0134" },
      { rmax = 3 })
    for _, scheme in pairs(limited.schemes) do scheme.slots = 1 end
    local outcome = infer({ seed = 5 }, limited, processor(limited, 0.02))
    assert.equal(3, outcome.mapping.rmax)
    assert.is_true(outcome.error < 0.02, outcome.error)
    local list, compiled, true_one = {}, assert(mapping.compile(outcome.mapping)), assert(mapping.compile(limited))
    for i, name in ipairs(mapping.schemes(limited, true)) do
      list[i] = { [name] = 2, add = name ~= "add" and 3 or 4, load = name ~= "load" and 1 or 2 }
    end
    for _, e in ipairs(list) do
      local t = true_one:throughput(e)
      assert.is_true(math.abs(compiled:throughput(e) - t) <= 0.1 * t)
    end
  end)
  it("gives the same bytes with any number of threads", function()
    local one, three = infer { seed = 7, generations = 3, threads = 1 }, infer { seed = 7, generations = 3, threads = 3 }
    assert.equal("limit", one.status)
    assert.equal(one.text, three.text)
    assert.equal(assert(mapping.encode(one.mapping)), assert(mapping.encode(three.mapping)))
  end)
  it("keeps what is given and begins with a hint", function()
    local fixed = toy("012345", { mul = "4", shl = "24" }) -- the same processor, with other names of ports
    local outcome = infer { seed = 1, fixed = fixed }
    assert.equal("p4", mapping.usage(outcome.mapping.schemes.mulx))
    assert.equal("p24", mapping.usage(outcome.mapping.schemes.shl))
    local both = infer { seed = 1, fixed = fixed, start = toy("012345", { mul = "1" }), generations = 1, islands = 1, population = 1 }
    assert.equal("p4", mapping.usage(both.mapping.schemes.mul)) -- what is given is not for a hint to change
    local hinted = infer { seed = 1, start = truth, generations = 1, islands = 1, population = 1 }
    assert.equal("p013", mapping.usage(hinted.mapping.schemes.add))
    assert.is_true(hinted.error < 1e-5)
  end)
  it("keeps to known numbers of uops", function()
    local outcome = infer { seed = 1, uops = { store = 2, cmov = 2, add = 1 } }
    assert.is_true(outcome.error < 1e-5)
    assert.equal(2, #outcome.mapping.schemes.store.uops) -- one would do for the times
    assert.is_true(same(truth, outcome.mapping))
  end)
  it("says which port of a given mapping is too many", function()
    local outcome, message = pmevo.infer(processor(), { "add", "mul" }, { ports = 1, fixed = toy("01", { mul = "1" }) })
    assert.is_truthy(outcome, message) -- its ports count, even if fewer were asked for
    assert.equal(2, #outcome.mapping.ports)
  end)
end)

describe("the plain evolution", function()
  it("is deterministic for a seed and any number of threads, and explains something", function()
    local o = { plain = true, population = 60, seed = 3, generations = 40 }
    o.threads = 1
    local one = infer(o)
    o.threads = 3
    local three = infer(o)
    assert.equal(one.text, three.text)
    assert.is_true(one.error < 0.5, one.error)
    o.seed, o.threads = 4, 1
    assert.not_equal(one.text, infer(o).text)
  end)
end)

-- Ends the evolution with Ctrl-C after a number of progress reports, then goes on.
local function interrupted_and_resumed(d, o, after)
  local function run(reports)
    local seen, options = 0, { directory = d }
    for key, value in pairs(o) do options[key] = value end
    options.progress = function(stage)
      if stage ~= "evolving" then return end
      seen = seen + 1
      if seen == reports then core.base.set_interrupted(true) end
    end
    local outcome = infer(options)
    core.base.set_interrupted(false)
    return outcome
  end
  local first = run(after)
  assert.equal("interrupted", first.status)
  return run(0), first
end

describe("a checkpoint", function()
  for name, o in pairs { plain = { plain = true, population = 40, seed = 3, generations = 30 }, islands = { seed = 3, generations = 4 } } do
    it("of the " .. name .. " evolution goes on to the same result", function()
      process.in_directory(function(d)
        local whole = infer { plain = o.plain, population = o.population, seed = 3, generations = o.generations }
        local resumed, first = interrupted_and_resumed(d, o, 2)
        assert.is_true(resumed.resumed)
        assert.is_true(first.steps < whole.steps)
        assert.equal(0, resumed.counts.measured)
        assert.equal(whole.text, resumed.text)
        assert.equal(whole.steps, resumed.steps)
      end)
    end)
  end
  it("of other options is left alone", function()
    process.in_directory(function(d)
      infer { directory = d, seed = 1, generations = 1 }
      assert.is_falsy(infer({ directory = d, seed = 2, generations = 1 }).resumed)
      assert.is_true(infer({ directory = d, seed = 2, generations = 1 }).resumed)
      assert(file.write(d .. "/checkpoint.json", "{"))
      assert.is_falsy(infer({ directory = d, seed = 2, generations = 1 }).resumed)
    end)
  end)
end)

describe("portolan infer pmevo", function()
  local function portolan(...)
    return process.run { args = { process.portolan, ... }, env = { LANG = "C", LC_ALL = false, LC_CTYPE = false, NO_COLOR = "1" } }
  end
  it("writes a mapping, its experiments, held-out ones and a report; replays the experiments", function()
    process.in_directory(function(d)
      assert(mapping.save(truth, d .. "/truth.json"))
      local r = portolan("infer", "pmevo", "--oracle", "sim:" .. d .. "/truth.json", "--evaluate", "200", "--out", d .. "/out")
      assert.equal(0, r.status, r.err)
      assert.matches("10 schemes in 7 classes", r.out)
      assert.matches("training error 0%.00%%", r.out)
      assert.matches("PMEvo: +MAPE 0%.00%%", r.out)
      assert.matches("8 of 10 schemes", r.out) -- the others in fewer uops, which take the same time in any company
      assert.is_true(same(truth, assert(mapping.load(d .. "/out/mapping.json"))))
      assert.matches("<svg", assert(file.read(d .. "/out/accuracy.html")))
      local again = portolan("infer", "pmevo", "--oracle", "replay:" .. d .. "/out/experiments.jsonl", "--ports", "6", "--evaluate", "0",
        "--json", "--out", d .. "/replayed")
      assert.equal(0, again.status, again.err)
      local o = assert(json.decode(again.out))
      assert.equal(7, o.counts.classes)
      assert.is_true(o.training_error < 1e-5)
    end)
  end)
  it("measures all pairs where it is told to, and says so", function()
    process.in_directory(function(d)
      assert(mapping.save(truth, d .. "/truth.json"))
      local r = portolan("infer", "pmevo", "--oracle", "sim:" .. d .. "/truth.json", "--pairs", "all", "--plain", "--population", "20",
        "--generations", "2", "--evaluate", "0", "--json", "--out", d .. "/out")
      assert.equal(0, r.status, r.err)
      local counts = assert(json.decode(r.out)).counts
      assert.equal(counts.all, counts.measured)
      assert.equal("all", assert(mapping.load(d .. "/out/mapping.json")).provenance.pairs)
      local refused = portolan("infer", "pmevo", "--oracle", "replay:" .. d .. "/out/experiments.jsonl", "--pairs", "all", "--out", d .. "/no")
      assert.equal(2, refused.status)
      assert.matches("%-%-pairs all: a record is used as it is", refused.err)
      assert.is_nil(file.kind(d .. "/no"))
    end)
  end)
  it("compares with a reference that knows fewer schemes on the experiments that both explain", function()
    process.in_directory(function(d)
      assert(mapping.save(toy("01", { a = "01", b = "0", c = "1", d = "0" }), d .. "/m.json"))
      local part = toy("01", { a = "01", b = "0", c = "0" })
      part.schemes.c.status = "slower than ports"
      assert(mapping.save(part, d .. "/part.json"))
      local function run(...)
        local r = portolan("infer", "pmevo", "--oracle", "sim:" .. d .. "/m.json", "--evaluate", "300", "--reference", d .. "/part.json", "--out",
          d .. "/out", ...)
        assert.equal(0, r.status, r.err)
        return r.out
      end
      assert.matches("300 random experiments:\n  PMEvo: [^\n]+\n%d+ of them that the reference explains, too:\n  PMEvo: [^\n]+\n  reference: ", run())
      local compared = assert(json.decode(run "--json")).evaluation.compared
      assert.is_true(compared.PMEvo.n == compared.reference.n and compared.PMEvo.n < 100)
    end)
  end)
  it("ends a second time where it ended, and measures another mapping of the same name anew", function()
    process.in_directory(function(d)
      local function steps(name, ...)
        local r = portolan("infer", "pmevo", "--oracle", "sim:" .. d .. "/" .. name, "--evaluate", "0", "--json", "--out", d .. "/out", ...)
        assert.equal(0, r.status, r.err)
        local o = assert(json.decode(r.out))
        return o.steps, o.counts.measured, o.status
      end
      assert(mapping.save(truth, d .. "/truth.json"))
      assert.equal(2, (steps("truth.json", "--generations", "2")))
      assert.equal(2, (steps("truth.json", "--generations", "2")))
      local n, _, status = steps("truth.json")
      assert.equal("converged", status)
      assert.same({ n, 0, "converged" }, { steps("truth.json") })
      assert(file.make_directory(d .. "/other"))
      local other = toy("01", { a = "01", b = "0" })
      assert(mapping.save(other, d .. "/other/truth.json"))
      assert.is_true(select(2, steps("other/truth.json")) > 0)
    end)
  end)
  it("takes an R_max that the oracle has not", function()
    process.in_directory(function(d)
      assert(mapping.save(toy("01", { a = "01", b = "0" }), d .. "/m.json"))
      local r = portolan("infer", "pmevo", "--oracle", "sim:" .. d .. "/m.json", "--rmax", "2", "--evaluate", "10", "--out", d .. "/out")
      assert.equal(0, r.status, r.err)
    end)
  end)
  it("refuses what cannot be", function()
    process.in_directory(function(d)
      assert(mapping.save(truth, d .. "/truth.json"))
      for words, args in pairs {
        ["knows no scheme 'div'"] = { "--oracle", "sim:" .. d .. "/truth.json", "div" },
        ["from 1 to 16"] = { "--oracle", "sim:" .. d .. "/truth.json", "--ports", "17" },
        ["takes no %-%-fixed"] = { "--oracle", "sim:" .. d .. "/truth.json", "--plain", "--fixed", d .. "/truth.json" },
        ["'div' is not one"] = { "--oracle", "sim:" .. d .. "/truth.json", "--uops", "div=3" },
        ["cannot read"] = { "--oracle", "sim:" .. d .. "/truth.json", "--start", d .. "/none.json" },
      } do
        local r = portolan("infer", "pmevo", "--out", d .. "/out", table.unpack(args))
        assert.equal(2, r.status, r.out)
        assert.matches(words, r.err)
      end
    end)
  end)
  it("gives the same with islands as processes", function()
    if not core.evo.mpi then return pending "a build without MPI" end
    process.in_directory(function(d)
      assert(mapping.save(truth, d .. "/truth.json"))
      local words = { "infer", "pmevo", "--oracle", "sim:" .. d .. "/truth.json", "--evaluate", "0", "--generations", "3", "--seed", "2" }
      local function run(out, ...)
        local args = { ... }
        table.move(words, 1, #words, #args + 1, args)
        table.move({ "--out", d .. "/" .. out }, 1, 2, #args + 1, args)
        local r = process.run { args = args, env = { LANG = "C", OMPI_ALLOW_RUN_AS_ROOT = "1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM = "1" } }
        assert.equal(0, r.status, r.err)
        return assert(mapping.load(d .. "/" .. out .. "/mapping.json")).schemes
      end
      local one = run("one", process.portolan)
      table.insert(words, "--mpi")
      assert.same(one, run("many", "mpirun", "--oversubscribe", "-n", "4", process.portolan))
    end)
  end)
  it("refuses --mpi in a build without", function()
    if core.evo.mpi then return pending "a build with MPI" end
    process.in_directory(function(d)
      assert(mapping.save(truth, d .. "/truth.json"))
      local r = portolan("infer", "pmevo", "--mpi", "--oracle", "sim:" .. d .. "/truth.json", "--out", d .. "/out")
      assert.equal(2, r.status)
      assert.matches("no MPI; configure it with %-DPTL_MPI=ON", r.err)
    end)
  end)
end)
