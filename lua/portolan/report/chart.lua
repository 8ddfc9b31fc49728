--- The report of a charted processor: one HTML file that needs nothing else.
local catalog = require "portolan.report.catalog"
local front_end = require "portolan.report.front_end"
local html = require "portolan.report.html"
local overview = require "portolan.report.overview"
local picture = require "portolan.report.picture"
local port_sets = require "portolan.report.port_sets"
local patterns = require "portolan.report.patterns"
local schemes = require "portolan.report.schemes"
local accuracy = require "portolan.report.accuracy"
local confidence = require "portolan.report.confidence"
local disagreements = require "portolan.report.disagreements"
local latencies = require "portolan.report.latencies"
local misfits = require "portolan.report.misfits"
local more_style = require "portolan.report.style_many"
local open_questions = require "portolan.report.open_questions"
local machine = require "portolan.report.machine"
local reproduce = require "portolan.report.reproduce"
local page_sections = require "portolan.report.page_sections"
local style = require "portolan.report.style"
local script = require "portolan.report.script"
local h = html.tag
local chart_report = {}

-- The sections in their order; those of comparisons that were not made are left out.
local order = {
  { "mapping", "Mapping", picture }, { "port-sets", "Port sets", port_sets }, { "schemes", "Schemes", schemes },
  { "patterns", "Patterns", patterns }, { "latencies", "Latencies", latencies }, { "misfits", "Classes", misfits },
  { "accuracy", "Accuracy", accuracy }, { "disagreements", "Disagreements", disagreements }, { "confidence", "Confidence", confidence },
  { "open", "Open", open_questions }, { "front-end", "Front end", front_end }, { "machine", "Machine", machine },
  { "reproduce", "Reproduce", reproduce },
}

--- The identifiers of the sections.
chart_report.ids = page_sections.ids(order)

--- Writes the report of a chart. Every part of the chart may be missing: the report then says so in its place.
-- @tparam table chart shape: docs/report.md
-- @tparam[opt] table options
-- @tparam[opt] table options.sections of the user's own (portolan.report.own_section)
-- @tparam[opt] table options.troubles list to which a message is added for each of these that fails
-- @treturn string HTML5 that is also well-formed XML
function chart_report.render(chart, options)
  assert(type(chart) == "table", "report: the chart must be a table")
  local list = catalog.of(chart)
  local own = { kind = "chart", data = chart, list = options and options.sections, troubles = options and options.troubles }
  local nodes, links = page_sections.render(order, own, chart, list)
  local name = chart.machine and chart.machine.cpu or "processor"
  return html.page {
    title = "Portolan: " .. tostring(name),
    style = style.text .. more_style.text,
    script = script.text,
    body = {
      overview.render(chart, list), "\n", h.nav { ["aria-label"] = "Sections", links }, "\n", h.main(nodes),
      h.footer { h.p("Charted by Portolan" .. (chart.version and " " .. tostring(chart.version) or "")
        .. (chart.date and ", " .. tostring(chart.date) or "") .. ".") },
    },
  }
end

return chart_report
