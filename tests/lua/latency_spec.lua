-- Latencies by chains: the linear system, the network of connectors, and whole inferences on simulated cores whose latencies are known.
local core_of = dofile(os.getenv "PORTOLAN_SOURCE" .. "/tests/lua/latency_truth.lua")
local latencies = require "portolan.mapping.latencies"
local latency = require "portolan.infer.latency"
local kinds = require "portolan.infer.latency.kinds"
local mapping = require "portolan.mapping"
local mapping_union = require "portolan.mapping.union"
local network = require "portolan.infer.latency.network"
local outcome = require "portolan.infer.latency.outcome"
local simulated = require "portolan.processor.simulated"
local system = require "portolan.infer.latency.system"

local truth = core_of.small

local function infer(m, noise, options)
  local processor = assert(simulated.new { mapping = m, noise = noise, seed = 3 })
  return assert(latency.infer(processor, core_of.ports_only(m), options))
end

describe("a system of sums", function()
  local function two_sums()
    local s = system.new()
    for _, name in ipairs { "up", "down", "other" } do s:unknown(name, 1) end
    s:row({ up = 1, down = 1 }, 5, 5)
    s:row({ other = 1, down = 1 }, 4, 4)
    return s
  end

  it("has the values of least deviation, and how far rows are off them", function()
    local s = two_sums()
    local row = s:row({ up = 1, down = 1 }, 8, 8)
    local fitted = s:fit()
    assert.near(5, fitted.up + fitted.down, 1e-6)
    assert.near(-3, row.off, 1e-6)
  end)

  it("has intervals where only sums are known", function()
    local s = two_sums()
    assert.same({ 2, 4 }, { s:range { up = 1 } })
    assert.same({ 5, 5 }, { s:range { up = 1, down = 1 } })
    assert.same({ 1, 1 }, { s:range { up = 1, other = -1 } })
    s:fix("down", 2)
    assert.same({ 3, 3 }, { s:range { up = 1 } })
  end)

  it("has no interval where rows contradict each other", function()
    local s = two_sums()
    s:row({ up = 1, down = 1 }, 7, 9)
    assert.is_nil((s:range { up = 1 }))
  end)
end)

describe("kinds of values", function()
  it("tell files, encodings, widths and addresses apart", function()
    assert.equal("vector", kinds.written("vpaddd xmm, xmm, xmm", "1"))
    assert.equal("sse", kinds.written("paddd xmm, xmm", "1"))
    assert.equal("gpr8", kinds.written("setb r8", "1"))
    assert.equal("mem64", kinds.read("add r64, m64", "2"))
    assert.equal("base", kinds.read("add r64, m64", "2.base"))
    assert.equal("gpr", kinds.read("lea r64, m", "2.base"))
    assert.equal("cf", kinds.written("add r64, r64", "cf"))
  end)

  it("feed each other where nothing is merged", function()
    assert.is_true(kinds.feed("gpr", "gpr8"))
    assert.is_false(kinds.feed("gpr8", "gpr"))
    assert.is_false(kinds.feed("vector", "sse"))
    assert.is_false(kinds.feed("gpr", "base"))
    assert.is_true(kinds.feed("zero", "index"))
  end)
end)

describe("the network of connectors", function()
  local whole = network.new(function() return true end)

  it("has a path from each kind to each other, but for flags that nothing reads", function()
    for _, from in ipairs { "gpr", "gpr8", "gpr16", "vector", "sse", "mask", "mmx", "cf", "zf", "of", "mem8", "mem64", "mem256" } do
      for _, to in ipairs { "gpr", "gpr8", "vector", "sse", "mask", "cf", "sf", "mem16", "mem128", "base", "index" } do
        assert.is_true(#whole:paths(from, to) > 0, from .. " to " .. to)
      end
    end
    assert.same({}, whole:paths("af", "gpr"))
  end)

  it("has none through what the processor lacks", function()
    local none = network.new(function(name) return not name:find "movq" and not name:find "movd" and not name:find "movmsk" end)
    for _, path in ipairs(none:paths("vector", "gpr")) do
      for _, c in ipairs(path) do assert.is_nil(c.scheme:find "movq") end
    end
  end)
end)

describe("latencies of a simulated core", function()
  local function all_right(found, m)
    local score = core_of.compare(m, found)
    assert.same({}, score.wrong)
    assert.equal(score.determined, score.exact)
    assert.equal(score.intervals, score.contained)
    return score
  end

  it("are found without noise", function()
    local m = truth()
    local found = infer(m)
    local score = all_right(found, m)
    assert.is_true(score.determined > 100)
    assert.is_nil(found.unfinished)
    assert.equal(found.pairs, found.counts.determined + (found.counts.interval or 0) + (found.counts["no chain"] or 0)
      + (found.counts["at most"] or 0) + (found.counts["waits for nothing"] or 0))
  end)

  it("are found with one percent of noise, and readings that are far off", function()
    local m = truth()
    all_right(infer(m, { kind = "gaussian", width = 0.01, unit = "relative" }), m)
    all_right(infer(m, { kind = "gaussian", width = 0.003, unit = "relative", outliers = 0.01 }), m)
  end)

  it("are intervals where only the way there and back is known, and one choice agrees with all chains", function()
    local m = truth()
    local found = infer(m)
    local up = latencies.find({ latencies = found.latencies["vmovq xmm, r64"] }, "2", "1")
    local down = latencies.find({ latencies = found.latencies["vmovq r64, xmm"] }, "2", "1")
    assert.equal(5, up.cycles + down.cycles)
    assert.same({ 1, 4 }, { up.low, up.high })
    assert.same({ 1, 4 }, { down.low, down.high })
    local load = latencies.find({ latencies = found.latencies["mov r64, m64"] }, "2.base", "1")
    assert.equal(5, load.cycles)
    assert.is_nil(load.low)
  end)

  it("tell zeroing idioms, eliminated moves, and results behind busy ports", function()
    local found = infer(truth())
    local function one(name, from, to) return latencies.find({ latencies = found.latencies[name] }, from, to) end
    assert.equal(0, one("xor r64, r64", "1", "1").same)
    assert.equal(1, one("xor r64, r64", "1", "1").cycles)
    assert.is_nil(one("and r64, r64", "1", "1").same)
    assert.equal(0, one("mov r64, r64", "2", "1").cycles)
    assert.equal(2, one("xchg r64, r64", "1", "2").cycles)
  end)

  it("of connectors are found where only longer chains show them", function()
    local m = truth { ["vmovq xmm, r64"] = { "5", 1 }, ["vmovq r64, xmm"] = { "5", 1 } } -- a round keeps port 5 as long as it takes
    local found = infer(m)
    all_right(found, m)
    assert.equal(1, latencies.find({ latencies = found.latencies["vmovq xmm, r64"] }, "2", "1").cycles)
  end)

  it("have chains that show them", function()
    local found = infer(truth())
    local entry = latencies.find({ latencies = found.latencies["bsf r64, r64"] }, "2", "1")
    assert.equal("bsf r64, r64 [2 > 1]", entry.witnesses[1].chain)
    assert.near(3, entry.witnesses[1].cycles, 0.01)
  end)

  it("end early within a budget, with what is known so far", function()
    local found = infer(truth(), nil, { budget = 0 })
    assert.is_string(found.unfinished)
    assert.same({}, found.latencies)
  end)

  it("are none where no chain of connectors can be measured", function()
    local m = truth()
    for _, scheme in pairs(m.schemes) do scheme.latencies = nil end
    local found = infer(m, nil, { schemes = { "add r64, r64" } })
    assert.same({}, found.latencies)
    assert.is_true(found.pairs > 0)
    assert.same({ ["no chain"] = found.pairs }, found.counts)
    assert.is_nil(found.unfinished or found.failure)
  end)

  it("need a processor that measures chains", function()
    local found, message = latency.infer({}, truth())
    assert.is_nil(found)
    assert.matches("measures no chains", message)
  end)
end)

describe("latencies in a mapping", function()
  local function with(field, value)
    local m = truth()
    local w = { chain = "imul r64, r64 [1 > 1]", cycles = 3.001 }
    m.schemes["imul r64, r64"].latencies = { { from = "1", to = "1", cycles = 3, witnesses = { w } } }
    if field then m.schemes["imul r64, r64"].latencies[1][field] = value end
    return m
  end

  it("are what an inference finds", function()
    local m = core_of.ports_only(truth())
    outcome.enter(m, infer(truth()))
    assert.is_true(mapping.validate(m))
    local again = assert(mapping.parse(assert(mapping.encode(m))))
    assert.same(m.schemes["vptest xmm, xmm"].latencies, again.schemes["vptest xmm, xmm"].latencies)
  end)

  it("are checked, field by field", function()
    assert.is_true(mapping.validate(with()))
    for _, case in ipairs { { "from", 1 }, { "from", "7" }, { "to", "2" }, { "cycles", "3" }, { "cycles", -1 }, { "low", 1 }, { "other", {} },
      { "same", 0 / 0 }, { "in_place", "7" }, { "bypass", 3 },
      { "bypass", { fp = "1" } }, { "independent", false }, { "as", 1 }, { "witnesses", "imul" },
      { "witnesses", { { chain = "imul r64, r64" , cycles = 1 } } }, { "witnesses", { { chain = "imul r64, r64 [1 > 1]" } } } } do
      local ok, message = mapping.validate(with(case[1], case[2]))
      assert.is_nil(ok, case[1])
      assert.matches("latencies", message)
    end
    local m = with()
    table.insert(m.schemes["imul r64, r64"].latencies, m.schemes["imul r64, r64"].latencies[1])
    assert.is_nil((mapping.validate(m)))
  end)

  it("have one number for tools that take one", function()
    local m = truth()
    assert.equal(3, latencies.longest(m.schemes["imul r64, r64"], "imul r64, r64"))
    assert.equal(5, latencies.longest(m.schemes["mov r64, m64"], "mov r64, m64"))
    assert.equal(4, latencies.longest(m.schemes["vptest xmm, xmm"], "vptest xmm, xmm"))
    assert.is_nil(latencies.longest({}, "add r64, r64"))
    local bound = { from = "1", to = "1", cycles = 9, low = 0, high = 9 }
    local open = { from = "2", to = "1", cycles = 3, low = 2, high = 4 }
    assert.is_nil(latencies.longest({ latencies = { bound } }, "imul r64, r64"))
    assert.equal(3, latencies.longest({ latencies = { bound, open } }, "imul r64, r64"))
    assert.same({ "1 to 1: at most 9", "2 to 1: 3 (2 to 4)" }, { latencies.line(bound), latencies.line(open) })
  end)

  it("stay where mappings are merged", function()
    local a, b = core_of.ports_only(truth()), truth()
    local whole = assert(mapping_union.of(a, b))
    assert.same(b.schemes["imul r64, r64"].latencies, whole.schemes["imul r64, r64"].latencies)
  end)
end)
