--- Measured against modelled inverse throughput as a two-dimensional histogram (dissertation Fig. 3.6): further right is
-- slower in the measurement, further up slower in the model, darker means more experiments; on the diagonal both agree.
local svg = require "portolan.report.svg"
local format = require "portolan.report.format"
local heatmap = {}

-- Smallest counts of the colour classes h1 ... h6.
local thresholds = { 1, 2, 4, 8, 16, 32 }

local function class(count)
  local found = 1
  for i, least in ipairs(thresholds) do
    if count >= least then found = i end
  end
  return "h" .. found
end

local function usable(points)
  local list = {}
  for _, p in ipairs(points or {}) do
    if format.finite(p.measured) and format.finite(p.modelled) and p.measured >= 0 and p.modelled >= 0 then
      list[#list + 1] = p
    end
  end
  return list
end

-- The axes end at the largest value, unless a few stragglers would squeeze all others into a corner.
local function axis(points, wanted)
  if wanted then return wanted, svg.step(wanted, 6) end
  local values = {}
  for _, p in ipairs(points) do values[#values + 1] = math.max(p.measured, p.modelled) end
  table.sort(values)
  local largest = values[#values] or 1
  local typical = values[math.max(1, math.floor(0.97 * #values))] or 1
  if largest > 2 * typical then largest = typical * 1.2 end
  if largest <= 0 then largest = 1 end
  local step = svg.step(largest, 6)
  return math.ceil(largest / step - 1e-9) * step, step
end

--- Counts points in square bins.
-- @tparam table points list of { measured=, modelled= } in the same unit
-- @tparam number bins per axis (default 40)
-- @tparam number max end of both axes (chosen from the points if nil)
-- @treturn table max=, step=, bins=, counts[row][column] (row 1 at the bottom), inside=, outside=
function heatmap.histogram(points, bins, max)
  points, bins = usable(points), bins or 40
  local step
  max, step = axis(points, max)
  local counts, inside, outside = {}, 0, 0
  for _, p in ipairs(points) do
    local column = math.min(bins, math.floor(p.measured / max * bins) + 1)
    local row = math.min(bins, math.floor(p.modelled / max * bins) + 1)
    if p.measured > max or p.modelled > max then
      outside = outside + 1
    else
      counts[row] = counts[row] or {}
      counts[row][column] = (counts[row][column] or 0) + 1
      inside = inside + 1
    end
  end
  return { max = max, step = step, bins = bins, counts = counts, inside = inside, outside = outside }
end

local left, top, side = 46, 10, 360 -- of the plot area; user units

local function axes(grid, unit)
  local parts, bottom = {}, top + side
  for i = 0, math.floor(grid.max / grid.step + 0.5) do
    local value = i * grid.step
    local at = value / grid.max * side
    local text = ("%g"):format(value)
    parts[#parts + 1] = svg.line("grid", left + at, top, left + at, bottom)
    parts[#parts + 1] = svg.line("grid", left, bottom - at, left + side, bottom - at)
    parts[#parts + 1] = svg.text("axis", left + at, bottom + 15, text, "middle")
    parts[#parts + 1] = svg.text("axis", left - 6, bottom - at + 3.5, text, "end")
  end
  parts[#parts + 1] = svg.text("axis-title", left + side / 2, bottom + 33, "measured (" .. unit .. ")", "middle")
  parts[#parts + 1] = svg.group("upright", svg.text("axis-title", -(top + side / 2), 12, "modelled (" .. unit .. ")", "middle"))
  return parts
end

local function squares(grid, unit)
  local parts, size = {}, side / grid.bins
  local width = grid.max / grid.bins
  for row = 1, grid.bins do
    for column = 1, grid.bins do
      local count = grid.counts[row] and grid.counts[row][column]
      if count then
        local note = ("%s: measured %.2f–%.2f, modelled %.2f–%.2f %s"):format(format.plural(count, "experiment"),
          (column - 1) * width, column * width, (row - 1) * width, row * width, unit)
        parts[#parts + 1] = svg.rect("bin " .. class(count), left + (column - 1) * size, top + side - row * size,
          size, size, note)
      end
    end
  end
  return parts
end

-- Agreement, and within ten percent of it.
local function diagonals()
  local x, y = left + side, top + side
  return {
    svg.line("band", left, y, left + side / 1.1, top),
    svg.line("band", left, y, x, y - side / 1.1),
    svg.line("diagonal", left, y, x, top),
  }
end

local function metrics_box(metrics)
  local rows = {
    { "MAPE", format.percent(metrics.mape) },
    { "Pearson", format.coefficient(metrics.pearson) },
    { "Kendall τ", format.coefficient(metrics.kendall) },
  }
  local parts = { svg.rect("box", left + 8, top + 8, 122, 56, nil, 2) }
  for i, row in ipairs(rows) do
    local y = top + 8 + i * 16
    parts[#parts + 1] = svg.text("metric-name", left + 16, y, row[1])
    parts[#parts + 1] = svg.text("metric", left + 122, y, row[2], "end")
  end
  return parts
end

local function legend(grid)
  local most = 0
  for _, row in pairs(grid.counts) do
    for _, count in pairs(row) do most = math.max(most, count) end
  end
  local x, y = 12, top + side + 46
  local parts = { svg.text("axis", x, y + 10, "experiments per bin") }
  x = x + 124
  for i, least in ipairs(thresholds) do
    if least <= most then
      local last = thresholds[i + 1] and thresholds[i + 1] - 1
      local text = not last and least .. "+" or last == least and tostring(least) or least .. "–" .. last
      parts[#parts + 1] = svg.rect("bin h" .. i, x, y, 12, 12)
      parts[#parts + 1] = svg.text("axis", x + 16, y + 10, text)
      x = x + 22 + 6.6 * (utf8.len(text) or #text)
    end
  end
  return parts
end

--- Where a closer view of the crowd should end: nil unless most points lie in the lower part of the axes.
-- @tparam table points as above
-- @treturn number|nil end of both axes
function heatmap.close_up(points)
  points = usable(points)
  local full, values = axis(points), {}
  for i, p in ipairs(points) do values[i] = math.max(p.measured, p.modelled) end
  table.sort(values)
  local crowd = values[math.floor(0.85 * #values)]
  if not crowd or crowd <= 0 or crowd > 0.45 * full then return nil end
  local step = svg.step(crowd, 6)
  return math.ceil(crowd / step - 1e-9) * step
end

--- The drawing.
-- @tparam table plot points = list of { measured=, modelled= }; metrics = { mape= (a fraction), pearson=, kendall= } or
--   nil; unit = "cycles" (default); bins = per axis; max = end of both axes; title = for who cannot see it
-- @treturn table|nil node, nil if there is no point to draw
-- @treturn table histogram as of heatmap.histogram
function heatmap.render(plot)
  local unit = plot.unit or "cycles"
  local grid = heatmap.histogram(plot.points, plot.bins, plot.max)
  if grid.inside + grid.outside == 0 then return nil, grid end
  local node = svg.frame({
    width = left + side + 14, height = top + side + 62, class = "heatmap",
    title = plot.title or ("Heat map of " .. format.plural(grid.inside, "experiment") .. ": measured against modelled " .. unit),
  }, {
    svg.rect("plot", left, top, side, side),
    axes(grid, unit), diagonals(), squares(grid, unit),
    plot.metrics and metrics_box(plot.metrics),
    legend(grid),
  })
  return node, grid
end

return heatmap
