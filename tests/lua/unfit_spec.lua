-- Schemes that seem fit to stand for others and are not, as Zen 3 has them (portolan.infer.chart.unfit, fitness).
local chart = require "portolan.infer.chart"
local chimera = require "cores.chimera"
local judge = require "cores.judge"
local lists = require "portolan.support.lists"
local mapping = require "portolan.mapping"
local port_set = require "portolan.mapping.ports"
local scheme_set = require "portolan.scheme.set"
local simulated = require "portolan.processor.simulated"
local small = require "cores.small"

local function charted(m)
  local p = assert(simulated.new { mapping = m, seed = 1, noise = { kind = "gaussian", width = 0.005, unit = "relative" } })
  local names = mapping.schemes(m)
  return chart.run(p, { { name = "All", schemes = names } }, { seed = 1, evaluate = 0 }).mapping, names
end

-- All but the excused ones must be right.
local function check(m, excused)
  local found, names = charted(m)
  local texts = {}
  for _, text in ipairs(judge(found, m, names).texts) do
    if not excused[text:match "^[^:]+"] then texts[#texts + 1] = text end
  end
  assert.same({}, texts)
  return found.schemes
end

describe("schemes that others are bound without regard to", function()
  it("make no claim wrong, and have the port that floods find, which is assumed, or none", function()
    local m, names = small.zen4(), { "vpmovmskb r32, ymm", "vmovmskps r32, ymm" }
    for _, name in ipairs(names) do
      m.schemes[name] = { uops = { { { "c" }, 1 } }, slots = 1, status = "explained", misfit = { unbalanced = true } }
    end
    local found = check(m, { [names[1]] = true, [names[2]] = true })
    local shifts, multiplies = found["shl r64, imm8"].uops[1][1], found["imul r64, r64"].uops[1][1] -- ports b and c, and b
    local c = lists.where(shifts, function(port) return port ~= multiplies[1] end)
    local explained = lists.where(names, function(name) return found[name].status == "explained" end)
    assert.is_true(#explained > 0)
    for _, name in ipairs(explained) do
      assert.same({ { c, 1 } }, found[name].uops)
      assert.same(c, found[name].assumed)
    end
  end)
end)

describe("a scheme that takes a cycle for a unit beside its two ports", function()
  it("is no class of one port, and is told to be slower than its ports", function()
    local m = small.zen4()
    local name = "vperm2i128 ymm, ymm, ymm, imm8"
    m.schemes[name] = { uops = { { { "0", "1" }, 1 } }, slots = 1, status = "explained", misfit = { busy = 1 } }
    local s = check(m, { [name] = true })[name]
    assert.equal("slower than ports", s.status, s.note)
    assert.equal(2, #s.uops[1][1])
  end)
end)

describe("two schemes that take a cycle for a limit that is no port", function()
  it("take no port away from many others, though one experiment alone says so", function()
    local c = chimera(3017) -- one instruction of three vector operands a cycle
    local found = chart.run(assert(simulated.new(c.options)), assert(scheme_set.load "starter"), { seed = 3017, evaluate = 0 }).mapping.schemes
    assert.equal(2, #found["add r64, r64"].uops[1][1])
    assert.equal(1, #port_set.common(found["add r64, r64"].uops[1][1], found["lea r64, m"].uops[1][1]))
  end)
end)

describe("a scheme that runs four times a cycle for a limit that is no port", function()
  it("takes no port away from a class of six", function()
    local c = chimera(70008) -- shlx
    local found = chart.run(assert(simulated.new(c.options)), assert(scheme_set.load "starter"), { seed = 70008, evaluate = 0 }).mapping.schemes
    local add = found["add r64, r64"].uops[1][1]
    assert.equal(6, #add)
    for _, name in ipairs { "imul r64, r64", "vpsadbw ymm, ymm, ymm", "vpaddd ymm, ymm, ymm" } do
      assert.is_true(port_set.inside(found[name].uops[1][1], lists.set(add)), name)
    end
  end)
end)

describe("schemes of two uops that share a slot and pass for one", function()
  it("are no claim that looks certain, as they take longer beside others than one port explains", function()
    local m = small.zen4()
    for _, name in ipairs { "vmulpd ymm, ymm, ymm", "vmulps ymm, ymm, ymm" } do
      m.schemes[name] = { uops = { { { "0", "1" }, 2 } }, slots = 1, status = "explained" }
    end
    local found = charted(m).schemes
    for _, name in ipairs { "vmulpd ymm, ymm, ymm", "vmulps ymm, ymm, ymm" } do
      assert.is_true(found[name].status ~= "explained" or found[name].assumed ~= nil, name)
    end
  end)
end)

describe("a scheme beside which the front end loses slots", function()
  it("is no claim of ports, whatever its floods cost", function()
    local m = small.zen4()
    local name = "vhaddpd ymm, ymm, ymm"
    m.schemes[name] = { uops = { { { "1", "2" }, 2 }, { { "2", "3" }, 1 } }, slots = 6, status = "explained", misfit = { excess = 1 } }
    local s = check(m, { [name] = true })[name]
    assert.equal("contradicting", s.status, s.note)
    assert.is_nil(s.uops)
  end)
end)

describe("ports that only readers of flags use", function()
  it("are found by one of these", function()
    local m = small.zen4()
    for _, name in ipairs { "bt r64, r64", "bt r32, r32" } do m.schemes[name].misfit = { reads_flags = true } end
    m.schemes["cmovz r64, m64"] = { uops = { { { "a", "d" }, 1 }, { { "x", "y", "z" }, 1 } }, slots = 1, status = "explained" }
    local found = check(m, {})
    assert.equal(2, #found["bt r64, r64"].uops[1][1])
    assert.equal("explained", found["cmovz r64, m64"].status, found["cmovz r64, m64"].note)
  end)
end)
