local csv = require "portolan.format.csv"
local mapping = require "portolan.mapping"
local random_mapping = require "support.random_mapping"

describe("a table of a mapping", function()
  it("keeps schemes, usage, slots, throughputs and status", function()
    local m = random_mapping.three_level { ports = 12, schemes = 30, uops = 3, seed = 4, rmax = 4 }
    m.schemes['odd "name", with\nall'] = { uops = { { { m.ports[1] }, 2 } }, status = "explained", slots = 3, tp = 1 / 3 }
    m.schemes.unknown = { status = "unstable" }
    m.schemes.gone = { uops = {}, status = "explained" }
    for _, scheme in pairs(m.schemes) do setmetatable(scheme, nil) end
    local text = csv.encode(m)
    assert.is_true(csv.is_mapping(text))
    local read = assert(mapping.parse(text, "t.csv"))
    assert.same(m.schemes, read.schemes)
    assert.equal(text, csv.encode(read))
    assert.same(read, mapping.parse("\239\187\191" .. text:gsub("\n", "\r\n"):gsub("with\r\n", "with\n"), "t.csv"))
  end)
  it("may have its columns in any order, and fewer of them", function()
    local m = assert(mapping.parse('usage,"scheme"\n1*p01,"add r64, r64"\n,cpuid\n'))
    assert.same({ { { "0", "1" }, 1 } }, m.schemes["add r64, r64"].uops)
    assert.equal("not explained", m.schemes.cpuid.status)
    assert.same({ "0", "1" }, m.ports)
  end)
  it("says the status that a mapping leaves out", function()
    for _, status in ipairs { false, "" } do
      local m = mapping.two_level({ "0" }, { ["add r64, r64"] = { "0" } })
      m.schemes["add r64, r64"].status = status or nil
      assert.matches("explained\n$", csv.encode(m))
    end
  end)
  it("is refused with line and field", function()
    for row, words in pairs {
      ["a,1*p,1,,,"] = "field 'usage'", ['"a,1*p0,1,,,'] = "quotation", ['a"b,1*p0,1,,,'] = "quotation", ['"a"b,1*p0'] = "comma",
      [",1*p0,1,,,"] = "field 'scheme'", ["a,1*p0,1,x,,"] = "field 'slots'", ["a,1*p0,1,1.5,,"] = "field 'slots'",
      ["a,1*p0,1,,-1,"] = "field 'tp'", ["a,1*p0,1,,nan,"] = "field 'tp'", ["a,1*p0,2,,,"] = "field 'uops'", ["first,1*p0,1,,,"] = "twice",
      ["a\255,1*p0,1,,,"] = "UTF%-8",
    } do
      local m, message = mapping.parse("scheme,usage,uops,slots,tp,status\nfirst,1*p0,1,,,\n" .. row .. "\n", "t.csv")
      assert.is_nil(m, row)
      assert.matches("^t%.csv:3: [^\n]+$", message)
      assert.matches(words, message)
    end
    for text, words in pairs { ["scheme,usage,usage\n"] = "twice", ["scheme,uops\n"] = "no column 'usage'", ["scheme,usage\n"] = "ports",
      ["scheme,usage,status\na,,explained\n"] = "ports" } do
      local m, message = mapping.parse(text, "t.csv")
      assert.is_nil(m, text)
      assert.matches(words, message)
    end
  end)
end)

describe("a table of experiments", function()
  it("has a row for each", function()
    assert.equal('experiment,cycles,status,n,rejected,spread,frequency\n"2*add r64, r64 + nop",0.5,ok,31,,0.004,\nud2,,illegal instruction,,,,\n',
      csv.experiments { { e = { ["add r64, r64"] = 2, nop = 1 }, cycles = 0.5, status = "ok", n = 31, spread = 0.004 },
        { e = { ud2 = 1 }, status = "illegal instruction" } })
  end)
end)
