-- Which form of a machine model an instruction gets, as OSACA itself looks it up. The models are made up; each shows one thing that
-- models of OSACA have.
local mapping = require "portolan.mapping"
local usage = require "portolan.format.usage"

local header = [=[
isa: x86
ports: ['0', '1', '2', '3', '4', '5']
load_throughput: LOADS
load_throughput_default: [[1, '23']]
store_throughput: STORES
store_throughput_default: [[1, '4']]
MORE
instruction_forms:
]=]

local anywhere = 'base: "*", offset: "*", index: "*", scale: "*"'
local kinds = {
  r = "{class: register, name: gpr}", x = "{class: register, name: xmm}", y = "{class: register, name: ymm}",
  any = "{class: register, name: '*'}", i = "{class: immediate, imd: int}", m = "{class: memory, " .. anywhere .. "}",
}

-- A form: names, operands in AT&T's order as in "m r", pressure.
local function form(name, operands, pressure)
  local list = {}
  for word in operands:gmatch "%S+" do list[#list + 1] = kinds[word] end
  return ("- {name: %s, operands: [%s], latency: 1, throughput: 1, port_pressure: %s}\n"):format(name, table.concat(list, ", "), pressure)
end

local function model(forms, fields)
  fields = fields or {}
  local head = header:gsub("LOADS", fields.loads or "[]"):gsub("STORES", fields.stores or "[]"):gsub("MORE", fields.more or "")
  return assert(mapping.parse(head .. table.concat(forms), "o.yml"))
end

local function is(expected, m, name)
  local scheme = m.schemes[name]
  assert.equal(expected, scheme and (scheme.uops and usage.format(scheme.uops) or scheme.reason), name)
end

describe("OSACA's forms", function()
  it("get a store where they write memory only", function()
    local m = model { form("vmovaps", "y y", "[]"), form("mov", "r r", "[[1, '05']]") }
    is("it takes time, but no port", m, "vmovaps ymm, ymm")
    is("1*p4", m, "vmovaps m256, ymm")
    is("1*p23", m, "vmovaps ymm, m256")
    is("1*p05+1*p4", m, "mov m64, r64")
  end)
  it("are found by the names that compilers write, and not by those of Intel", function()
    local m = model { form("movsxd", "r r", "[]"), form("movsl", "r r", "[[1, '05']]"), form("setz", "r", "[[1, '0']]"),
      form("sete", "r", "[[1, '5']]"), form("cdqe", "", "[[1, '0']]"), form("cltq", "", "[[1, '1']]") }
    is("1*p05", m, "movsxd r64, r32")
    is("1*p5", m, "setz r8")
    is("1*p1", m, "cdqe")
    local unwritten = model { form("movsxd", "r r", "[[1, '0']]"), form("setz", "r", "[[1, '0']]"), form("cdqe", "", "[[1, '0']]") }
    for _, name in ipairs { "movsxd r64, r32", "setz r8", "cdqe" } do assert.is_nil(unwritten.schemes[name], name) end
    for _, name in ipairs { "shl", "sal" } do is("1*p0", model { form(name, "i r", "[[1, '0']]") }, "shl r64, imm8") end
    for _, name in ipairs { "jae", "jnb" } do
      is("1*p0", model { "- {name: " .. name .. ", operands: [{class: identifier}], port_pressure: [[1, '0']]}\n" }, "jnb rel8")
    end
    is("1*p1", model { form("sar", "r", "[[1, '1']]"), form("sar", "i r", "[[1, '0']]") }, "sar r64, 1")
  end)
  it("may take any register, and are general-purpose ones with memory then", function()
    local loads = ("[{dst: ymm, %s, port_pressure: [[0.5, '5']]}, {dst: gpr, %s, port_pressure: [[1, '2']]}]"):format(anywhere, anywhere)
    local m = model({ form("cmp", "any any", "[[1, '01']]"), form("vsqrtps", "y y", "[[1, '0']]") }, { loads = loads })
    is("1*p01+1*p2", m, "cmp r64, m64")
    is("1*p01+1*p2", m, "cmp m32, r32")
    is("a pressure of 0.5 cycles is not a whole number up to 10000", m, "vsqrtps ymm, m256")
  end)
  it("get the first load if none is for their registers, but the default store", function()
    local entry = "[{%s: ymm, " .. anywhere .. ", port_pressure: [[2, '5']]}]"
    local m = model({ form("add", "r r", "[[1, '01']]"), form("vmovaps", "y y", "[]") },
      { loads = entry:format "dst", stores = entry:format "src" })
    is("1*p01+2*p5", m, "add r64, m64")
    is("1*p01+2*p5+1*p4", m, "add m64, r64")
    is("2*p5", m, "vmovaps m256, ymm")
    local unsaid = model({ form("add", "r r", "[[1, '01']]") }, { stores = "[{" .. anywhere .. ", port_pressure: [[2, '5']]}]" })
    is("1*p01+1*p23+1*p4", unsaid, "add m64, r64") -- OSACA passes over stores that say nothing of their registers
  end)
  it("get several loads or stores for wide registers, where the model says so", function()
    local m = model({ form("vmovaps", "y y", "[]"), form("vaddps", "y y y", "[[1, '0']]"), form("add", "r r", "[[1, '0']]") },
      { more = "load_throughput_multiplier: {gpr: 1.0, ymm: 2.0}\nstore_throughput_multiplier: {gpr: 1.0, ymm: 1.5}" })
    is("1*p0+2*p23", m, "vaddps ymm, ymm, m256")
    is("1*p0+1*p23", m, "add r64, m64")
    is("1.5 uops of a load or store are no whole number", m, "vmovaps m256, ymm")
  end)
  it("stand for the same instruction with or without VEX, if that has none with as many operands", function()
    local m = model { form("sqrtps", "x x", "[[3, '0']]"), form("movaps", "x x", "[[1, '05']]"), form("vmovaps", "y y", "[[1, '1']]") }
    is("3*p0", m, "vsqrtps xmm, xmm")
    is("3*p0+1*p23", m, "vsqrtps xmm, m128")
    is("1*p1", m, "vmovaps ymm, ymm")
    assert.is_nil(m.schemes["vmovaps xmm, xmm"])
    is("3*p0", model { form("vsqrtps", "x x", "[[3, '0']]") }, "sqrtps xmm, xmm")
    is("1*p5", model { form("vmovd", "r x", "[[1, '5']]") }, "movd xmm, r32")
    is("2*p5", model { form("blendvps", "x x x", "[[2, '5']]") }, "blendvps xmm, xmm") -- with xmm0
  end)
end)
