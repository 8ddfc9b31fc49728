-- Schemes that seem fit to stand for others and are not, as Zen 3 has them (portolan.infer.chart.unfit, fitness).
local chart = require "portolan.infer.chart"
local judge = require "cores.judge"
local mapping = require "portolan.mapping"
local simulated = require "portolan.processor.simulated"
local small = require "cores.small"
local unfit = require "portolan.infer.chart.unfit"

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
  it("block no ports, and the chart says what they hold up", function()
    local m, moves = small.zen4(), {}
    for _, name in ipairs { "vpmovmskb r32, ymm", "vmovmskps r32, ymm" } do
      m.schemes[name], moves[name] = { uops = { { { "c" }, 1 } }, slots = 1, status = "explained", misfit = { unbalanced = true } }, true
    end
    local found = check(m, moves)
    for name in pairs(moves) do
      assert.equal("contradicting", found[name].status)
      assert.truthy(found[name].note:find("it holds up", 1, true), found[name].note)
    end
    for name, scheme in pairs(found) do
      for _, w in ipairs(scheme.witnesses) do
        assert(moves[name] or not w.ports or not w.experiment:find("movmsk", 1, true), name .. " rests on " .. w.experiment)
      end
    end
  end)
end)

describe("a class of loads whose representative holds up others", function()
  local function member(reads) return { memory = { reads = reads } } end
  local function left_of(loads, names)
    local survey = { facts = { a = member(true), b = member(true), c = member(false), wide = member(false) }, witness = function() end }
    survey.classes = { { representative = "a", members = { "a", table.unpack(names) }, count = 2, loads = loads },
      { representative = "wide", members = { "wide" }, count = 4 } }
    function survey.measure(_, list) -- the sum with the first one alone
      local results = {}
      for i, e in ipairs(list) do results[i] = { status = "ok", cycles = e.a and 2 or 1.5 } end
      return results
    end
    unfit.take_out_hindering(survey, function(s, rest, n) -- each on its own
      for _, name in ipairs(rest) do table.insert(s.classes, { representative = name, members = { name }, count = n }) end
    end)
    assert.truthy(survey.facts.a.unfit)
    local found = {}
    for _, class in ipairs(survey.classes) do found[class.representative] = class.loads or false end
    return found
  end

  it("leaves classes of loads, and of others that were in it", function()
    assert.same({ wide = false, b = true, c = false }, left_of(true, { "b", "c" }))
    assert.same({ wide = false, b = false }, left_of(nil, { "b" }))
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
