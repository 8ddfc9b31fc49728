local json = require "portolan.support.json"
local mapping = require "portolan.mapping"
local process = require "process"

local root = assert(os.getenv("PORTOLAN_SOURCE"))
local data = root .. "/tests/data/"

local function portolan(...) return process.run { args = { root .. "/scripts/portolan", ... } } end

local function temporary(text)
  local path = os.tmpname()
  local f = assert(io.open(path, "w"))
  f:write(text)
  f:close()
  return path
end

local function export(...)
  local r = portolan("export", ...)
  assert.equal(0, r.status, r.err)
  return r.out, r.err
end

-- One line on stderr, exit status 2, nothing else.
local function refused(words, ...)
  local r = portolan("export", ...)
  assert.equal(2, r.status, r.out .. r.err)
  assert.equal("", r.out)
  assert.matches("^portolan export: [^\n]+\n$", r.err)
  assert.matches(words, r.err)
end

describe("portolan export", function()
  local m = mapping.two_level({ "0", "1", "5" }, { ["add r64, r64"] = { "0", "1" }, ["imul r64, r64"] = { "1" } }, { rmax = 4 })
  m.schemes.cpuid = { status = "unstable" }
  m.schemes["mov r64, r64"] = { uops = {}, status = "explained", slots = 2 }
  local path = os.tmpname()
  setup(function() assert(mapping.save(m, path)) end)
  teardown(function() os.remove(path) end)
  it("turns everything that can be read into JSON", function()
    for _, source in ipairs { path, data .. "uops_info.xml#EX1", data .. "osaca_model.yml" } do
      local out, err = export(source, "--to", "json")
      assert.equal("", err)
      assert.equal(out, mapping.encode(assert(mapping.load(source))))
    end
  end)
  it("says in one line what a format has no place for", function()
    local out, err = export(path, "--to", "csv")
    assert.equal("portolan export: csv has no place for: R_max 4; 1 port without uops\n", err)
    assert.same(m.schemes["imul r64, r64"].uops, mapping.parse(out, "t").schemes["imul r64, r64"].uops)
    out, err = export(path, "--to", "osaca")
    assert.equal("portolan export: osaca has no place for: 1 scheme without a port usage\n", err)
    assert.same({ "add r64, r64", "imul r64, r64", "mov r64, r64" }, mapping.schemes(assert(mapping.parse(out, "t"))))
    out, err = export(path, "--to", "pmevo")
    assert.matches("^portolan export: pmevo has no place for: R_max 4; [^\n]+\n$", err)
    local value = assert(json.decode(out))
    assert.equal("Mapping3", value.kind)
    assert.same({ "0", "1", "5" }, { table.unpack(value.arch.ports) })
    local read = assert(mapping.parse(out, "t"))
    assert.same({ { { "0", "1" }, 1 } }, read.schemes["add r64, r64"].uops)
    assert.same(m.ports, read.ports)
  end)
  -- PMEvo's mappings of other instruction sets: OSACA's format got a model of x86 without a single form.
  it("refuses to write what has lost everything", function()
    local foreign = mapping.two_level({ "0", "1" }, { ["ADD_R_R"] = { "0", "1" }, ["FADD_D_D"] = { "1" } })
    local file = temporary(mapping.encode(foreign))
    refused("nothing would be left: the format has no place for 2 schemes that OSACA has no words for; ", file, "--to", "osaca")
    assert.equal("", select(2, export(file, "--to", "pmevo")))
    os.remove(file)
    file = temporary(mapping.encode { format = m.format, version = m.version, ports = { "0" }, schemes = { cpuid = { status = "unstable" } } })
    for _, format in ipairs { "osaca", "pmevo", "conjunctive" } do
      refused("nothing would be left: the format has no place for 1 scheme without a port usage; ", file, "--to", format)
    end
    os.remove(file)
  end)
  it("writes uops.info's XML, and reads it back", function()
    local target = os.tmpname()
    local _, err = export(path, "--to", "uops-info", "--cpu", "SPR", "--out", target)
    assert.equal("portolan export: uops-info has no place for: the time alone of 2 schemes, which nobody measured; OSACA's importer ends "
      .. "there\n", err)
    local read = assert(mapping.load(target .. "#SPR"))
    assert.same({ m.ports, m.rmax }, { read.ports, read.rmax })
    for name, scheme in pairs(m.schemes) do
      local other = read.schemes[name]
      assert.same({ scheme.uops, scheme.status, scheme.slots }, { other.uops, other.status, other.slots }, name)
    end
    os.remove(target)
    local foreign = temporary(mapping.encode(mapping.two_level({ "0" }, { ADD_R_R = { "0" } })))
    refused("nothing would be left: the format has no place for 1 scheme that Portolan does not know", foreign, "--to", "uops-info")
    os.remove(foreign)
  end)
  it("takes options only where they belong", function()
    refused("%-%-cpu is for %-%-to uops%-info and %-%-to exegesis and %-%-to llvm", path, "--to", "csv", "--cpu", "x")
    refused("%-%-cpu a<b: give a name", path, "--to", "uops-info", "--cpu", "a<b")
    refused("%-%-measurement is for %-%-to exegesis", path, "--to", "csv", "--measurement", "latency")
    refused("%-%-against is for %-%-to llvm%-review", path, "--to", "llvm", "--against", "llvm-mca-19:skylake")
    refused("%-%-oracle is for %-%-to llvm%-review", path, "--to", "llvm", "--oracle", "hw")
    refused("which processor is it to LLVM%? add %-%-cpu", path, "--to", "exegesis")
  end)
  it("says what was odd in a machine model", function()
    local handle = assert(io.open(data .. "osaca_model.yml"))
    local text = handle:read "a"
    handle:close()
    local file = temporary((text:gsub("%[6, %[0DV%]%]", "[6, ['DIV']]")))
    local _, err = export(file, "--to", "csv")
    assert.equal(("portolan export: %s: 1 odd entry left out: port 'DIV' is not in the list of ports (line 64) "
      .. "(instruction_forms[6].port_pressure)\n"):format(file), err:match "^[^\n]*\n")
    os.remove(file)
  end)
  it("writes a file, whole", function()
    local target = os.tmpname()
    assert.equal("", (export(path, "--to", "csv", "--out", target)))
    assert.is_truthy(mapping.load(target))
    os.remove(target)
    assert.equal(2, portolan("export", path, "--to", "csv", "--out", "/nonexistent/x").status)
  end)
  it("may leave out schemes", function()
    local out = export(path, "--to", "json", "--only", "mnemonic == 'add' or mnemonic == 'cpuid'")
    assert.same({ "add r64, r64", "cpuid" }, mapping.schemes(assert(mapping.parse(out))))
    refused("no scheme", path, "--to", "json", "--only", "mnemonic == 'sub'")
    refused("%-%-only", path, "--to", "json", "--only", "mnemonic =")
  end)
  it("makes tables of experiments", function()
    local file = temporary('{"e":{"add r64, r64":2},"cycles":0.5}\n')
    assert.equal('experiment,cycles,status,n,rejected,spread,frequency\n"2*add r64, r64",0.5,ok,,,,\n',
      (export("--experiments", file, "--to", "csv")))
    assert.matches('^{"cycles"', (export("--experiments", file, "--to", "json")))
    refused("csv or json", "--experiments", file, "--to", "osaca")
    os.remove(file)
  end)
  it("refuses what it cannot read in one line", function()
    refused("EX1, EX2, ZZ3", data .. "uops_info.xml", "--to", "json")
    refused("cannot read", "/nonexistent", "--to", "json")
    refused("only uops.info", path .. "#SKL", "--to", "json")
    refused("%-%-to", path, "--to", "tea")
    refused("%-%-to", path)
  end)
end)

describe("portolan predict", function()
  it("takes other tools' models", function()
    local r = portolan("predict", "--mapping", data .. "uops_info.xml#EX1", "--json", "4*add r64, r64")
    assert.equal(1, assert(json.decode(r.out))[1].cycles)
    r = portolan("predict", "--mapping", data .. "osaca_model.yml", "--json", "add rax, rbx; add rcx, [rdx]")
    assert.equal("add r64, m64 + add r64, r64", assert(json.decode(r.out))[1].text)
  end)
end)
