-- What refutes claims is put down to one of them, and what might as well be wrong is assumed.
local lists = require "portolan.support.lists"
local refutation = require "portolan.infer.chart.refutation"
local survey = require "portolan.infer.chart.survey"

local ports = { a = { { { "0" }, 1 } }, b = { { { "1", "2" }, 1 } }, c = { { { "3" }, 1 } }, s = { { { "4" }, 1 }, { { "5" }, 1 } } }

-- A survey of schemes that are explained: names of kind and number, `n` of each kind.
local function surveyed(n)
  local names = {}
  for _, kind in ipairs(lists.keys(ports)) do
    for i = 1, n do names[#names + 1] = kind .. i end
  end
  local s = survey.new({}, { { name = "All", schemes = names } }, { seed = 1 })
  for _, name in ipairs(names) do s.facts[name].status, s.facts[name].uops = "explained", ports[name:sub(1, 1)] end
  return s, names
end

-- A mixture of two schemes; what is not between 0.96 and 1.1 refutes.
local function mixture(first, second, ratio, bound)
  return { e = { [first] = 1, [second] = 1 }, cycles = ratio, expected = 1, ratio = ratio, bound = bound or false,
    refutes = ratio < 0.96 or ratio > 1.1, blamed = { first, second } }
end

-- Settles: names that were taken back, and those whose ports are assumed.
local function settled(n, tried)
  local s, names = surveyed(n)
  local kind, members = refutation.kinds(s, names)
  local refuted = refutation.settle(s, tried, kind, members)
  local back = lists.where(names, function(name) return s.facts[name].status == "contradicting" end)
  assert.equal(#back, refuted)
  return table.concat(back, " "), table.concat(lists.where(names, function(name) return s.facts[name].assumed ~= nil end), " "), s
end

local function both(...) return { (select(1, ...)), (select(2, ...)) } end

describe("refutation", function()
  it("takes nothing back where nothing refutes", function()
    assert.same({ "", "" }, both(settled(2, { mixture("a1", "b1", 1), mixture("a2", "c1", 1.05) })))
  end)

  it("puts what is too fast down to the scheme that explains most of it, and says why", function()
    local back, _, s = settled(2, { mixture("a1", "b1", 0.8), mixture("a1", "c1", 0.9), mixture("b1", "c1", 1), mixture("a2", "b2", 1) })
    assert.equal("a1", back)
    assert.matches("mixtures refute it: a1 %+ b1 takes 0.800 cycles, too fast for what was found of its uops", s.facts.a1.note)
    assert.equal("contradicts", s.facts.a1.witnesses[1].role)
  end)

  it("puts it down to all of a kind where no scheme explains much of it, and assumes the others of the kind", function()
    local function tried()
      local list = {}
      for i = 1, 3 do list[i] = mixture("a" .. i, i < 3 and "b" .. i or "c1", 0.8) end
      for i = 1, 4 do list[#list + 1] = mixture("b" .. i, "c" .. i, 1) end
      return list
    end
    assert.equal("a1 a2 a3 a4", (settled(4, tried()))) -- most of them
    local back, assumed = settled(8, tried())
    assert.equal("a1 a2 a3", back)
    assert.equal("a4 a5 a6 a7 a8", assumed)
  end)

  it("assumes a scheme of which a single mixture does not tell whether it is the other, and what has the same uops", function()
    local back, assumed = settled(2, { mixture("a1", "b1", 0.8), mixture("b1", "c1", 1) })
    assert.same({ "a1", "a2 b1" }, { back, assumed })
  end)

  it("takes back what is slow in two mixtures where binding does not matter, and not in one", function()
    local back, assumed = settled(2, { mixture("a1", "b1", 1.3), mixture("a1", "c1", 1.3), mixture("b1", "c1", 1) })
    assert.same({ "a1", "" }, { back, assumed })
    assert.same({ "", "" }, both(settled(2, { mixture("a1", "b1", 1.3) })))
  end)

  it("assumes ports that are in all mixtures which are slow so: they may be the wrong ones", function()
    local back, assumed, s = settled(3, { mixture("a1", "s1", 1.3), mixture("a1", "s2", 1.3), mixture("s1", "b1", 1), mixture("s2", "b1", 1),
      mixture("s3", "b1", 1) })
    assert.equal("a1", back)
    assert.equal("s1 s2 s3", assumed)
    assert.same({ "4", "5" }, s.facts.s1.assumed)
  end)

  it("wants more and a good share where binding matters", function()
    local slow, fine = {}, {}
    for i = 1, 3 do
      slow[i] = mixture("a1", "b" .. i, 1.4, true)
      fine[2 * i - 1], fine[2 * i] = mixture("a1", "c" .. i, 1), mixture("a1", "s" .. i, 1)
      fine[#fine + 1] = mixture("b" .. i, "c" .. i, 1)
    end
    assert.equal("a1", (settled(3, slow)))
    assert.equal("", (settled(3, lists.where(slow, function(one) return not one.e.b3 end))))
    assert.equal("", (settled(3, lists.joined(slow, lists.joined(fine, { mixture("a1", "c2", 1), mixture("b3", "c2", 1), mixture("b1", "s1", 1),
      mixture("b2", "s1", 1) })))))
  end)
end)
