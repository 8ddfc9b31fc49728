--- Section "Accuracy": fresh random experiments, measured against modelled.
local html = require "portolan.report.html"
local format = require "portolan.report.format"
local heatmap = require "portolan.report.heatmap"
local section = require "portolan.report.section"
local witness = require "portolan.report.witness"
local h = html.tag
local accuracy = {}

local worst_count = 10

--- The experiments with the largest relative deviation of the model.
-- @tparam table list of { experiment=, measured=, modelled= }
-- @tparam number count
-- @treturn table list of { point=, deviation= (a fraction of the measured value; positive: slower than modelled) }
function accuracy.worst(list, count)
  local ranked = {}
  for i, point in ipairs(list) do
    if format.finite(point.measured) and format.finite(point.modelled) and point.measured > 0 then
      ranked[#ranked + 1] = { point = point, deviation = 1 - point.modelled / point.measured, place = i }
    end
  end
  table.sort(ranked, function(a, b)
    local x, y = math.abs(a.deviation), math.abs(b.deviation)
    if x ~= y then return x > y end
    return a.place < b.place
  end)
  return table.move(ranked, 1, math.min(count, #ranked), 1, {})
end

local function points_of(list, field)
  local points = {}
  for i, point in ipairs(list) do points[i] = { measured = point.measured, modelled = point[field] } end
  return points
end

local function figure(points, metrics, caption, max)
  local drawing, grid = heatmap.render { points = points, metrics = metrics, title = caption, max = max }
  if not drawing then return nil end
  return h.figure { drawing, h.figcaption { caption,
    grid.outside > 0 and ("; %s beyond the axes"):format(format.plural(grid.outside, "experiment")), "." } }
end

local function figures(list, evaluation)
  local points = points_of(list, "modelled")
  local whole = figure(points, evaluation, format.plural(#list, "fresh random experiment") .. " against the mapping")
  if not whole then return nil end
  local close = heatmap.close_up(points)
  local bound = points_of(list, "binder")
  return {
    whole,
    close and figure(points, nil, "The same, closer", close),
    figure(bound, evaluation.binder, "The same against a greedy port binder on the mapping, as cores have one, in the "
      .. "place of the best schedule", close),
  }
end

-- What share of the experiments is how far off: the number a mean hides.
local function spread(list)
  local ranked, within = accuracy.worst(list, #list), { [0.02] = 0, [0.05] = 0, [0.1] = 0, [0.25] = 0 }
  if #ranked == 0 then return nil end
  local faster = 0
  for _, entry in ipairs(ranked) do
    for limit in pairs(within) do
      if math.abs(entry.deviation) <= limit then within[limit] = within[limit] + 1 end
    end
    if entry.deviation < -0.02 then faster = faster + 1 end
  end
  local items = {}
  for i, limit in ipairs { 0.02, 0.05, 0.1, 0.25 } do
    items[i] = h.li { h.b(format.percent(within[limit] / #ranked, 0)), " within " .. format.percent(limit, 0) }
  end
  return h.div {
    h.ul { class = "spread", items },
    section.note(faster == 0 and "No experiment" or format.plural(faster, "experiment"),
      " ran more than 2% faster than the model allows; the rest of the ",
      "deviation is the hardware being slower: the model takes the best possible schedule, a core does not always find it."),
  }
end

local function worst_table(list)
  local rows = {}
  for i, entry in ipairs(accuracy.worst(list, worst_count)) do
    rows[i] = h.tr {
      h.td { class = "experiment", h.code(witness.experiment(entry.point.experiment)) },
      h.td { class = "number", format.cycles(entry.point.measured) },
      h.td { class = "number", format.cycles(entry.point.modelled) },
      h.td { class = "number", format.deviation(entry.point.measured, entry.point.modelled) },
    }
  end
  if #rows == 0 then return nil end
  return { h.h3(#rows == 1 and "The worst" or ("The worst " .. #rows)), h.div { class = "scroll", h.table {
    class = "witnesses worst",
    h.thead(h.tr { h.th { scope = "col", "experiment" }, h.th { scope = "col", class = "number", "measured" },
      h.th { scope = "col", class = "number", "modelled" }, h.th { scope = "col", class = "number", "deviation" } }),
    h.tbody(rows),
  } } }
end

--- The section.
function accuracy.render(chart)
  local id, title = "accuracy", "Measured against modelled"
  local evaluation = chart.evaluation
  local list = evaluation and evaluation.list or {}
  local drawings = evaluation and figures(list, evaluation)
  if not drawings then
    return section.new(id, title, section.missing
      "No fresh experiments were measured, so the mapping's accuracy is not known.")
  end
  return section.new(id, title, {
    section.note("None of these experiments took part in the inference. Darker bins hold more experiments; on the line ",
      "model and measurement agree, between the dashed lines to within 10%. MAPE is the mean absolute percentage error ",
      "(0 is best), Pearson's coefficient says how linear the relation is, Kendall's τ how well the order is kept (1 is best)."),
    h.div { class = "accuracy", drawings, h.div { class = "beside", spread(list), worst_table(list) } },
  })
end

return accuracy
