--- Finds what the experiments decide of a mapping: the schemes whose ports are the same, up to the names of ports, in every mapping that admits them.
--
-- Ports have no identity, so it is about several schemes at once: the ports of a group are the same up to names if and only if every set of
-- uops of the group has one number of ports, c(S), in all mappings that remain (how many ports any uops share follows from these numbers). The
-- group grows scheme by scheme, and a scheme that cannot join gets a *rival*: another mapping that admits all experiments, in which it runs on
-- other ports. If a group is so, sets of its uops with the same union are alike in all that remain, so that only different unions are asked about.
-- @module portolan.infer.cegis.certain
local lists = require "portolan.support.lists"
local smt = require "portolan.core".smt
local stop = require "portolan.infer.stop"
local unknowns = require "portolan.infer.cegis.unknowns"

local certain = {}

local most_unions = 4096 -- of a group's uops
local most_uops = 4 -- of a scheme that may join
local most_orders = 5000 -- of the uops of a group's schemes
local most_compared = 32 -- schemes that are compared in pairs, to find the largest group

local function rows_of(u, i) return (1 << u.uops[i]) - 1 << (u.first[i] - 1) end

-- A mapping in which a set of rows has another number of ports; false if there is none.
local function other(s, set)
  local c = smt.union(s.mapping, set)
  for _, m in ipairs(s.known) do
    if smt.union(m, set) ~= c then return m end
  end
  for _, range in ipairs { { 1, c - 1 }, { c + 1, s.ports } } do
    local m = range[1] <= range[2] and stop.need(s.solver:possible(set, range[1], range[2]))
    if m then
      s.known[#s.known + 1] = m
      return m
    end
  end
  return false
end

-- Calls visit(masks) with the rows of some schemes in every order, until it returns true; true if it did.
local function reordered(u, masks, schemes, k, visit)
  local i = schemes[k]
  if not i then return visit(masks) end
  local function place(row)
    if row >= u.first[i] + u.uops[i] - 1 then return reordered(u, masks, schemes, k + 1, visit) end
    for with = row, u.first[i] + u.uops[i] - 1 do
      masks[row], masks[with] = masks[with], masks[row]
      local done = place(row + 1)
      masks[row], masks[with] = masks[with], masks[row]
      if done then return true end
    end
    return false
  end
  return place(u.first[i])
end

-- Does a scheme lie otherwise beside the group in another mapping, in whichever order the uops of each scheme are taken?
local function lies_otherwise(s, group, i, another)
  local u, rows, several, orders = s.unknowns, rows_of(s.unknowns, i), { i }, 1
  for k, name in ipairs(group.names) do several[k + 1] = u.number[name] end
  for _, k in ipairs(several) do
    for n = 2, u.uops[k] do orders = orders * n end
  end
  if orders > most_orders then return false end -- not shown
  local function is_same(masks)
    for _, set in ipairs(group.sets) do
      local part = rows
      while part ~= 0 do
        if smt.union(masks, set | part) ~= smt.union(s.mapping, set | part) then return false end
        part = part - 1 & rows
      end
    end
    return true
  end
  return not reordered(u, table.move(another, 1, #another, 1, {}), several, 1, is_same)
end

-- A mapping in which a scheme lies otherwise beside the group; false if it may join; nil if neither was found. (Uops of one scheme are numbered; a
-- mapping that differs in their numbers only is no rival, but keeps the scheme out.)
local function rival(s, group, i)
  local rows, doubt = rows_of(s.unknowns, i), false
  for _, set in ipairs(group.sets) do
    local part = rows
    while part ~= 0 do -- every part of its uops
      local m = other(s, set | part)
      if m and lies_otherwise(s, group, i, m) then return m end
      doubt = doubt or m ~= false
      part = part - 1 & rows
    end
  end
  if doubt then return nil end
  return false
end

-- The group with one scheme more: the different unions of ports, each with a set of rows that has it.
local function join(s, group, i)
  local rows, sets = rows_of(s.unknowns, i), {}
  for k, set in ipairs(group.sets) do sets[k] = set end
  for _, set in ipairs(group.sets) do
    local part = rows
    while part ~= 0 do
      local union = 0
      for _, r in ipairs(unknowns.members(set | part)) do union = union | s.mapping[r] end
      if not group.seen[union] then
        group.seen[union], sets[#sets + 1] = true, set | part
      end
      part = part - 1 & rows
    end
  end
  group.sets = sets
  group.names[#group.names + 1] = s.unknowns.names[i]
end

local function empty() return { names = {}, sets = { 0 }, seen = { [0] = true } } end

-- Schemes in the order in which they are to join: those first that go with most others.
local function by_company(s)
  local u, order, company = s.unknowns, {}, {}
  for i = 1, #u.names do order[i], company[i] = i, 0 end
  for j = 1, #u.names <= most_compared and #u.names or 0 do
    for i = 1, j do
      local m = other(s, rows_of(u, i) | rows_of(u, j))
      if not m then company[i], company[j] = company[i] + 1, company[j] + 1 end
    end
  end
  table.sort(order, lists.by_value(company))
  return order
end

local function question(u, solver, mapping, ports) return { unknowns = u, solver = solver, mapping = mapping, ports = ports, known = {} } end

--- Finds a group that no further scheme can join.
-- @param u unknowns
-- @param solver that holds the observations
-- @param mapping of the solver that admits them
-- @tparam integer ports that it considers
-- @return `{ schemes = { names, in the order in which they joined }, rivals = { [name] = masks } }`; a scheme in neither is open
function certain.of(u, solver, mapping, ports)
  local s, group, rivals = question(u, solver, mapping, ports), empty(), {}
  for _, i in ipairs(by_company(s)) do
    if u.uops[i] <= most_uops and #group.sets <= most_unions then
      local m = rival(s, group, i)
      if m then rivals[u.names[i]] = m elseif m == false then join(s, group, i) end
    end
  end
  return { schemes = group.names, rivals = rivals }
end

--- Is a group of schemes such a group?
-- @param u unknowns
-- @param solver that holds the observations
-- @param mapping of the solver that admits them
-- @tparam integer ports that it considers
-- @tparam {string,...} names in the order in which they joined
-- @return true; or false, the scheme's name, and a rival as masks
function certain.check(u, solver, mapping, ports, names)
  local s, group = question(u, solver, mapping, ports), empty()
  for _, name in ipairs(names) do
    local m = rival(s, group, u.number[name])
    if m ~= false then return false, name, m end
    join(s, group, u.number[name])
  end
  return true
end

--- Is another mapping a rival: does a scheme lie otherwise beside the group in it?
-- @param u unknowns
-- @param mapping masks of each row
-- @param another masks
-- @tparam {string,...} names of the group
-- @tparam string name of the scheme
function certain.differs(u, mapping, another, names, name)
  local s, group = question(u, nil, mapping, nil), empty()
  for _, member in ipairs(names) do join(s, group, u.number[member]) end
  return lies_otherwise(s, group, u.number[name], another)
end

return certain
