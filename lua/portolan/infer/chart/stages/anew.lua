--- Members of classes that mixtures refuted, as these were slower than the class's ports explain: they are asked by floods, like all others.
--
-- A class is concluded from a few pairs, beside which a uop more may have gone unnoticed (on Zen 3 a load that extends a sign keeps an adder busy,
-- without an issue slot); and a mixture does not say which of its schemes is to blame. Floods that show the class's uop are a second witness: that is
-- claimed, and assumed, if no mixture is too fast for it. So is a uop more of what loads, if mixtures bear it out better. (On chimeras 57 of 74
-- claims of the class's uop are right; of claims of other ports 3 of 11, and of a uop more without a load 1 of 13, so these are not made.)
-- @module portolan.infer.chart.stages.anew
local compose = require "portolan.infer.chart.compose"
local constants = require "portolan.infer.chart.constants"
local experiment = require "portolan.experiment"
local lists = require "portolan.support.lists"
local mapping = require "portolan.mapping"
local port_set = require "portolan.mapping.ports"
local several_uops = require "portolan.infer.chart.stages.several_uops"

local few = 3 -- mixtures that bear out a uop more, at least
local better = 0.75 -- of the misfit of all mixtures, what is left with a uop more, at most

-- These facts are what is said of a scheme.
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

-- Returns how far from what they should take mixtures are with a scheme as another one, a sum of squares of shares; and the share of this time that
-- the fastest of them takes.
local function misfit(compiled, own, name, as)
  local sum, fastest = 0, math.huge
  for _, one in ipairs(own) do
    local e = experiment.without(one.e, name)
    e[as] = one.e[name]
    local ratio = one.cycles / compiled:throughput(e)
    sum, fastest = sum + (ratio - 1) ^ 2, math.min(fastest, ratio)
  end
  return sum, fastest
end

-- Asks what floods say of schemes, and returns it: name -> fields of `claims`. The facts are as they were then, whatever ends the asking.
local function asked(survey, names)
  local before, found = {}, {}
  for _, name in ipairs(names) do
    local f = survey.facts[name]
    before[name] = {}
    for _, field in ipairs(claims) do before[name][field], f[field] = f[field], nil end
    f.witnesses = {}
  end
  local ok, trouble = pcall(several_uops.ask, survey, names)
  for _, name in ipairs(names) do
    local f = survey.facts[name]
    found[name] = {}
    for _, field in ipairs(claims) do found[name][field], f[field] = f[field], before[name][field] end
  end
  if not ok then error(trouble, 0) end
  return found
end

-- The mapping with what was said of each scheme before, and what floods say, as schemes of their own: their names behind the scheme's.
local was, is = " before", " by floods"
local function with_both(survey, names, found)
  local m = compose.mapping(survey, true)
  for _, name in ipairs(names) do
    local f = survey.facts[name]
    m.schemes[name .. was] = { uops = f.uops, slots = f.slots, status = "explained" }
    m.schemes[name .. is] = { uops = found[name].uops or {}, slots = f.slots, status = "explained" }
  end
  return m, mapping.compile(m)
end

--- Asks those.
-- @param survey the survey
-- @tparam {string,...} refuted names of schemes
-- @param tried mixtures: list of `{ e =, cycles = }`
-- @return how many are explained
return function(survey, refuted, tried)
  local names = lists.where(refuted, function(name) return survey.blocked and never_asked(survey, name) end)
  if #names == 0 then return 0 end
  local found = asked(survey, names)
  local m, compiled = with_both(survey, names, found)
  return lists.count(names, function(name)
    local f, new = survey.facts[name], found[name]
    if new.status ~= "explained" or not among(f.uops, new.uops) then return false end
    local own = lists.where(tried, function(one) -- of schemes that are explained beside it
      return one.e[name] and lists.all(lists.keys(one.e), function(other) return other == name or m.schemes[other].uops ~= nil end)
    end)
    local off, fastest = misfit(compiled, own, name, name .. is)
    local further = not among(new.uops, f.uops)
    local fits = not further or f.memory.reads and #own >= few and off < better * misfit(compiled, own, name, name .. was)
    if not fits or fastest < constants.consistent_faster then return false end
    for _, field in ipairs(claims) do f[field] = new[field] end
    f.assumed = port_set.union(lists.map(f.uops, function(uop) return uop[1] end))
    survey:settle(name, "explained", "beside some others it takes longer than its ports explain")
    return true
  end)
end
