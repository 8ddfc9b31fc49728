--- Section "Schemes": the mapping as a table, with search, filters, sorting and pages where scripts run.
local catalog = require "portolan.report.catalog"
local html = require "portolan.report.html"
local format = require "portolan.report.format"
local lists = require "portolan.support.lists"
local section = require "portolan.report.section"
local statuses = require "portolan.mapping.statuses"
local scheme_usage = require "portolan.report.scheme_usage"
local witness = require "portolan.report.witness"
local witness_data = require "portolan.report.witness_data"
local h = html.tag
local schemes = {}

local function used_ports(scheme)
  local list = lists.keys(scheme_usage.shares(scheme))
  return table.concat(list, " ")
end

-- The name opens the witnesses, where there are any. Of many schemes a script fills them in.
local function describe(entry, large)
  local scheme, about = entry.scheme, {}
  if entry.group then about[#about + 1] = tostring(entry.group) end
  if scheme.class and scheme.class ~= entry.group then about[#about + 1] = tostring(scheme.class) end
  local name = { h.code(entry.name), #about > 0 and h.span { class = "about", table.concat(about, " · ") } }
  local has_witnesses = type(scheme.witnesses) == "table" and #scheme.witnesses > 0
  local body = name
  if has_witnesses then
    body = h.details { ["data-witnesses"] = large and entry.place, h.summary(name),
      not large and h.div { class = "scroll", witness.table(scheme.witnesses) } }
  else
    body = h.div { class = "plain", body }
  end
  return h.td { class = "scheme", body, scheme.note and h.p { class = "remark", scheme.note } }
end

local function row(entry, list)
  local scheme = entry.scheme
  local assumed = type(scheme.assumed) == "table" and #scheme.assumed > 0
  return h.tr {
    id = entry.id, ["data-status"] = entry.status, ["data-ports"] = used_ports(scheme), ["data-set"] = entry.set,
    ["data-extension"] = entry.extension ~= entry.set and entry.extension, ["data-category"] = entry.category,
    describe(entry, list.large),
    h.td { class = "uops", entry.usage and h.code(entry.usage) or format.absent,
      assumed and h.span { class = "about", scheme_usage.set(scheme.assumed, list.ports) .. " assumed" } },
    h.td { class = "number", ["data-value"] = format.finite(scheme.tp) and ("%.5g"):format(scheme.tp), format.cycles(scheme.tp) },
    h.td { class = "number slots", scheme.slots and ("%g"):format(scheme.slots) or "1" },
    h.td(section.status(scheme.status)),
  }
end

local function option(value, text, count) return h.option { value = value, ("%s (%d)"):format(text, count) } end

local function select(id, label, all, options)
  if #options == 0 then return nil end
  return h.label { label .. " ", h.select { id = "scheme-" .. id, h.option { value = "", all }, options } }
end

-- Options for the values of a field, most common first.
local function values_of(list, field, sort)
  local groups = catalog.grouped(list, function(entry) return entry[field] end)
  if sort then table.sort(groups, sort) end
  return lists.map(groups, function(group) return option(group.key, group.key, #group.entries) end)
end

local function by_key(a, b) return a.key < b.key end
local function by_status(a, b) return statuses.get(a.key).place < statuses.get(b.key).place end

-- Extensions, and below each its sets, where it has several.
local function sets_of(list)
  local options = {}
  local extensions = catalog.grouped(list, function(entry) return entry.extension end)
  table.sort(extensions, by_key)
  for i, extension in ipairs(extensions) do
    local sets = values_of(extension.entries, "set", by_key)
    local whole = option("x:" .. extension.key, #sets > 1 and "all of " .. extension.key or extension.key, #extension.entries)
    options[i] = #sets > 1 and h.optgroup { label = extension.key, whole, sets } or whole
  end
  return options
end

local function controls(list)
  local ports = lists.map(list.ports, function(port) return h.option { value = tostring(port), tostring(port) } end)
  return h.form {
    class = "controls", id = "scheme-controls", hidden = true,
    h.label { "Search ", h.input { type = "search", id = "scheme-search", placeholder = "vpadd, p06, m256 …" } },
    select("status", "Class", "any", values_of(list, "status", by_status)),
    select("set", "Instruction set", "any", sets_of(list)),
    select("category", "Category", "any", values_of(list, "category", by_key)),
    select("port", "Port", "any", ports),
    select("usage", "Usage", "any", values_of(list, "usage")),
    h.button { type = "reset", "Show all" },
    h.output { id = "scheme-count", ["aria-live"] = "polite" },
  }
end

local function head(title, kind, class)
  return h.th { scope = "col", class = class, ["data-sort"] = kind, title }
end

local function table_of(list)
  local rows = lists.map(list, function(entry) return { row(entry, list), "\n" } end)
  return h.div { class = "scroll", h.table {
    class = "schemes", id = "scheme-table",
    h.thead(h.tr {
      head("scheme", "text"), head("uops", "text"), head("cycles", "number", "number"),
      head("slots", "number", "number slots"), head("class", "text"),
    }),
    h.tbody(rows),
  } }
end

--- The section.
-- @tparam table chart
-- @tparam table list its catalog
function schemes.render(chart, list)
  local id, title = "schemes", "Scheme by scheme"
  if not chart.mapping or #list == 0 then
    return section.new(id, title, section.missing "No scheme was measured.")
  end
  return section.new(id, title, {
    section.note("Uops in compact notation: ", h.code("2*" .. scheme_usage.set({ "0", "6" })), " are two uops that may each run on ",
      "port 0 or 6. Inverse throughput is the measured number of cycles per instance when many independent ones run. ",
      "A name opens its witnesses, the experiments behind the entry."),
    list.large and h.noscript { h.p { class = "missing",
      "Witnesses are filled in by a script, which does not run here: they are also in mapping.json, and ",
      h.code "portolan explain SCHEME", " prints them." } },
    controls(list), table_of(list),
    h.div { class = "pager", id = "scheme-pager", role = "navigation", ["aria-label"] = "Pages of the table", hidden = true },
    list.large and witness_data.render(list),
  })
end

return schemes
