--- Section "Metrics": the numbers of all models in one table, and what each leaves out.
local html = require "portolan.report.html"
local accuracy = require "portolan.accuracy"
local format = require "portolan.report.format"
local section = require "portolan.report.section"
local h = html.tag
local metrics = {}

local function signed(x)
  if not format.finite(x) then return format.absent end
  local text = ("%+.1f%%"):format(100 * x)
  return text:find("^[+-]0%.0%%$") and "0.0%" or (text:gsub("%-", "−"))
end
metrics.signed = signed

--- Names of columns.
-- @tparam table names the first is text, the others are numbers
function metrics.head(names)
  local cells = {}
  for i, name in ipairs(names) do cells[i] = h.th { scope = "col", class = i > 1 and "number", name } end
  return h.thead(h.tr(cells))
end

-- The number of the best model of a column.
local function best(models, goal)
  local found, least
  for i, model in ipairs(models) do
    local value = goal(model)
    if format.finite(value) and (not least or value < least) then found, least = i, value end
  end
  return #models > 1 and found or nil
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
  for k, column in ipairs(columns) do marks[k] = column[3] and best(models, column[3]) end
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
  local names = { "model", "covers" }
  for k, column in ipairs(columns) do names[k + 2] = column[1] end
  return section.new("metrics", "Metrics", {
    section.note("In ", page.unit_long, result.only_common and ", over the experiments that every model covers" or
      ", each model over the experiments that it covers", ". MAPE is the mean absolute percentage error (0 is best), bias ",
      "the mean of the errors with their signs; over and under are the shares with an error beyond 2% to that side. Pearson's ",
      "coefficient says how linear the relation is, Kendall's τ how well the order is kept (1 is best). Bold is best."),
    h.div { class = "scroll", h.table { class = "models", metrics.head(names), h.tbody(rows_of(result.models)) } },
    page.alone and { h.h3 "Each on what it predicts",
      h.div { class = "scroll", h.table { class = "models", metrics.head(names), h.tbody(rows_of(page.alone.models)) } } },
    left_out(result.models, #page.set.records),
  })
end

return metrics
