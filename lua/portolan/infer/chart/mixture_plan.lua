--- Plans the mixtures that would refute what was found of schemes: those whose time the claims of two schemes decide.
--
-- Each scheme once beside another one of its ports that is as unlike it as can be, so that they share nothing but these; beside one of as many other
-- ports as can be, and beside one of other ports that is most like it, with which it may share a limit; and all pairs of common kinds (sets of uops),
-- a scheme of each in turn: where they bind beside each other as much as can be of either, and where both fill what they have apart. Several schemes
-- of a class stand together beside one of fewer of its ports.
-- @module portolan.infer.chart.mixture_plan
local core = require "portolan.core"
local experiment = require "portolan.experiment"
local likeness = require "portolan.infer.chart.likeness"
local lists = require "portolan.support.lists"
local port_set = require "portolan.mapping.ports"

local mixture_plan = {}

--- Instances of a scheme in a mixture, at most.
mixture_plan.most_of_each = 4

local most_of_each = mixture_plan.most_of_each
local common = 32 -- kinds of most schemes that are paired with each other
local least_crowd, crowds = 3, 2 -- schemes of a class of which several stand in one mixture; such mixtures beside each class of fewer ports
local bound, free = 1.15, 1.01 -- factors by which a scheme makes a mixture slower that tells of its uops, or leaves one alone
local least_more = 0.01 -- by which a mixture has to be worth more than a smaller one

--- Are more than two schemes in a mixture, some of them of one kind?
-- @param e experiment
-- @tparam {[string]=string} kind name of a scheme -> key of its uops
-- @treturn boolean
function mixture_plan.is_crowd(e, kind)
  local names = lists.keys(e)
  return #names > 2 and #lists.distinct(names, function(name) return kind[name] end) < #names
end

-- One of a list.
local function any(rng, list) return list[1 + rng:below(#list)] end

-- The schemes of a list that do most else than a scheme; one of these, by chance; nil if there is no other.
local function unlike(p, name, list)
  local most, found = 0, {}
  for _, other in ipairs(list) do
    local differ = other == name and -1 or likeness.difference(p.operations[name], p.operations[other])
    if differ > most then most, found = differ, {} end
    if differ == most then found[#found + 1] = other end
  end
  return found[1] and any(p.rng, found)
end

-- Returns how a scheme and others share a mixture: cycles of both, of each by itself; nil if the issue slots say too much of it.
local function shared(compiled, e, name)
  local rest = lists.copy(e)
  rest[name] = nil
  local with = compiled:predict(e)
  if with.cycles <= bound * with.slots / (compiled:rmax() or math.huge) then return nil end
  return { cycles = with.cycles, own = compiled:throughput { [name] = e[name] }, rest = compiled:throughput(rest) }
end

-- Returns what a mixture is worth to try a scheme: where others bind beside it, most where its own uops keep it busy; where they do not, most where
-- both are busy. It is nil if the mixture is not of that way.
local function worth(of, binding)
  if binding then return of.cycles > bound * math.max(of.own, of.rest) and of.own / of.cycles or nil end
  return of.cycles < free * math.max(of.own, of.rest) and math.min(of.own, of.rest) / of.cycles or nil
end

-- The mixture of two schemes that tells most of the first one; nil if none tells.
local function pairing(p, name, other, binding)
  local best, most = nil, 0
  for n = 1, name ~= other and most_of_each or 0 do
    for m = 1, most_of_each do
      local e = { [name] = n, [other] = m }
      local of = shared(p.compiled, e, name)
      local much = of and worth(of, binding)
      if much and much > most + least_more then best, most = e, much end
    end
  end
  return best
end

-- The schemes of the classes with which uops have ports in common, those of the widest classes with which they have none, and those of all such.
local function near_and_far(p, uops)
  local near, far, apart, widest = {}, {}, {}, 0
  for _, class in ipairs(p.classes) do
    local ports = p.facts[class[1]].uops[1][1]
    local meets = lists.any(uops, function(uop) return #port_set.common(uop[1], ports) > 0 end)
    if not meets and #ports > widest then far, widest = {}, #ports end
    for _, list in ipairs { meets and near or apart, not meets and #ports == widest and far or nil } do
      table.move(class, 1, #class, #list + 1, list)
    end
  end
  return near, far, apart
end

-- The schemes of a list that do most of what a scheme does; one of these, by chance; nil if there is no other.
local function like(p, name, list)
  local least, found = math.huge, {}
  for _, other in ipairs(list) do
    local differ = likeness.difference(p.operations[name], p.operations[other])
    if differ < least then least, found = differ, {} end
    if differ == least then found[#found + 1] = other end
  end
  return found[1] and any(p.rng, found)
end

-- Gives the schemes of a kind in turn: function(key) -> name.
local function in_turn(p)
  local turns = lists.map(p.keys, function(key) return p.rng:below(#p.members[key]) end)
  return function(number)
    local own = p.members[p.keys[number]]
    turns[number] = turns[number] + 1
    return own[1 + turns[number] % #own]
  end
end

-- Says what is the same for schemes of one mnemonic that do the same with registers and memory, however wide, by the same uops.
local function wording(p, name)
  local scheme = core.isa.scheme(name)
  return ("%s %s %s"):format(scheme and scheme.mnemonic or name, table.concat(lists.keys(p.operations[name]), " "), p.kind[name])
end

-- Three ways to try a scheme: beside one of its ports that does other things, beside one of as many other ports as can be, and beside one of other
-- ports that does the same: these it may run on, or what limits both. Each = function(plan, name, schemes that share ports with it, those of the
-- most other ports, those of all other ports) -> mixture or nil.
local ways = {
  function(p, name, near)
    local other = unlike(p, name, near)
    return other and (pairing(p, name, other, true) or pairing(p, name, other, false))
  end,
  function(p, name, _, far) return far[1] and pairing(p, name, any(p.rng, far), false) end,
  function(p, name, _, _, apart)
    local close = like(p, name, apart)
    return close and pairing(p, name, close, false)
  end,
}

-- Each scheme in all of these ways; of those with one mnemonic that do the same with the same uops the first in all, the others in one each, in
-- turn.
local function add_single(p, add)
  for _, key in ipairs(p.keys) do
    local near, far, apart = near_and_far(p, p.facts[p.members[key][1]].uops)
    local seen = {}
    for _, name in ipairs(p.members[key]) do
      local words = wording(p, name)
      local before = seen[words] or 0
      seen[words] = before + 1
      for k, way in ipairs(ways) do
        if before == 0 or before % #ways + 1 == k then add(way(p, name, near, far, apart)) end
      end
    end
  end
end

-- Two schemes where they bind, as much as can be of either, and where they do not.
local function add_both(p, name, other, add)
  if not other or other == name then return end
  add(pairing(p, name, other, true))
  add(pairing(p, other, name, true))
  add(pairing(p, name, other, false))
end

-- Adds mixtures to the plan, each once, and none of schemes that were all tried before.
local function adding(p)
  return function(e)
    local text = e and experiment.key(e)
    if not e or p.seen[text] or lists.all(lists.keys(e), function(name) return p.tried[name] end) then return end
    p.seen[text], p.list[#p.list + 1] = true, e
  end
end

-- Schemes of each pair of kinds.
local function add_pairs(p, add)
  local next_of = in_turn(p)
  for i in ipairs(p.keys) do
    for j = i, #p.keys do
      if math.max(p.rank[i], p.rank[j]) <= common then
        local name = next_of(i)
        add_both(p, name, i == j and next_of(j) or unlike(p, name, p.members[p.keys[j]]), add)
      end
    end
  end
end

-- A mixture with several schemes of the same uops in the place of one.
local function crowd(p, rng, e, name)
  local own, several = lists.copy(p.members[p.kind[name]]), experiment.without(e, name)
  rng:shuffle(own)
  for k = 1, e[name] do
    local member = own[1 + (k - 1) % #own]
    several[member] = (several[member] or 0) + 1
  end
  return several
end

-- Several schemes of a class together, beside one of a class of fewer of its ports: a limit that is no port (of results a cycle) may have made one
-- class of several, which no two schemes show. Such a crowd may be too fast; one that is slow says nothing, as each of its schemes may be slow.
local function add_crowds(p, add)
  local rng = p.rng:split(1)
  for i, key in ipairs(p.keys) do
    local own = p.members[key]
    for j, other in ipairs(p.is_class[i] and #own >= least_crowd and p.keys or {}) do
      local name, narrow = own[1], p.members[other][1]
      local inside = i ~= j and p.is_class[j] and port_set.within(p.facts[narrow].uops[1][1], p.facts[name].uops[1][1])
      local e = inside and pairing(p, name, narrow, true)
      for _ = 1, e and crowds or 0 do
        local several = crowd(p, rng, e, name)
        add(mixture_plan.is_crowd(several, p.kind) and shared(p.compiled, several, narrow) and several)
      end
    end
  end
end

-- Notes what each scheme does and its kind, which kinds are classes of one uop, and the rank of each: how many kinds have more schemes, and one.
local function know_kinds(p)
  for i, key in ipairs(p.keys) do
    local own = p.members[key]
    for _, name in ipairs(own) do p.operations[name], p.kind[name] = likeness.operation(name, p.facts[name].memory), key end
    local uops = p.facts[own[1]].uops
    p.is_class[i] = #uops == 1 and uops[1][2] == 1
    p.classes[#p.classes + 1] = p.is_class[i] and own or nil
    p.rank[i] = 1 + lists.count(p.keys, function(other) return #p.members[other] > #own end)
  end
end


--- Plans mixtures.
-- @param rng random stream
-- @param compiled the mapping of what was found, compiled
-- @param facts name -> facts (portolan.infer.chart.facts): `uops`, `memory`
-- @tparam {[string]={string,...}} members key of a set of uops -> the schemes that have it
-- @tparam[opt] table tried set of schemes that need no more mixtures with each other
-- @return plan: `list` of experiments, each once
function mixture_plan.new(rng, compiled, facts, members, tried)
  local p = { rng = rng, compiled = compiled, facts = facts, members = members, tried = tried or {}, keys = lists.keys(members),
    operations = {}, kind = {}, classes = {}, is_class = {}, rank = {}, list = {}, seen = {} }
  know_kinds(p)
  add_single(p, adding(p))
  add_pairs(p, adding(p))
  add_crowds(p, adding(p))
  return p
end

--- The first of those schemes that have one mnemonic, and do the same by the same uops.
function mixture_plan.firsts(p, names) return lists.distinct(names, function(name) return wording(p, name) end) end

--- Further mixtures of some schemes, each beside kinds that have many schemes, or one uop.
-- @param p plan
-- @param names of schemes
-- @param most mixtures of each, at most
-- @return list of experiments that are not in the plan yet
function mixture_plan.more(p, names, most)
  local before, add = #p.list, adding(p)
  for _, name in ipairs(names) do
    local own = #p.list
    for i = 1, #p.keys do
      local key = 1 + (own + i) % #p.keys -- another one first for each scheme
      local apt = p.is_class[key] or p.rank[key] <= common
      if apt and #p.list - own < most then add_both(p, name, unlike(p, name, p.members[p.keys[key]]), add) end
    end
  end
  return table.move(p.list, before + 1, #p.list, 1, {})
end

return mixture_plan
