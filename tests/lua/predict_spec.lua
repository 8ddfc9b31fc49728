local json = require "portolan.json"
local mapping = require "portolan.mapping"
local process = require "process"

local root = assert(os.getenv("PORTOLAN_SOURCE"))

local function portolan(...)
  return process.run { args = { root .. "/scripts/portolan", ... }, env = { LANG = "C", LC_ALL = false, LC_CTYPE = false } }
end

local function save(m)
  local path = os.tmpname()
  assert(mapping.save(m, path))
  return path
end

local function toy(changes)
  local schemes = { ["add r64, r64"] = { "0", "1", "5" }, ["imul r64, r64"] = { "1" }, ["shl r64, cl"] = { "0", "5" } }
  for name, ports in pairs(changes or {}) do schemes[name] = ports end
  return mapping.two_level({ "0", "1", "5" }, schemes, { rmax = 4 })
end

-- Runs the command, expects one line on stderr and exit status 2.
local function refused(words, ...)
  local r = portolan(...)
  assert.equal(2, r.status, r.out .. r.err)
  assert.equal("", r.out)
  assert.matches("^portolan %l+: [^\n]+\n$", r.err)
  assert.matches(words, r.err)
end

describe("portolan predict", function()
  local path = save(toy())
  teardown(function() os.remove(path) end)
  it("shows cycles, the bottleneck and the load of every port", function()
    local r = portolan("predict", "--mapping", path, "2*add r64, r64 + 2*imul r64, r64")
    assert.equal(0, r.status, r.err)
    assert.matches("2%.000 cycles per experiment, 2%.00 IPC, 0%.500 CPI: limited by port 1\n", r.out)
    assert.matches("1 +2%.000 +#+ +100%%  bottleneck", r.out)
    assert.matches("0 +1%.000 +#+%.+ +50%%\n", r.out)
    assert.matches("2 x add r64, r64 +p015\n", r.out)
  end)
  it("takes assembler text, and says what limits it", function()
    local r = portolan("predict", "--mapping", path, "--json", "imul rax, rbx; add rcx, rdx; add rsi, rdi", "add r64, r64")
    assert.equal(0, r.status, r.err)
    local p = assert(json.decode(r.out))
    assert.equal("2*add r64, r64 + imul r64, r64", p[1].text)
    assert.equal(1, p[1].cycles)
    assert.same({ "0", "1", "5" }, { p[1].bottleneck[1], p[1].bottleneck[2], p[1].bottleneck[3] })
    assert.equal(3, p[2].ipc)
  end)
  it("has a greedy binder, which is not faster", function()
    local e = "3*add r64, r64 + imul r64, r64 + shl r64, cl"
    local p = assert(json.decode(portolan("predict", "--mapping", path, "--json", "--method", "binder", e).out))[1]
    assert.is_true(p.cycles >= p.optimal_cycles)
    assert.equal(0, portolan("predict", "--mapping", path, "--method", "binder", e).status)
  end)
  it("refuses what it cannot read in one line", function()
    refused("no scheme 'add r64, m64'; it has 'add r64, r64'", "predict", "--mapping", path, "add rax, [rsi]")
    refused("no scheme 'frobnicate'", "predict", "--mapping", path, "frobnicate")
    refused("count", "predict", "--mapping", path, "0*add r64, r64")
    refused("", "predict", "--mapping", path, "")
    refused("cannot read", "predict", "--mapping", path .. ".none", "x")
    refused("mapping", "predict", "x")
    local broken = os.tmpname()
    local f = assert(io.open(broken, "w"))
    f:write('{"format": "portolan-mapping",\n "version": }')
    f:close()
    refused(":2:", "predict", "--mapping", broken, "x")
    os.remove(broken)
  end)
end)

describe("portolan compare", function()
  local a = save(toy())
  local same = toy()
  same.ports = { "x", "y", "z" }
  for name, ports in pairs { ["add r64, r64"] = { "x", "y", "z" }, ["imul r64, r64"] = { "z" }, ["shl r64, cl"] = { "x", "y" } } do
    same.schemes[name].uops[1][1] = ports
  end
  local b, c = save(same), save(toy { ["shl r64, cl"] = { "0", "1" } })
  teardown(function() for _, path in ipairs { a, b, c } do os.remove(path) end end)
  it("sees through port names: exit status 0", function()
    local r = portolan("compare", a, b)
    assert.equal(0, r.status, r.err)
    assert.matches("equal: the same port usage up to the names of ports, on 3 common schemes", r.out)
    assert.matches("1=z", r.out)
    assert.is_true(json.decode(portolan("compare", "--json", a, b).out).equal)
  end)
  it("gives the schemes that differ and an experiment: exit status 1", function()
    local r = portolan("compare", a, c)
    assert.equal(1, r.status, r.err)
    assert.matches("different", r.out)
    assert.matches("Closest: 2 of 3 common schemes the same", r.out)
    assert.matches("\n +shl r64, cl: p01 instead of p05\n", r.out)
    assert.matches("told apart by: .*\n.*cycles with the first", r.out)
    local result = json.decode(portolan("compare", "--json", a, c).out)
    assert.same({ "shl r64, cl" }, result.diff.kinds[1].schemes)
    assert.equal("ports", result.diff.kinds[1].changes[1].kind)
    assert.equal(0, portolan("compare", a, c, "--epsilon", "0.5").status)
  end)
  it("says so in the first line where only limits differ", function()
    local m = toy()
    m.rmax = 2
    local limited = save(m)
    local r = portolan("compare", limited, b)
    assert.equal(1, r.status, r.err)
    assert.matches("^same ports, other limits: ", r.out)
    assert.matches("\n  R_max: 2 in the first, 4 in the second\n", r.out)
    assert.matches("told apart by", r.out)
    m.rmax = 4
    m.schemes["imul r64, r64"].slots = 2 -- imul runs once a cycle anyway, but issues less beside it
    assert(mapping.save(m, limited))
    r = portolan("compare", limited, b)
    assert.matches("^same ports, other limits: ", r.out)
    assert.matches("\n +imul r64, r64: 1 issue slot instead of 2\n", r.out)
    for _, changed in ipairs { m, same } do changed.rmax = nil end
    assert(mapping.save(m, limited))
    local unlimited = save(same)
    r = portolan("compare", limited, unlimited)
    assert.equal(0, r.status, r.err)
    assert.matches("^equal: .*Every experiment takes the same time under both", r.out)
    for _, path in ipairs { limited, unlimited } do os.remove(path) end
  end)
  it("says what is proven of mappings that differ only where no experiment can see it", function()
    local split, joined = toy(), toy()
    for _, m in ipairs { split, joined } do m.schemes = { xchg = { uops = { { { "0" }, 1 }, { { "1" }, 1 } } } } end
    joined.schemes.xchg.uops = { { { "0", "1" }, 2 } }
    local x, y = save(split), save(joined)
    local r = portolan("compare", x, y)
    assert.equal(0, r.status, r.err)
    assert.matches("^different: .*Closest: 0 of 1 common scheme the same", r.out)
    assert.matches("\nNo experiment tells them apart at a resolution of 0.02 CPI%.\n$", r.out)
    for _, path in ipairs { x, y } do os.remove(path) end
  end)
  it("compares a part of the schemes", function()
    local r = portolan("compare", a, c, "--only", "imul", "--only", "/^add /")
    assert.equal(0, r.status, r.err)
    assert.matches("^equal: .* on 2 common schemes", r.out)
    assert.equal(1, portolan("compare", a, c, "--only", "l r64, ").status)
    refused("selected.*--only /%^r64/", "compare", a, c, "--only", "/^r64/")
    refused("%-%-only /%[/ is not a Lua pattern: malformed pattern", "compare", a, c, "--only", "/[/")
  end)
  it("writes the first mapping with the second's names of ports", function()
    local out = os.tmpname()
    local r = portolan("compare", a, b, "--rename", out, "--only", "imul", "--only", "add")
    assert.equal(0, r.status, r.err)
    local m = assert(mapping.load(out))
    assert.same({ "z" }, m.schemes["imul r64, r64"].uops[1][1])
    assert.is_not_nil(m.schemes["shl r64, cl"].uops)
    assert.matches("^equal", portolan("compare", out, b).out)
    assert.equal("z", m.provenance.renamed_ports["1"])
    refused("no/such", "compare", a, b, "--rename", "/no/such/directory/x.json")
    os.remove(out)
  end)
  it("refuses wrong input in one line", function()
    refused("epsilon", "compare", a, b, "--epsilon=-1")
    refused("cannot read", "compare", a, a .. ".none")
    local other = save(mapping.two_level({ "0" }, { nop = { "0" } }))
    refused("no scheme in common", "compare", a, other)
    os.remove(other)
  end)
end)
