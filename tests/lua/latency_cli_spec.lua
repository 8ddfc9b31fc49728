-- portolan infer latency as users run it; what explain, recheck, predict and the report make of latencies.
local chart = require "portolan.infer.chart"
local chart_files = require "portolan.cli.chart_files"
local core_of = dofile(os.getenv "PORTOLAN_SOURCE" .. "/tests/lua/latency_truth.lua")
local file = require "portolan.support.file"
local hardware = require "portolan.processor.hardware"
local json = require "portolan.support.json"
local latencies = require "portolan.mapping.latencies"
local latency = require "portolan.infer.latency"
local mapping = require "portolan.mapping"
local named = require "portolan.predictor.named"
local process = require "process"
local simulated = require "portolan.processor.simulated"

local function portolan(...)
  return process.run { args = { process.portolan, ... }, env = { LANG = "C", LC_ALL = false, LC_CTYPE = false, NO_COLOR = "1" } }
end

local function refused(words, ...)
  local r = portolan("infer", "latency", ...)
  assert.equal(2, r.status, r.out .. r.err)
  assert.equal("", r.out)
  assert.matches("portolan infer: [^\n]+\n$", r.err)
  assert.truthy(r.err:find(words, 1, true), r.err)
end

-- A folder with a core that has latencies, and its mapping without them.
local function with_files(f)
  process.in_directory(function(d)
    assert(mapping.save(core_of.small(), d .. "/truth.json"))
    assert(mapping.save(core_of.ports_only(core_of.small()), d .. "/m.json"))
    f(d, "sim:" .. d .. "/truth.json,noise=0.002")
  end)
end

describe("portolan infer latency", function()
  it("writes the mapping with latencies, which explain shows and recheck confirms", function()
    with_files(function(d, oracle)
      local r = portolan("infer", "latency", "--mapping", d .. "/m.json", "--out", d .. "/l.json", "--oracle", oracle)
      assert.equal(0, r.status, r.err)
      assert.matches("latencies of %d+ schemes, %d+ pairs", r.out)
      assert.matches("%d+  determined", r.out)
      local found, truth = assert(mapping.load(d .. "/l.json")), core_of.small()
      local of = {}
      for name, scheme in pairs(found.schemes) do of[name] = scheme.latencies end
      assert.same({}, core_of.compare(truth, { latencies = of }).wrong)
      local shown = portolan("explain", "--mapping", d .. "/l.json", "bsf r64, r64")
      assert.equal(0, shown.status, shown.err)
      assert.matches("2 to 1: 3", shown.out)
      assert.matches("bsf r64, r64 %[2 > 1%] takes 3%.0%d%d cycles a round", shown.out)
      local again = portolan("recheck", "--mapping", d .. "/l.json", "--oracle", oracle, "bsf r64, r64", "vptest xmm, xmm")
      assert.matches("chain: bsf r64, r64 %[2 > 1%]", again.out)
      assert.is_nil(again.out:find("NO ", 1, true), again.out)
    end)
  end)

  it("is not confirmed on another core", function()
    with_files(function(d, oracle)
      local r = portolan("infer", "latency", "--mapping", d .. "/m.json", "--out", d .. "/l.json", "--oracle", oracle, "bsf r64, r64")
      assert.equal(0, r.status, r.err)
      assert(mapping.save(core_of.small { ["bsf r64, r64"] = { "1", 4 } }, d .. "/other.json"))
      local again = portolan("recheck", "--mapping", d .. "/l.json", "--oracle", "sim:" .. d .. "/other.json", "bsf r64, r64")
      assert.equal(1, again.status, again.err)
      assert.matches("slower than recorded", again.out)
    end)
  end)

  it("looks at chosen schemes only, and prints JSON", function()
    with_files(function(d, oracle)
      local r = portolan("infer", "latency", "--mapping", d .. "/m.json", "--out", d .. "/l.json", "--oracle", oracle, "--json", "/^vp/")
      assert.equal(0, r.status, r.err)
      assert.equal(4, assert(json.decode(r.out, "output")).schemes)
      for name, scheme in pairs(assert(mapping.load(d .. "/l.json")).schemes) do
        assert.equal(name:find "^vp" ~= nil, scheme.latencies ~= nil, name)
      end
    end)
  end)

  it("gives a chart its latencies, and the report a section", function()
    with_files(function(d)
      local m = core_of.small()
      local processor = assert(simulated.new { mapping = m })
      local result = chart.run(processor, { { name = "All", schemes = mapping.schemes(m) } }, { evaluate = 5 })
      assert.is_nil(result.latency)
      assert(file.make_directory(d .. "/chart"))
      assert(chart_files.write(d .. "/chart", result))
      local r = portolan("infer", "latency", "--chart", d .. "/chart", "--oracle", "sim:" .. d .. "/truth.json")
      assert.equal(0, r.status, r.err)
      local written = assert(mapping.load(d .. "/chart/mapping.json"))
      assert.equal(3, latencies.longest(written.schemes["imul r64, r64"], "imul r64, r64"))
      local whole = assert(json.decode(assert(file.read(d .. "/chart/chart.json")), "chart"))
      assert.equal(whole.latency.pairs > 50, true)
      assert.truthy(assert(file.read(d .. "/chart/report.html")):find('id="latencies"', 1, true))
      local anew = portolan("report", d .. "/chart")
      assert.equal(0, anew.status, anew.err)
      assert.truthy(assert(file.read(d .. "/chart/report.html")):find('id="latencies"', 1, true))
    end)
  end)

  it("is a stage of charts that ask for it", function()
    local m = core_of.small()
    local processor = assert(simulated.new { mapping = m })
    local result = chart.run(processor, { { name = "All", schemes = mapping.schemes(m) } }, { evaluate = 0, latencies = true })
    assert.is_true(result.latency.counts.determined > 50)
    local scheme = result.mapping.schemes["imul r64, r64"]
    assert.equal(3, latencies.find(scheme, "1", "1").cycles)
    assert.equal("latencies", result.stages[#result.stages].name)
  end)

  it("lets predictors that assume latencies take those of the mapping", function()
    with_files(function(d)
      local predictor = assert(named.open("assume:" .. d .. "/truth.json,latencies=mapping"))
      local answers = assert(predictor:predict { { text = "imul rax, rbx; imul rax, rbx" } })
      assert.near(6, answers[1].cycles, 1e-6)
    end)
  end)

  it("says what is wrong with the command line", function()
    with_files(function(d, oracle)
      refused("where to?", "--mapping", d .. "/m.json", "--oracle", oracle)
      refused("not both", "--chart", d, "--out", d .. "/x.json")
      refused("no such directory", "--mapping", d .. "/m.json", "--out", d .. "/no/x.json")
      refused("has no scheme", "--mapping", d .. "/m.json", "--out", d .. "/x.json", "--oracle", oracle, "no such thing")
      refused("chart.json", "--chart", d)
      assert(file.write(d .. "/record.jsonl", '{"e":{"add r64, r64":1},"cycles":0.25,"status":"ok"}\n'))
      refused("measures no chains", "--mapping", d .. "/m.json", "--out", d .. "/x.json", "--oracle", "replay:" .. d .. "/record.jsonl")
    end)
  end)
end)

describe("on this machine", function()
  it("an addition takes a cycle at least, a multiplication no less, and each is in a chain of its own", function()
    local processor, message = hardware.open { patience = 6 }
    if not processor then return pending("this machine cannot be measured on: " .. message) end
    local m = core_of.ports_only(core_of.small())
    for name, scheme in pairs(m.schemes) do
      scheme.tp = assert(processor:measure { { [name] = 1 } })[1].cycles
    end
    local found = assert(latency.infer(processor, m, { schemes = { "add r64, r64", "imul r64, r64", "mov r64, m64" } }))
    processor:close()
    local function cycles(name, from, to)
      local entry = latencies.find({ latencies = found.latencies[name] }, from, to)
      return entry and entry.cycles
    end
    if not cycles("add r64, r64", "1", "1") then return pending "the machine was too noisy for chains" end
    assert.is_true(cycles("add r64, r64", "1", "1") >= 1)
    assert.is_true(cycles("imul r64, r64", "2", "1") >= cycles("add r64, r64", "2", "1"))
    assert.is_true(cycles("mov r64, m64", "2.base", "1") >= 2)
  end)
end)
