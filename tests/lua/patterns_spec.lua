-- Regular patterns of mappings (portolan.mapping.patterns, `portolan patterns`, the report's section): what follows from other forms, and what is
-- odd.
local file = require "portolan.support.file"
local json = require "portolan.support.json"
local mapping = require "portolan.mapping"
local patterns = require "portolan.mapping.patterns"
local process = require "process"
local report = require "portolan.report"
local variants = require "portolan.scheme.variants"

-- Uops as text, "1*01 + 2*5".
local function uops(text)
  local list = {}
  for count, set in text:gmatch("(%d+)%*(%d+)") do
    local ports = {}
    for port in set:gmatch("%d") do ports[#ports + 1] = port end
    list[#list + 1] = { ports, math.tointeger(tonumber(count)) }
  end
  return list
end

local function made(schemes)
  local m = mapping.two_level({ "0", "1", "2", "3", "4", "5" }, {}, { rmax = 4 })
  for name, text in pairs(schemes) do m.schemes[name] = { uops = uops(text), status = "explained" } end
  return m
end

local truth = {
  ["mov r64, m64"] = "1*23", ["mov r32, m32"] = "1*23", ["mov m64, r64"] = "1*4 + 1*5", ["movbe r64, m64"] = "1*0 + 1*23",
  ["add r64, r64"] = "1*01", ["add r64, m64"] = "1*01 + 1*23", ["add m64, r64"] = "1*01 + 1*23 + 1*4 + 1*5",
  ["imul r64, r64"] = "1*1", ["imul r64, m64"] = "1*0 + 1*23", ["setz r8"] = "1*0", ["setz m8"] = "1*0 + 1*4 + 1*5",
  ["vpaddd xmm, xmm, xmm"] = "1*01", ["vpaddd xmm, xmm, m128"] = "1*01 + 1*23", ["vpaddd ymm, ymm, ymm"] = "2*01",
  ["vpaddd ymm, ymm, m256"] = "2*01 + 2*23", ["vpor xmm, xmm, xmm"] = "1*01", ["vpor ymm, ymm, ymm"] = "1*01",
  ["vpsubd xmm, xmm, xmm"] = "1*01", ["vpsubd ymm, ymm, ymm"] = "1*01 + 1*0",
}

local function kind_of(result, key)
  for _, kind in ipairs(result.kinds) do
    if kind.key == key then return kind end
  end
end

describe("names of related forms", function()
  it("replace memory by registers of its width", function()
    assert.same({ "add r64, r64", "add r64, xmm", "add r64, mm" }, variants.register_forms "add r64, m64")
    assert.same({ "vpaddd ymm, ymm, ymm" }, variants.register_forms "vpaddd ymm, ymm, m256")
    assert.same({}, variants.register_forms "vpgatherdd ymm, m32[ymm], ymm")
    assert.same({}, variants.register_forms "vaddps zmm, zmm, m32{1to16}")
    assert.same({}, variants.register_forms "lea r64, m")
    assert.same({}, variants.register_forms "add r64, imm32")
    assert.equal("add RW:GPR:32, R:GPR:32", variants.register_forms("add RW:GPR:32, dword ptr R:MEM(32)")[1])
    assert.equal("add RW:GPR:64, IMM(8)", variants.register_forms("add qword ptr RW:MEM(64), IMM(8)")[1])
    assert.equal("vpor W:YMM0..15, R:YMM0..15, R:YMM0..15", variants.register_forms("vpor W:YMM0..15, R:YMM0..15, ymmword ptr R:MEM(256)")[1])
  end)
  it("halve vectors", function()
    assert.same({ "vpaddd xmm, xmm, m128", 256 }, { variants.half_width "vpaddd ymm, ymm, m256" })
    assert.same({ "vpaddd ymm, ymm, ymm", 512 }, { variants.half_width "vpaddd zmm, zmm, zmm" })
    assert.same({ "vpor W:XMM0..15, R:XMM0..15, xmmword ptr R:MEM(128)", 256 },
      { variants.half_width "vpor W:YMM0..15, R:YMM0..15, ymmword ptr R:MEM(256)" })
    assert.is_nil((variants.half_width "add r64, r64"))
  end)
end)

describe("patterns of a mapping", function()
  local result = patterns.of(made(truth))
  it("know the ports of plain loads and stores", function()
    assert.same({ "p23" }, result.loads)
    assert.same({ "p4", "p5" }, result.stores)
  end)
  it("are the register form and loads, stores or both", function()
    local load = kind_of(result, "load")
    assert.same({ 4, 3 }, { load.total, load.regular })
    assert.same({ { text = "register form + p23", count = 2 }, { text = "register form + 2*p23", count = 1 } }, load.rules)
    assert.same({ { scheme = "imul r64, m64", form = "imul r64, r64", usage = "p0 + p23", form_usage = "p1", text = "lacks p1, has p0 + p23 more" } },
      load.odd)
    assert.same({ { text = "register form + p23 + p4 + p5", count = 1 } }, kind_of(result, "update").rules)
    assert.same({ { text = "register form + p4 + p5", count = 1 } }, kind_of(result, "store").rules)
  end)
  it("are the same uops with twice the width, or twice as many", function()
    local wide = kind_of(result, "256")
    assert.same({ { text = "twice the uops of 128 bits", count = 2 }, { text = "the uops of 128 bits", count = 1 } }, wide.rules)
    assert.equal("vpsubd ymm, ymm, ymm", wide.odd[1].scheme)
    assert.equal("has p0 more", wide.odd[1].text)
    assert.is_nil(kind_of(result, "512"))
  end)
  it("leave alone what is not explained, and has no other form", function()
    local m = made(truth)
    m.schemes["imul r64, r64"].status = "contradicting"
    assert.equal(3, kind_of(patterns.of(m), "load").total)
    assert.same({ kinds = {}, loads = {}, stores = {}, total = 0, regular = 0, schemes = 1, following = 0 },
      patterns.of(made { ["add r64, r64"] = "1*0" }))
  end)
  it("a store that only loads beside its operation is odd", function()
    local m = made(truth)
    m.schemes["setz m8"].uops = uops "1*0 + 1*23"
    assert.equal("setz m8", kind_of(patterns.of(m), "store").odd[1].scheme)
  end)
end)

describe("portolan patterns", function()
  local function run(m, ...)
    local arguments = { ... }
    local result
    process.in_directory(function(d)
      assert(mapping.save(m, d .. "/m.json"))
      result = process.run { args = { process.portolan, "patterns", d .. "/m.json", table.unpack(arguments) }, env = { LANG = "C", NO_COLOR = "1" } }
    end)
    return result
  end
  it("prints rules with their numbers, and what is odd", function()
    local r = run(made(truth))
    assert.equal(0, r.status, r.err)
    assert.matches("plain loads: p23; plain stores: p4, p5", r.out)
    assert.matches("operation with a load: 3 of 4 regular %(75.0%%%)", r.out)
    assert.matches("imul r64, m64  lacks p1, has p0 %+ p23 more;  imul r64, r64 has p1", r.out)
  end)
  it("prints JSON", function()
    local value = assert(json.decode(run(made(truth), "--json").out))
    assert.same({ 10, 8 }, { value.total, value.regular })
    value = assert(json.decode(run(made { ["add r64, r64"] = "1*0" }, "--json").out))
    assert.same({}, value.kinds)
  end)
  it("refuses what is no mapping in one line", function()
    local r = process.run { args = { process.portolan, "patterns", "/nonexistent.json" }, env = { LANG = "C" } }
    assert.equal(2, r.status)
    assert.matches("^portolan patterns: [^\n]*\n$", r.err)
  end)
end)

describe("the report's section of patterns", function()
  it("has the rules, and links what is odd to the table of schemes", function()
    local page = report.chart { mapping = made(truth), groups = { { name = "all", schemes = { "imul r64, m64", "imul r64, r64" } } } }
    local part = page:match('<section id="patterns".-</section>')
    assert.is_string(part)
    assert.matches("3 of 4", part)
    assert.matches("register form %+ p23 %+ p4 %+ p5", part)
    assert.matches('href="#scheme%-1"', part)
  end)
  it("is left out where there are no two forms of one instruction", function()
    assert.is_nil(report.chart({ mapping = made { ["add r64, r64"] = "1*0" } }):find('id="patterns"', 1, true))
  end)
end)

describe("the published mapping of Zen+", function()
  it("is regular for 991 of 1,094 comparisons, and bsf is odd, as in section 6.3.5", function()
    local path
    for _, above in ipairs { "/../shared/data/zenp/", "/../../shared/data/zenp/" } do
      if file.kind(os.getenv "PORTOLAN_SOURCE" .. above) then path = os.getenv "PORTOLAN_SOURCE" .. above .. "port_mapping.json" end
    end
    if not path then return pending "the published mapping is not there" end
    local result = patterns.of(assert(mapping.load(path)))
    assert.same({ 1094, 991, 1316 }, { result.total, result.regular, result.following })
    local odd = {}
    for _, o in ipairs(kind_of(result, "load").odd) do odd[o.scheme] = true end
    assert.is_true(odd["bsf RW:GPR:64, qword ptr R:MEM(64)"])
  end)
end)
