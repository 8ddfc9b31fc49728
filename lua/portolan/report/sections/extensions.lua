--- A section for reports of charts, by its name: how many schemes of each extension ended in which class. `portolan report --section extensions`.
local catalog = require "portolan.report.catalog"
local statuses = require "portolan.mapping.statuses"

return { title = "Extensions", after = "schemes", render = function(chart, html, kind)
  if kind ~= "chart" then return nil end
  local h, rows = html.tag, {}
  for _, group in ipairs(catalog.grouped(catalog.charted(catalog.of(chart)), function(entry) return entry.extension or "(other)" end)) do
    local all = {}
    for i, entry in ipairs(group.entries) do all[i] = entry.status end
    rows[#rows + 1] = h.tr { h.th { scope = "row", group.key }, h.td { class = "number", #all }, h.td(statuses.tally(all, true)) }
  end
  if #rows == 0 then return html.note "The chart has no schemes." end
  return h.table { h.thead(h.tr { h.th "extension", h.th { class = "number", "schemes" }, h.th "classes" }), h.tbody(rows) }
end }
