--- One mapping out of two of the same processor, each of which knows schemes that the other does not: those of sets that must be charted apart.
--
-- Their ports are matched by the schemes that both explain (`portolan.algebra.match`).
-- @module portolan.mapping.union
local algebra = require "portolan.mapping.algebra"
local lists = require "portolan.support.lists"
local mapping = require "portolan.mapping"
local mapping_diff = require "portolan.mapping.diff"
local port_set = require "portolan.mapping.ports"

local mapping_union = {}

local most_differing = 0.05 -- share of the common schemes, beyond which the two are no mappings of one processor

local usage = mapping_diff.usage

-- Tells whether two ports may change places in all of these schemes.
local function exchangeable(m, names, p, q)
  local swapped = { [p] = q, [q] = p }
  return not lists.any(names, function(name) return usage(m.schemes[name], m.ports) ~= usage(m.schemes[name], m.ports, swapped) end)
end

-- The key of what a scheme's uops say of ports by their colours, as seen from one port.
local function seen_from(scheme, port, colours)
  local parts = {}
  for _, uop in ipairs(scheme.uops) do
    local own, list = "", {}
    for i, other in ipairs(uop[1]) do
      list[i] = ("%05d"):format(colours[other])
      if other == port then own = "!" end
    end
    table.sort(list)
    parts[#parts + 1] = own .. table.concat(list, ".") .. "*" .. (uop[2] or 1)
  end
  table.sort(parts)
  return table.concat(parts, "+")
end

-- Numbers for ports, the same for those that schemes may not tell apart: ports are split by what is around them until nothing splits any more.
local function colours_of(m, names)
  local colours, count = {}, 1
  local kinds = lists.distinct(names, function(name) return usage(m.schemes[name], m.ports) end) -- one scheme of each usage is enough
  for _, port in ipairs(m.ports) do colours[port] = 1 end
  while true do
    local numbers, finer, n = {}, {}, 0
    for _, port in ipairs(m.ports) do
      local parts = { ("%05d"):format(colours[port]) }
      for i, name in ipairs(kinds) do parts[i + 1] = seen_from(m.schemes[name], port, colours) end
      local key = table.concat(parts, "|")
      if not numbers[key] then n, numbers[key] = n + 1, n + 1 end
      finer[port] = numbers[key]
    end
    if n == count then return colours end
    colours, count = finer, n
  end
end

-- Pairs of ports that the common schemes do not tell apart, though each mapping does: nothing says which is which. Where each pair may change places
-- by itself in one of the two, any renaming that leaves the common schemes as they are is one of the first mapping and one of the second, so that
-- the union is the same up to names. (Ports of one colour need not be alike: some pairs may be named too many.)
local function undecided(a, b, common)
  local pairs_of_ports, of_a, of_b, known = {}, mapping.schemes(a, true), mapping.schemes(b, true), lists.set(b.ports)
  if #of_a == #common or #of_b == #common then return pairs_of_ports end -- one of them says nothing else
  local colours = colours_of(a, common)
  for i, p in ipairs(a.ports) do
    for j = i + 1, #a.ports do
      local q = a.ports[j]
      if known[p] and known[q] and colours[p] == colours[q] and not exchangeable(a, of_a, p, q) and not exchangeable(b, of_b, p, q) then
        pairs_of_ports[#pairs_of_ports + 1] = { p, q }
      end
    end
  end
  return pairs_of_ports
end

-- Ports that schemes of a mapping use, but the common ones do not, in its order.
local function beyond(m, common)
  local in_common = lists.set(port_set.used(lists.map(common, function(name) return m.schemes[name] end)))
  local used = lists.set(port_set.used(m.schemes))
  return lists.where(m.ports, function(port) return used[port] and not in_common[port] end)
end

-- Ports of each mapping that no common scheme uses: whether one of the first is one of the second nothing says. Nil if only one has any.
local function unmatched(a, b, common)
  local of_a, of_b = beyond(a, common), beyond(b, common)
  return #of_a > 0 and #of_b > 0 and { of_a, of_b } or nil
end

local function differing(a, b, common)
  return lists.where(common, function(name) return usage(a.schemes[name], a.ports) ~= usage(b.schemes[name], a.ports) end)
end

-- The common schemes but for those that differ, which tell nothing of the ports.
local function agreeing(common, differing_names)
  local differs = lists.set(differing_names)
  return lists.where(common, function(name) return not differs[name] end)
end

-- Names of the units of b that schemes of a keep busy, too: b's name -> a's, which most of the common schemes have.
local function units_of_both(a, b)
  local votes, names = {}, {}
  for name, scheme in pairs(b.schemes) do
    local other = a.schemes[name]
    if scheme.unit and other and other.unit then lists.into(votes, scheme.unit, other.unit) end
  end
  for unit, list in pairs(votes) do
    local tally = lists.tally(list)
    table.sort(list, lists.by_value(tally))
    names[unit] = list[1]
  end
  return names
end

-- The fields of both; where both have one, the first is believed.
local function both(a, b)
  local whole = lists.copy(b)
  for field, value in pairs(a) do whole[field] = value end
  return whole
end

--- Adds to a mapping what another one of the same processor explains beyond it.
-- @param a mapping, which keeps its names of ports, its limits, and what it says of schemes that both explain
-- @param b mapping that explains some of the same schemes
-- @treturn table|nil mapping; `provenance.merged` is a list of what was added, for each call `{ added = schemes, common =, differing =
--   names, undecided = pairs of ports, unmatched = (two lists: ports of each mapping that no common scheme uses, where both have such) }`
-- @treturn string|table what is wrong; or that last entry
function mapping_union.of(a, b)
  local common = mapping.common(a, b)
  if #common == 0 then return nil, "the mappings explain no scheme in common, so nothing tells which port is which" end
  local matched, message = algebra.match(b, a)
  if not matched then return nil, message end
  local note = { added = 0, common = #common, differing = differing(a, matched, common) }
  if #note.differing > most_differing * #common then
    return nil, ("%d of the %d schemes that both mappings explain differ, '%s' among them; are they of one processor?")
      :format(#note.differing, #common, note.differing[1])
  end
  local alike = agreeing(common, note.differing)
  note.undecided, note.unmatched = undecided(a, matched, alike), unmatched(a, matched, alike)
  local result = algebra.restrict(a, function() return true end)
  result.provenance.restricted, result.ports = (a.provenance or {}).restricted, lists.distinct(lists.joined(a.ports, matched.ports))
  for name, part in pairs(mapping.parts) do
    local ours, theirs = a[name], b[name]
    result[name] = ours and theirs and (part.union or both)(ours, theirs) or ours or theirs
  end
  local units = units_of_both(a, b)
  for name, scheme in pairs(matched.schemes) do
    local known = result.schemes[name]
    scheme.unit = scheme.unit and (units[scheme.unit] or scheme.unit)
    if not known or scheme.uops and not known.uops then
      note.added = note.added + (scheme.uops and 1 or 0)
      scheme.latencies = scheme.latencies or known and known.latencies
      result.schemes[name] = scheme
    else
      known.latencies, known.unit = known.latencies or scheme.latencies, known.unit or scheme.unit
    end
  end
  result.provenance.merged = table.move(result.provenance.merged or {}, 1, #(result.provenance.merged or {}), 1, {})
  table.insert(result.provenance.merged, note)
  return result, note
end

return mapping_union
