-- Nothing of one architecture is taken for something of the other: code, blocks, sets, options.
local cached = require "portolan.predictor.machinery.cached"
local chart_predictor = require "portolan.predictor.adapters.chart"
local core = require "portolan.core"
local elf = require "portolan.predictor.machinery.elf"
local file = require "portolan.support.file"
local isa = require "portolan.scheme.isa"
local latency = require "portolan.infer.latency"
local loop_body = require "portolan.experiment.loop_body"
local mapping = require "portolan.mapping"
local process = require "process"
local simulated = require "portolan.processor.simulated"

local folder

setup(function()
  folder = os.tmpname()
  os.remove(folder)
  assert(file.make_directory(folder))
end)

teardown(function() os.execute(("rm -r '%s'"):format(folder)) end)

-- A mapping with one port, and latencies if they are asked for, in a file.
local function written(name, latencies, ...)
  local schemes = {}
  for _, scheme in ipairs { ... } do schemes[scheme] = { uops = { { { "0" }, 1 } }, slots = 1, tp = 1, latencies = latencies } end
  local m = { format = "portolan-mapping", version = 1, ports = { "0" }, rmax = 4, schemes = schemes }
  local path = ("%s/%s.json"):format(folder, name)
  assert(mapping.save(m, path))
  return path, m
end

-- The program refuses: one line, status 2.
local function refused(pattern, env, ...)
  local result = process.run { args = { process.portolan, ... }, env = env }
  assert.same({ 2, "" }, { result.status, result.out })
  assert.matches("^portolan [^\n]*\n$", result.err)
  assert.matches(pattern, result.err, 1, true)
end

local here = { PORTOLAN_DEFAULT_ARCHITECTURE = isa.host } -- the specs' own default would be foreign on AArch64
local foreign = isa.host == "aarch64" and "x86_64" or "aarch64"
local foreign_scheme = foreign == "aarch64" and "add x, x, x" or "add r64, r64"

describe("a loop body", function()
  it("is listed in its architecture's language, whatever the host", function()
    for architecture, expected in pairs { aarch64 = { "add x, x, x", "^    %x+ +add x%d+, x%d+, x%d+$" },
      x86_64 = { "add r64, r64", "^    %x+ +add r%w+, r%w+$" } } do
      local body = assert(loop_body.of({ e = { [expected[1]] = 1 } }, assert(loop_body.declared(architecture)), 3))
      local lines = loop_body.listing(body)
      assert.equal(3, #lines)
      for _, line in ipairs(lines) do assert.matches(expected[2], line) end
    end
  end)
end)

describe("latencies", function()
  it("are refused in one line where nothing gauges chains", function()
    local _, m = written("latency", nil, "add x, x, x")
    local found, message = latency.infer(assert(simulated.new { mapping = m }), m)
    assert.is_nil(found)
    assert.matches("^nothing can be chained: [^\n]+$", message)
  end)
end)

describe("a predictor with a memory", function()
  it("is of the same architecture as without", function()
    local path = folder .. "/cache.db"
    local p = assert(cached.wrap({ name = "a", version = "1", architecture = "aarch64", deterministic = true }, path))
    p:close()
    assert.equal("aarch64", p.architecture)
  end)
end)

describe("the predictor chart:", function()
  it("is of its mapping's architecture, and reads text as such", function()
    for architecture, example in pairs { aarch64 = { "add x, x, x", "add x0, x1, x2" }, x86_64 = { "add r64, r64", "add rax, rbx" } } do
      local p = assert(chart_predictor.open((written(architecture, { { from = "2", to = "1", cycles = 1 } }, example[1]))))
      assert.equal(architecture, p.architecture)
      assert.equal(1, p:predict({ { text = example[2] } })[1].cycles)
    end
  end)
end)

describe("code in files", function()
  it("is of the mapping's architecture, whatever architecture is meant otherwise", function()
    for architecture, example in pairs { x86_64 = { "add r64, r64", "add rax, rbx\n" }, aarch64 = { "add x, x, x", "add x0, x1, x2\n" } } do
      local path, source = written("sum-" .. architecture, nil, example[1]), folder .. "/sum.s"
      assert(file.write(source, example[2]))
      for _, default in ipairs(isa.architectures()) do
        local result = process.run { args = { process.portolan, "predict", "--mapping", path, "--code", source },
          env = { PORTOLAN_DEFAULT_ARCHITECTURE = default } }
        assert.same({ 0, "" }, { result.status, result.err })
        assert.matches("  " .. example[2], result.out, 1, true)
      end
    end
  end)

  it("of an object file is not asked of a mapping or a predictor of another architecture", function()
    local path, source = written("a64", nil, "add x, x, x"), folder .. "/sum.o"
    assert(file.write(source, elf.object(assert(core.isa.assemble("add rax, rbx", "x86_64")).bytes, "work")))
    refused("this is code of x86_64; code of aarch64 is asked for", nil, "predict", "--mapping", path, "--code", source)
    refused("this is code of x86_64; code of aarch64 is asked for", nil, "predict", "--predictor", "mapping:" .. path, "--code", source)
  end)
end)

describe("blocks of bytes", function()
  it("are not asked of predictors of two architectures", function()
    local x86, a64 = written("x86", nil, "add r64, r64"), written("a64", nil, "add x, x, x")
    refused("compare predictors of one architecture", nil, "predict", "--predictor", "mapping:" .. x86, "--predictor", "mapping:" .. a64,
      "--hex", "2000028b")
  end)

  it("of a table are not evaluated with predictors of another architecture", function()
    local blocks, measured, path = folder .. "/blocks.csv", folder .. "/measured.csv", written("foreign", nil, foreign_scheme)
    assert(file.write(blocks, "2000028b,100\n"))
    assert(file.write(measured, "2000028b,100\n"))
    refused(("is of %s; the blocks are read as code of %s"):format(foreign, isa.host), here, "eval", "--blocks", blocks, "--oracle",
      "blocks:" .. measured, "--predictor", "mapping:" .. path)
  end)
end)

describe("--arch", function()
  it("is not ignored beside schemes of another architecture", function()
    refused("--arch x86_64: the schemes are of aarch64", nil, "sample", "--arch", "x86_64", "add x, x, x")
    local path = written("a64", nil, "add x, x, x", "madd x, x, x, x")
    refused("--arch x86_64: the schemes are of aarch64", nil, "infer", "chart", "--arch", "x86_64", "--oracle", "sim:" .. path)
    refused("--arch x86_64: the schemes are of aarch64", nil, "infer", "grow", "--arch", "x86_64", "--oracle", "sim:" .. path)
  end)

  it("is refused where something else is measured", function()
    refused(("--arch %s: this machine measures %s"):format(foreign, isa.host), here, "infer", "chart", "--arch", foreign, "--oracle", "hw")
    refused(("--arch %s: this machine measures %s"):format(foreign, isa.host), here, "infer", "grow", "--arch", foreign, "--oracle", "hw")
  end)
end)

describe("schemes of two architectures", function()
  it("are not sampled", function()
    refused("keep to one architecture", nil, "sample", "add x, x, x", "add r64, r64")
  end)

  it("of a set of another architecture are not measured", function()
    local set = foreign == "aarch64" and "simd" or "sse" -- no name of the host's sets
    refused(("no instruction set '%s'"):format(set), here, "infer", "chart", "--oracle", "hw", "--set", set)
  end)

  it("of a set and an oracle are refused", function()
    local path = written("a64", nil, "add x, x, x")
    refused("--set: the schemes are of x86_64, the oracle's of aarch64; give --arch aarch64",
      { PORTOLAN_DEFAULT_ARCHITECTURE = "x86_64" }, "infer", "chart", "--set", "starter", "--oracle", "sim:" .. path)
  end)
end)

describe("a set that declares its architecture", function()
  it("has no schemes of another one", function()
    local path = folder .. "/wrong.lua"
    assert(file.write(path, 'return { architecture = "aarch64", { name = "a", schemes = { "add r64, r64" } } }'))
    refused("'architecture' is aarch64, and its schemes are of x86_64", nil, "sample", "--set", path)
  end)
end)

describe("blocks of isa list --blocks", function()
  it("are code of the architecture that is listed", function()
    local path = folder .. "/blocks.csv"
    assert(file.write(path, "2000028b,100\n"))
    local result = process.run { args = { process.portolan, "isa", "list", "--arch", "aarch64", "--names", "--blocks", path } }
    assert.same({ 0, "", "add x, x, x\n" }, { result.status, result.err, result.out })
  end)
end)

describe("the frequency of a simulated core", function()
  it("is not ignored where no clock is given", function()
    local path = written("x86", nil, "add r64, r64")
    refused("frequency is of a core beside a coarse clock; give clock, too", nil, "infer", "grow", "--oracle", ("sim:%s,frequency=2e9"):format(path))
  end)
end)
