--- Section "Errors": how the relative errors of each model are distributed, which a mean hides.
local html = require "portolan.report.html"
local svg = require "portolan.report.svg"
local format = require "portolan.report.format"
local metrics = require "portolan.report.models.metrics"
local section = require "portolan.report.section"
local h = html.tag
local errors = {}

local per_side = 20 -- bins of 5% on each side of 0; the last also holds what is beyond
local width, height = 328, 46

--- Counts relative errors in bins of 5% from -100% to +100%; bin 1 begins at -100%, the last holds all from 95% on. Bins of
-- the middle meet at 0, which belongs to neither side: errors below 2.5% are bin `per_side + 1`.
-- @tparam table model entry of the result of portolan.prediction.accuracy
-- @treturn {number,...} 41 counts
function errors.bins(model)
  local bins = {}
  for k = 1, 2 * per_side + 1 do bins[k] = 0 end
  for i, measured in ipairs(model.measured) do
    local place = math.floor((model.modelled[i] / measured - 1) * per_side + 0.5)
    local k = math.max(-per_side, math.min(per_side, place)) + per_side + 1
    bins[k] = bins[k] + 1
  end
  return bins
end

--- The share of experiments whose error is at most a limit.
function errors.within(model, limit)
  local n = 0
  for i, measured in ipairs(model.measured) do
    if math.abs(model.modelled[i] / measured - 1) <= limit then n = n + 1 end
  end
  return #model.measured > 0 and n / #model.measured or nil
end

local function strip(model, tallest)
  local bins, total, parts = errors.bins(model), #model.measured, {}
  local step = width / #bins
  for k, count in ipairs(bins) do
    if count > 0 then
      local tall = math.max(0.8, math.sqrt(count / total / tallest) * (height - 4))
      local center = (k - per_side - 1) * 5
      local range = k == #bins and "97.5% and more" or ("%g%% to %g%%"):format(center - 2.5, center + 2.5)
      parts[#parts + 1] = svg.rect("bar " .. (k == per_side + 1 and "hit" or k > per_side + 1 and "over" or "under"),
        (k - 1) * step + 0.5, height - tall, step - 1, tall, ("%s: %s"):format(range:gsub("%-", "−"), format.plural(count, "experiment")))
    end
  end
  parts[#parts + 1] = svg.line("base", 0, height, width, height)
  for _, share in ipairs { -1, -0.5, 0, 0.5, 1 } do
    local x = (share * per_side + per_side + 0.5) * step
    parts[#parts + 1] = svg.line("base", x, height, x, height + 3)
    local text = share == 1 and "+100%…" or share == 0 and "0" or ("%+.0f%%"):format(100 * share):gsub("%-", "−")
    parts[#parts + 1] = svg.text("axis", share == -1 and 0 or share == 1 and width or x, height + 14, text,
      share == -1 and "start" or share == 1 and "end" or "middle")
  end
  return svg.frame({ width = width, height = height + 18, class = "errors", title = "Relative errors of " .. model.name }, parts)
end

local function tallest_of(models)
  local tallest = 0
  for _, model in ipairs(models) do
    for _, count in ipairs(errors.bins(model)) do tallest = math.max(tallest, count / #model.measured) end
  end
  return tallest
end

local function row(model, tallest)
  local q = model.summary.quantiles
  local cells = { h.th { scope = "row", h.span { class = "model", model.name } }, h.td { class = "strip", strip(model, tallest) } }
  for _, limit in ipairs { 0.02, 0.05, 0.1, 0.25 } do
    cells[#cells + 1] = h.td { class = "number", format.percent(errors.within(model, limit), 0) }
  end
  for _, k in ipairs { 1, 3, 5 } do cells[#cells + 1] = h.td { class = "number", metrics.signed(q[k]) } end
  return h.tr(cells)
end

--- The section.
function errors.render(page, drawn)
  if #drawn == 0 then return section.new("errors", "Errors", section.missing "There are no errors to show.") end
  local tallest, rows = tallest_of(drawn), {}
  for i, model in ipairs(drawn) do rows[i] = row(model, tallest) end
  local columns = { "model", "relative error", { "within 2%", "number" }, { "5%", "number" }, { "10%", "number" }, { "25%", "number" },
    { "5th percentile", "number" }, { "median", "number" }, { "95th", "number" } }
  return section.new("errors", "Errors", {
    section.note("Shares of experiments by relative error, modelled / measured − 1, in steps of 5%, on the same scale for all models: to the ",
      "left of 0 the model says too few ", page.result.unit == "ipc" and "instructions per cycle" or "cycles",
      ", to the right too many. The last bar holds all beyond. Heights grow with the square root of the share, so that rare errors show."),
    section.table("models strips", columns, rows),
  })
end

return errors
