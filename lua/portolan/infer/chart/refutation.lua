--- Finds the claims that what was measured of mixtures refutes, and takes them back.
--
-- A mixture that refutes is put down to the claim that explains most of such, weighed by the share of a claim's mixtures that refute: to all schemes
-- with the same uops, or to one. It is contradicting then. What nothing tells from it is assumed: other schemes with the same uops, and port sets
-- that are in all mixtures that speak against it.
-- @module portolan.infer.chart.refutation
local experiment = require "portolan.experiment"
local lists = require "portolan.support.lists"
local port_set = require "portolan.mapping.ports"

local refutation = {}

local few, mostly = 3, 0.5 -- mixtures that refute a claim by slowness where binding matters, at least, and their share of all it is in
local few_clean = 2 -- mixtures that refute by slowness where it does not
-- Share of the schemes with these uops, from which on all are refuted; of the weight of a kind that a scheme must have instead.
local most_members = 0.5

--- The kinds of claims.
-- @param survey the survey
-- @tparam {string,...} names of schemes that are explained
-- @return name -> key of its uops; key -> names
function refutation.kinds(survey, names)
  local kind, members = {}, {}
  for _, name in ipairs(names) do
    local parts = lists.map(survey.facts[name].uops, function(uop) return uop[2] .. "*" .. port_set.unordered_key(uop[1]) end)
    table.sort(parts)
    kind[name] = table.concat(parts, "+")
    lists.into(members, kind[name], name)
  end
  return kind, members
end

-- Counts in how many mixtures each entity is; `of` = function(name) -> entity.
local function count(list, of)
  local all = {}
  for _, one in ipairs(list) do
    local seen = {}
    for _, name in ipairs(one.blamed) do seen[of(name)] = true end
    for entity in pairs(seen) do all[entity] = (all[entity] or 0) + 1 end
  end
  return all
end

-- The entity that explains most, and its weight: of those that are in so many mixtures of `speaking`, and in such a share of their mixtures of the
-- `sort`, it is in most of `weighing`, weighed by their share of all. Nil and 0 if there is none.
local function worst(sort, speaking, weighing, all, of, least, share_of)
  local against, of_sort, weighs, of_all = count(speaking, of), count(sort, of), count(weighing, of), count(all, of)
  local found, most = nil, 0
  for _, entity in ipairs(lists.keys(against)) do
    local weight = weighs[entity] ^ 2 / of_all[entity]
    if against[entity] >= least and against[entity] / of_sort[entity] >= share_of and weight > most then found, most = entity, weight end
  end
  return found, most
end

local function itself(name) return name end

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

-- The schemes whose claim explains most: those of a kind, if they explain far more than any scheme does; in so many of the mixtures of a sort for
-- which `test` holds, and such a share of those of the sort, at least. Nil if there are none.
local function culprits_of(open, kind, members, of_sort, test, least, share_of)
  local sort = lists.where(open, of_sort)
  local refuting = lists.where(open, function(one) return one.refutes end)
  local speaking = lists.where(sort, function(one) return one.refutes and test(one) end)
  local key, of_key = worst(sort, speaking, speaking, sort, function(name) return kind[name] end, least, share_of)
  local _, of_name = worst(sort, speaking, speaking, sort, itself, least, share_of)
  local name = worst(sort, speaking, refuting, open, itself, least, share_of)
  if key and of_name < most_members * of_key then return refuted_of(open, members[key]) end
  return name and { name }
end

local function any() return true end
local function bound(one) return one.bound end
local function is_fast(one) return one.ratio < 1 end
local function is_slow(one) return one.ratio > 1 end

-- The schemes whose claim explains most of what refutes; nil if nothing is left to explain. What is too fast is a proof; what is slow though it does
-- not matter how uops are bound may have one other cause. What is slow where it does matter is so in a good part of a wrong claim's mixtures.
local function culprits(tried, kind, members)
  local open = lists.where(tried, function(one) return not one.explained end)
  return culprits_of(open, kind, members, any, is_fast, 1, 0)
    or culprits_of(open, kind, members, any, function(one) return is_slow(one) and not bound(one) end, few_clean, 0)
    or culprits_of(open, kind, members, bound, is_slow, few, mostly)
end

--- Says of schemes that are explained that all their ports are assumed.
function refutation.assume(survey, names)
  for _, name in ipairs(names) do
    local f = survey.facts[name]
    if f.status == "explained" then f.assumed = port_set.union(lists.map(f.uops, function(uop) return uop[1] end)) end
  end
end

-- Returns what all mixtures of a list have beside some schemes, a set of keys; an empty one if there are fewer than `least`. `each` =
-- function(name) -> list of keys.
local function in_all(list, is_blamed, least, each)
  local times, all = {}, {}
  for _, one in ipairs(list) do
    local seen = {}
    for _, name in ipairs(one.blamed) do
      for _, key in ipairs(not is_blamed[name] and each(name) or {}) do seen[key] = true end
    end
    for key in pairs(seen) do times[key] = (times[key] or 0) + 1 end
  end
  for key, n in pairs(times) do all[key] = #list >= least and n == #list or nil end
  return all
end

-- What might as well be wrong as some schemes that were taken back is assumed: port sets that are in all mixtures that were slow where binding does
-- not matter, and kinds that are in all that were too fast.
local function doubt(survey, evidence, is_blamed, kind, members)
  local fast, slow = lists.where(evidence, function(one) return one.ratio < 1 end), lists.where(evidence, function(one)
    return one.ratio > 1 and not one.bound
  end)
  local function sets_of(name) return lists.map(survey.facts[name].uops, function(uop) return port_set.unordered_key(uop[1]) end) end
  local sets = in_all(slow, is_blamed, few_clean, sets_of)
  for _, name in ipairs(next(sets) and survey.order or {}) do
    local f = survey.facts[name]
    for _, uop in ipairs(f.status == "explained" and f.uops or {}) do
      if sets[port_set.unordered_key(uop[1])] then f.assumed = port_set.union { f.assumed or {}, uop[1] } end
    end
  end
  for key in pairs(in_all(fast, is_blamed, few_clean, function(name) return { kind[name] } end)) do refutation.assume(survey, members[key]) end
  refutation.assume(survey, lists.keys(in_all(#fast == 1 and fast or {}, is_blamed, 1, function(name) return { name } end)))
end

--- Takes back the claims that mixtures refute, the one that explains most of them first.
-- @param survey the survey
-- @param tried mixtures: list of `{ e =, cycles =, expected = (cycles by the claims), ratio =, bound = (does it matter how uops are bound?),
-- refutes =, blamed = (names) }`; those that are explained are marked (`explained`)
-- @param kind name of a scheme -> key of its uops (`kinds`)
-- @param members key of uops -> names of schemes (`kinds`)
-- @return how many
function refutation.settle(survey, tried, kind, members)
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
    doubt(survey, evidence, is_blamed, kind, members)
    if #names > 1 or lists.any(evidence, is_fast) then refutation.assume(survey, members[kind[names[1]]]) end
    names = culprits(tried, kind, members)
  end
  return refuted
end

return refutation
