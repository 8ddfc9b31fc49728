--- Section "Order": the spread of CPI over orders of the same instructions (Table 3.1), which no model of multisets can follow.
local html = require "portolan.report.html"
local format = require "portolan.report.format"
local metrics = require "portolan.report.models.metrics"
local section = require "portolan.report.section"
local spread = require "portolan.orders"
local witness = require "portolan.report.witness"
local h = html.tag
local orders = {}

local function row(r, name)
  return h.tr { h.th { scope = "row", name or r.label }, h.td { class = "number", format.count(r.n) },
    h.td { class = "number", ("%.3f"):format(r.mean) }, h.td { class = "number", ("%.2f"):format(r.max) },
    h.td { class = "number", format.percent(r.above) },
    h.td { class = "experiment", h.code(witness.experiment(r.widest)) } }
end

--- The section; nil if no experiment was measured in several orders.
function orders.render(page)
  local found = page.spread
  if not found then return nil end
  local rows = {}
  for i, r in ipairs(found.rows) do rows[i] = row(r) end
  if #rows > 1 then rows[#rows + 1] = row(found.all, "all") end
  local head = metrics.head { "instructions", "experiments", "mean ΔCPI", "max ΔCPI", ("ΔCPI above %g"):format(spread.threshold) }
  table.insert(head.content[1].content[1], h.th { scope = "col", class = "wide", "the widest" })
  return section.new("order", "By order", {
    section.note("A model takes experiments for multisets; the order of instructions is none of its business. ΔCPI is the difference ",
      "between the slowest and the fastest order that was measured of the same instructions."),
    h.div { class = "scroll", h.table { class = "models orders", head, h.tbody(rows) } },
  })
end

return orders
