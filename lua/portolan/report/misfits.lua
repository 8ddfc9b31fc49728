--- Section "Misfits": schemes that the model does not explain, each with its evidence.
local html = require "portolan.report.html"
local section = require "portolan.report.section"
local witness = require "portolan.report.witness"
local h = html.tag
local misfits = {}

-- Statuses in the order of their first scheme, each with its misfits.
local function by_status(list)
  local order, groups = {}, {}
  for _, misfit in ipairs(list) do
    local status = tostring(misfit.status or "unexplained")
    if not groups[status] then
      groups[status] = {}
      order[#order + 1] = status
    end
    table.insert(groups[status], misfit)
  end
  return order, groups
end

local function row(misfit)
  return h.tr {
    h.td { class = "scheme", h.code(misfit.scheme or "") },
    h.td {
      misfit.evidence and h.p { class = "remark", misfit.evidence },
      witness.details(misfit.experiments, "experiment"),
      not misfit.evidence and not misfit.experiments and h.p { class = "missing", "No evidence recorded." },
    },
  }
end

--- The section.
function misfits.render(chart)
  local id, title = "misfits", "What needs no port, or does not fit"
  if not chart.misfits or #chart.misfits == 0 then
    return section.new(id, title, section.note(chart.misfits and "Every scheme that was measured fits."
      or "Nothing was recorded as not fitting."))
  end
  local order, groups = by_status(chart.misfits)
  local parts = {}
  for i, status in ipairs(order) do
    local rows = {}
    for j, misfit in ipairs(groups[status]) do rows[j] = row(misfit) end
    parts[i] = { h.h3 { section.status(status), " ", h.span { class = "count", tostring(#rows) } },
      h.div { class = "scroll", h.table { class = "misfits", h.tbody(rows) } } }
  end
  return section.new(id, title, {
    section.note "These are reported as they are, not forced into the mapping.", parts,
  })
end

return misfits
