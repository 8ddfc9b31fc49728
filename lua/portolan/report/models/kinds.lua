--- Section "Kinds": the errors of all models by kind of block.
local html = require "portolan.report.html"
local format = require "portolan.report.format"
local metrics = require "portolan.report.models.metrics"
local section = require "portolan.report.section"
local h = html.tag
local kinds = {}

local function numbers(title, models, value)
  local names, rows = { "kind", "blocks" }, {}
  for i, model in ipairs(models) do names[i + 2] = model.name end
  for k, part in ipairs(models[1].by_category) do
    local cells = { h.th { scope = "row", part.label }, h.td { class = "number", format.count(#part.measured) } }
    for i, model in ipairs(models) do cells[i + 2] = h.td { class = "number", value(model.by_category[k].summary) } end
    rows[k] = h.tr(cells)
  end
  return h.div { h.h3(title), h.div { class = "scroll", h.table { class = "models by-length", metrics.head(names), h.tbody(rows) } } }
end

--- The section; nil if the experiments are of no kinds.
function kinds.render(_, drawn)
  if #drawn == 0 or not drawn[1].by_category then return nil end
  return section.new("kinds", "By kind", {
    section.note("The same by what blocks work on and what they do with memory. Every block is of one kind."),
    h.div { class = "number-tables",
      numbers("MAPE", drawn, function(s) return format.percent(s.mape) end),
      numbers("Kendall τ", drawn, function(s) return format.coefficient(s.kendall) end),
      numbers("bias", drawn, function(s) return metrics.signed(s.bias) end) },
  })
end

return kinds
