--- Measured against modelled throughput as a two-dimensional histogram (dissertation Figs. 3.6 and 6.3): further right is
-- slower in the measurement, further up slower in the model, darker means more experiments; on the diagonal both agree.
local core = require "portolan.core"
local html = require "portolan.report.html"
local svg = require "portolan.report.svg"
local format = require "portolan.report.format"
local h = html.tag
local heatmap = {}

local classes = 6 -- colours h1 ... h6

--- Smallest counts of the colour classes: doubling, or growing faster where bins hold many.
-- @tparam number most the largest count of a bin in all maps that are to be compared
-- @treturn {number,...}
function heatmap.thresholds(most)
  local factor = 2
  for _, candidate in ipairs { 2, 3, 4, 5, 10, 20, 50, 100 } do
    factor = candidate
    if candidate ^ classes > most then break end
  end
  local list = {}
  for i = 1, classes do list[i] = math.tointeger(factor ^ (i - 1)) end
  return list
end

local function class(count, thresholds)
  local found = 1
  for i, least in ipairs(thresholds) do
    if count >= least then found = i end
  end
  return "h" .. found
end

-- Points as two lists; what is no number is left out.
local function series_of(points)
  local series = { measured = {}, modelled = {} }
  for _, p in ipairs(points or {}) do
    if format.finite(p.measured) and format.finite(p.modelled) and p.measured >= 0 and p.modelled >= 0 then
      table.insert(series.measured, p.measured)
      table.insert(series.modelled, p.modelled)
    end
  end
  return series
end

local function round_up(value)
  local step = svg.step(value, 6)
  return math.ceil(value / step - 1e-9) * step, step
end

local most_sampled = 20000 -- values of which quantiles are taken

-- The larger of the two values of each point, sorted (of very many points, evenly chosen ones); and the largest of all.
local function extents(plots)
  local total, largest, values = 0, 0, {}
  for _, plot in ipairs(plots) do total = total + #plot.measured end
  local stride, count = math.max(1, total // most_sampled), 0
  for _, plot in ipairs(plots) do
    for i, measured in ipairs(plot.measured) do
      local value = math.max(measured, plot.modelled[i])
      largest = math.max(largest, value)
      count = count + 1
      if count % stride == 0 then values[#values + 1] = value end
    end
  end
  table.sort(values)
  return values, largest
end

--- Tells where axes should end: at the largest value, unless a few stragglers would squeeze all others into a corner.
-- @tparam table plots list of { measured = {...}, modelled = {...} } that share the axes
-- @treturn number end of both axes
-- @treturn number step between two marks
function heatmap.axis(plots)
  local values, largest = extents(plots)
  local typical = values[math.max(1, math.floor(0.97 * #values))] or largest
  if largest > 2 * typical then largest = typical * 1.2 end
  return round_up(largest > 0 and largest or 1)
end

--- Tells where a closer view of the crowd should end: nil unless most points lie in the lower part of the axes.
-- @tparam table plots as for axis; or list of { measured=, modelled= } points
-- @treturn number|nil end of both axes
function heatmap.close_up(plots)
  if not (plots[1] and type(plots[1].measured) == "table") then plots = { series_of(plots) } end
  local values = extents(plots)
  local crowd = values[math.floor(0.85 * #values)]
  if not crowd or crowd <= 0 or crowd > 0.45 * heatmap.axis(plots) then return nil end
  return (round_up(crowd))
end

--- Counts points in square bins.
-- @tparam table plot { measured = {...}, modelled = {...} }, or a list of points { measured=, modelled= } in the same unit
-- @tparam number bins per axis (default 40)
-- @tparam number max end of both axes (chosen from the points if nil)
-- @treturn table max=, step=, bins=, counts[row][column] (row 1 at the bottom), inside=, outside=, most= (in one bin)
function heatmap.histogram(plot, bins, max)
  local series = plot and plot.measured and plot or series_of(plot)
  local end_of_axis, step
  if max then end_of_axis, step = max, svg.step(max, 6) else end_of_axis, step = heatmap.axis { series } end
  local grid = core.model.heatmap(series.modelled, series.measured, { max = end_of_axis, columns = bins or 40, rows = bins or 40 })
  grid.max, grid.step, grid.bins, grid.most = end_of_axis, step, bins or 40, 0
  for _, row in pairs(grid.counts) do
    for _, count in pairs(row) do grid.most = math.max(grid.most, count) end
  end
  return grid
end

-- Places in user units: of the plot area, and of what is written around it.
local function layout_of(plot)
  local small = plot.small
  return { left = small and 34 or 46, top = small and 6 or 10, side = small and 190 or 360, small = small }
end

local function axes(grid, unit, at)
  local parts, bottom = {}, at.top + at.side
  local step = at.small and svg.step(grid.max, 3) or grid.step
  for i = 0, math.floor(grid.max / step + 1e-9) do
    local value = i * step
    local place = value / grid.max * at.side
    local text = ("%g"):format(value)
    parts[#parts + 1] = svg.line("grid", at.left + place, at.top, at.left + place, bottom)
    parts[#parts + 1] = svg.line("grid", at.left, bottom - place, at.left + at.side, bottom - place)
    parts[#parts + 1] = svg.text("axis", at.left + place, bottom + 15, text, "middle")
    parts[#parts + 1] = svg.text("axis", at.left - 6, bottom - place + 3.5, text, "end")
  end
  if not at.small then
    parts[#parts + 1] = svg.text("axis-title", at.left + at.side / 2, bottom + 33, "measured (" .. unit .. ")", "middle")
    parts[#parts + 1] = svg.group("upright",
      svg.text("axis-title", -(at.top + at.side / 2), 12, "modelled (" .. unit .. ")", "middle"))
  end
  return parts
end

local function squares(grid, unit, at, thresholds)
  local parts, size = {}, at.side / grid.bins
  local width = grid.max / grid.bins
  for row = 1, grid.bins do
    for column = 1, grid.bins do
      local count = grid.counts[row] and grid.counts[row][column]
      if count then
        local note = ("%s: measured %.2f–%.2f, modelled %.2f–%.2f %s"):format(format.plural(count, "experiment"),
          (column - 1) * width, column * width, (row - 1) * width, row * width, unit)
        parts[#parts + 1] = svg.rect("bin " .. class(count, thresholds), at.left + (column - 1) * size,
          at.top + at.side - row * size, size, size, not at.small and note)
      end
    end
  end
  return parts
end

-- Agreement, and within ten percent of it.
local function diagonals(at)
  local x, y = at.left + at.side, at.top + at.side
  return {
    svg.line("band", at.left, y, at.left + at.side / 1.1, at.top),
    svg.line("band", at.left, y, x, y - at.side / 1.1),
    svg.line("diagonal", at.left, y, x, at.top),
  }
end

local function metrics_box(metrics, at)
  local rows = {
    { "MAPE", format.percent(metrics.mape) },
    { "Pearson", format.coefficient(metrics.pearson) },
    { "Kendall τ", format.coefficient(metrics.kendall) },
  }
  local parts = { svg.rect("box", at.left + 8, at.top + 8, 122, 56, nil, 2) }
  for i, row in ipairs(rows) do
    local y = at.top + 8 + i * 16
    parts[#parts + 1] = svg.text("metric-name", at.left + 16, y, row[1])
    parts[#parts + 1] = svg.text("metric", at.left + 122, y, row[2], "end")
  end
  return parts
end

-- The classes up to that of the largest count: list of { class =, text = }.
local function key(most, thresholds)
  local list = {}
  for i, least in ipairs(thresholds) do
    if least <= most then
      local last = thresholds[i + 1] and thresholds[i + 1] - 1
      list[i] = { class = "bin h" .. i, text = not last and least .. "+" or last == least and tostring(least) or least .. "–" .. last }
    end
  end
  return list
end

local function legend(most, thresholds, x, y)
  local parts = { svg.text("axis", x, y + 10, "experiments per bin") }
  x = x + 124
  for _, entry in ipairs(key(most, thresholds)) do
    parts[#parts + 1] = svg.rect(entry.class, x, y, 12, 12)
    parts[#parts + 1] = svg.text("axis", x + 16, y + 10, entry.text)
    x = x + 22 + 6.6 * (utf8.len(entry.text) or #entry.text)
  end
  return parts
end

--- The meaning of the colours of several maps, as a line of its own.
-- @tparam number most the largest count of a bin
-- @treturn table node
function heatmap.legend(most)
  local items = {}
  for i, entry in ipairs(key(most, heatmap.thresholds(most))) do
    items[i] = h.span { class = "swatch",
      svg.frame({ width = 12, height = 12, decorative = true }, { svg.rect(entry.class, 0, 0, 12, 12) }), entry.text }
  end
  return h.p { class = "keys", "experiments per bin", items }
end

--- The drawing.
-- @tparam table plot
-- @tparam[opt] {number,...} plot.measured one value per experiment
-- @tparam[opt] {number,...} plot.modelled likewise
-- @tparam[opt] table plot.points in place of these two: list of { measured=, modelled= }
-- @tparam[opt] table plot.metrics { mape= (a fraction), pearson=, kendall= }
-- @tparam[opt="cycles"] string plot.unit
-- @tparam[opt] int plot.bins per axis
-- @tparam[opt] number plot.max end of both axes
-- @tparam[opt] int plot.most the largest count of the maps it is compared with, which then share one legend elsewhere
-- @tparam[opt] boolean plot.small without titles of axes and notes
-- @tparam[opt] string plot.title for those who cannot see it
-- @treturn table|nil node, nil if there is no point to draw
-- @treturn table histogram as of heatmap.histogram
function heatmap.render(plot)
  local unit, at = plot.unit or "cycles", layout_of(plot)
  local grid = heatmap.histogram(plot.measured and plot or plot.points, plot.bins, plot.max)
  if grid.inside + grid.outside == 0 then return nil, grid end
  local thresholds, below = heatmap.thresholds(plot.most or grid.most), at.small and 22 or 40
  local node = svg.frame({
    width = at.left + at.side + 14, height = at.top + at.side + (plot.most and below or 62), class = "heatmap",
    title = plot.title or ("Heat map of " .. format.plural(grid.inside, "experiment") .. ": measured against modelled " .. unit),
  }, {
    svg.rect("plot", at.left, at.top, at.side, at.side),
    axes(grid, unit, at), diagonals(at), squares(grid, unit, at, thresholds),
    plot.metrics and metrics_box(plot.metrics, at),
    not plot.most and legend(grid.most, thresholds, 12, at.top + at.side + 46),
  })
  return node, grid
end

return heatmap
