--- Members of classes that mixtures refuted, as these were slower than the class's ports explain: they are asked by floods, like all others.
--
-- A class is concluded from a few pairs, beside which a uop more may have gone unnoticed (on Zen 3 a load that extends a sign keeps an adder busy,
-- without an issue slot); and a mixture does not say which of its schemes is to blame. Floods that show the class's uop are a second witness: that is
-- claimed, and assumed, if no mixture is too fast for it. So is a uop more of what loads, if mixtures bear it out better. (On chimeras 57 of 74
-- claims of the class's uop are right; of claims of other ports 3 of 11, and of a uop more without a load 1 of 13, so these are not made.)
-- @module portolan.infer.chart.stages.anew
local compose = require "portolan.infer.chart.compose"
local constants = require "portolan.infer.chart.constants"
local lists = require "portolan.support.lists"
local mapping = require "portolan.mapping"
local port_set = require "portolan.ports"
local several_uops = require "portolan.infer.chart.stages.several_uops"

local better = 0.75 -- of the misfit of all mixtures, what is left with a uop more, at most

-- What is said of a scheme.
local claims = { "status", "note", "witnesses", "proofs", "uops", "parts", "assumed" }

local function never_asked(survey, name)
  local f = survey.facts[name]
  return f.status == "contradicting" and f.uops and not survey.blocked[name] and f.total and not f.companions
end

-- Are these uops among those?
local function among(uops, those)
  return lists.all(uops, function(uop)
    return lists.any(those, function(other) return port_set.same(uop[1], other[1]) and other[2] >= uop[2] end)
  end)
end

-- How far from what they should take mixtures are, a sum of squares of shares; and the fastest of them.
local function misfit(compiled, own)
  local sum, fastest = 0, math.huge
  for _, one in ipairs(own) do
    local expected = compiled:throughput(one.e)
    local ratio = expected and one.cycles / expected or 1
    sum, fastest = sum + (ratio - 1) ^ 2, math.min(fastest, ratio)
  end
  return sum, fastest
end

-- The mapping with what was claimed of some schemes before.
local function as_before(m, before)
  local whole = lists.copy(m)
  whole.schemes = lists.copy(m.schemes)
  for name, f in pairs(before) do whole.schemes[name] = { uops = f.uops, slots = m.schemes[name].slots, status = "explained" } end
  return mapping.compile(whole)
end

--- Asks those.
-- @param survey the survey
-- @tparam {string,...} refuted names of schemes
-- @param tried mixtures: list of `{ e =, cycles = }`
-- @return how many are explained
return function(survey, refuted, tried)
  local names, before = lists.where(refuted, function(name) return survey.blocked and never_asked(survey, name) end), {}
  if #names == 0 then return 0 end
  for _, name in ipairs(names) do
    local f = survey.facts[name]
    before[name] = {}
    for _, field in ipairs(claims) do before[name][field], f[field] = f[field], nil end
    f.witnesses = {}
  end
  several_uops.ask(survey, names)
  local m = compose.mapping(survey, true)
  local compiled, compiled_before = mapping.compile(m), as_before(m, before)
  return lists.count(names, function(name)
    local f, own = survey.facts[name], lists.where(tried, function(one) return one.e[name] end)
    local off, fastest = misfit(compiled, own)
    local as_claimed = f.status == "explained" and among(before[name].uops, f.uops)
    local further = as_claimed and not among(f.uops, before[name].uops)
    if as_claimed and fastest >= constants.consistent_faster and (not further or f.memory.reads and off < better * misfit(compiled_before, own)) then
      f.assumed = port_set.union(lists.map(f.uops, function(uop) return uop[1] end))
      survey:settle(name, "explained", "beside some others it takes longer than its ports explain")
      return true
    end
    for _, field in ipairs(claims) do f[field] = before[name][field] end
    return false
  end)
end
