--- The schemes of a chart in the order of a report, each with what tables filter by; made once, used by all sections.
local isa = require "portolan.scheme.isa"
local lists = require "portolan.support.lists"
local statuses = require "portolan.mapping.statuses"
local scheme_usage = require "portolan.report.scheme_usage"
local catalog = {}

--- With more schemes than this, pictures show groups, and evidence is unfolded by a script.
catalog.many = 300

-- Scheme names in the order of the groups, then the others of the mapping by name: list of { name =, group = }.
local function ordered(chart)
  local seen, list = {}, {}
  for _, group in ipairs(chart.groups or {}) do
    for _, name in ipairs(group.schemes or {}) do
      if not seen[name] then
        seen[name] = true
        list[#list + 1] = { name = name, group = group.name }
      end
    end
  end
  for _, name in ipairs(lists.keys(chart.mapping and chart.mapping.schemes or {})) do
    if not seen[name] then list[#list + 1] = { name = name } end
  end
  return list
end

--- Makes the catalog of a chart.
-- @tparam table chart
-- @treturn table list of { name=, group=, id=, scheme= (entry of the mapping, or empty), status=, usage= (notation, or nil),
--   extension=, set=, category= (of the instruction set, where it has the scheme) }, with `large` (boolean), `by_name`, `ports`
function catalog.of(chart)
  local list, by_name = ordered(chart), {}
  local mapping = chart.mapping or {}
  for i, entry in ipairs(list) do
    entry.id, entry.place = "scheme-" .. i, i
    entry.scheme = mapping.schemes and mapping.schemes[entry.name] or {}
    entry.status = tostring(entry.scheme.status or "not measured")
    entry.usage = scheme_usage.notation(entry.scheme, mapping.ports)
    local known = type(entry.name) == "string" and isa.scheme(entry.name)
    if known then entry.extension, entry.set, entry.category = known.extension, known.isa_set, known.category end
    by_name[entry.name] = entry
  end
  list.by_name, list.large, list.ports = by_name, #list > catalog.many, mapping.ports or {}
  return list
end

--- The entries of what was to be charted, on which all counts rest: those of the chart's groups, not what only helped to measure them;
-- all, if there are no groups.
-- @tparam table list a catalog
-- @treturn table list
function catalog.charted(list)
  local charted = lists.where(list, function(entry) return entry.group end)
  return #charted > 0 and charted or list
end

--- Tells how many schemes ended in each class, in words, the most frequent first: `105 explained, 6 slower than ports`.
-- @tparam table list a catalog
-- @treturn string
function catalog.tally(list)
  local all = lists.map(catalog.charted(list), function(entry) return entry.status end)
  return statuses.tally(all, true)
end

--- Entries that share a key, most common first.
-- @tparam table list entries
-- @tparam function key_of entry -> key, or nil to leave it out
-- @treturn table list of { key =, entries = {...} }
function catalog.grouped(list, key_of)
  local groups, by_key = {}, {}
  for _, entry in ipairs(list) do
    local key = key_of(entry)
    if key ~= nil then
      if not by_key[key] then
        by_key[key] = { key = key, entries = {}, place = #groups }
        groups[#groups + 1] = by_key[key]
      end
      table.insert(by_key[key].entries, entry)
    end
  end
  table.sort(groups, function(a, b)
    if #a.entries ~= #b.entries then return #a.entries > #b.entries end
    return a.place < b.place
  end)
  return groups
end

return catalog
