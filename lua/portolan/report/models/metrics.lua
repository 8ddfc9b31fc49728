--- Section "Metrics": the numbers of all models in one table, and what each leaves out.
local html = require "portolan.report.html"
local accuracy = require "portolan.prediction.accuracy"
local format = require "portolan.report.format"
local lists = require "portolan.support.lists"
local section = require "portolan.report.section"
local h = html.tag
local metrics = {}

local function signed(x)
  if not format.finite(x) then return format.absent end
  local text = ("%+.1f%%"):format(100 * x)
  return text:find("^[+-]0%.0%%$") and "0.0%" or (text:gsub("%-", "−"))
end
metrics.signed = signed

--- A table of numbers by model and part: a row for each part, a column for each model.
-- @tparam string title
-- @tparam table models entries of the result of portolan.prediction.accuracy
-- @tparam string field of the models that lists the parts: "by_length", "by_category"
-- @tparam string column what the parts are called
-- @tparam function value summary -> text
-- @tparam[opt] boolean counted whether there is a column with the number of experiments of each part
-- @treturn table node
function metrics.by_part(title, models, field, column, value, counted)
  local columns = { column, counted and { "blocks", "number" } }
  for _, model in ipairs(models) do columns[#columns + 1] = { model.name, "number" } end
  local rows = {}
  for k, part in ipairs(models[1][field]) do
    rows[k] = h.tr { h.th { scope = "row", part.label }, counted and h.td { class = "number", format.count(#part.measured) },
      lists.map(models, function(model) return h.td { class = "number", value(model[field][k].summary) } end) }
  end
  return h.div { h.h3(title), section.table("models by-length", columns, rows) }
end

local columns = {
  { "MAPE", function(m) return format.percent(m.summary.mape) end, function(m) return m.summary.mape end },
  { "Pearson", function(m) return format.coefficient(m.summary.pearson) end,
    function(m) return m.summary.pearson and -m.summary.pearson end },
  { "Kendall τ", function(m) return format.coefficient(m.summary.kendall) end,
    function(m) return m.summary.kendall and -m.summary.kendall end },
  { "bias", function(m) return signed(m.summary.bias) end, function(m) return m.summary.bias and math.abs(m.summary.bias) end },
  { "over", function(m) return format.percent(m.summary.over, 0) end },
  { "under", function(m) return format.percent(m.summary.under, 0) end },
  { "max CPI error", function(m) return format.cycles(m.largest_cpi) end, function(m) return m.largest_cpi end },
}

local function source(model)
  local p = model.predictor
  if p.recorded then return "recorded with the experiments" end
  return h.span { p.method and p.method .. ", " or "", h.code(p.file or "") }
end

local function rows_of(models)
  local marks, rows = {}, {}
  for k, column in ipairs(columns) do marks[k] = #models > 1 and column[3] and format.least(models, column[3]) end
  for i, model in ipairs(models) do
    local cells = { h.th { scope = "row", h.span { class = "model", model.name }, h.span { class = "about-model", source(model) } },
      h.td { class = "number", format.count(model.summary.n) } }
    for k, column in ipairs(columns) do
      cells[k + 2] = h.td { class = "number" .. (marks[k] == i and " best" or ""), column[2](model) }
    end
    rows[i] = h.tr(cells)
  end
  return rows
end

local function left_out(models, total)
  local items = {}
  for _, model in ipairs(models) do
    for _, entry in ipairs(model.left_out) do
      items[#items + 1] = h.li { h.b(model.name), (" leaves out %s of %s: "):format(format.count(entry.n), format.count(total)),
        entry.reason, entry.scheme and { "; ", h.code(entry.scheme), " in ", format.count(entry.scheme_n) }, "." }
    end
    local trust = accuracy.trust_text(model)
    if trust then items[#items + 1] = h.li { h.b(model.name), ": ", trust, "." } end
  end
  if #items == 0 then return section.note("Every model covers every experiment.") end
  return { h.h3 "What is left out or less certain", h.ul { class = "left-out", items } }
end

--- The section.
function metrics.render(page)
  local result = page.result
  if #result.models == 0 then return section.new("metrics", "Metrics", section.missing "No model was given.") end
  local names = lists.joined({ "model", { "covers", "number" } }, lists.map(columns, function(column) return { column[1], "number" } end))
  return section.new("metrics", "Metrics", {
    section.note("In ", page.unit_long, result.only_common and ", over the experiments that every model covers" or
      ", each model over the experiments that it covers", ". MAPE is the mean absolute percentage error (0 is best), bias ",
      "the mean of the errors with their signs; over and under are the shares with an error beyond 2% to that side. Pearson's ",
      "coefficient says how linear the relation is, Kendall's τ how well the order is kept (1 is best). Bold is best."),
    section.table("models", names, rows_of(result.models)),
    page.alone and { h.h3 "Each on what it predicts", section.table("models", names, rows_of(page.alone.models)) },
    left_out(result.models, #page.set.records),
  })
end

return metrics
