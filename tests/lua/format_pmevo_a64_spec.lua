-- PMEvo's names of AArch64 instructions: all of its list for the Cortex-A72 are schemes, which encode.
local file = require "portolan.support.file"
local isa = require "portolan.scheme.isa"
local json = require "portolan.support.json"
local pmevo = require "portolan.format.pmevo"
local pmevo_a64 = require "portolan.format.pmevo_a64"

local x, w = "((REG:R:G:64))", "((REG:R:G:32))"
local function v(arrangement) return "((REG:R:F:VEC))." .. arrangement end

local function data(name)
  for _, above in ipairs { "/../shared/data/pmevo-a72/", "/../../shared/data/pmevo-a72/" } do
    local path = os.getenv "PORTOLAN_SOURCE" .. above .. name
    if file.kind(path) then return assert(file.read(path)) end
  end
end

describe("PMEvo's names of AArch64", function()
  it("are text with places for operands", function()
    assert.equal("add x1, x2, w3, sxtw 2", pmevo_a64.text("\tadd\t" .. x .. ", " .. x .. ", " .. w .. ", sxtw 2"):gsub("\t", " "))
    assert.equal("ldr q1, [x2, 16]", (pmevo_a64.text "_ldr_((REG:W:F:128)),_[((MEM:64)),_((MIMM:16))]"))
  end)

  for name, scheme in pairs {
    ["add " .. x .. ", " .. x .. ", " .. w .. ", sxtw 2"] = "add xsp, xsp, w, sxtw imm3",
    ["cmp " .. x .. ", 624"] = "subs x, xsp, imm12",
    ["neg " .. x .. ", " .. x .. ", lsr 2"] = "sub x, x, x, lsr imm6",
    ["mov " .. x .. ", 2147483647"] = "orr xsp, x, bitmask",
    ["fmov ((REG:W:F:64)), 1.0e+1"] = "fmov d, fp8",
    ["fmov " .. v "d[1]" .. ", " .. x] = "fmov v.d[1], x",
    ["movi ((REG:W:F:64)), -256"] = "movi d, bytes",
    ["movi " .. v "4s" .. ", 0xff, msl 8"] = "movi v.4s, imm8, msl imm1",
    ["tbl " .. v "16b" .. ", {" .. v "16b" .. "}, " .. v "16b"] = "tbl v.16b, {v.16b}, v.16b",
    ["sshll " .. v "2d" .. ", " .. v "2s" .. ", 0"] = "sshll v.2d, v.2s, imm5",
    ["str ((REG:W:F:8)), [((MEM:64)), ((MIMM:16))]"] = "str b, [x, imm12]",
  } do
    it("mean schemes: " .. scheme, function() assert.equal(scheme, pmevo_a64.scheme(name)) end)
  end

  it("are refused with one line", function()
    local scheme, message = pmevo_a64.scheme "add ((REG:W:Q:64)), ((REG:R:G:64))"
    assert.is_nil(scheme)
    assert.equal("'((REG:W:Q:64))' is no place of PMEvo's for an operand", message)
    scheme, message = pmevo_a64.scheme("frobnicate " .. x)
    assert.is_nil(scheme)
    assert.truthy(message:find("frobnicate", 1, true))
  end)

  it("are read in lists of experiments", function()
    local list = assert(pmevo.experiments { kind = "ExperimentList", exps = json.array {
      { iseq = json.array { "_neg_" .. x .. ",_" .. x, "_sub_" .. x .. ",_" .. x .. ",_" .. x }, result = { cycles = 1.0 } } } })
    assert.same({ ["sub x, x, x"] = 2 }, list[1].e)
    local none, message = pmevo.experiments { kind = "ExperimentList", exps = json.array { { iseq = json.array { "_frob_" .. x } } } }
    assert.is_nil(none)
    assert.truthy(message:find("exps[1].iseq[1]", 1, true))
  end)

  it("are read in mappings, where the scheme's own mnemonic counts", function()
    local m = assert(pmevo.mapping { kind = "Mapping3", assignment = {
      ["_neg_" .. x .. ",_" .. x] = json.array { json.array { 0 } },
      ["_sub_" .. x .. ",_" .. x .. ",_" .. x] = json.array { json.array { 0, 1 } },
    } })
    assert.same({ { { "0", "1" }, 1 } }, m.schemes["sub x, x, x"].uops)
  end)

  it("are schemes, all 390 of the Cortex-A72's list, and encode", function()
    local text = data "all.insn"
    if not text then return pending "shared/data is not here" end
    local names, schemes = pmevo_a64.names(text), {}
    assert.equal(390, #names)
    for _, name in ipairs(names) do
      local scheme = assert(pmevo_a64.scheme(name))
      assert.equal(4, #assert(isa.sample(scheme)), name)
      schemes[scheme] = true
    end
    local count = 0
    for _ in pairs(schemes) do count = count + 1 end
    assert.equal(366, count) -- the others are aliases: neg is sub
  end)

  it("are in the recorded experiments, one for each", function()
    local text = data "exps_singletons.json"
    if not text then return pending "shared/data is not here" end
    local list = assert(pmevo.experiments(assert(json.decode(text))))
    assert.equal(390, #list)
    for _, record in ipairs(list) do
      for scheme in pairs(record.e) do assert.equal("aarch64", assert(isa.scheme(scheme)).architecture) end
    end
  end)
end)
