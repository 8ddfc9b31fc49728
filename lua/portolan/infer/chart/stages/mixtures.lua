--- Stage: do the claims explain mixtures? What shares no assumption with floods, fillers and classes: small random mixtures of explained schemes.
--
-- Each claim is tried in mixtures that it makes slower by its uops, or that it should leave alone (portolan.infer.chart.mixture_plan). Hardware is
-- slower than the model, now and then, and never faster: a mixture that is faster than its claims allow refutes one of these, and so does one that
-- is slower by far more than others on this core are. It is put down to the claim that is refuted in most of its mixtures: to all schemes with the
-- same uops, or to one. What is refuted is contradicting; the mixtures say why. Where many claims are, what all of them rest on does not hold: the
-- others are assumed, too.
-- @module portolan.infer.chart.stages.mixtures
local compose = require "portolan.infer.chart.compose"
local constants = require "portolan.infer.chart.constants"
local core = require "portolan.core"
local experiment = require "portolan.experiment"
local lists = require "portolan.support.lists"
local mapping = require "portolan.mapping"
local mixture_plan = require "portolan.infer.chart.mixture_plan"
local port_set = require "portolan.ports"

local few, mostly = 3, 0.2 -- mixtures that refute a set of uops, at least, and their share of all it is in: not every one tells
local most_members = 0.5 -- share of the schemes with these uops, from which on all of them are refuted

-- The claims: name -> key of its uops; key -> names.
local function kinds_of(survey, names)
  local kind, members = {}, {}
  for _, name in ipairs(names) do
    local parts = lists.map(survey.facts[name].uops, function(uop) return uop[2] .. "*" .. port_set.unordered_key(uop[1]) end)
    table.sort(parts)
    kind[name] = table.concat(parts, "+")
    lists.into(members, kind[name], name)
  end
  return kind, members
end

-- How much slower than the model a mixture may be on this core: four times what three in four are, and no less than a constant.
local function slowest(tried)
  local ratios = lists.map(tried, function(one) return one.ratio end)
  table.sort(ratios)
  local most = ratios[math.ceil(0.75 * #ratios)] or 1
  return math.max(constants.mixture_slower, 1 + 4 * (most - 1))
end

-- The schemes of a mixture that may be to blame: if it is fast, those with uops on its bottleneck.
local function blamed(survey, compiled, one)
  local names = lists.keys(one.e)
  if one.ratio > 1 then return names end
  local bottleneck = compiled:predict(one.e).bottleneck or compiled:ports()
  return lists.where(names, function(name)
    return lists.any(survey.facts[name].uops, function(uop) return #port_set.common(uop[1], bottleneck) > 0 end)
  end)
end

-- The mixture with the representatives of the classes in the place of all other schemes; nil if it has uops that no class has.
local function stand_in(survey, e)
  local of_ports, other = {}, {}
  for _, class in ipairs(survey.classes) do
    if class.uops and #class.uops == 1 then of_ports[port_set.unordered_key(class.ports)] = class.representative end
  end
  for name, n in pairs(e) do
    for _, uop in ipairs(survey.facts[name].uops) do
      local representative = of_ports[port_set.unordered_key(uop[1])]
      if not representative then return nil end
      other[representative] = (other[representative] or 0) + n * uop[2]
    end
  end
  return other
end

-- Does it matter how the uops of a mixture are bound? Some have other ports than others, and a few in common with these.
local function is_bound(survey, e)
  local sets = {}
  for name in pairs(e) do
    for _, uop in ipairs(survey.facts[name].uops) do sets[#sets + 1] = uop[1] end
  end
  return lists.any(sets, function(a)
    return lists.any(sets, function(b) return #port_set.common(a, b) > 0 and not port_set.same(a, b) end)
  end)
end

-- Notes of mixtures by which factor they are slower than the same uops of representatives: however unwisely a core binds uops, it does so with these.
local function compare(survey, list)
  local slow, others = {}, {}
  for _, one in ipairs(list) do
    local other = one.ratio > 1 and is_bound(survey, one.e) and stand_in(survey, one.e)
    if other then slow[#slow + 1], others[#others + 1] = one, other end
  end
  for i, result in ipairs(survey:measure(others, { optional = true })) do
    if result.status == "ok" then slow[i].beyond = slow[i].ratio * slow[i].expected / result.cycles end
  end
end

-- Measures mixtures: `ratio` to the model's time; those that refute a claim are measured again, and have to come out alike.
local function try(survey, compiled, list)
  local tried = {}
  for i, result in ipairs(survey:measure(list, { optional = true })) do
    if result.status == "ok" then
      local expected = compiled:throughput(list[i])
      tried[#tried + 1] = { e = list[i], cycles = result.cycles, expected = expected, ratio = result.cycles / expected }
    end
  end
  local limit = slowest(tried)
  local odd = lists.where(tried, function(one) return one.ratio < constants.consistent_faster or one.ratio > constants.mixture_beyond end)
  for i, result in ipairs(survey:measure(lists.map(odd, function(one) return one.e end), { again = true, optional = true })) do
    if result.status == "ok" then odd[i].ratio = (odd[i].ratio + result.cycles / odd[i].expected) / 2 end
  end
  compare(survey, odd)
  for _, one in ipairs(tried) do
    local slow = one.beyond and one.beyond > constants.mixture_beyond or not one.beyond and one.ratio > limit
    one.refutes = one.ratio < constants.consistent_faster or slow
    one.blamed = blamed(survey, compiled, one)
  end
  return tried
end

-- How often each entity is in mixtures that refute, and in those that do not; `of` = function(name) -> entity.
local function count(tried, of)
  local against, all = {}, {}
  for _, one in ipairs(tried) do
    local seen = {}
    for _, name in ipairs(one.explained and {} or one.blamed) do
      local entity = of(name)
      if not seen[entity] then
        seen[entity] = true
        all[entity] = (all[entity] or 0) + 1
        against[entity] = (against[entity] or 0) + (one.refutes and 1 or 0)
      end
    end
  end
  return against, all
end

-- The entity that is refuted most often, of those that are so in such a share of their mixtures; nil if there is none.
local function worst(tried, of, least, share_of)
  local against, all = count(tried, of)
  local found, most = nil, 0
  for _, entity in ipairs(lists.keys(against)) do
    local share = against[entity] / all[entity]
    if against[entity] >= least and share >= share_of and share * against[entity] > most then found, most = entity, share * against[entity] end
  end
  return found
end

-- Takes a claim back. The mixture may be one of a scheme with the same uops, where none with the scheme itself refutes them.
local function retract(survey, name, evidence)
  local word, whose = evidence.ratio < 1 and "fast" or "slow", evidence.e[name] and "its uops" or "these uops, which another scheme has, too"
  survey:settle(name, "contradicting", ("mixtures refute it: %s takes %.3f cycles, too %s for what was found of %s (%.3f)"):format(
    experiment.format(evidence.e), evidence.cycles, word, whose, evidence.expected))
  survey:witness(name, evidence.e, evidence.cycles, evidence.expected, "a mixture", "contradicts")
end

-- Schemes with the same uops that are refuted: all, if mixtures with most of them refute; otherwise these.
local function refuted_of(tried, names)
  local own = lists.where(names, function(name)
    return lists.any(tried, function(one) return one.refutes and not one.explained and one.e[name] ~= nil end)
  end)
  return #own >= most_members * #names and names or own
end

-- The schemes whose claim explains most of what refutes: those of a set of uops, or a single one. A mixture that is fast is a proof, however many
-- others are not. Nil if nothing is left to explain.
local function culprits(tried, kind, members)
  local function itself(name) return name end
  local key = worst(tried, function(name) return kind[name] end, few, mostly)
  if key then return refuted_of(tried, members[key]) end
  local fast = lists.where(tried, function(one) return one.ratio < 1 end)
  local name = worst(tried, itself, 1, mostly) or worst(fast, itself, 1, 0)
  return name and { name }
end

-- Takes back the claims that mixtures refute, the one that explains most of them first. Returns how many.
local function settle(survey, tried, kind, members)
  local names, refuted = culprits(tried, kind, members), 0
  while names do
    local is_blamed, evidence = lists.set(names), {}
    for _, one in ipairs(tried) do
      if lists.any(one.blamed, function(other) return is_blamed[other] end) then
        if one.refutes and not one.explained then evidence[#evidence + 1] = one end
        one.explained = true
      end
    end
    for _, other in ipairs(names) do
      local own = lists.first(evidence, function(one) return one.e[other] end)
      if survey.facts[other].status == "explained" then
        retract(survey, other, own or evidence[1])
        refuted = refuted + 1
      end
    end
    names = culprits(tried, kind, members)
  end
  return refuted
end

-- Nothing that was found is sure where mixtures refute many of the claims.
local function assume(survey, names)
  for _, name in ipairs(names) do
    local f = survey.facts[name]
    if f.status == "explained" then f.assumed = port_set.union(lists.map(f.uops, function(uop) return uop[1] end)) end
  end
end

return function(survey)
  survey:stage("mixtures")
  local names = compose.explained(survey)
  if #names < 2 then return end
  local compiled = mapping.compile(compose.mapping(survey, true))
  local kind, members = kinds_of(survey, names)
  local planned = mixture_plan(core.base.rng(survey.seed):split(3), compiled, survey.facts, members)
  local tried = try(survey, compiled, planned)
  local refuted = settle(survey, tried, kind, members)
  survey.trial = { mixtures = #tried, claims = #names, refuted = refuted, sure = refuted < constants.mixtures_refute * #names }
  if not survey.trial.sure then assume(survey, names) end
end
