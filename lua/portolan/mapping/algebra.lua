--- This module does what can be done with mappings: it restricts them, renames their ports, brings them into canonical form, compares them.
--
-- Functions on mapping tables (`portolan.mapping`). Their arguments stay as they are; results share nothing with them.
-- `processor` and all fields of schemes are kept; `provenance` gets a note of what was done. docs/algebra.md has examples.
-- @module portolan.mapping.algebra
local json = require "portolan.support.json"
local lists = require "portolan.support.lists"
local mapping = require "portolan.mapping"
local mapping_diff = require "portolan.mapping.diff"
local mapping_words = require "portolan.mapping.words"

local algebra = {}

local function copy(value)
  if type(value) ~= "table" or value == json.null then return value end
  local result = {}
  for key, part in pairs(value) do result[key] = copy(part) end
  return setmetatable(result, getmetatable(value))
end

-- A copy with other schemes; note is added to the provenance.
local function derived(m, schemes, note)
  local result = {}
  for key, value in pairs(m) do
    if key ~= "schemes" then result[key] = copy(value) end
  end
  result.schemes, result.provenance = schemes, result.provenance or {}
  for key, value in pairs(note) do result.provenance[key] = value end
  return result
end

--- A mapping of some of the schemes, with the same ports and limits.
-- @param m mapping
-- @param which list of names of schemes, or a function (name, scheme) -> true for those to keep
-- @return mapping; `provenance.restricted` = { kept =, of = } | nil, message
function algebra.restrict(m, which)
  local schemes, kept, of = {}, 0, 0
  local function keep(name)
    if not schemes[name] then schemes[name], kept = copy(m.schemes[name]), kept + 1 end
  end
  for name, scheme in pairs(m.schemes) do
    of = of + 1
    if type(which) == "function" and which(name, scheme) then keep(name) end
  end
  for _, name in ipairs(type(which) == "table" and which or {}) do
    if not m.schemes[name] then return nil, ("the mapping has no scheme '%s'"):format(name) end
    keep(name)
  end
  return derived(m, schemes, { restricted = { kept = kept, of = of } })
end

local function position_of(ports)
  local position = {}
  for i, port in ipairs(ports) do position[port] = i end
  return position
end

-- New names for a list of ports, in the order of the mapping's ports.
local function relabelled(list, renaming, position)
  local result = lists.map(list, function(port) return renaming[port] or port end)
  table.sort(result, function(x, y) return (position[x] or math.huge) < (position[y] or math.huge) end)
  return result
end

-- The earlier renaming that the provenance tells of, followed by this one.
local function followed_by(earlier, renaming)
  if type(earlier) ~= "table" then return copy(renaming) end
  local result = {}
  for first, now in pairs(earlier) do result[first] = renaming[now] or now end
  return result
end

-- renaming: for all ports; ports: the new names, in their order.
local function relabel(m, renaming, ports)
  local position, schemes = position_of(ports), {}
  for name, scheme in pairs(m.schemes) do
    local new = copy(scheme)
    for _, uop in ipairs(new.uops or {}) do uop[1] = relabelled(uop[1], renaming, position) end
    if type(new.assumed) == "table" then new.assumed = relabelled(new.assumed, renaming, position) end
    schemes[name] = new
  end
  local result = derived(m, schemes, { renamed_ports = followed_by((m.provenance or {}).renamed_ports, renaming) })
  result.ports = copy(ports)
  return result
end

-- The whole renaming: ports that it does not name keep their names. Or nil, message.
local function completed(m, renaming)
  local whole, taken, position = {}, {}, position_of(m.ports)
  for port in pairs(renaming) do
    if not position[port] then return nil, ("the mapping has no port '%s' to rename"):format(tostring(port)) end
  end
  for _, port in ipairs(m.ports) do
    local name = renaming[port] or port
    if type(name) ~= "string" or name == "" then return nil, ("the new name of port '%s' is no name"):format(port) end
    if taken[name] then return nil, ("ports '%s' and '%s' would both be called '%s'"):format(taken[name], port, name) end
    whole[port], taken[name] = name, port
  end
  return whole
end

--- A mapping whose ports have other names.
-- @param m mapping
-- @param renaming port -> new name; ports that it leaves out keep their names
-- @return mapping; `provenance.renamed_ports` = the first names -> the new ones | nil, message: no such port, or two with one name
function algebra.rename(m, renaming)
  local ok, message = mapping.compile(m)
  if not ok then return nil, message end
  local whole
  whole, message = completed(m, renaming)
  if not whole then return nil, message end
  local ports = lists.map(m.ports, function(port) return whole[port] end)
  return relabel(m, whole, ports)
end

-- New names for all ports of a: what a partial renaming says; then b's ports that are left over, those of the same name first;
-- then names of their own, with an apostrophe where b has a port of that name.
local function names_of_b(a, b, partial)
  local renaming, taken = copy(partial), {}
  for _, name in pairs(partial) do taken[name] = true end
  local function give(port, name) renaming[port], taken[name] = name, true end
  local known = position_of(b.ports)
  for _, port in ipairs(a.ports) do
    if not renaming[port] and known[port] and not taken[port] then give(port, port) end
  end
  local left = lists.where(b.ports, function(name) return not taken[name] end)
  for _, port in ipairs(a.ports) do
    if not renaming[port] then
      local name = table.remove(left, 1) or port
      while taken[name] do name = name .. "'" end
      give(port, name)
    end
  end
  return renaming
end

--- The first mapping with its ports renamed so that it is as close to the second as can be: as many schemes as possible with
-- the same usage, then as few differing scheme-port edges as possible. Where the first has more ports, those without a counterpart
-- keep their names, or get an apostrophe where the second has a port of that name.
-- @param a mapping
-- @param b mapping that explains some of the same schemes
-- @param relation what `core.model.relate` or `compare` returned for the two, if it is at hand
-- @return mapping, renaming (port of a -> new name) | nil, message
function algebra.match(a, b, relation)
  local message
  if not relation then relation, message = mapping_diff.relate(a, b) end
  if not relation then return nil, message end
  local renaming, place, ports = names_of_b(a, b, relation.renaming or relation.closest), position_of(b.ports), {}
  for i, port in ipairs(a.ports) do
    ports[i] = renaming[port]
    place[ports[i]] = place[ports[i]] or #b.ports + i
  end
  table.sort(ports, function(x, y) return place[x] < place[y] end)
  return relabel(a, renaming, ports), renaming
end

--- The uop volume (section 5.1.3): the number of scheme-port edges, each uop counted for each port that can execute it.
-- @param m mapping
-- @return whole number, the sum over the explained schemes
function algebra.volume(m) return mapping_diff.volume(m, mapping.schemes(m, true)) end

--- The classes of schemes that the mapping treats alike: equal uops, and equal issue slots if there is an R_max. One may stand for
-- the other in every experiment. (Section 5.1.2 sorts by what measurements can tell; that is a matter of the measurements at hand.)
-- @param m mapping
-- @return list of classes, each a sorted list of names, in the order of their first names | nil, message
function algebra.congruence(m)
  local compiled, message = mapping.compile(m)
  if not compiled then return nil, message end
  return compiled:congruence()
end

--- The mapping with its ports named "0", "1", ... in canonical order, its uops merged and sorted: two mappings that are equal up
-- to port names, and have the same number of ports, get the same `ports` and the same `uops`.
-- @param m mapping
-- @return mapping, key, digest: strings that two mappings share just if they explain the same schemes with the same usage up to
-- port names; the digest is short | nil, message
function algebra.canonical(m)
  local compiled, message = mapping.compile(m)
  if not compiled then return nil, message end
  local order, key, digest = compiled:canonical()
  if not order then return nil, key end
  local renaming, ports = {}, {}
  for i, port in ipairs(order) do
    ports[i] = tostring(i - 1)
    renaming[port] = ports[i]
  end
  local result = relabel(m, renaming, ports)
  for _, scheme in pairs(result.schemes) do
    if scheme.uops then scheme.uops = mapping_diff.merged(scheme.uops, ports) end
  end
  return result, key, digest
end

--- Tells how two mappings differ on the schemes that both explain, the first one's ports renamed as `match` does.
-- @param a mapping
-- @param b mapping
-- @param relation as for `match`
-- @return a table, see `portolan.mapping.diff` | nil, message
function algebra.diff(a, b, relation) return mapping_diff.of(a, b, relation) end

--- A diff in words.
-- @param diff what `diff` returned
-- @tparam[opt] table options
-- @tparam[opt=30] int options.lines at most so many kinds of difference
-- @tparam[opt=3] int options.names at most so many schemes named in each
-- @return list of lines; empty if there is no difference
function algebra.words(diff, options) return mapping_words.of(diff, options) end

return algebra
