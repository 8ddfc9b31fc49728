--- This module tells how two mappings differ: a table that programs can read; `portolan.mapping.words` says it in words.
--
--    { equal = false, decided = true, common = 310, matching = 293, renaming = { port of the first = port of the second },
--      rmax = { first = 4, second = 5 },                 -- only if they differ; one may be missing: no limit
--      volume = { first = 700, second = 717 },           -- uop volume of the common schemes
--      only_first = { names }, only_second = { names },  -- explained by one of them only
--      kinds = { { schemes = { names }, changes = { change, ... } }, ... } }   -- large ones first
--
-- A change of a scheme, ports under the names of the second (one of the first's without a counterpart: `?7`):
--
--    { kind = "ports", count = 2, first = { "1" }, second = { "1", "5" }, added = { "5" }, removed = {} }
--    { kind = "more", count = 1, ports = { "0", "6" }, first = 1, second = 2 }      -- so many uops on these ports
--    { kind = "fewer", count = 1, ports = { "5" }, first = 1, second = 0 }         -- rest = true: others of them changed ports
--    { kind = "usage", first = uops, second = uops }                                -- more than two changes of uops
--    { kind = "eliminated", uops = {...} }, { kind = "executed", uops = {...} }     -- by the second, unlike the first
--    { kind = "slots", first = 1, second = 2 }                                      -- issue slots
-- @module portolan.mapping.diff
local core = require "portolan.core"
local json = require "portolan.support.json"
local lists = require "portolan.support.lists"
local mapping = require "portolan.mapping"
local mapping_words = require "portolan.mapping.words"
local port_set = require "portolan.mapping.ports"

local mapping_diff = {}

--- Returns what the engine finds out about two mappings without looking for an experiment (`core.model.relate`).
-- @return table | nil, message
function mapping_diff.relate(a, b)
  local first, message = mapping.compile(a)
  if not first then return nil, message end
  local second
  second, message = mapping.compile(b)
  if not second then return nil, message end
  return core.model.relate(first, second)
end

-- Compares ports by their place in a list; those that are not in it come last.
local function by_place(ports)
  local place = {}
  for i, port in ipairs(ports) do place[port] = i end
  return function(x, y)
    local i, j = place[x] or math.huge, place[y] or math.huge
    if i ~= j then return i < j end
    return x < y
  end
end

--- Uops with equal port sets as one, in a fixed order: by number of ports, then by the places of the ports.
-- @param uops list of { ports, multiplicity }
-- @param ports list that gives the order of ports
-- @param rename port -> name, optional
-- @return list of { ports, multiplicity, key = string }; `key` only with rename
function mapping_diff.merged(uops, ports, rename)
  local before, list, by_key = by_place(ports), {}, {}
  for _, uop in ipairs(uops) do
    local names = lists.map(uop[1], function(port) return rename and rename(port) or port end)
    table.sort(names, before)
    local key = port_set.key(names)
    if by_key[key] then
      by_key[key][2] = by_key[key][2] + (uop[2] or 1)
    else
      by_key[key] = { names, uop[2] or 1, key = rename and key }
      list[#list + 1] = by_key[key]
    end
  end
  table.sort(list, function(x, y)
    if #x[1] ~= #y[1] then return #x[1] < #y[1] end
    for i, port in ipairs(x[1]) do
      if port ~= y[1][i] then return before(port, y[1][i]) end
    end
    return false
  end)
  return list
end

--- The port usage of a scheme, as text that is equal for equal usages.
-- @param scheme of a mapping, with `uops`
-- @param ports list that gives the order of ports
-- @param[opt] renaming port -> new name, of ports that have changed places
-- @return text
function mapping_diff.usage(scheme, ports, renaming)
  local rename = renaming and function(port) return renaming[port] or port end
  return mapping.usage { uops = mapping_diff.merged(scheme.uops, ports, rename) }
end

-- Entries of list x that are not in list y.
local function without(x, y)
  local there = lists.set(y)
  return json.array(lists.where(x, function(value) return not there[value] end))
end

-- The uops that the two do not share: two lists of { ports, count left, total }.
local function leftovers(first, second)
  local by_key, rest_first, rest_second = {}, {}, {}
  for _, uop in ipairs(first) do by_key[uop.key] = uop[2] end
  for _, uop in ipairs(second) do
    local here = by_key[uop.key] or 0
    if uop[2] > here then rest_second[#rest_second + 1] = { uop[1], uop[2] - here, here, uop[2] } end
    by_key[uop.key] = here - uop[2]
  end
  for _, uop in ipairs(first) do
    local more = by_key[uop.key]
    if more > 0 then rest_first[#rest_first + 1] = { uop[1], more, uop[2], uop[2] - more } end
  end
  return rest_first, rest_second
end

-- The pair of leftovers with the most similar ports; nil if one list is used up.
local function most_alike(first, second)
  local best, x, y
  for _, a in ipairs(first) do
    for _, b in ipairs(second) do
      local apart = a[2] > 0 and b[2] > 0 and #without(a[1], b[1]) + #without(b[1], a[1])
      if apart and (not best or apart < best) then best, x, y = apart, a, b end
    end
  end
  return x, y
end

local most_changes = 2

-- From the uops of the first to those of the second: what is most alike has changed its ports, the rest is more or fewer.
local function uop_changes(first, second)
  if #first > 0 and #second == 0 then return { { kind = "eliminated", uops = first } } end
  if #first == 0 and #second > 0 then return { { kind = "executed", uops = second } } end
  local changes, rest_first, rest_second = {}, leftovers(first, second)
  local x, y = most_alike(rest_first, rest_second)
  while x do
    local count = math.min(x[2], y[2])
    changes[#changes + 1] = { kind = "ports", count = count, first = x[1], second = y[1], added = without(y[1], x[1]),
      removed = without(x[1], y[1]) }
    x[2], y[2] = x[2] - count, y[2] - count
    x, y = most_alike(rest_first, rest_second)
  end
  local function rest(list, kind)
    for _, uop in ipairs(list) do
      if uop[2] > 0 then
        changes[#changes + 1] = { kind = kind, count = uop[2], ports = uop[1], first = uop[3], second = uop[4],
          rest = uop[2] < math.abs(uop[3] - uop[4]) or nil }
      end
    end
  end
  rest(rest_first, "fewer")
  rest(rest_second, "more")
  return #changes <= most_changes and changes or { { kind = "usage", first = first, second = second } }
end

local function strip_keys(changes)
  for _, change in ipairs(changes) do
    for _, list in ipairs(change.kind == "usage" and { change.first, change.second } or { change.uops }) do
      for _, uop in ipairs(list) do uop.key = nil end
    end
  end
  return changes
end

-- A function: name of a common scheme -> list of changes, empty if there are none.
local function comparer(a, b, renaming)
  local limited = a.rmax or b.rmax
  local function to_second(port) return renaming[port] or "?" .. port end
  local function as_it_is(port) return port end
  return function(name)
    local x, y = a.schemes[name], b.schemes[name]
    local changes = uop_changes(mapping_diff.merged(x.uops, b.ports, to_second), mapping_diff.merged(y.uops, b.ports, as_it_is))
    local first, second = x.slots or 1, y.slots or 1
    if limited and first ~= second then changes[#changes + 1] = { kind = "slots", first = first, second = second } end
    return strip_keys(changes)
  end
end

-- Schemes that change alike are one kind; large kinds first.
local function kinds_of(names, changes_of)
  local list, by_key = {}, {}
  for _, name in ipairs(names) do
    local changes = changes_of(name)
    local key = #changes > 0 and mapping_words.changes(changes)
    if key and not by_key[key] then
      by_key[key] = { schemes = {}, changes = changes }
      list[#list + 1] = by_key[key]
    end
    if key then table.insert(by_key[key].schemes, name) end
  end
  table.sort(list, function(x, y)
    if #x.schemes ~= #y.schemes then return #x.schemes > #y.schemes end
    return x.schemes[1] < y.schemes[1]
  end)
  return list
end

--- The uop volume (section 5.1.3) of some schemes: the number of scheme-port edges, each uop counted for each port that can execute it.
-- @param m mapping
-- @param names of schemes
-- @return whole number
function mapping_diff.volume(m, names)
  return lists.sum(names, function(name)
    return lists.sum(m.schemes[name].uops or {}, function(uop) return (uop[2] or 1) * #uop[1] end)
  end)
end

-- The names in x that are not explained by m, and those that are.
local function split(names, m)
  local only, both = json.array({}), json.array({})
  for _, name in ipairs(names) do
    local list = m.schemes[name] and m.schemes[name].uops and both or only
    list[#list + 1] = name
  end
  return only, both
end

--- Tells how two mappings differ on the schemes that both explain.
-- @param a mapping
-- @param b mapping
-- @param relation what `core.model.relate` or `compare` returned for the two, if it is at hand
-- @return table as above | nil, message: not mappings, or no scheme in common
function mapping_diff.of(a, b, relation)
  local message
  if not relation then relation, message = mapping_diff.relate(a, b) end
  if not relation then return nil, message end
  local renaming = relation.renaming or relation.closest
  local only_first, common = split(mapping.schemes(a, true), b)
  local only_second = split(mapping.schemes(b, true), a)
  return {
    equal = relation.equal, decided = relation.decided, common = relation.common, matching = relation.matching,
    renaming = json.object(renaming), rmax = a.rmax ~= b.rmax and { first = a.rmax, second = b.rmax } or nil,
    volume = { first = mapping_diff.volume(a, common), second = mapping_diff.volume(b, common) },
    only_first = only_first, only_second = only_second,
    kinds = json.array(kinds_of(common, comparer(a, b, renaming))),
  }
end

return mapping_diff
