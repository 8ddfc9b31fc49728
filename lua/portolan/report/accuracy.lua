--- Section "Accuracy": fresh random experiments, measured against modelled, here and by other models.
local experiment = require "portolan.experiment"
local html = require "portolan.report.html"
local format = require "portolan.report.format"
local heatmap = require "portolan.report.heatmap"
local rivals = require "portolan.report.rivals"
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

-- Instances of an experiment given as text or as counts; nil if it is neither.
local function length_of(e)
  if type(e) == "string" then e = experiment.parse(e) end
  return type(e) == "table" and experiment.length(e) or nil
end

-- Cycles of the i-th experiment in the unit of the drawings.
local function converter(list, unit)
  if unit ~= "IPC" then return function(_, cycles) return cycles end end
  local lengths = {}
  for i, point in ipairs(list) do lengths[i] = length_of(point.experiment) end
  return function(i, cycles) return lengths[i] and format.finite(cycles) and cycles > 0 and lengths[i] / cycles or nil end
end

-- function(values) -> points, where values(i) is what a model says of the i-th experiment, in cycles.
local function pointer(list, unit)
  local convert = converter(list, unit)
  return function(values)
    local points = {}
    for i, point in ipairs(list) do points[i] = { measured = convert(i, point.measured), modelled = convert(i, values(i)) } end
    return points
  end
end

local function figure(points, metrics, caption, max, unit)
  local drawing, grid = heatmap.render { points = points, metrics = metrics, title = caption, max = max, unit = unit }
  if not drawing then return nil end
  return h.figure { drawing, h.figcaption { caption,
    grid.outside > 0 and ("; %s beyond the axes"):format(format.plural(grid.outside, "experiment")), "." } }
end

local function figures(list, evaluation, points_of, unit)
  local points = points_of(function(i) return list[i].modelled end)
  local whole = figure(points, evaluation, format.plural(#list, "fresh random experiment") .. " against the mapping", nil, unit)
  if not whole then return nil end
  local close = heatmap.close_up(points)
  local bound = points_of(function(i) return list[i].binder end)
  return {
    whole,
    close and figure(points, nil, "The same, closer", close, unit),
    figure(bound, evaluation.binder, "The same against a greedy port binder on the mapping, as cores have one, in the "
      .. "place of the best schedule", close, unit),
  }
end

-- The shares of experiments that are off by at most so much, which a mean hides.
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
  return { h.h3(#rows == 1 and "The worst" or ("The worst " .. #rows)),
    section.table("witnesses worst", { "experiment", { "measured", "number" }, { "modelled", "number" }, { "deviation", "number" } }, rows) }
end

--- The section.
function accuracy.render(chart)
  local id, title = "accuracy", "Measured against modelled"
  local evaluation = chart.evaluation
  local list = evaluation and evaluation.list or {}
  local unit = evaluation and evaluation.metric == "IPC" and "IPC" or "cycles"
  local points_of = pointer(list, unit)
  local drawings = evaluation and figures(list, evaluation, points_of, unit)
  if not drawings then
    return section.new(id, title, section.missing
      "No fresh experiments were measured, so the mapping's accuracy is not known.")
  end
  return section.new(id, title, {
    section.note("None of these experiments took part in the inference. Darker bins hold more experiments; on the line ",
      "model and measurement agree, between the dashed lines to within 10%. MAPE is the mean absolute percentage error ",
      "(0 is best), Pearson's coefficient says how linear the relation is, Kendall's τ how well the order is kept (1 is best)",
      unit == "IPC" and "; they are over instructions per cycle (IPC)." or "."),
    h.div { class = "accuracy", drawings, h.div { class = "beside", spread(list), worst_table(list) } },
    rivals.table(evaluation), rivals.maps(evaluation, points_of, unit),
  })
end

return accuracy
