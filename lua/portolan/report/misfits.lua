--- Section "Classes": how many schemes ended with which status, and, for each that is not explained, how it is recognised and
-- which schemes they are.
local catalog = require "portolan.report.catalog"
local format = require "portolan.report.format"
local html = require "portolan.report.html"
local lists = require "portolan.support.lists"
local section = require "portolan.report.section"
local statuses = require "portolan.mapping.statuses"
local witness = require "portolan.report.witness"
local h = html.tag
local misfits = {}

local most_in_full = 40 -- schemes of a class with their evidence; of more, it is in the scheme table

-- Collects what does not fit, as a catalog's entries: the chart's misfits, and what the mapping says is not explained.
local function collect(chart, list)
  local all, seen = {}, {}
  for _, misfit in ipairs(chart.misfits or {}) do
    local known = list.by_name[misfit.scheme]
    all[#all + 1] = { name = misfit.scheme, id = known and known.id, status = tostring(misfit.status or "unexplained"),
      evidence = misfit.evidence, experiments = misfit.experiments }
    seen[misfit.scheme or ""] = true
  end
  for _, entry in ipairs(catalog.charted(list)) do
    if not seen[entry.name] and entry.scheme.status and statuses.get(entry.status).kind ~= "good" then
      all[#all + 1] = { name = entry.name, id = entry.id, status = entry.status, evidence = entry.scheme.note, experiments = entry.scheme.witnesses }
    end
  end
  return all
end

local function by_status(a, b)
  local i, j = statuses.get(a.key).place, statuses.get(b.key).place
  if i ~= j then return i < j end
  return a.key < b.key
end

local function row(entry, large)
  local experiments = not large and witness.details(entry.experiments, "experiment")
  return h.tr {
    h.td { class = "scheme", section.scheme(entry.name, entry) },
    h.td {
      entry.evidence and h.p { class = "remark", entry.evidence }, experiments,
      not entry.evidence and not experiments and h.p { class = "missing", "No evidence recorded." },
    },
  }
end

local function members(entries, large)
  if #entries > most_in_full and large then
    local items = lists.map(entries, function(entry) return h.li(section.scheme(entry.name, entry)) end)
    return h.details { h.summary("all " .. format.plural(#entries, "scheme")), h.ul { class = "members", items } }
  end
  local rows = lists.map(entries, function(entry) return row(entry, large) end)
  return h.div { class = "scroll", h.table { class = "misfits", h.tbody(rows) } }
end

local function class(group, number, large)
  local known = statuses.get(group.key)
  return h.div { class = "class", id = "class-" .. number,
    h.h3 { section.status(group.key), " ", h.span { class = "count", format.count(#group.entries) } },
    known.means and h.p { class = "note", h.b(known.means:sub(1, 1):upper() .. known.means:sub(2) .. ". "), known.recognised },
    members(group.entries, large),
  }
end

-- All statuses with their counts, those that are sections linked.
local function overview(list, numbers)
  list = catalog.charted(list)
  local groups, rows = catalog.grouped(list, function(entry) return entry.status end), {}
  table.sort(groups, by_status)
  for i, group in ipairs(groups) do
    local n = numbers[group.key]
    local status = section.status(group.key)
    rows[i] = h.tr {
      h.td(n and h.a { href = "#class-" .. n, status } or status),
      h.td { class = "number", format.count(#group.entries) },
      h.td { class = "number", format.percent(#group.entries / #list) },
      h.td { class = "says", statuses.get(group.key).means },
    }
  end
  return section.table("classes", { "class", { "schemes", "number" }, { "share", "number" }, { "meaning", "says" } }, rows)
end

--- The section.
-- @tparam table chart
-- @tparam table list its catalog
function misfits.render(chart, list)
  local id, title = "misfits", "Classes, and what does not fit"
  local groups = catalog.grouped(collect(chart, list), function(entry) return entry.status end)
  table.sort(groups, by_status)
  local numbers, parts = {}, {}
  for i, group in ipairs(groups) do
    numbers[group.key], parts[i] = i, class(group, i, list.large)
  end
  return section.new(id, title, {
    #list > 0 and overview(list, numbers),
    #groups == 0 and section.note(chart.misfits and "Every scheme that was measured fits." or "Nothing was recorded as not fitting.")
      or section.note "These are reported as they are, not forced into the mapping.",
    parts,
  })
end

return misfits
