-- Whoever is asked what a mapping predicts says the same: models, simulated cores, comparisons, the command line in all its forms. Of schemes that
-- ports do not explain they say what is known, and that it is no more.
local conjunctive = require "portolan.mapping.conjunctive"
local core = require "portolan.core"
local evaluate = require "portolan.infer.chart.stages.evaluate"
local experiment = require "portolan.experiment"
local file = require "portolan.support.file"
local json = require "portolan.support.json"
local mapping = require "portolan.mapping"
local model = require "portolan.prediction.model"
local named = require "portolan.predictor.named"
local process = require "process"
local reference = require "portolan.infer.reference"
local simulated = require "portolan.processor.simulated"

-- A chart of the usual kind: a divider, something slower than its ports, a scheme that contradicts, one of which nothing is known.
local function chart()
  local m = mapping.two_level({ "0", "1", "2", "3" }, { ["add r64, r64"] = { "0", "1", "2" }, ["imul r64, r64"] = { "1" },
    ["shl r64, imm8"] = { "0", "2" }, ["mov r64, m64"] = { "3" }, ["vdivpd ymm, ymm, ymm"] = { "0" }, ["vsqrtps ymm, ymm"] = { "0" },
    ["vptest ymm, ymm"] = { "0", "1" } }, { rmax = 4 })
  for name, scheme in pairs(m.schemes) do scheme.slots, scheme.tp = 1, name == "imul r64, r64" and 1.01 or nil end
  for name, tp in pairs { ["vdivpd ymm, ymm, ymm"] = 5, ["vsqrtps ymm, ymm"] = 3.5, ["vptest ymm, ymm"] = 1 } do
    m.schemes[name].status, m.schemes[name].tp = "slower than ports", tp
  end
  m.schemes["vphaddd ymm, ymm, ymm"] = { status = "contradicting", tp = 2.25, slots = 6 }
  m.schemes["bsf r64, r64"] = { status = "not reached", slots = 1 }
  m.front_end = { loop = 1 }
  return m
end

local function random_experiments(m, count)
  local rng, names, list = core.base.rng(1), {}, {}
  for _, name in ipairs(mapping.schemes(m)) do
    if name ~= "bsf r64, r64" then names[#names + 1] = name end
  end
  for i = 1, count do
    local picked = {}
    for k = 1, 1 + rng:below(8) do picked[k] = names[rng:below(#names) + 1] end
    list[i] = experiment.of_list(picked)
  end
  return list
end

local function portolan(...)
  return process.run { args = { process.portolan, ... }, env = { LANG = "C", LC_ALL = false, LC_CTYPE = false, NO_COLOR = "1" } }
end

describe("what a chart predicts", function()
  it("is what the conjunctive mapping says that is made of it", function()
    local m = chart()
    m.schemes["vphaddd ymm, ymm, ymm"] = nil -- it has no uops, and so no place in that
    local ours, theirs = assert(model.of(m)), assert(conjunctive.compile(assert(conjunctive.of(m))))
    for _, e in ipairs(random_experiments(m, 100)) do
      assert.near(ours:throughput(e), theirs:throughput(e), 1e-9, experiment.format(e))
    end
  end)

  it("is what a core takes that is simulated from it, whoever is asked", function()
    local m, list = chart(), random_experiments(chart(), 300)
    local processor, ours = assert(simulated.new { mapping = m }), assert(model.of(m))
    local results, slower = processor:measure(list), 0
    for i, e in ipairs(list) do
      local text = experiment.format(e)
      assert.equal("ok", results[i].status, text)
      assert.equal(results[i].cycles, (ours:throughput(e)), text)
      assert.equal(results[i].cycles, ours:predict(e).cycles, text)
      slower = slower + (ours:predict(e).limit == "unit" and 1 or 0)
    end
    assert.is_true(slower > 100)
    for _, method in ipairs { "lp", "lp-exact", "conjunctive" } do
      local other = assert(model.of(m, method))
      for i = 1, 60 do assert.near(results[i].cycles, other:throughput(list[i]), 1e-6) end
    end
    local all = ours.compiled:throughputs(assert(core.model.batch(ours.compiled, list)))
    for i, result in ipairs(results) do assert.near(result.cycles, all[i], 1e-6) end
  end)

  it("is judged without an error in the evaluation of a chart, and by eval", function()
    local m, names = chart(), {}
    for _, name in ipairs(mapping.schemes(m, true)) do names[#names + 1] = name end
    local survey = { seed = 1, stage = function() end, processor = assert(simulated.new { mapping = m }) }
    function survey:measure(list) return self.processor:measure(list) end
    local evaluation = evaluate(survey, assert(mapping.compile(m)), names, 100)
    assert.equal(0, evaluation.mape)
    process.in_directory(function(d)
      assert(mapping.save(m, d .. "/m.json"))
      local lines = {}
      for i, e in ipairs(random_experiments(m, 100)) do lines[i] = json.encode({ e = e, status = "not measured" }) end
      assert(file.write(d .. "/e.jsonl", table.concat(lines, "\n") .. "\n"))
      local r = portolan("measure", d .. "/e.jsonl", "--oracle", "sim:" .. d .. "/m.json", "--out", d .. "/measured.jsonl")
      assert.equal(0, r.status, r.err)
      r = portolan("eval", d .. "/measured.jsonl", "--mapping", d .. "/m.json", "--json")
      local found = assert(json.decode(r.out)).models[1]
      assert.same({ 100, 0 }, { found.n, found.mape })
      assert.equal(100, found.by_trust.rough.n + found.by_trust.others.n)
      r = portolan("eval", d .. "/measured.jsonl", "--mapping", d .. "/m.json", "--report", d .. "/page.html")
      local rough = ("%d of 100 predictions rest on what a scheme takes alone"):format(found.by_trust.rough.n)
      assert.matches(rough, r.out, 1, true)
      assert.matches(rough, (assert(file.read(d .. "/page.html"))), 1, true)
    end)
  end)

  it("counts where mappings are compared", function()
    local a, b = chart(), chart()
    local function compared() return assert(core.model.compare(assert(mapping.compile(a)), assert(mapping.compile(b)))) end
    assert.same({ true, true, false }, { compared().equal, compared().same_limits, compared().distinguishable })
    b.schemes["vdivpd ymm, ymm, ymm"].tp = 4
    local r = compared()
    assert.same({ true, false, true }, { r.equal, r.same_limits, r.distinguishable })
    assert.same({ a = 5, b = 4 }, { a = r.a, b = r.b })
    process.in_directory(function(d)
      assert(mapping.save(a, d .. "/a.json"))
      assert(mapping.save(b, d .. "/b.json"))
      local run = portolan("compare", d .. "/a.json", d .. "/b.json")
      assert.equal(1, run.status, run.err)
      assert.matches("vdivpd ymm, ymm, ymm", run.out)
    end)
  end)

  -- The entries by scheme; what they say of the mapping is what the mapping predicts.
  local function differences(other)
    local m, of = chart(), {}
    local ours = assert(model.of(m))
    for _, entry in ipairs(assert(reference.differences(m, other)).list) do
      of[entry.scheme] = entry
      if entry.e then assert.equal((ours:throughput(entry.e)), entry.ours, entry.experiment) end
    end
    return of
  end

  it("is what disagree says of it, and not that a divider is fast", function()
    local other = chart()
    other.schemes["vdivpd ymm, ymm, ymm"] = { uops = { { { "0" }, 5 } }, status = "explained", slots = 1 }
    other.schemes["vptest ymm, ymm"] = { uops = { { { "2" }, 2 } }, status = "explained", slots = 2 }
    other.schemes["shl r64, imm8"].uops, other.schemes["shl r64, imm8"].slots = { { { "2" }, 1 } }, 3
    local of = differences(other)
    assert.is_truthy(of["vptest ymm, ymm"].e and of["shl r64, imm8"].e)
    assert.not_equal("vdivpd ymm, ymm, ymm", of["vdivpd ymm, ymm, ymm"].experiment)
    for _, name in ipairs { "vdivpd ymm, ymm, ymm", "vsqrtps ymm, ymm" } do
      other.schemes[name] = { uops = { { { "0" }, 4 } }, status = "explained", slots = 1 }
    end
    of = differences(other)
    assert.same({ 5, 3.5 }, { of["vdivpd ymm, ymm, ymm"].ours, of["vsqrtps ymm, ymm"].ours })
  end)
end)

describe("schemes that ports do not explain", function()
  local m = assert(model.of(chart()))

  it("are predicted by their slots and their time alone, and named with their status", function()
    local p = assert(m:predict { ["vphaddd ymm, ymm, ymm"] = 2, ["add r64, r64"] = 1 })
    assert.same({ 4.5, "unit", { ["vphaddd ymm, ymm, ymm"] = "contradicting" } }, { p.cycles, p.limit, p.rests_on })
    p = assert(m:predict { ["vphaddd ymm, ymm, ymm"] = 1, ["add r64, r64"] = 6 })
    assert.same({ 3, "rmax" }, { p.cycles, p.limit })
    p = assert(m:predict { ["vphaddd ymm, ymm, ymm"] = 1, ["vdivpd ymm, ymm, ymm"] = 1, ["imul r64, r64"] = 1 })
    assert.same({ ["vphaddd ymm, ymm, ymm"] = "contradicting", ["vdivpd ymm, ymm, ymm"] = "slower than ports" }, p.rests_on)
    assert.is_nil(assert(m:predict { ["imul r64, r64"] = 1 }).rests_on)
    assert.is_false(m:explains "bsf r64, r64")
    assert.is_nil((m:throughput { ["bsf r64, r64"] = 1 }))
  end)

  it("are explained by what their ports alone say", function()
    process.in_directory(function(d)
      assert(mapping.save(chart(), d .. "/m.json"))
      local r = portolan("explain", "--mapping", d .. "/m.json", "vdivpd ymm, ymm, ymm")
      assert.matches("5%.000 cycles alone %(its ports and slots: 1%.000%)", r.out)
    end)
  end)

  it("are no difference of port usage, and mappings keep them as they are", function()
    local plain = assert(mapping.compile(chart()))
    assert.is_nil((plain:throughput { ["vphaddd ymm, ymm, ymm"] = 1 }))
    assert.is_nil(m.mapping.schemes["vphaddd ymm, ymm, ymm"].uops)
  end)

  it("make an answer of the command line, marked in text and JSON; unknown is that of which nothing is known", function()
    process.in_directory(function(d)
      assert(mapping.save(chart(), d .. "/m.json"))
      local r = portolan("predict", "--mapping", d .. "/m.json", "2*vphaddd ymm, ymm, ymm + add r64, r64", "vphaddd ymm, ymm, ymm + bsf r64, r64")
      assert.equal(0, r.status, r.err)
      assert.matches("\n  4%.500 cycles per experiment[^\n]+limited by what vphaddd ymm, ymm, ymm takes alone, as measured; 3%.250 by", r.out)
      assert.matches("vphaddd ymm, ymm, ymm +ports not known, 6 issue slots  bottleneck\n", r.out)
      assert.matches("\n  by what it takes alone %(contradicting%): vphaddd ymm, ymm, ymm\n", r.out)
      assert.matches("\n  at least 2%.250 cycles, without 1 unknown scheme: ", r.out)
      assert.matches("\n  unknown to the mapping: bsf r64, r64\n", r.out)
      local p = json.decode(portolan("predict", "--mapping", d .. "/m.json", "--json", "2*vphaddd ymm, ymm, ymm").out)[1]
      assert.same({ 4.5, "contradicting" }, { p.cycles, p.rests_on["vphaddd ymm, ymm, ymm"] })
      assert(file.write(d .. "/e.jsonl", '{"e": {"vphaddd ymm, ymm, ymm": 2}, "cycles": 4.5}\n'))
      r = portolan("predict", "--mapping", d .. "/m.json", "--file", d .. "/e.jsonl")
      assert.matches("\n    4%.500    2%.250   2%*vphaddd ymm, ymm, ymm  %(by what it takes alone: vphaddd ymm, ymm, ymm%)\n", r.out)
    end)
  end)
end)

describe("the prediction of code", function()
  -- The time in the first line of a text, without what stands before it.
  local function time_line(text) return text:match "[Aa]t least (%d+%.%d+ cycles per %l+, [^\n<]-)%.?[\n<]" end

  local function check(source, cycles, limit, doubts)
    process.in_directory(function(d)
      assert(mapping.save(chart(), d .. "/m.json"))
      assert(file.write(d .. "/code.s", source))
      local r = portolan("predict", "--mapping", d .. "/m.json", "--code", d .. "/code.s", "--report", d .. "/page.html")
      assert.equal(0, r.status, r.err)
      local p = json.decode(portolan("predict", "--mapping", d .. "/m.json", "--code", d .. "/code.s", "--json").out)[1]
      local page = assert(file.read(d .. "/page.html"))
      assert.near(cycles, p.cycles or p.least_cycles, 1e-9)
      assert.equal(limit, p.limit)
      assert.equal("dependencies", p.ignores)
      assert.matches(("at least %.3f cycles per"):format(cycles), r.out, 1, true)
      assert.equal(time_line(r.out), time_line(page:match '<p class="verdict">.-</p>'))
      for _, line in ipairs(doubts) do
        assert.matches("\n  " .. line .. "\n", r.out, 1, true)
        assert.matches("<li>" .. line .. "</li>", page, 1, true)
      end
      local predictor = assert(named.open("chart:" .. d .. "/m.json"))
      local statements = source:match "\n(.+)$":gsub("\n", ";")
      local bytes = assert(core.isa.assemble(statements)).bytes
      if not p.unknown then assert.near(cycles, predictor:predict({ { bytes = bytes } })[1].cycles, 1e-9) end
    end)
  end

  it("is one, in the terminal, in JSON and on the page, and for predictors", function()
    check(".intel_syntax noprefix\nf: add rax, rbx; add rcx, rdx; jnz f", 1, "branch", { "unknown to the mapping: jnz rel8" })
    check(".intel_syntax noprefix\nf: add rax, rbx; bsf rcx, rdx; bsf rsi, rdx; bsf rdi, rdx; bsf r8, rdx; jnz f", 1.5, "front end",
      { "unknown to the mapping: bsf r64, r64", "unknown to the mapping: jnz rel8" })
  end)

  it("knows schemes by their time alone, too", function()
    check(".intel_syntax noprefix\nvphaddd ymm0, ymm1, ymm2\nvphaddd ymm3, ymm1, ymm2\nadd rax, rbx", 4.5, "unit",
      { "by what it takes alone (contradicting): vphaddd ymm, ymm, ymm" })
    check(".intel_syntax noprefix\nvdivpd ymm0, ymm1, ymm2\nvsqrtps ymm3, ymm1\nadd rax, rbx", 8.5, "unit",
      { "by what it takes alone (slower than ports): vdivpd ymm, ymm, ymm" })
  end)

  it("of tables of blocks is the same", function()
    process.in_directory(function(d)
      local m = chart()
      m.schemes["imul r64, r64"].latencies = { { from = "1", to = "1", cycles = 3 }, { from = "2", to = "1", cycles = 3 } }
      assert(mapping.save(m, d .. "/m.json"))
      assert(file.write(d .. "/blocks.csv", "480fafc3,1\n"))
      local r = portolan("predict", "--mapping", d .. "/m.json", "--file", d .. "/blocks.csv")
      assert.matches("^   cycles      CPI   experiment\n    3%.000    3%.000   imul r64, r64\n$", r.out)
    end)
  end)
end)
