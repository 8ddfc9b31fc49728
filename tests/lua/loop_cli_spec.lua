-- `portolan loop`: what it finds, says and refuses. hardware_spec measures loops.
local core = require "portolan.core"
local file = require "portolan.support.file"
local json = require "portolan.support.json"
local met_cores = require "portolan.predictor.met_cores"
local process = require "process"

if core.isa.host ~= "x86_64" then return end -- the compiler's code is of this machine

local root = assert(os.getenv "PORTOLAN_SOURCE")
local known = root .. "/scripts/examples/code/raptor-cove.json"

local function portolan(...)
  return process.run { args = { process.portolan, ... }, env = { LANG = "C", LC_ALL = false, LC_CTYPE = false, NO_COLOR = "1" } }
end

-- A folder with files, whose names f gets.
local function with_files(texts, f)
  process.in_directory(function(d)
    local paths = {}
    for name, text in pairs(texts) do
      paths[name] = d .. "/" .. name
      assert(file.write(paths[name], text))
    end
    f(paths, d)
  end)
end

local function refused(words, ...)
  local r = portolan(...)
  assert.equal(2, r.status, r.out .. r.err)
  assert.equal("", r.out)
  assert.matches("^portolan loop: [^\n]+\n$", r.err)
  assert.truthy(r.err:find(words, 1, true), r.err)
end

local hash = [[
unsigned long hash(const unsigned char* text, long n) {
  unsigned long h = 1;
  for (long i = 0; i < n; i++) h = (h ^ text[i]) * 1099511628211ul;
  return h;
}
]]

describe("portolan loop", function()
  it("predicts by a mapping that is given, without measuring", function()
    local r = portolan("loop", root .. "/scripts/examples/code/fnv.s", "--function", "fnv", "--mapping", known, "--no-measure")
    assert.equal(0, r.status, r.err)
    assert.matches("^fnv: loop at 0x17\n  4%.000 cycles per iteration", r.out)
    assert.is_nil(r.out:find("measured", 1, true))
  end)

  it("prints the same for programs, and writes the page and the pictures", function()
    with_files({}, function(_, d)
      local r = portolan("loop", root .. "/scripts/examples/code/fnv.s", "--mapping", known, "--no-measure", "--json", "--report", d .. "/page.html",
        "--pictures", d .. "/pictures")
      assert.equal(0, r.status, r.err)
      local list = assert(json.decode(r.out))
      assert.same({ "fnv: loop at 0x17", "fnv_two: loop at 0x45" }, { list[1].title, list[2].title })
      assert.equal(4, list[1].cycles)
      assert.is_nil(list[1].mapping)
      assert.matches("fnv_two", assert(file.read(d .. "/page.html")))
      assert.matches("<svg", assert(file.read(d .. "/pictures/fnv.svg")))
    end)
  end)

  it("compiles source with the flags that are given", function()
    with_files({ ["hash.c"] = hash, ["hash.cc"] = hash }, function(paths)
      for _, name in ipairs { "hash.c", "hash.cc" } do
        local r = portolan("loop", paths[name], "--mapping", known, "--no-measure", "--", "-O2", "-fno-unroll-loops")
        assert.equal(0, r.status, r.out .. r.err)
        assert.matches("compiled: %S+ %-O2 %-fno%-unroll%-loops %-c ", r.err)
        assert.matches("hash.-: loop at 0x%x+\n", r.out)
      end
    end)
  end)

  it("says in one line what keeps it from an answer", function()
    with_files({ ["bad.c"] = "int f(", ["none.c"] = "int f(int x) { return x + 1; }", ["hash.c"] = hash, ["x.s"] = "add rax, 1" }, function(paths)
      refused("does not compile: ", "loop", paths["bad.c"])
      refused("error: ", "loop", paths["bad.c"])
      refused("there is no loop in it", "loop", paths["none.c"])
      refused("there is no function 'g'", "loop", paths["hash.c"], "--function", "g")
      refused("there is no compiler 'nosuchcc'", "loop", paths["hash.c"], "--compiler", "nosuchcc")
      refused("is no source, so there is nothing to compile with -O3", "loop", paths["x.s"], "--", "-O3")
      refused("cannot read " .. paths["x.s"] .. ".c", "loop", paths["x.s"] .. ".c")
      refused("cannot make the directory", "loop", paths["hash.c"], "--chart", paths["x.s"])
      refused("no.json", "loop", paths["hash.c"], "--mapping", "no.json", "--no-measure")
      refused("--report " .. paths["hash.c"], "loop", paths["hash.c"], "--mapping", known, "--no-measure", "--report", paths["hash.c"])
    end)
  end)

  it("lists loops where there are too many to look at all", function()
    local parts = {}
    for i = 1, 9 do parts[i] = hash:gsub("hash", "hash" .. i) end
    with_files({ ["many.c"] = table.concat(parts) }, function(paths)
      refused("there are 9 loops in it, which is more than 8; choose some with --function NAME: hash1: loop at ", "loop", paths["many.c"])
      local r = portolan("loop", paths["many.c"], "--function", "hash3", "--mapping", known, "--no-measure")
      assert.equal(0, r.status, r.err)
      assert.matches("^hash3: loop", r.out)
    end)
  end)

  it("is what predict names to whom gives it source", function()
    local r = portolan("predict", "--code", root .. "/scripts/examples/code/kernels.c")
    assert.equal(2, r.status)
    assert.matches("^portolan predict: [^\n]+kernels.c: this is source; 'portolan loop' compiles it[^\n]+\n$", r.err)
  end)

  it("charts for predict --here, which says in one line what keeps it from that", function()
    local code = root .. "/scripts/examples/code/fnv.s"
    local mixed = "f:\n\taddsd %xmm0, %xmm1\n\tvaddpd %zmm0, %zmm1, %zmm2{%k1}\n\tdec %rcx\n\tjne f\n"
    with_files({ ["mixed.s"] = mixed }, function(paths, d)
      for words, arguments in pairs {
        ["--here is of a file of --code"] = { "--code", "-" },
        ["--here charts this processor: leave out --mapping"] = { "--code", code, "--mapping", known },
        ["--here does not go with --predictor"] = { "--code", code, "--predictor", "hw" },
        ["--here: the code has AVX and legacy SSE"] = { "--code", paths["mixed.s"] },
      } do
        local r = portolan("predict", "--here", table.unpack(arguments))
        assert.equal(2, r.status, words .. r.err)
        assert.matches("^portolan predict: [^\n]+\n$", r.err)
        assert.truthy(r.err:find(words, 1, true), r.err)
      end
      if not met_cores.here() then return end -- elsewhere it takes as long as a chart
      local r = process.run { args = { process.portolan, "predict", "--here", "--code", code, "--function", "fnv" }, env = { XDG_CACHE_HOME = d } }
      assert.equal(0, r.status, r.err)
      assert.matches("^portolan predict: by the chart of a [^\n]+ that ships", r.err)
      assert.matches("^fnv: loop at 0x17\n  [%d.]+ cycles per iteration", r.out)
    end)
  end)

  it("keeps to one architecture", function()
    local a64 = '{"format": "portolan-mapping", "version": 1, "ports": ["0"], "processor": {"architecture": "aarch64"}, "schemes": {}}'
    with_files({ ["a64.json"] = a64 },
      function(paths)
        refused("--with " .. paths["a64.json"] .. ": it is of aarch64, the loops are of x86_64", "loop", root .. "/scripts/examples/code/fnv.s",
          "--mapping", known, "--no-measure", "--with", paths["a64.json"])
        local r = portolan("loop", root .. "/scripts/examples/code/fnv.s", "--function", "fnv", "--mapping", known, "--no-measure", "--with", known,
          "--json")
        local p = assert(json.decode(r.out))[1]
        assert.same({ "raptor-cove.json", 4 }, { p.elsewhere[1].name, p.elsewhere[1].prediction.cycles })
      end)
  end)
end)
