--- The report of a charted processor: one HTML file that needs nothing else.
local html = require "portolan.report.html"
local overview = require "portolan.report.overview"
local picture = require "portolan.report.picture"
local port_sets = require "portolan.report.port_sets"
local schemes = require "portolan.report.schemes"
local accuracy = require "portolan.report.accuracy"
local misfits = require "portolan.report.misfits"
local open_questions = require "portolan.report.open_questions"
local machine = require "portolan.report.machine"
local reproduce = require "portolan.report.reproduce"
local style = require "portolan.report.style"
local script = require "portolan.report.script"
local h = html.tag
local chart_report = {}

local contents = {
  { "mapping", "Mapping" }, { "port-sets", "Port sets" }, { "schemes", "Schemes" }, { "accuracy", "Accuracy" },
  { "misfits", "Misfits" }, { "open", "Open" }, { "machine", "Machine" }, { "reproduce", "Reproduce" },
}

local function navigation()
  local links = {}
  for i, entry in ipairs(contents) do links[i] = h.a { href = "#" .. entry[1], entry[2] } end
  return h.nav { ["aria-label"] = "Sections", links }
end

--- Writes the report of a chart. Every part of the chart may be missing: the report then says so in its place.
-- @tparam table chart shape: docs/report.md
-- @treturn string HTML5 that is also well-formed XML
function chart_report.render(chart)
  assert(type(chart) == "table", "report: the chart must be a table")
  local order = schemes.order(chart)
  local name = chart.machine and chart.machine.cpu or "processor"
  return html.page {
    title = "Portolan: " .. tostring(name),
    style = style.text,
    script = script.text,
    body = {
      overview.render(chart), "\n", navigation(), "\n",
      h.main {
        picture.render(chart, schemes.linker(order)), port_sets.render(chart), schemes.render(chart, order),
        accuracy.render(chart), misfits.render(chart), open_questions.render(chart), machine.render(chart),
        reproduce.render(chart),
      },
      h.footer { h.p("Charted by Portolan" .. (chart.version and " " .. tostring(chart.version) or "")
        .. (chart.date and ", " .. tostring(chart.date) or "") .. ".") },
    },
  }
end

return chart_report
