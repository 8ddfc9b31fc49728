--- Finds what the observations leave open after the inference has converged, and chooses which of the remaining mappings to take.
-- @module portolan.infer.cegis.settle
local explore = require "portolan.infer.cegis.explore"
local lists = require "portolan.support.lists"
local smt = require "portolan.core".smt
local stop = require "portolan.infer.stop"
local unknowns = require "portolan.infer.cegis.unknowns"

local settle = {}

--- The status where groups could be apart, were there more ports.
settle.crowded = "crowded"

-- Numbers of ports that a scheme has in the known mappings.
local function counts_of(known, i)
  local values = {}
  for _, m in ipairs(known) do values[unknowns.count(m[i])] = true end
  return lists.keys(values)
end

-- Every overlap of schemes i and j, met by one of the known mappings: the size of their union tells it where both counts are set.
local function explore_pair(search, i, j, ports, known)
  local a, b, depth = 1 << (i - 1), 1 << (j - 1), search:supposed()
  for _, x in ipairs(counts_of(known, i)) do
    for _, y in ipairs(counts_of(known, j)) do
      local these = lists.where(known, function(m) return unknowns.count(m[i]) == x and unknowns.count(m[j]) == y end)
      local before = #these
      search:suppose(a, x, x)
      search:suppose(b, y, y)
      explore.union(search, a | b, ports, these)
      search:forget(depth)
      table.move(these, before + 1, #these, #known + 1, known)
    end
  end
end

--- Port counts and overlaps that differ between the remaining mappings.
-- @return list of `{a=name, ports={counts...}, chosen=}` and `{a=name, b=name, overlaps={numbers of shared ports...},
-- chosen=}`
function settle.open(u, search, mapping, ports)
  local known, open = { mapping }, {}
  local function is_given(i) return u.given ~= nil and u.given[i] ~= 0 end
  for i = 1, #u.names do
    if not is_given(i) then explore.union(search, 1 << (i - 1), ports, known) end
  end
  for j = 1, #u.names do
    for i = 1, j - 1 do
      if not (is_given(i) and is_given(j)) then explore_pair(search, i, j, ports, known) end
    end
  end
  for j = 1, #u.names do
    for i = 1, j do
      local values = {}
      for _, m in ipairs(known) do values[unknowns.count(m[i] & m[j])] = true end
      local list = lists.keys(values)
      if #list > 1 and i == j then open[#open + 1] = { a = u.names[i], ports = list } end
      if #list > 1 and i < j then open[#open + 1] = { a = u.names[i], b = u.names[j], overlaps = list } end
    end
  end
  return open
end

--- Fills in what was taken of each open point.
function settle.note_choice(u, open, mapping)
  for _, point in ipairs(open) do
    point.chosen = unknowns.count(mapping[u.number[point.a]] & mapping[u.number[point.b or point.a]])
  end
end

-- Finds which schemes certainly share ports, directly or by way of others. Returns function(i) -> number of the group.
local function groups(u, mapping, open)
  local group, unsure = {}, {}
  for i = 1, #u.names do group[i] = i end
  local function root(i) return group[i] == i and i or root(group[i]) end
  for _, point in ipairs(open) do
    if point.overlaps and point.overlaps[1] == 0 then unsure[1 << (u.number[point.a] - 1) | 1 << (u.number[point.b] - 1)] = true end
  end
  for i = 1, #u.names do
    for j = 1, i - 1 do
      if mapping[i] & mapping[j] ~= 0 and not unsure[1 << (i - 1) | 1 << (j - 1)] then group[root(i)] = root(j) end
    end
  end
  return root
end

-- Do two schemes, by name, work on one kind of registers, or may they? What works on several kinds may go with any of these, but not with memory.
local function work_on_one(u, a, b)
  local x, y = u.domains[a], u.domains[b]
  if x == nil or y == nil then return false end
  return x == y or x == "several" and y ~= "memory" or y == "several" and x ~= "memory"
end

-- Pairs whose overlap is open, and may be none, of schemes that nothing certain joins: real cores have units for general registers, vectors and
-- memory apart. Not where both work on one of these, and not where one is as wide as the front end: its ports show beside no other.
local function separate_groups(u, search, mapping, ports, rmax, open, assumed)
  local root = groups(u, mapping, open)
  for _, point in ipairs(open) do
    local a, b = u.number[point.a], point.b and u.number[point.b]
    if b and not work_on_one(u, point.a, point.b) and point.overlaps[1] == 0 and root(a) ~= root(b) then
      local set, apart = 1 << (a - 1) | 1 << (b - 1), unknowns.count(mapping[a]) + unknowns.count(mapping[b])
      local narrow = unknowns.count(mapping[a]) < rmax and unknowns.count(mapping[b]) < rmax
      local found = narrow and stop.need(search:possible(set, apart, 32))
      local needs = smt.union(mapping, unknowns.first(#u.names)) + unknowns.count(mapping[a] & mapping[b])
      if narrow and not found and needs > ports then stop.raise(nil, settle.crowded) end
      if found then
        search:suppose(set, apart, 32)
        mapping = found
        assumed[#assumed + 1] = { kind = "separate groups", a = point.a, b = point.b,
          text = ("%s and %s share no port, as nothing joins their groups"):format(point.a, point.b) }
      end
    end
  end
  return mapping
end

-- Occam: of all remaining mappings those with the fewest ports in use.
local function fewest_ports(u, search, mapping, ports, assumed)
  local all = unknowns.first(#u.names)
  local used = smt.union(mapping, all)
  while used > 1 do
    local m = stop.need(search:possible(all, 1, used - 1))
    if not m then break end
    mapping, used = m, smt.union(m, all)
  end
  local more = stop.need(search:possible(all, used + 1, ports))
  search:suppose(all, 1, used)
  if more then assumed[#assumed + 1] = { kind = "fewest ports", ports = used, text = ("no more ports than the %d that are needed"):format(used) } end
  return mapping
end

-- And of these, scheme by scheme, those with the fewest ports.
local function fewest_each(u, search, mapping, open)
  for _, point in ipairs(open) do
    if point.ports then
      local i = u.number[point.a]
      for count = point.ports[1], unknowns.count(mapping[i]) do
        local m = stop.need(search:possible(1 << (i - 1), count, count))
        if m then
          search:suppose(1 << (i - 1), count, count)
          mapping = m
          break
        end
      end
    end
  end
  return mapping
end

-- Port sets of real cores are nested far more often than they merely overlap: where it is open, a larger set holds a smaller one
-- whole. Taken greedily, large sets first.
local function nested_ports(u, search, mapping, open, assumed)
  local pairs_open = {}
  for _, point in ipairs(open) do
    if point.overlaps then
      local a, b = u.number[point.a], u.number[point.b]
      if unknowns.count(mapping[a]) < unknowns.count(mapping[b]) then a, b = b, a end
      pairs_open[#pairs_open + 1] = { large = a, small = b, size = unknowns.count(mapping[b]) }
    end
  end
  table.sort(pairs_open, function(x, y)
    if x.size ~= y.size then return x.size > y.size end
    if x.large ~= y.large then return x.large < y.large end
    return x.small < y.small
  end)
  for _, p in ipairs(pairs_open) do
    local set, count = 1 << (p.large - 1) | 1 << (p.small - 1), unknowns.count(mapping[p.large])
    local apart = stop.need(search:possible(set, count + 1, 32))
    local nested = stop.need(search:possible(set, count, count))
    if nested then
      search:suppose(set, count, count)
      mapping = nested
      if apart then
        assumed[#assumed + 1] = { kind = "nested ports", a = u.names[p.large], b = u.names[p.small],
          text = ("%s runs on all ports of %s"):format(u.names[p.large], u.names[p.small]) }
      end
    end
  end
  return mapping
end

-- Pairs that were measured slower than the mapping says by more than `least` (a share), the slowest first.
local function slow_pairs(u, mapping, observations, least)
  local list = {}
  for _, o in ipairs(observations) do
    local members = lists.keys(o.terms)
    local excess = o.cycles / math.max(u:predict(mapping, o.terms), o.floor or 0) - 1
    if #members == 2 and excess > least then
      list[#list + 1] = { a = members[1], b = members[2], excess = excess, observation = o }
    end
  end
  table.sort(list, function(x, y)
    if x.excess ~= y.excess then return x.excess > y.excess end
    if x.a ~= y.a then return x.a < y.a end
    return x.b < y.b
  end)
  return list
end

-- The pairs whose overlap is open: sets of their numbers. All others have one union in all remaining mappings.
local function open_pairs(u, open)
  local count, set = {}, {}
  for _, point in ipairs(open) do
    if point.ports then count[u.number[point.a]] = true else set[1 << (u.number[point.a] - 1) | 1 << (u.number[point.b] - 1)] = true end
  end
  return function(a, b) return count[a] or count[b] or set[1 << (a - 1) | 1 << (b - 1)] end
end

-- Interference: slower than any bound explains is a sign (no proof) that the schemes compete for a port. Taken greedily.
local function shared_ports(u, search, mapping, observations, least, assumed, open)
  local settled, is_open = {}, open_pairs(u, open)
  for _, p in ipairs(slow_pairs(u, mapping, observations, least)) do
    local set = 1 << (p.a - 1) | 1 << (p.b - 1)
    if not settled[set] and is_open(p.a, p.b) then
      settled[set] = true
      local apart = unknowns.count(mapping[p.a]) + unknowns.count(mapping[p.b])
      local without = stop.need(search:possible(set, apart, 32))
      local shared = stop.need(search:possible(set, 1, apart - 1))
      if shared then
        search:suppose(set, 1, apart - 1)
        mapping = shared
        if without then
          assumed[#assumed + 1] = { kind = "interference", a = u.names[p.a], b = u.names[p.b], experiment = u:experiment(p.observation.terms),
            cycles = p.observation.cycles, excess = p.excess,
            text = ("%s and %s share a port: together they are %.0f %% slower than their ports explain")
              :format(u.names[p.a], u.names[p.b], 100 * p.excess) }
        end
      end
    end
  end
  return mapping
end

--- One of the remaining mappings: fewest ports, and with the asymmetric reading (real cores) those in which groups of schemes that nothing
-- joins are apart, schemes that slow each other down share a port, and port sets are nested.
-- @param u unknowns
-- @param search solver that holds the observations
-- @param mapping a mapping of the solver
-- @param ports number of ports
-- @param observations list of observations
-- @param asymmetric boolean
-- @param open the open points, as `settle.open` gives them
-- @param[opt] rmax issue slots a cycle
-- @return mapping of the solver, list of assumptions `{kind=, text=, ...}`. Ends with the status `settle.crowded` where there are too few ports
function settle.choose(u, search, mapping, ports, observations, asymmetric, open, rmax)
  local assumed = {}
  if asymmetric and rmax then mapping = separate_groups(u, search, mapping, ports, rmax, open, assumed) end
  local chosen = fewest_each(u, search, fewest_ports(u, search, mapping, ports, assumed), open)
  if asymmetric then
    -- The counts stay as they are, so that "shares a port" is a bound on the union.
    for i = 1, #u.names do
      local count = unknowns.count(chosen[i])
      search:suppose(1 << (i - 1), count, count)
    end
    -- A measured slowness of more than a tenth weighs more than the rule of nested sets, a slighter one less.
    chosen = shared_ports(u, search, chosen, observations, 0.10, assumed, open)
    chosen = nested_ports(u, search, chosen, open, assumed)
    chosen = shared_ports(u, search, chosen, observations, 0.03, assumed, open)
  end
  return chosen, assumed
end

return settle
