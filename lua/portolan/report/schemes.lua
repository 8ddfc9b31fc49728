--- Section "Schemes": the mapping as a table, with search, filters and sorting where scripts run.
local html = require "portolan.report.html"
local format = require "portolan.report.format"
local section = require "portolan.report.section"
local usage = require "portolan.report.usage"
local witness = require "portolan.report.witness"
local h = html.tag
local schemes = {}

--- Scheme names in the order of the groups, then the others of the mapping by name.
-- @treturn table list of { name=, group= }
function schemes.order(chart)
  local seen, list, rest = {}, {}, {}
  for _, group in ipairs(chart.groups or {}) do
    for _, name in ipairs(group.schemes or {}) do
      if not seen[name] then
        seen[name] = true
        list[#list + 1] = { name = name, group = group.name }
      end
    end
  end
  for name in pairs(chart.mapping and chart.mapping.schemes or {}) do
    if not seen[name] then rest[#rest + 1] = name end
  end
  table.sort(rest)
  for _, name in ipairs(rest) do list[#list + 1] = { name = name } end
  return list
end

--- Function scheme name -> id of its row.
function schemes.linker(order)
  local ids = {}
  for i, entry in ipairs(order) do ids[entry.name] = "scheme-" .. i end
  return function(name) return ids[name] end
end

local function used_ports(scheme)
  local list = {}
  for port in pairs(usage.shares(scheme)) do list[#list + 1] = port end
  table.sort(list)
  return table.concat(list, " ")
end

-- The name opens the witnesses, where there are any.
local function describe(entry, scheme)
  local about = {}
  if entry.group then about[#about + 1] = tostring(entry.group) end
  if scheme.class and scheme.class ~= entry.group then about[#about + 1] = tostring(scheme.class) end
  local name = { h.code(entry.name), #about > 0 and h.span { class = "about", table.concat(about, " · ") } }
  local evidence = witness.table(scheme.witnesses)
  return h.td {
    class = "scheme",
    evidence and h.details { h.summary(name), h.div { class = "scroll", evidence } } or h.div { class = "plain", name },
    scheme.note and h.p { class = "remark", scheme.note },
  }
end

local function row(entry, scheme, ports, id)
  local notation = usage.notation(scheme, ports)
  local assumed = type(scheme.assumed) == "table" and #scheme.assumed > 0
  return h.tr {
    id = id, ["data-status"] = scheme.status or "not measured", ["data-ports"] = used_ports(scheme),
    describe(entry, scheme),
    h.td { class = "uops", notation and h.code(notation) or format.absent,
      assumed and h.span { class = "about", usage.set(scheme.assumed, ports) .. " assumed" } },
    h.td { class = "number", ["data-value"] = format.finite(scheme.tp) and scheme.tp or "", format.cycles(scheme.tp) },
    h.td { class = "number slots", scheme.slots and ("%g"):format(scheme.slots) or "1" },
    h.td(section.status(scheme.status)),
  }
end

local function options(values, all)
  local nodes = { h.option { value = "", all } }
  for _, value in ipairs(values) do nodes[#nodes + 1] = h.option { value = value, value } end
  return nodes
end

local function controls(chart, order)
  local statuses, seen, ports = {}, {}, {}
  for _, entry in ipairs(order) do
    local scheme = (chart.mapping.schemes or {})[entry.name]
    local status = scheme and tostring(scheme.status or "not measured") or "not measured"
    if not seen[status] then
      seen[status] = true
      statuses[#statuses + 1] = status
    end
  end
  table.sort(statuses)
  for i, port in ipairs(chart.mapping.ports or {}) do ports[i] = tostring(port) end
  return h.form {
    class = "controls", id = "scheme-controls", hidden = true,
    h.label { "Search ", h.input { type = "search", id = "scheme-search", placeholder = "vpadd, p06, m256 …" } },
    h.label { "Port ", h.select { id = "scheme-port", options(ports, "any") } },
    h.label { "Status ", h.select { id = "scheme-status", options(statuses, "any") } },
    h.output { id = "scheme-count", ["aria-live"] = "polite" },
  }
end

local function head(title, kind, class)
  return h.th { scope = "col", class = class, ["data-sort"] = kind, title }
end

--- The section.
-- @tparam table chart
-- @tparam table order of schemes.order
function schemes.render(chart, order)
  local id, title = "schemes", "Scheme by scheme"
  if not chart.mapping or #order == 0 then
    return section.new(id, title, section.missing "No scheme was measured.")
  end
  local link, rows = schemes.linker(order), {}
  for i, entry in ipairs(order) do
    local scheme = (chart.mapping.schemes or {})[entry.name] or {}
    rows[i] = { row(entry, scheme, chart.mapping.ports, link(entry.name)), "\n" }
  end
  return section.new(id, title, {
    section.note("Uops in compact notation: ", h.code("2*" .. usage.set({ "0", "6" })), " are two uops that may each run on ",
      "port 0 or 6. Inverse throughput is the measured number of cycles per instance when many independent ones run. ",
      "A name opens its witnesses."),
    controls(chart, order),
    h.div { class = "scroll", h.table {
      class = "schemes", id = "scheme-table",
      h.thead(h.tr {
        head("scheme", "text"), head("uops", "text"), head("cycles", "number", "number"),
        head("slots", "number", "number slots"), head("status", "text"),
      }),
      h.tbody(rows),
    } },
  })
end

return schemes
