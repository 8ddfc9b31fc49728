-- Schemes that are measured with others around them: their own uops, and where these cannot be told.
local chart = require "portolan.infer.chart"
local companions = require "portolan.mapping.companions"
local core = require "portolan.core"
local isa = require "portolan.scheme.isa"
local mapping = require "portolan.mapping"
local paths = require "portolan.support.paths"
local scheme_set = require "portolan.scheme.set"
local simulated = require "portolan.processor.simulated"

local load, any, five = { "2", "3" }, { "0", "1" }, { "1" }

local function uops(...)
  local list = {}
  for i, ports in ipairs { ... } do list[i] = { ports, 1 } end
  return list
end

local function entry(list, around, slots) return { uops = list, slots = slots or #list, companions = around } end

-- What is measured of a small x87: each with its companions.
local function measured()
  return {
    ["mov r64, m64"] = entry(uops(load)),
    ["fld m64"] = entry(uops(load, any), { "fstp st" }),
    ["fstp st"] = entry(uops(load, any), { "fld m64" }),
    ["faddp st, st0"] = entry(uops(load, five), { "fld m64" }),
    ["fchs"] = entry(uops(load, any, five), { "fstp st", "fld m64" }),
    ["fcompp"] = entry({ { load, 2 }, { five, 1 } }, { "fld m64", "fld m64" }, 3),
    ["fcom st"] = entry(uops(five)),
  }
end

describe("companions", function()
  it("are taken off, the load and the pop that stand around each other as well", function()
    local own, why = companions.apart(measured())
    assert.same({}, why)
    assert.same({ uops = { { load, 1 } }, slots = 1 }, own["fld m64"])
    assert.same({ uops = { { any, 1 } }, slots = 1 }, own["fstp st"])
    assert.same({ uops = { { five, 1 } }, slots = 1 }, own["faddp st, st0"])
    assert.same({ uops = { { five, 1 } }, slots = 1 }, own["fchs"])
    assert.same({ uops = { { five, 1 } }, slots = 1 }, own["fcompp"])
    assert.same({ uops = { { five, 1 } }, slots = 1 }, own["fcom st"])
  end)

  it("are not taken off where the measurements leave open which uops are theirs", function()
    local all = measured()
    all["faddp st, st0"], all["fcompp"] = nil, nil -- all that is left has the load's uop and the pop's
    local own, why = companions.apart(all)
    assert.is_nil(own["fld m64"] or own["fstp st"] or own["fchs"])
    assert.matches("the uops of f%w+ %w+ are not known", why["fchs"])
  end)

  it("are not taken off where no load tells the ports of loads", function()
    local all = measured()
    all["mov r64, m64"] = nil
    assert.is_nil((companions.apart(all))["fld m64"])
  end)

  it("are not taken off where theirs are not among the uops that were found", function()
    local all = measured()
    all["fchs"].uops = uops(load, five)
    local own, why = companions.apart(all)
    assert.is_nil(own["fchs"])
    assert.matches("not among", why["fchs"])
    assert.is_nil(why["fld m64"])
  end)

  it("count in experiments, and not in code", function()
    local m = mapping.two_level({ "0", "1" }, { a = { "0" }, b = { "0" } }, { rmax = 4 })
    m.schemes.a.companions, m.schemes.a.slots, m.schemes.b.slots = { "b", "b" }, 1, 1
    assert.equal(3, mapping.compile(m):throughput { a = 1 })
    assert.equal(1, mapping.compile(mapping.of_code(m)):throughput { a = 1 })
    assert.equal(1, mapping.compile(m):throughput { b = 1 })
    m.schemes.b = nil
    assert.is_nil((mapping.compile(m):throughput { a = 1 })) -- as measured it is not known
    assert.equal(1, mapping.compile(mapping.of_code(m)):throughput { a = 1 })
  end)

  it("are names in files", function()
    local m = mapping.two_level({ "0" }, { a = { "0" } })
    m.schemes.a.companions = { "b" }
    assert.same({ "b" }, assert(mapping.parse(assert(mapping.encode(m)))).schemes.a.companions)
    m.schemes.a.companions = { 1 }
    local ok, message = mapping.validate(m)
    assert.is_nil(ok)
    assert.matches("companions", message)
  end)
end)

describe("a chart of schemes with companions", function()
  -- As a core would be: p05 for copies, p5 for sums, p0 for products, p23 for loads.
  local copy, sum, product, loads, all = { "0", "5" }, { "5" }, { "0" }, { "2", "3" }, { "0", "1", "5", "6" }

  local function truth()
    local m = mapping.two_level({ "0", "1", "2", "3", "5", "6" }, {
      ["add r64, r64"] = all, ["sub r64, r64"] = all, ["mov r64, m64"] = loads, ["mov r32, m32"] = loads,
      ["vpermd ymm, ymm, ymm"] = sum, ["vpermq ymm, ymm, imm8"] = sum, ["vmovmskps r32, ymm"] = product, ["vmovd r32, xmm"] = product,
      ["fst st"] = copy, ["fnop"] = copy, ["fadd st, st0"] = sum,
      ["fld m64"] = loads, ["fld m32"] = loads, ["fstp st"] = copy, ["faddp st, st0"] = sum, ["fchs"] = product, ["fcom m64"] = sum,
    }, { rmax = 6 })
    m.schemes["fcom m64"].uops = { { loads, 1 }, { sum, 1 } }
    for name, scheme in pairs(m.schemes) do
      scheme.slots, scheme.companions = 1, (core.isa.scheme(name)).companions
    end
    return m
  end

  it("finds the uops of each alone", function()
    local m = truth()
    local p = assert(simulated.new { mapping = m, noise = { kind = "gaussian", width = 0.002, unit = "relative" }, seed = 3 })
    local result = chart.run(p, { { name = "All", schemes = mapping.schemes(m) } }, { evaluate = 40 })
    for name, scheme in pairs(m.schemes) do
      local found = result.mapping.schemes[name]
      assert.equal("explained", found.status, name .. ": " .. tostring(found.note))
      assert.same(scheme.companions, found.companions, name)
    end
    local relation = assert(core.model.compare(mapping.compile(mapping.of_code(m)), mapping.compile(mapping.of_code(result.mapping)),
      { epsilon = 0.02 }))
    assert.is_true(relation.equal)
    assert.is_true(result.evaluation.mape < 0.02)
  end)

  it("says so where they are not told apart", function()
    local m = truth()
    for _, name in ipairs { "faddp st, st0", "fchs" } do m.schemes[name] = nil end -- what has one of the two around it, and not both
    local p = assert(simulated.new { mapping = m })
    local result = chart.run(p, { { name = "All", schemes = mapping.schemes(m) } }, { evaluate = 0 })
    for _, name in ipairs { "fld m64", "fstp st" } do
      local found = result.mapping.schemes[name]
      assert.equal("not told apart", found.status)
      assert.is_nil(found.uops)
      assert.matches("with f[ls][dt]", found.note)
    end
  end)
end)

describe("blocks of code", function()
  local block_model = require "portolan.block.model"
  local function bytes_of(text) return assert(core.isa.assemble((text:gsub(";", "\n")))).bytes end

  local function known()
    local m = mapping.two_level({ "0", "1", "2", "3" }, { ["fld m80"] = { "2" }, ["fmulp st, st0"] = { "1" }, ["faddp st, st0"] = { "0" },
      ["ret"] = { "2" }, ["call rel32"] = { "3" }, ["leave"] = { "2" }, ["add r64, r64"] = { "0", "1" } }, { rmax = 4 })
    for name, scheme in pairs(m.schemes) do scheme.slots, scheme.companions = 1, isa.scheme(name).companions end
    return m
  end

  it("with x87, returns and leave are predicted without companions", function()
    local model = assert(block_model.of(known()))
    local product = assert(model:explain(bytes_of "fld tbyte ptr [rdi]; fld tbyte ptr [rsi]; fmulp st(1), st; faddp st(1), st"))
    assert.equal(2, product.cycles)
    local ending = bytes_of "add rax, rbx; leave; ret"
    assert.same({}, model:unknown(ending))
    assert.equal(2, assert(model:explain(ending)).bounds.ports)
  end)

  it("with calls of what a register holds are taken for calls to an address", function()
    local model = assert(block_model.of(known()))
    assert.same({}, model:unknown(bytes_of "call rax"))
    assert.same({ "call m64" }, model:unknown(bytes_of "call qword ptr [rax]"))
    local m = known()
    m.schemes["call rel32"] = nil
    assert.same({ "call r64" }, assert(block_model.of(m)):unknown(bytes_of "call rax"))
  end)
end)

describe("the set x87", function()
  local groups = assert(scheme_set.load(paths.arch "x86_64/sets/x87.lua"))
  local names = {}
  for _, group in ipairs(groups) do
    for _, name in ipairs(group.schemes) do names[name] = group.name end
  end

  it("has what keeps the stack, and the schemes that stand around it", function()
    for _, name in ipairs { "fld m64", "fld m80", "fstp st", "fstp m80", "fxch st", "fadd st0, st", "fmulp st, st0",
      "fucomip st0, st", "fcmovb st0, st",
      "fild m64", "fisttp m64", "fsqrt", "fdiv m64", "fldz", "fnstsw ax", "fldcw m16" } do
      assert.is_string(names[name], name)
      for _, other in ipairs(isa.scheme(name).companions or {}) do assert.is_string(names[other], other) end
    end
  end)

  it("has nothing whose time depends on values, or that changes the machine's state", function()
    for _, name in ipairs { "fsin", "fprem", "f2xm1", "fninit", "fldenv m224", "ffreep st", "emms" } do
      assert.is_nil(names[name], name)
    end
  end)
end)
