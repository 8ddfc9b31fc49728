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

local writer = require "portolan.format.uops_info_write"

-- A mapping with everything that a scheme may have, and names of ports that are no letters.
local function whole_example()
  local function pair(from, to, cycles, more)
    local l = { from = from, to = to, cycles = cycles }
    for key, value in pairs(more or {}) do l[key] = value end
    return l
  end
  local function uops(...) return { uops = { ... }, status = "explained" } end
  local alu, load, store = { { "0", "A", "10" }, 1 }, { { "2", "a<b>&\"c\"" }, 1 }, { { "4" }, 1 }
  local m = { format = "portolan-mapping", version = 1, ports = { "0", "A", "10", "2", "a<b>&\"c\"", "4", "unused" }, rmax = 5.5,
    processor = { name = "A \"core\" & more" }, schemes = {
    ["add r64, r64"] = uops(alu), ["add r64, m64"] = uops(alu, load), ["add m64, r64"] = uops(alu, load, store), ["mul r64"] = uops(alu),
    ["adc r64, r64"] = uops(alu), ["vdivpd ymm, ymm, ymm"] = uops(alu), ["mov r64, r64"] = uops(), ["shl r64, cl"] = uops(alu, alu),
    ["vaddpd zmm{k}{z}, zmm, m64{1to8}"] = uops(alu, load), ["vpgatherdd ymm, m32[ymm], ymm"] = uops(alu, { load[1], 8 }),
    ["vaddpd zmm, zmm, zmm {er}"] = uops(alu), ["bndldx bnd, mib192"] = uops(load), ["lock add m64, r64"] = uops(alu), ["jz rel8"] = uops(alu),
    ["cpuid"] = { status = "unstable" }, ["lea r64, m"] = uops(alu), ["fadd st0, st"] = uops(alu), ["xchg r64, r64"] = uops(alu),
  } }
  local s = m.schemes
  s["add r64, r64"].tp, s["add r64, r64"].slots, s["add r64, r64"].assumed = 0.20140864749563522, 1, { "A", "10" }
  s["add r64, r64"].latencies = { pair("1", "1", 1), pair("2", "1", 1, { same = 0 }), pair("1", "cf", 1), pair("1", "pf", 1) }
  s["add r64, m64"].latencies = { pair("1", "1", 1), pair("2.base", "1", 6), pair("2.index", "1", 6), pair("2", "1", 5) }
  s["add m64, r64"].latencies = { pair("1", "1", 6), pair("2", "1", 5, { low = 3, high = 8 }), pair("1.base", "1", 9) }
  s["mul r64"].latencies, s["mul r64"].breakers = { pair("1", "2", 3), pair("1", "3", 4), pair("2", "3", 4) }, 1
  s["adc r64, r64"].latencies = { pair("cf", "1", 1), pair("cf", "cf", 1), pair("1", "cf", 2), pair("1", "zf", 1) }
  s["vdivpd ymm, ymm, ymm"].latencies = { pair("2", "1", 13, { other = 15 }), pair("3", "1", 13.5, { bypass = { fp = 1, ["int <"] = 2 } }) }
  s["vdivpd ymm, ymm, ymm"].status, s["vdivpd ymm, ymm, ymm"].tp = "slower than ports", 8
  s["vpgatherdd ymm, m32[ymm], ymm"].latencies = { pair("2.index", "1", 26), pair("2.base", "1", 25), pair("3", "3", 2), pair("1", "1", 1) }
  s["shl r64, cl"].latencies = { pair("1", "1", 1), pair("2", "1", 2), pair("zf", "zf", 0.5) }
  s["lea r64, m"].latencies = { pair("2.base", "1", 3, { low = 0, high = 3 }), pair("2.index", "1", 0, { independent = true, as = "2.base > 1" }) }
  s["mov r64, r64"].status = "eliminated at rename"
  return m
end

local function same_latencies(a, b, name)
  local function sorted(list)
    local by_pair = {}
    for _, l in ipairs(list or {}) do by_pair[l.from .. ">" .. l.to] = l end
    return by_pair
  end
  assert.same(sorted(a), sorted(b), name)
end

local function elements_of(content, name)
  local at = assert(content:find('string="' .. name .. '"', 1, true), name)
  return content:sub(at, (content:find("</instruction>", at, true)))
end

describe("uops.info's XML that is written", function()
  local m = whole_example()
  local content, counts = assert(writer.encode(m))
  it("is read back as the same mapping", function()
    local read = assert(mapping.parse(content, "w.xml"))
    assert.same({ foreign = 0, kept = 18, untimed = 14 }, counts)
    assert.same({ m.ports, m.rmax, m.processor.name }, { read.ports, read.rmax, read.processor.name })
    assert.same(mapping.schemes(m), mapping.schemes(read))
    for name, scheme in pairs(m.schemes) do
      local other = read.schemes[name]
      for _, field in ipairs { "uops", "status", "tp", "slots", "breakers", "assumed" } do
        assert.same(scheme[field], other[field], name .. ", " .. field)
      end
      same_latencies(scheme.latencies, other.latencies, name)
    end
    assert.equal(content, (writer.encode(read)))
  end)
  it("says latencies as uops.info does, and exactly where that says less", function()
    local add = elements_of(content, "ADD (R64, M64)")
    assert.matches('<latency cycles="1" start_op="1" target_op="1"/>', add, 1, true)
    assert.matches('<latency cycles_addr="6" cycles_addr_index="6" cycles_mem="5" start_op="2" target_op="1"/>', add, 1, true)
    assert.is_nil(add:find("portolan:latency", 1, true))
    assert.matches('ports="1*p0AB+1*p2C" uops="2"', add, 1, true)
    assert.matches('<portolan:port letter="B" name="10"/>', content, 1, true)
    local divide = elements_of(content, "VDIVPD (YMM, YMM, YMM)")
    assert.matches('<latency max_cycles="15" min_cycles="13" start_op="2" target_op="1"/>', divide, 1, true)
    assert.matches('<latency cycles="14" cycles_is_upper_bound="1" start_op="3" target_op="1"/>', divide, 1, true)
    local lea = elements_of(content, "LEA (R64, AGEN)")
    assert.matches('cycles_addr="3" cycles_addr_index="0" cycles_addr_is_upper_bound="1"', lea, 1, true)
    assert.matches('<portolan:latency as="2.base &gt; 1" cycles="0" from="2.index" independent="1" to="1"/>', lea, 1, true)
    assert.matches('<portolan:latency cycles="13.5" from="3" to="1"><portolan:bypass', divide, 1, true)
    assert.matches('cycles_addr="25" cycles_addr_VSIB="26"', elements_of(content, "VPGATHERDD (YMM, M32_YMM, YMM)"), 1, true)
    assert.matches('min_cycles="1" max_cycles="2"', elements_of(content, "ADC (R64, R64)"):gsub('max_cycles="2" min_cycles="1"',
      'min_cycles="1" max_cycles="2"'), 1, true)
  end)
  it("leaves out what is not Portolan's, and says what nobody timed", function()
    local other = mapping.two_level({ "0", "1" }, { ["FOO_BAR"] = { "0" }, ["add r64, r64"] = { "0", "1" } })
    local text_, n = writer.encode(other, "SPR")
    assert.same({ foreign = 1, kept = 1, untimed = 1 }, n)
    assert.matches('<architecture name="SPR">', text_, 1, true)
    assert.is_nil(text_:find("TP_loop", 1, true))
    local bad = mapping.two_level({ "a\1" }, { ["add r64, r64"] = { "a\1" } })
    assert.same({ nil, "XML cannot have a control character in the name of a port; rename it" }, { writer.encode(bad) })
  end)
  it("is not written where XML has no way to say it", function()
    for _, bad in ipairs { "\1", "\xEF\xBF\xBF", "\255" } do
      local as = { from = "1", to = "1", cycles = 1, as = bad }
      local bypass = { from = "1", to = "1", cycles = 1, bypass = { [bad] = 2 } }
      for _, fields in ipairs { { status = bad }, { latencies = { as } }, { latencies = { bypass } } } do
        local given = mapping.two_level({ "0" }, { ["add r64, r64"] = { "0" } })
        for key, value in pairs(fields) do given.schemes["add r64, r64"][key] = value end
        assert.same({ nil, "XML cannot have a control character in a text of the scheme 'add r64, r64'; rename it" }, { writer.encode(given) })
      end
    end
  end)
  it("is refused with line and field where it is wrong", function()
    for from, to in pairs {
      ['portolan:rmax="5.5"'] = 'portolan:rmax="many"', ['<portolan:port letter="A" name="A"/>'] = '<portolan:port letter="0" name="A"/>',
      ['letter="A" name'] = 'name', ['<portolan:latency cycles="13.5" from="3"'] = '<portolan:latency cycles="13.5" from="9"',
      ['portolan:latency cycles="13.5"'] = 'portolan:latency cycles="-1"', ['portolan:latency cycles="13.5" '] = 'portolan:latency ',
      ['<portolan:bypass cycles="1"'] = '<portolan:bypass cycles="x"', ['cycles_mem="5"'] = 'cycles_mem="soon"',
      ['portolan:breakers="1"'] = 'portolan:breakers="-1"',
    } do
      local at, last = content:find(from, 1, true)
      assert.is_truthy(at, from)
      local read, message = mapping.parse(content:sub(1, at - 1) .. to .. content:sub(last + 1), "w.xml")
      assert.is_nil(read, from)
      assert.matches("^w%.xml:%d+: [^\n]+$", message)
    end
  end)
end)

describe("uops.info's latencies", function()
  local function latencies_of(elements)
    local m = assert(mapping.parse('<root><instruction asm="ADC" string="ADC (R64, M64)"><operand idx="1" type="reg" width="64">RAX,RCX</operand>'
      .. '<operand idx="2" type="mem" width="64"/><operand idx="3" type="flags" suppressed="1"/><architecture name="A">'
      .. '<measurement ports="1*p0">' .. elements .. "</measurement></architecture></instruction></root>"))
    local list = {}
    for _, l in ipairs(m.schemes["adc r64, m64"].latencies or {}) do
      list[l.from .. ">" .. l.to] = l.low and ("%g to %g"):format(l.low, l.high) or l.cycles
    end
    return list
  end
  it("are those of operands, addresses, memory and all flags that are read or written", function()
    assert.same({ ["1>1"] = 1, ["2>1"] = 5, ["2.base>1"] = 6, ["2.index>1"] = 7 }, latencies_of('<latency start_op="1" target_op="1" cycles="1"/>'
      .. '<latency start_op="2" target_op="1" cycles_mem="5" cycles_addr="6" cycles_addr_index="7"/>'))
    assert.same({ ["cf>1"] = 1 }, latencies_of '<latency start_op="3" target_op="1" cycles="1"/>')
    local found = latencies_of '<latency start_op="1" target_op="3" cycles="1"/>'
    assert.same({ 1, 1, nil }, { found["1>cf"], found["1>zf"], found["1>1"] })
  end)
  it("are bounds where they are not one number", function()
    assert.same({ ["1>1"] = "2 to 4" }, latencies_of '<latency start_op="1" target_op="1" min_cycles="2" max_cycles="4"/>')
    assert.same({ ["1>1"] = "0 to 4" }, latencies_of '<latency start_op="1" target_op="1" cycles="4" cycles_is_upper_bound="1"/>')
    assert.same({ ["1>1"] = 3 }, latencies_of '<latency start_op="1" target_op="1" max_cycles="3"/>')
  end)
  it("are left out where an operand is not known", function()
    assert.same({}, latencies_of('<latency start_op="7" target_op="1" cycles="4"/><latency cycles="4"/>'
      .. '<latency start_op="1" target_op="2" cycles="9"/>'))
  end)
end)
