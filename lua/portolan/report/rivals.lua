--- Other models on the experiments that a chart was evaluated with: their metrics next to the mapping's, and small heat maps.
local format = require "portolan.report.format"
local heatmap = require "portolan.report.heatmap"
local html = require "portolan.report.html"
local section = require "portolan.report.section"
local h = html.tag
local rivals = {}

local columns = {
  { "MAPE", "mape", format.percent, false }, { "Pearson", "pearson", format.coefficient, true },
  { "Kendall τ", "kendall", format.coefficient, true },
  { "… to 0.02 cycles", "kendall_resolved", format.coefficient, true },
}

-- The row with the best value of a column; nil if there is only one.
local function best(models, column)
  local sign = column[4] and -1 or 1
  return #models > 1 and format.least(models, function(model) return format.finite(model[column[2]]) and sign * model[column[2]] end) or nil
end

--- The models of an evaluation: the mapping, the greedy binder on it, others.
-- @treturn table list of { name =, mape =, pearson =, kendall =, kendall_resolved =, cycles = (list, as evaluation.list) }
function rivals.models(evaluation)
  local models = {}
  local function add(name, m)
    local row = { name = name }
    for _, column in ipairs(columns) do row[column[2]] = m[column[2]] end
    models[#models + 1] = row
  end
  add("this mapping", evaluation)
  if evaluation.binder then add("the same, ports bound greedily", evaluation.binder) end
  for _, other in ipairs(type(evaluation.others) == "table" and evaluation.others or {}) do models[#models + 1] = other end
  return models
end

--- All models in one table; nil if there are no others.
function rivals.table(evaluation)
  if type(evaluation.others) ~= "table" or #evaluation.others == 0 then return nil end
  local models, rows, marks, head = rivals.models(evaluation), {}, {}, { "model" }
  for k, column in ipairs(columns) do
    marks[k] = best(models, column)
    head[k + 1] = { column[1], "number" }
  end
  for i, model in ipairs(models) do
    local cells = { h.th { scope = "row", tostring(model.name or "unnamed") } }
    for k, column in ipairs(columns) do
      cells[k + 1] = h.td { class = "number" .. (marks[k] == i and " best" or ""), column[3](model[column[2]]) }
    end
    rows[i] = h.tr(cells)
  end
  return { h.h3 "Other models on the same experiments", section.table("rivals", head, rows) }
end

--- Small heat maps of the others that say their cycles, with the axes and colours in common; nil if there are none.
-- @tparam table evaluation
-- @tparam function points_of function(values) -> list of points { measured =, modelled = } in the unit of the drawing
-- @tparam string unit
function rivals.maps(evaluation, points_of, unit)
  local drawn, most = {}, 1
  for _, model in ipairs(type(evaluation.others) == "table" and evaluation.others or {}) do
    if type(model.cycles) == "table" then drawn[#drawn + 1] = { name = model.name, points = points_of(function(i) return model.cycles[i] end) } end
  end
  if #drawn == 0 then return nil end
  table.insert(drawn, 1, { name = "this mapping", points = points_of(function(i) return evaluation.list[i].modelled end) })
  local max = 0
  for _, model in ipairs(drawn) do max = math.max(max, heatmap.histogram(model.points).max) end
  for _, model in ipairs(drawn) do most = math.max(most, heatmap.histogram(model.points, nil, max).most) end
  local figures = {}
  for i, model in ipairs(drawn) do
    local node = heatmap.render { points = model.points, unit = unit, max = max, most = most, small = true,
      title = ("%s: measured against modelled %s"):format(tostring(model.name), unit) }
    figures[i] = node and h.figure { node, h.figcaption(tostring(model.name)) }
  end
  return { heatmap.legend(most), h.div { class = "rival-maps", figures } }
end

return rivals
