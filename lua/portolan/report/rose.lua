--- The ornament of a report's header: a wind rose amid the rhumb lines of a portolan chart. Sixteen points on a hidden
-- circle, joined to the centre and to each other; principal winds, half winds and quarter winds in three inks, as on
-- the old charts.
local svg = require "portolan.report.svg"
local rose = {}

local function polar(cx, cy, radius, turn)
  local angle = 2 * math.pi * turn
  return cx + radius * math.sin(angle), cy - radius * math.cos(angle)
end

-- Rhumb lines: rays from the centre far out, and chords of the hidden circle.
local function rhumbs(cx, cy, circle, far)
  local lines = {}
  for k = 0, 31 do
    local class = k % 4 == 0 and "wind" or k % 2 == 0 and "half-wind" or "quarter-wind"
    local x, y = polar(cx, cy, far, k / 32)
    lines[#lines + 1] = svg.line(class, cx, cy, x, y)
  end
  for k = 0, 15 do
    local x1, y1 = polar(cx, cy, circle, k / 16)
    for _, reach in ipairs { 3, 5, 7 } do
      local x2, y2 = polar(cx, cy, circle, (k + reach) / 16)
      local class = reach == 5 and "half-wind" or "quarter-wind"
      lines[#lines + 1] = svg.line(class, x1, y1, x2, y2)
    end
  end
  return lines
end

-- A point of the star: two halves, one filled and one open.
local function ray(cx, cy, length, waist, turn, spread)
  local tip_x, tip_y = polar(cx, cy, length, turn)
  local left_x, left_y = polar(cx, cy, waist, turn - spread)
  local right_x, right_y = polar(cx, cy, waist, turn + spread)
  return {
    svg.path("open", { "M", cx, cy, "L", left_x, left_y, "L", tip_x, tip_y, "Z" }),
    svg.path("filled", { "M", cx, cy, "L", right_x, right_y, "L", tip_x, tip_y, "Z" }),
  }
end

local function star(cx, cy, radius)
  local parts = {}
  for k = 0, 7 do parts[#parts + 1] = ray(cx, cy, radius * 0.62, radius * 0.16, (k + 0.5) / 8, 1 / 32) end
  for k = 0, 3 do parts[#parts + 1] = ray(cx, cy, radius * 0.82, radius * 0.2, (k + 0.5) / 4, 1 / 16) end
  for k = 0, 3 do parts[#parts + 1] = ray(cx, cy, radius, radius * 0.22, k / 4, 1 / 16) end
  return parts
end

local function ring(cx, cy, radius)
  local parts = { svg.circle("ring-line", cx, cy, radius), svg.circle("ring-line", cx, cy, radius * 1.07) }
  for k = 0, 63 do
    local x1, y1 = polar(cx, cy, radius * (k % 2 == 0 and 1 or 1.035), k / 64)
    local x2, y2 = polar(cx, cy, radius * (k % 8 == 0 and 1.12 or 1.07), k / 64)
    parts[#parts + 1] = svg.line("tick", x1, y1, x2, y2)
  end
  return parts
end

--- The ornament, `size` user units square; purely decorative.
function rose.render(size)
  local c = size / 2
  return svg.frame({ width = size, height = size, class = "rose", decorative = true }, {
    svg.group("rhumbs", rhumbs(c, c, size * 0.46, size)),
    svg.group("ring", ring(c, c, size * 0.125)),
    svg.group("star", star(c, c, size * 0.17)),
  })
end

return rose
