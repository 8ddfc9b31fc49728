--- Quiet share of the samples over time as a small area chart: how calm the machine was while it was measured.
local svg = require "portolan.report.svg"
local format = require "portolan.report.format"
local timeline = {}

local left, top, width, height = 34, 6, 560, 74

local function usable(points)
  local list = {}
  for _, p in ipairs(points or {}) do
    if format.finite(p.t) and format.finite(p.quiet) then
      list[#list + 1] = { t = p.t, quiet = math.max(0, math.min(1, p.quiet)) }
    end
  end
  table.sort(list, function(a, b) return a.t < b.t end)
  return list
end

-- Each value holds until the next: the samples between two points belong to the earlier one.
local function outline(points, first, span)
  local bottom = top + height
  local steps, last_y = {}, nil
  for i, p in ipairs(points) do
    local x, y = left + (p.t - first) / span * width, bottom - p.quiet * height
    if i == 1 then
      steps = { "M", x, y }
    else
      for _, step in ipairs { "L", x, last_y, "L", x, y } do steps[#steps + 1] = step end
    end
    last_y = y
  end
  return steps
end

--- The drawing.
-- @tparam table points list of { t = seconds, quiet = 0..1 }
-- @treturn table|nil node, nil with fewer than two points
function timeline.render(points)
  points = usable(points)
  if #points < 2 or points[#points].t <= points[1].t then return nil end
  local first, last = points[1].t, points[#points].t
  local span, bottom = last - first, top + height
  local line = outline(points, first, span)
  local area = table.move(line, 1, #line, 1, {})
  for _, step in ipairs { "L", left + width, bottom, "L", left, bottom, "Z" } do area[#area + 1] = step end
  local parts = { svg.path("area", area), svg.path("line", line) }
  for _, share in ipairs { 0, 0.5, 1 } do
    local y = bottom - share * height
    parts[#parts + 1] = svg.line("grid", left, y, left + width, y)
    parts[#parts + 1] = svg.text("axis", left - 5, y + 3.5, format.percent(share, 0), "end")
  end
  local step = svg.step(span, 6)
  for i = 0, math.floor(span / step + 1e-9) do
    local x = left + i * step / span * width
    parts[#parts + 1] = svg.line("grid", x, bottom, x, bottom + 4)
    parts[#parts + 1] = svg.text("axis", x, bottom + 15, ("%g"):format(i * step) .. (i == 0 and " s" or ""), "middle")
  end
  return svg.frame({ width = left + width + 16, height = bottom + 20, class = "timeline",
    title = "Share of quiet samples over the measuring time" }, parts)
end

return timeline
