-- Predictions of code with dividers and with dependencies: busy units count, and nobody takes the answer for more than it is.
local block_model = require "portolan.block.model"
local experiment = require "portolan.experiment"
local file = require "portolan.support.file"
local json = require "portolan.support.json"
local mapping = require "portolan.mapping"
local model = require "portolan.prediction.model"
local named = require "portolan.predictor.named"
local process = require "process"
local small_core = require "small_core"

-- A core with a divider behind port 0, and one for whole numbers behind port 1; an exchange that something else holds up.
local function core()
  local m = mapping.two_level({ "0", "1", "2", "3", "5" }, { ["imul r64, r64"] = { "1" }, ["add r64, r64"] = { "0", "1", "5" },
    ["vdivpd ymm, ymm, ymm"] = { "0" }, ["vsqrtps ymm, ymm"] = { "0" }, ["vaddpd ymm, ymm, ymm"] = { "0", "1" }, ["xchg r64, r64"] = { "1", "5" },
    ["xadd r64, r64"] = { "1", "5" } }, { rmax = 4 })
  local function slow(name, tp, status)
    local scheme = m.schemes[name]
    scheme.tp, scheme.status = tp, status or "slower than ports"
  end
  m.schemes["div r64"] = { uops = { { { "1" }, 1 }, { { "0", "5" }, 2 } }, slots = 3 }
  m.schemes["vdivpd ymm, ymm, m256"] = { uops = { { { "0" }, 1 }, { { "2", "3" }, 1 } }, slots = 2 }
  slow("vdivpd ymm, ymm, ymm", 8)
  slow("vdivpd ymm, ymm, m256", 8)
  slow("vsqrtps ymm, ymm", 6)
  slow("div r64", 10, "input-dependent")
  slow("xchg r64, r64", 1)
  slow("xadd r64, r64", 1)
  m.schemes["imul r64, r64"].tp = 1.3 -- explained: noise is no unit
  return m
end

local function portolan(...)
  return process.run { args = { process.portolan, ... }, env = { LANG = "C", LC_ALL = false, LC_CTYPE = false, NO_COLOR = "1" } }
end

describe("a busy unit", function()
  local m = assert(model.of(core()))

  local function check(text, cycles, by_ports, names)
    local e = assert(experiment.parse(text))
    assert.equal(cycles, (m:throughput(e)), text)
    local p = assert(m:predict(e))
    assert.equal(cycles, p.cycles)
    assert.equal(cycles / experiment.length(e), p.cpi)
    assert.equal(experiment.length(e) / cycles, p.ipc)
    if not names then return assert.not_equal("unit", p.limit) end
    assert.same({ "unit", by_ports, names }, { p.limit, p.unit_free_cycles, p.unit.schemes })
    assert.same({}, { p.bottleneck, p.inside })
  end

  it("limits code that its ports would have run faster", function()
    check("vdivpd ymm, ymm, ymm", 8, 1, { "vdivpd ymm, ymm, ymm" })
    check("3*vdivpd ymm, ymm, ymm + 5*vaddpd ymm, ymm, ymm", 24, 4, { "vdivpd ymm, ymm, ymm" })
    check("vdivpd ymm, ymm, ymm + 20*vaddpd ymm, ymm, ymm", 10.5) -- ports are fuller
    check("2*imul r64, r64", 2)
  end)

  it("is shared by what gets to it through the same port, and by nothing else", function()
    check("vdivpd ymm, ymm, ymm + vsqrtps ymm, ymm", 14, 2, { "vdivpd ymm, ymm, ymm", "vsqrtps ymm, ymm" })
    check("vdivpd ymm, ymm, m256 + vdivpd ymm, ymm, ymm", 16, 2, { "vdivpd ymm, ymm, m256", "vdivpd ymm, ymm, ymm" })
    check("vdivpd ymm, ymm, ymm + div r64", 10, 1.5, { "div r64" })
    check("2*xchg r64, r64 + xadd r64, r64", 2, 1.5, { "xchg r64, r64" })
  end)

  it("is shared by schemes of which the mapping says so, whatever their ports and status", function()
    local shared = core()
    for _, name in ipairs { "xchg r64, r64", "xadd r64, r64", "vaddpd ymm, ymm, ymm" } do shared.schemes[name].unit = "xadd r64, r64" end
    shared.schemes["vaddpd ymm, ymm, ymm"].tp = 0.5
    local of_shared = assert(model.of(shared))
    assert.equal(3, (of_shared:throughput { ["xchg r64, r64"] = 2, ["xadd r64, r64"] = 1 }))
    assert.equal(2.5, (of_shared:throughput { ["xchg r64, r64"] = 1, ["xadd r64, r64"] = 1, ["vaddpd ymm, ymm, ymm"] = 1 }))
  end)

  it("is not kept by the jump that closes a loop, as that is taken and its scheme was measured not taken", function()
    local code = small_core()
    code.schemes["jnz rel8"].tp, code.schemes["jnz rel8"].status = 3, "slower than ports"
    local add, skip, back, further_back = "\x48\x01\xd8", "\x75\x00", "\x75\xfb", "\x75\xf9" -- add rax, rbx; jnz to the next, to the first
    local function takes(bytes)
      local p = assert(assert(block_model.of(code)):explain(bytes, { simulate = true }))
      return { p.bounds.unit, math.ceil(p.simulated_cycles - 0.01) }
    end
    assert.same({ 0, 1 }, takes(add .. back))
    assert.same({ 3, 3 }, takes(skip .. add .. further_back))
    code.front_end.taken_branch = nil -- then it is all that is known of it
    assert.same({ 3, 3 }, takes(add .. back))
  end)

  it("counts under every method, and is none where a mapping records none", function()
    for _, method in ipairs(model.methods) do
      local other = assert(model.of(core(), method))
      assert.equal(8, (other:throughput { ["vdivpd ymm, ymm, ymm"] = 1 }), method)
      local p = assert(other:predict { ["vdivpd ymm, ymm, ymm"] = 1 })
      assert.same({ 8, "unit" }, { p.cycles, p.limit }, method)
    end
    local plain = core()
    for _, scheme in pairs(plain.schemes) do scheme.status = "explained" end
    assert.same({}, mapping.busy_units(plain))
    assert.equal(1, (model.of(plain):throughput { ["vdivpd ymm, ymm, ymm"] = 1 }))
  end)
end)

describe("portolan predict", function()
  local path = os.tmpname()
  assert(mapping.save(core(), path))
  teardown(function() os.remove(path) end)

  it("says in its first line that dependencies are ignored, and names the busy unit", function()
    local r = portolan("predict", "--mapping", path, "imul rax, rbx; imul rax, rbx", "vdivpd ymm0, ymm1, ymm2")
    assert.equal(0, r.status, r.err)
    assert.matches("^imul rax, rbx; imul rax, rbx  %(dependencies between instructions are ignored%)\n  at least 2%.000 cycles", r.out)
    assert.matches("\nvdivpd ymm0, ymm1, ymm2  %(dependencies between instructions are ignored%)\n"
      .. "  at least 8%.000 cycles per run, without dependencies: limited by the busy unit behind port 0\n", r.out)
    r = portolan("predict", "--mapping", path, "vdivpd ymm, ymm, ymm")
    assert.matches("  8%.000 cycles per experiment, 0%.12 IPC, 8%.000 CPI: limited by the unit of vdivpd ymm, ymm, ymm, busy for longer than its "
      .. "ports, as measured; 1%.000 by ports and issue slots\n", r.out)
    assert.matches("\n  by what it takes alone %(slower than ports%): vdivpd ymm, ymm, ymm\n", r.out)
    assert.matches("1 x vdivpd ymm, ymm, ymm +p0  bottleneck: its unit\n", r.out)
    assert.matches("\n  0 +1%.000 [^\n]* 12%%\n", r.out)
    r = portolan("predict", "--mapping", path, "2*imul r64, r64")
    assert.matches("^2%*imul r64, r64  %(independent instances%)\n", r.out)
    r = portolan("predict", "--mapping", path, "--schedule", "2", "vdivpd ymm, ymm, ymm")
    assert.matches("schedule: 2 iterations in 2 cycles, 1%.000 per iteration, by the ports alone\n", r.out)
  end)

  it("says so for programs, for files of blocks and beside other predictors", function()
    local p = assert(json.decode(portolan("predict", "--mapping", path, "--json", "imul rax, rbx", "vsqrtps ymm, ymm").out))
    assert.equal("dependencies", p[1].ignores)
    assert.is_nil(p[2].ignores)
    assert.same({ 6, { "vsqrtps ymm, ymm" } }, { p[2].unit.cycles, p[2].unit.schemes })
    process.in_directory(function(d)
      assert(file.write(d .. "/blocks.csv", "480fafc3,3\nc5f55ec2,1\n"))
      local r = portolan("predict", "--mapping", path, "--file", d .. "/blocks.csv")
      assert.matches("^dependencies between instructions are ignored\n[^\n]+\n    1%.000    1%.000   imul r64, r64\n    8%.000    8%.000   vdivpd",
        r.out)
      assert(file.write(d .. "/e.jsonl", '{"e": {"vdivpd ymm, ymm, ymm": 2}, "cycles": 16.1}\n'))
      r = portolan("predict", "--mapping", path, "--file", d .. "/e.jsonl")
      assert.matches("^   cycles      CPI   experiment\n   16%.000    8%.000", r.out)
      r = portolan("eval", d .. "/e.jsonl", "--mapping", path)
      assert.matches("0%.6%%", r.out)
    end)
    local r = portolan("predict", "--predictor", "mapping:" .. path, "vdivpd ymm0, ymm1, ymm2; vdivpd ymm3, ymm4, ymm5")
    assert.equal(0, r.status, r.err)
    assert.equal(("mapping:%s: dependencies between instructions are ignored"):format(path), r.out:match("^[^\n]+"))
    assert.matches("%s16%.000\n$", r.out)
    assert.equal(8, assert(named.open("mapping:" .. path)):predict({ { text = "vdivpd ymm0, ymm1, ymm2" } })[1].cycles)
  end)
end)
