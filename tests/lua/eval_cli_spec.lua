-- portolan eval as users run it.
local conjunctive = require "portolan.mapping.conjunctive"
local experiments = require "portolan.experiment.list"
local file = require "portolan.support.file"
local json = require "portolan.support.json"
local mapping = require "portolan.mapping"
local process = require "process"

local root = assert(os.getenv("PORTOLAN_SOURCE"))

local function portolan(...)
  return process.run { args = { process.portolan, "eval", ... }, env = { LANG = "C", LC_ALL = false, LC_CTYPE = false, NO_COLOR = "1" } }
end

local function recorded(name)
  for _, base in ipairs { root .. "/../shared/data/", root .. "/../../shared/data/" } do
    if file.kind(base .. name) then return base .. name end
  end
end

local function write(text, name)
  local path = os.tmpname()
  assert(file.write(path, text))
  if name then
    assert(os.rename(path, path .. name))
    path = path .. name
  end
  return path
end

local data = {
  { e = { ["add r64, r64"] = 2 }, cycles = 1.02, others = { tool = 1 } },
  { e = { ["imul r64, r64"] = 2 }, cycles = 2.1, others = { tool = 4 } },
  { e = { ["add r64, r64"] = 1, ["imul r64, r64"] = 2 }, cycles = 2.0, others = { tool = 1 } },
  { e = { ["add r64, r64"] = 1, ["imul r64, r64"] = 2 }, cycles = 2.3 },
  { e = { ["shl r64, cl"] = 1 }, cycles = 0.7 },
  { e = { ["ud2"] = 1 }, status = "illegal instruction" },
}

-- Runs the command, expects one line on stderr and exit status 2.
local function refused(words, ...)
  local r = portolan(...)
  assert.equal(2, r.status, r.out .. r.err)
  assert.equal("", r.out)
  assert.matches("^portolan eval: [^\n]+\n$", r.err)
  assert.matches(words, r.err)
end

describe("portolan eval", function()
  local measured, toy, binary, bare
  setup(function()
    measured = write(assert(experiments.encode(data)), ".jsonl")
    toy = write(assert(mapping.encode(mapping.two_level({ "0", "1" }, { ["add r64, r64"] = { "0", "1" }, ["imul r64, r64"] = { "1" } }))))
    binary = write("\0\255 nonsense")
    bare = write('{"cycles":1,"e":{"a":1}}\n')
  end)
  teardown(function() for _, path in ipairs { measured, toy, binary, bare } do os.remove(path) end end)

  it("prints one line a model, and what each leaves out", function()
    local r = portolan(measured, "--mapping", "toy=" .. toy)
    assert.equal(0, r.status, r.err)
    assert.equal("", r.err)
    assert.matches("5 experiments of 1 to 3 instructions, in cycles per experiment\nnot measured: 1 illegal instruction\n", r.out)
    assert.matches("toy +4 +4%.9%% ", r.out)
    assert.matches("tool +3 +47%.%d%% ", r.out)
    assert.matches("toy leaves out 1 of 5: schemes that it does not explain, 'shl r64, cl' in 1", r.out)
    for line in r.out:gmatch("[^\n]+") do assert.is_true(#line <= 80, line) end
  end)

  it("reads the measured blocks of BHive", function()
    local path = write("4801d8,51\n4801d8480fafc3,104\nffff,100\n")
    local r = portolan(path, "--bhive", "--mapping", "toy=" .. toy)
    os.remove(path)
    assert.equal(0, r.status, r.err)
    assert.matches("1 of 3 blocks do not decode, the first in line 3: ", r.err)
    assert.matches(": 2 experiments of 1 to 2 instructions", r.out)
    assert.matches("toy +2 +2%.9%% ", r.out) -- 0.5 against 0.51, 1 against 1.04
    path = write("4801d8,51\n")
    refused("add %-%-bhive if its numbers are the cycles of 100 runs", path, "--mapping", toy)
    os.remove(path)
    refused("", measured, "--bhive", "--mapping", toy)
  end)

  it("can be restricted to what all cover, in another unit", function()
    local r = portolan(measured, "--mapping", "toy=" .. toy, "--common", "--unit", "ipc", "--json")
    assert.equal(0, r.status, r.err)
    local o = assert(json.decode(r.out))
    assert.same({ "ipc", 3, true }, { o.unit, o.covered_by_all, o.only_common })
    for _, m in ipairs(o.models) do assert.equal(3, m.n) end
    assert.same({ "toy", "bottleneck", false, "tool", true },
      { o.models[1].name, o.models[1].method, o.models[1].recorded, o.models[2].name, o.models[2].recorded })
    assert.is_true(math.abs(o.models[1].mape - (1.02 - 1 + (2.1 / 2 - 1) + 0) / 3) < 1e-12)
  end)

  it("takes several methods and an R_max", function()
    local o = assert(json.decode(portolan(measured, "--mapping", toy, "--mapping", toy, "--method", "bottleneck", "--method", "binder",
      "--rmax", "1", "--json").out))
    assert.equal(5, #o.models)
    local names = {}
    for _, m in ipairs(o.models) do
      assert.is_nil(names[m.name])
      names[m.name] = true
    end
    assert.is_true(math.abs(o.models[1].largest_cpi_error - 0.49) < 1e-12) -- 2 slots take 2 cycles instead of 1
  end)

  it("lists lengths, orders, the worst and heat maps in 80 columns", function()
    local r = portolan(measured, "--mapping", "toy=" .. toy, "--by-length", "--orders", "--worst", "2", "--heatmap")
    assert.equal(0, r.status, r.err)
    assert.matches("toy by length\n", r.out)
    assert.matches("tool: the worst 2\n", r.out)
    assert.matches("2%.300 +2%.000 +%-13%.0%%  limited by port 1\n    add r64, r64 %+ 2%*imul r64, r64\n", r.out)
    assert.matches("above 0%.05\n3 +1 +0%.100 +0%.10 +100%.0%%\n", r.out)
    assert.matches("to the right: measured cycles", r.out)
    assert.is_nil(r.out:find("[\128-\255]"))
    for line in r.out:gmatch("[^\n]+") do assert.is_true(#line <= 80, line) end
  end)

  it("says all that in JSON, the same bytes each time", function()
    local function run() return portolan(measured, "--mapping", "toy=" .. toy, "--by-length", "--orders", "--worst", "1", "--json").out end
    local text = run()
    assert.equal(text, run())
    local o = assert(json.decode(text))
    assert.same({ "2", "3" }, { o.models[1].by_length[2].length, o.models[1].by_length[3].length })
    assert.equal("port 1", o.models[1].worst[1].limit)
    assert.equal("add r64, r64 + 2*imul r64, r64", o.orders.all.widest)
    assert.equal(1, o.experiments.unmeasured["illegal instruction"])
  end)

  it("writes a report, whole or not at all", function()
    process.in_directory(function(directory)
      local path = directory .. "/r.html"
      local r = portolan(measured, "--mapping", "toy=" .. toy, "--report", path)
      assert.equal(0, r.status, r.err)
      local page = assert(file.read(path))
      assert.matches("</html>\n$", page)
      assert.truthy(page:find("--mapping toy=" .. toy, 1, true))
      local bad = portolan(measured, "--report", directory .. "/none/r.html")
      assert.equal(2, bad.status)
      assert.matches("^portolan eval: cannot write [^\n]+\n$", bad.err)
    end)
  end)

  it("refuses what it cannot evaluate in one line", function()
    refused("cannot read", measured .. ".none")
    refused("", binary)
    refused("carries no predictions; give a model to evaluate: %-%-mapping FILE", bare)
    refused("no model covers any of the 1 experiments of .*'a'", bare, "--mapping", toy)
    refused("cannot read", measured, "--mapping", toy .. ".none")
    refused("", measured, "--mapping", binary)
    refused("rmax", measured, "--rmax", "0")
    refused("rmax", measured, "--rmax", "nan")
    refused("rmax", measured, "--rmax", "x")
    refused("worst", measured, "--worst", "0")
    refused("worst", measured, "--worst", "1.5")
    refused("unit", measured, "--unit", "hours")
    refused("method", measured, "--method", "guess")
    local unmeasured = write('{"e":{"a":1},"status":"unstable"}\n')
    refused("no measured experiment", unmeasured, "--mapping", toy)
    local empty = write("")
    refused("no measured experiment", empty)
    local wrong = write('{"kind":"ExperimentList","exps":[{"iseq":["a",null],"result":{"cycles":1}}]}')
    refused("exps%[1%]", wrong, "--mapping", toy)
    local order = write('{"e":{"a":1},"cycles":1,"order":["b"]}\n')
    refused("'order' lists other schemes", order, "--orders")
    local apart = write('{"e":{"add r64, r64":1},"cycles":1}\n{"e":{"x":1},"cycles":1,"others":{"tool":1}}\n')
    refused("no experiment is covered by every model", apart, "--mapping", toy, "--common")
    for _, path in ipairs { unmeasured, empty, wrong, order, apart } do os.remove(path) end
  end)

  it("takes conjunctive mappings", function()
    local m = assert(mapping.load(toy))
    local path = write(assert(conjunctive.encode(assert(conjunctive.of(m)))))
    local r = portolan(measured, "--mapping", "ports=" .. toy, "--mapping", "resources=" .. path, "--json")
    assert.equal(0, r.status, r.err)
    local models = assert(json.decode(r.out)).models
    assert.equal(models[1].n, models[2].n)
    assert.near(models[1].mape, models[2].mape, 1e-12)
    assert.equal("conjunctive", models[2].method)
    refused("no ports for the method 'lp'", measured, "--mapping", path, "--method", "lp")
    refused("no R_max to replace", measured, "--mapping", path, "--rmax", "4")
    local limited = portolan(measured, "--mapping", "ports=" .. toy, "--mapping", "resources=" .. path, "--rmax", "1", "--json")
    assert.equal(0, limited.status, limited.err)
    assert.matches("^portolan eval: [^\n]+: a conjunctive mapping, [^\n]+ %-%-rmax leaves it as it is\n$", limited.err)
    local narrow = assert(json.decode(limited.out)).models
    assert.equal(models[2].mape, narrow[2].mape)
    assert.is_true(narrow[1].mape > models[1].mape)
    os.remove(path)
  end)

  it("needs no model to look at orders", function()
    local path = write('{"e":{"a":2},"cycles":1}\n{"e":{"a":2},"cycles":1.5}\n')
    local r = portolan(path, "--orders")
    os.remove(path)
    assert.equal(0, r.status, r.err)
    assert.matches("2 +1 +0%.250 +0%.25 +100%.0%%", r.out)
  end)

  it("reproduces the published table", function()
    local path = recorded "pmevo-skl/exps_eval_small_annotated.json"
    if not path then return pending("shared/data is not here") end
    local r = portolan(path, "--mapping", recorded "pmevo-skl/mapping_uops_info.json", "--mapping", recorded "pmevo-skl/mapping_pmevo.json")
    assert.equal(0, r.status, r.err)
    for _, row in ipairs { { "IACA", "7.9%", "0.867", "0.689" }, { "Ithemal", "62.1%", "0.322", "0.395" },
      { "uops.info", "9.6%", "0.913", "0.758" }, { "PMEvo", "14.7%", "0.978", "0.720" }, { "llvm-mca", "223.5%", "0.331", "0.458" } } do
      assert.matches("\n" .. row[1]:gsub("%p", "%%%0") .. " +2000 +" .. table.concat(row, " +", 2):gsub("[.%%]", "%%%0") .. " ", r.out)
    end
  end)
end)
