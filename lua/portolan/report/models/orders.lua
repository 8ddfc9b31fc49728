--- Section "Order": the spread of CPI over orders of the same instructions (Table 3.1), which no model of multisets can follow.
local html = require "portolan.report.html"
local format = require "portolan.report.format"
local section = require "portolan.report.section"
local spread = require "portolan.experiment.orders"
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
  local columns = { "instructions", { "experiments", "number" }, { "mean ΔCPI", "number" }, { "max ΔCPI", "number" },
    { ("ΔCPI above %g"):format(spread.threshold), "number" }, { "the widest", "wide" } }
  return section.new("order", "By order", {
    section.note("A model takes experiments for multisets; the order of instructions is none of its business. ΔCPI is the difference ",
      "between the slowest and the fastest order that was measured of the same instructions."),
    section.table("models orders", columns, rows),
  })
end

return orders
