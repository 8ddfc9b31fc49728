local mapping = require "portolan.mapping"
local uops_info = require "portolan.format.uops_info"
local usage = require "portolan.format.usage"

local path = assert(os.getenv("PORTOLAN_SOURCE")) .. "/tests/data/uops_info.xml"

local function text()
  local f = assert(io.open(path))
  local content = f:read("a")
  f:close()
  return content
end

local function plain(m)
  local usages = {}
  for name, scheme in pairs(m.schemes) do usages[name] = scheme.uops and usage.format(scheme.uops) or scheme.status end
  return usages
end

describe("uops.info's XML", function()
  it("gives one microarchitecture, with Portolan's names where there are some", function()
    local m = assert(mapping.load(path .. "#EX1"))
    assert.same({
      ["add r64, r64"] = "1*p0156", ["add r64, m64"] = "1*p0156+1*p23", ["lock add m64, r64"] = "2*p0156+1*p23+1*p237+1*p4",
      ["SHL (R64, 0)"] = "1*p06", ["shl r64, 1"] = "1*p06", ["shl r64, cl"] = "3*p06", ["lea r64, m"] = "1*p15", nop = "none",
      cpuid = "not explained",
    }, plain(m))
    assert.same({ "0", "1", "2", "3", "4", "5", "6", "7" }, m.ports)
    assert.equal(0.26, m.schemes["add r64, r64"].tp)
    assert.equal(8, m.schemes["lock add m64, r64"].slots)
    assert.equal("EX1", m.processor.name)
    assert.same({ 7, 1, 1 }, { m.provenance.schemes_named - 1, m.provenance.schemes_with_other_names,
      m.provenance.instructions_of_named_schemes })
  end)
  it("names masks, broadcasts, rounding and EVEX forms", function()
    assert.same({
      ["add r64, r64"] = "1*p0156B", ["add r64, m64"] = "1*p0156B+1*p23A", ["vaddpd xmm, xmm, xmm {evex}"] = "1*p05",
      ["vaddpd zmm, zmm, zmm {er}"] = "1*p05", ["vaddpd zmm{k}{z}, zmm, m64{1to8}"] = "1*p05+1*p23A",
    }, plain(assert(mapping.load(path .. "#EX2"))))
    local m = assert(mapping.load(path .. "#ZZ3"))
    assert.same({ "FP2", "FP3" }, m.ports)
    assert.is_nil(m.schemes["add r64, r64"].uops) -- a uop, but no port is named
  end)
  it("asks which one is meant", function()
    local m, message = mapping.load(path)
    assert.is_nil(m)
    assert.matches("uops_info.xml#EX1; it has EX1, EX2, ZZ3", message, 1, true)
    m, message = mapping.load(path .. "#SKL")
    assert.is_nil(m)
    assert.matches("no microarchitecture 'SKL'; it has EX1, EX2, ZZ3", message, 1, true)
    local single = '<root><instruction asm="NOP" string="NOP"><architecture name="A"><measurement ports="1*p01" uops="1"/></architecture>'
      .. "</instruction></root>"
    assert.equal("A", assert(mapping.parse(single)).processor.name)
  end)
  it("is read in pieces of any size", function()
    local whole, given = uops_info.parse(text(), "x", "EX1"), text()
    for _, size in ipairs { 1, 7, 1000 } do
      local at = 1
      local function pieces()
        local piece = given:sub(at, at + size - 1)
        at = at + size
        return piece ~= "" and piece or nil
      end
      assert.same(whole, uops_info.mapping(pieces, "x", "EX1"))
    end
  end)
  it("keeps no more in memory than one microarchitecture needs", function()
    local instruction = text():match("    <instruction.-</instruction>\n")
    local left = 3000 -- some 4 MB
    local function pieces()
      left = left - 1
      if left == 2999 then return "<root>" end
      return left > 0 and instruction or left == 0 and "</root>" or nil
    end
    collectgarbage()
    local before, most = collectgarbage("count"), 0
    local m = assert(uops_info.mapping(function()
      if left % 500 == 0 then
        collectgarbage()
        most = math.max(most, collectgarbage("count"))
      end
      return pieces()
    end, "x", "EX1"))
    assert.is_true(most > 0 and most - before < 500, most - before) -- KiB
    assert.equal(2997, m.provenance.instructions_of_named_schemes)
  end)
  it("is refused with line and field", function()
    for from, to in pairs {
      ['TP_loop="0.30"'] = 'TP_loop="fast"', ['uops="1" uops_retire'] = 'uops="-1" uops_retire', ['string="ADD %(R64, R64%)"'] = "",
      ['architecture name="EX1">\n        <IACA'] = 'architecture>\n        <IACA', ["<extension"] = "<extension <",
    } do
      local changed, n = text():gsub(from, function() return to end, 1)
      assert.equal(1, n, from)
      local m, message = mapping.parse(changed, "u.xml", "EX1")
      assert.is_nil(m, from)
      assert.matches("^u%.xml:%d+: [^\n]+$", message)
    end
    for words, other in pairs {
      ["not well%-formed"] = "<root><a></root>", ["no <architecture>"] = "<root/>", ["document type"] = "<!DOCTYPE r [<!ENTITY e 'x'>]><r>&e;</r>",
      ["no port usage"] = '<root><architecture name="A"/></root>',
    } do
      local m, message = mapping.parse(other, "u.xml")
      assert.is_nil(m, other)
      assert.matches(words, message)
    end
  end)
end)

describe("uops.info's large numbers", function()
  -- One instruction of each kind; what is too large for a mapping concerns only its own instruction.
  local function instruction(name, attributes)
    return ('<instruction asm="%s" string="%s"><architecture name="A"><measurement %s/></architecture></instruction>'):format(name, name, attributes)
  end
  local content = "<root>" .. instruction("RDTSC", 'TP="1475.5" uops="16" uops_retire_slots="16" ports="5*p0+11*p0156"')
    .. instruction("WBINVD", 'TP="1234567.00" uops="70001" uops_retire_slots="9000" ports="70000*p0+1*p5"')
    .. instruction("CPUID", 'TP="100" uops="98765" uops_retire_slots="98765" ports="3*p0"')
    .. instruction("NOP", 'TP="1e400" TP_loop="0.25" uops="1" uops_retire_slots="1e400" ports="1*p0"')
    .. instruction("CLC", 'TP="1e400" uops="10000" uops_retire_slots="10000" ports="9000*p0+1000*p1"')
    .. instruction("STC", 'TP="1" uops="9999" uops_retire_slots="4" ports="9000*p0+1001*p1"')
    .. instruction("CLD", 'TP="1" uops="9999" uops_retire_slots="4" ports="9223372036854775807*p0+9223372036854775807*p1"') .. "</root>"
  it("are left out with a reason, and all else is read", function()
    local m = assert(mapping.parse(content, "u.xml"))
    assert.same({ rdtsc = "5*p0+11*p0156", wbinvd = "not explained", cpuid = "not explained", nop = "not explained",
      clc = "9000*p0+1000*p1", stc = "not explained", cld = "not explained" }, plain(m))
    assert.equal("70001 uops, more than 10000", m.schemes.wbinvd.reason)
    assert.equal("70000*p0+1*p5", m.schemes.wbinvd.usage)
    assert.equal("98765 issue slots, more than 10000", m.schemes.cpuid.reason)
    assert.equal("1e400 issue slots, more than 10000", m.schemes.nop.reason)
    assert.equal(1234567, m.schemes.wbinvd.tp)
    assert.equal(0.25, m.schemes.nop.tp)
    assert.equal(10000, m.schemes.clc.slots)
    assert.is_nil(m.schemes.clc.tp)
    assert.same(m, assert(mapping.parse(assert(mapping.encode(m)))))
  end)
  it("do not excuse what is no number", function()
    local m, message = mapping.parse("<root>" .. instruction("NOP", 'TP="many" uops="1"') .. "</root>", "u.xml")
    assert.is_nil(m)
    assert.matches("^u.xml:1: 'many' is not a number %(TP%) of 'NOP'$", message)
  end)
end)

describe("port usage as text", function()
  it("reads what it writes", function()
    for text_, uops in pairs {
      ["1*p0156+2*p23"] = { { { "0", "1", "5", "6" }, 1 }, { { "2", "3" }, 2 } }, none = {},
      ["1*p0{10}{DV}"] = { { { "0", "10", "DV" }, 1 } }, ["3*p{a}}b}{+}"] = { { { "a}b", "+" }, 3 } },
      ["1*p{}}}"] = { { { "}" }, 1 } },
    } do
      assert.equal(text_, usage.format(uops))
      assert.same(uops, usage.parse(text_))
    end
    assert.same({ { { "0", "1" }, 1 } }, usage.parse(" p01 "))
    assert.same({ { { "FP1", "FP2" }, 2 }, { { "4" }, 1 } }, usage.parse("2 * FP12 + 1*p4"))
    for _, wrong in ipairs { "", "1*p", "0*p1", "1*p11", "1*p1+", "1*p1 1*p2", "x", "1*p{", "1*p{}", "-1*p1", "1.5*p0", "none+1*p0",
      "99999999999999999999*p0" } do
      assert.is_nil(usage.parse(wrong), wrong)
    end
  end)
end)
