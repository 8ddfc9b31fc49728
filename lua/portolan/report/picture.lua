--- Section "Mapping": the schemes x ports picture of a chart.
local matrix = require "portolan.report.matrix"
local section = require "portolan.report.section"
local picture = {}

local function has_assumed(mapping)
  for _, scheme in pairs(mapping.schemes or {}) do
    if type(scheme.assumed) == "table" and #scheme.assumed > 0 then return true end
  end
  return false
end

--- The section.
-- @tparam table chart
-- @tparam function link scheme name -> id of its row in the mapping table, or nil
function picture.render(chart, link)
  local mapping = chart.mapping
  local id, title = "mapping", "Which ports each scheme uses"
  if not mapping or not mapping.ports or #mapping.ports == 0 or not next(mapping.schemes or {}) then
    return section.new(id, title, section.missing "No mapping was inferred, so there is nothing to draw.")
  end
  return section.new(id, title, {
    section.note("Each row is an instruction scheme, each column a port. A cell says how many uops of one instance the ",
      "port gets when every uop is spread evenly over the ports it may run on. Port names are labels: throughput cannot ",
      "tell one name from another, so the chart is exact up to renaming ports."),
    matrix.legend(has_assumed(mapping)),
    (matrix.render(mapping, chart.groups, { link = link })),
  })
end

return picture
