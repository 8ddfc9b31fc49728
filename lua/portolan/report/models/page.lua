--- The report of `portolan eval`: models against measurements, one HTML file that needs nothing else.
local html = require "portolan.report.html"
local errors = require "portolan.report.models.errors"
local format = require "portolan.report.format"
local lengths = require "portolan.report.models.lengths"
local lists = require "portolan.support.lists"
local maps = require "portolan.report.models.maps"
local metrics = require "portolan.report.models.metrics"
local more_style = require "portolan.report.models.style"
local orders = require "portolan.report.models.orders"
local overview = require "portolan.report.models.overview"
local section = require "portolan.report.section"
local style = require "portolan.report.style"
local worst = require "portolan.report.models.worst"
local h = html.tag
local page_report = {}

local units = {
  cycles = { "cycles", "cycles per experiment" }, cpi = { "CPI", "cycles per instruction" },
  ipc = { "IPC", "instructions per cycle" },
}

-- Tells how many blocks were not measured, and why; nil unless the experiments are blocks of which some were not measured.
local function unmeasured(page)
  local set = page.set
  local statuses = lists.keys(set.unmeasured)
  if not page.alone or #statuses == 0 then return nil end
  table.sort(statuses, lists.by_value(set.unmeasured))
  local items = {}
  for i, status in ipairs(statuses) do
    items[i] = h.li { h.b(format.count(set.unmeasured[status])), " ", status, " (", format.percent(set.unmeasured[status] / set.total), ")" }
  end
  return section.new("unmeasured", "Not measured", {
    section.note(format.count(#set.records), " of ", format.count(set.total), " blocks were measured (",
      format.percent(#set.records / set.total), "). Of the others:"),
    h.ul { class = "left-out", items },
  })
end

-- The command line, and what was evaluated with what.
local function reproduce(page)
  local facts = {}
  for i, model in ipairs(page.result.models) do
    local p = model.predictor
    local rmax = p.model and p.model.mapping and p.model.mapping.rmax
    facts[i] = { model.name, p.recorded and "the predictions that the experiments file carries"
      or ("%s, method %s%s"):format(tostring(p.file), tostring(p.method), rmax and (", R_max %.6g"):format(rmax) or "") }
  end
  return section.new("reproduce", "How to reproduce", {
    page.command and h.pre(h.code(page.command)),
    section.facts(facts),
    section.note("The same files give the same bytes of this page. --json prints all of its numbers."),
  })
end

local function navigation(parts)
  local links = {}
  for _, entry in ipairs(parts) do
    if entry.node then links[#links + 1] = h.a { href = "#" .. entry.id, entry.name } end
  end
  return h.nav { ["aria-label"] = "Sections", links }
end

--- Writes the report.
-- @tparam table page docs/report.md has more on its fields
-- @tparam table page.result of `accuracy.evaluate`, with `by_length`
-- @tparam table page.set of `accuracy.set`
-- @tparam[opt] string page.title name of the experiments
-- @tparam[opt] table page.alone of `accuracy.evaluate`, where `result` is of what all models cover: each on what it covers
-- @tparam[opt] table page.spread of `orders.spread`
-- @tparam[opt=5] int page.worst how many of the worst experiments per model
-- @tparam[opt] string page.version
-- @tparam[opt] string page.command
-- @treturn string HTML5 that is also well-formed XML
function page_report.render(page)
  assert(type(page) == "table" and page.result and page.set, "report: result and set are required")
  local unit = units[page.result.unit]
  local full = setmetatable({ unit_short = unit[1], unit_long = unit[2] }, { __index = page })
  local drawn = maps.drawn(page.result.models)
  local parts = {
    { id = "metrics", name = "Metrics", node = metrics.render(full) },
    { id = "maps", name = "Heat maps", node = maps.render(full) },
    { id = "errors", name = "Errors", node = errors.render(full, drawn) },
    { id = "kinds", name = "Kinds", node = lengths.render_kinds(drawn) },
    { id = "unmeasured", name = "Not measured", node = unmeasured(full) },
    { id = "length", name = "Length", node = lengths.render(full, drawn) },
    { id = "order", name = "Order", node = orders.render(full) },
    { id = "worst", name = "Worst", node = worst.render(full, drawn) },
    { id = "reproduce", name = "Reproduce", node = reproduce(full) },
  }
  local nodes = {}
  for _, entry in ipairs(parts) do nodes[#nodes + 1] = entry.node end
  return html.page {
    title = "Portolan: accuracy on " .. tostring(page.title or "experiments"),
    style = style.text .. more_style.text,
    body = {
      overview.render(full), "\n", navigation(parts), "\n", h.main(nodes),
      h.footer { h.p("Evaluated by Portolan" .. (page.version and " " .. tostring(page.version) or "") .. ".") },
    },
  }
end

return page_report
