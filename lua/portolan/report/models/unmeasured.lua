--- Section "Not measured": how many blocks were not measured, and why.
local html = require "portolan.report.html"
local format = require "portolan.report.format"
local lists = require "portolan.support.lists"
local section = require "portolan.report.section"
local h = html.tag
local unmeasured = {}

--- The section; nil unless the experiments are blocks of which some were not measured.
function unmeasured.render(page)
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

return unmeasured
