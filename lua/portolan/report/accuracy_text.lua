--- The result of `portolan.prediction.accuracy` as text for terminals, within 80 columns.
local accuracy = require "portolan.prediction.accuracy"
local experiment = require "portolan.experiment"
local orders = require "portolan.experiment.orders"
local printable = require "portolan.support.printable"
local accuracy_text = {}

local absent = "-"
local widest_name, widest_line = 24, 80

accuracy_text.unit_names = { cycles = "cycles per experiment", cpi = "cycles per instruction (CPI)",
  ipc = "instructions per cycle (IPC)" }

local function percent(x) return x and ("%.1f%%"):format(100 * x) or absent end
local function signed(x) return x and (("%+.1f%%"):format(100 * x):gsub("^[+-]0%.0%%$", "0.0%%")) or absent end
local function coefficient(x) return x and ("%.3f"):format(x) or absent end
local function cycles(x) return x and ("%.3f"):format(x) or absent end

local function length_of(text) return utf8.len(text) or #text end

local function fit_name(name, utf8_output)
  name = printable(name)
  if length_of(name) <= widest_name then return name end
  local mark = utf8_output and "…" or "..."
  return name:sub(1, (utf8.offset(name, widest_name - length_of(mark) + 1) or widest_name) - 1) .. mark
end

local function pad(text, width, left)
  local space = (" "):rep(math.max(0, width - length_of(text)))
  return left and text .. space or space .. text
end

-- Lines of a table. The first column is text, the others are numbers.
-- head: names of columns; rows: lists of texts, row.best[k] marks cells; style: function (text, name) -> text.
local function table_lines(head, rows, style)
  local widths = {}
  for k, name in ipairs(head) do widths[k] = length_of(name) end
  for _, row in ipairs(rows) do
    for k, text in ipairs(row) do widths[k] = math.max(widths[k], length_of(text)) end
  end
  local function line(row, all)
    local cells = {}
    for k, text in ipairs(row) do
      local cell = pad(text, widths[k], k == 1)
      cells[k] = (all or row.best and row.best[k]) and style(cell, all or "bold") or cell
    end
    return (table.concat(cells, "  "):gsub(" +$", ""))
  end
  local lines = { line(head, "dim") }
  for i, row in ipairs(rows) do lines[i + 1] = line(row) end
  return lines
end

-- Marks the best value of each column: list of functions from a model to what should be small.
local function mark_best(rows, models, goals)
  for k, goal in pairs(goals) do
    local best, at
    for i, model in ipairs(models) do
      local value = goal(model)
      if value and (not best or value < best) then best, at = value, i end
    end
    if at and #models > 1 then
      rows[at].best = rows[at].best or {}
      rows[at].best[k] = true
    end
  end
end

local goals = {
  [3] = function(m) return m.summary.mape end,
  [4] = function(m) return m.summary.pearson and -m.summary.pearson end,
  [5] = function(m) return m.summary.kendall and -m.summary.kendall end,
  [6] = function(m) return m.summary.bias and math.abs(m.summary.bias) end,
  [7] = function(m) return m.largest_cpi end,
}

--- The table of models: how many experiments each covers, MAPE, Pearson, Kendall, bias, largest error.
-- @tparam table result of accuracy.evaluate
-- @tparam function style
-- @tparam boolean utf8_output
-- @treturn {string,...} lines
function accuracy_text.models(result, style, utf8_output)
  local rows = {}
  for i, model in ipairs(result.models) do
    local s = model.summary
    rows[i] = { fit_name(model.name, utf8_output), tostring(s.n), percent(s.mape), coefficient(s.pearson),
      coefficient(s.kendall), signed(s.bias), cycles(model.largest_cpi) }
  end
  mark_best(rows, result.models, goals)
  return table_lines({ "model", "covers", "MAPE", "Pearson", "Kendall", "bias", "max CPI error" }, rows, style)
end

-- "  reason" in lines of 80 columns.
local function wrapped(words, indent, first)
  local lines, line = {}, first or indent
  for word in printable(words):gmatch("%S+") do
    if length_of(line) + 1 + length_of(word) > widest_line and line:find("%S") then
      lines[#lines + 1] = line
      line = indent
    end
    line = line .. (line:find("%S$") and " " or "") .. word
  end
  lines[#lines + 1] = line
  return lines
end

local function add_all(list, more)
  for _, line in ipairs(more) do list[#list + 1] = line end
end

--- Lists what each model leaves out, and why, and what it is less sure of.
-- @tparam table result of accuracy.evaluate
-- @tparam table set of accuracy.set
-- @treturn {string,...} lines, none if every model covers all
function accuracy_text.left_out(result, set)
  local lines = {}
  for _, model in ipairs(result.models) do
    for _, entry in ipairs(model.left_out) do
      local scheme = entry.scheme and (", '%s' in %d"):format(entry.scheme, entry.scheme_n) or ""
      add_all(lines, wrapped(("%s leaves out %d of %d: %s%s"):format(model.name, entry.n, #set.records, entry.reason, scheme), "  ", ""))
    end
    local trust = accuracy.trust_text(model)
    if trust then add_all(lines, wrapped(model.name .. ": " .. trust, "  ", "")) end
  end
  return lines
end

-- Metrics of each model per part of it.
local function by_part(result, style, field, heading, column)
  local lines = {}
  for _, model in ipairs(result.models) do
    local rows = {}
    for k, part in ipairs(model[field]) do
      local s = part.summary
      rows[k] = { part.label:gsub("–", "-"), tostring(s.n), percent(s.mape), coefficient(s.pearson), coefficient(s.kendall),
        signed(s.bias) }
    end
    lines[#lines + 1] = ""
    lines[#lines + 1] = style(printable(model.name) .. heading, "bold")
    add_all(lines, table_lines({ column, "covers", "MAPE", "Pearson", "Kendall", "bias" }, rows, style))
  end
  return lines
end

--- Metrics of each model per class of length.
-- @tparam table result of accuracy.evaluate
-- @tparam function style
-- @treturn {string,...} lines
function accuracy_text.by_length(result, style) return by_part(result, style, "by_length", " by length", "instructions") end

--- Metrics of each model per category.
-- @tparam table result of accuracy.evaluate, with categories
-- @tparam function style
-- @treturn {string,...} lines
function accuracy_text.by_category(result, style) return by_part(result, style, "by_category", " by kind of block", "kind") end

-- An experiment in lines of 80 columns, broken between its terms.
local function terms(e)
  local indent, lines, line = "    ", {}, nil
  for _, name in ipairs(experiment.schemes(e)) do
    local term = printable(experiment.format { [name] = e[name] })
    if line and length_of(line) + 3 + length_of(term) <= widest_line then
      line = line .. " + " .. term
    else
      lines[#lines + 1] = line and line .. " +"
      line = indent .. term
    end
  end
  lines[#lines + 1] = line
  return lines
end

--- The worst experiments of each model.
-- @tparam table result of accuracy.evaluate
-- @tparam table set of accuracy.set
-- @tparam number count
-- @tparam function style
-- @treturn {string,...} lines
function accuracy_text.worst(result, set, count, style)
  local lines = {}
  for _, model in ipairs(result.models) do
    local worst = accuracy.worst(set, model, count)
    if #worst > 0 then
      lines[#lines + 1] = ""
      lines[#lines + 1] = style(("%s: the worst %d"):format(printable(model.name), #worst), "bold")
      lines[#lines + 1] = style("measured  modelled    error", "dim")
      for _, w in ipairs(worst) do
        local limit = accuracy.limit(model, w.record)
        lines[#lines + 1] = ("%8.3f  %8.3f  %7s%s"):format(w.measured, w.modelled, signed(w.error),
          limit and "  limited by " .. printable(limit) or "")
        add_all(lines, w.record.text and wrapped(w.record.text, "    ") or terms(w.record.e))
      end
    end
  end
  return lines
end

--- The spread over orders, as in Table 3.1.
-- @tparam table spread of portolan.experiment.orders
-- @tparam function style
-- @treturn {string,...} lines
function accuracy_text.orders(spread, style)
  local rows = {}
  local function add(row)
    rows[#rows + 1] = { (row.label:gsub("–", "-")), tostring(row.n), ("%.3f"):format(row.mean), ("%.2f"):format(row.max),
      percent(row.above) }
  end
  for _, row in ipairs(spread.rows) do add(row) end
  if #spread.rows > 1 then add(spread.all) end
  local lines = { "", style("CPI between the slowest and the fastest order of the same instructions", "bold") }
  add_all(lines, table_lines({ "instructions", "experiments", "mean", "max", ("above %g"):format(orders.threshold) }, rows, style))
  return lines
end

return accuracy_text
