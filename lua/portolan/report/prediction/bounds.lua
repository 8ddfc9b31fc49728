--- The bounds of a block as bars: the longest of them is the prediction, and the simulation is never shorter.
-- @module portolan.report.prediction.bounds
local block_words = require "portolan.report.block_words"
local lists = require "portolan.support.lists"
local svg = require "portolan.report.svg"

local bounds = {}

local label_width, bar_width, value_width, row_height = 96, 300, 110, 20

local function draw_row(row, y, longest)
  local width = longest > 0 and row.cycles / longest * bar_width or 0
  return {
    svg.text(row.limit and "label limits" or "label", label_width - 8, y + 10, row.title, "end"),
    svg.rect("none", label_width, y + 2, bar_width, row_height - 5),
    svg.rect(row.simulated and "bar simulated" or row.limit and "bar full" or "bar", label_width, y + 2, width, row_height - 5),
    svg.text(row.limit and "value limits" or "value", label_width + bar_width + 8, y + 10, row.text),
  }
end

--- The parts of the picture.
-- @param p prediction of a block
-- @return list of nodes, width and height in user units
function bounds.parts(p)
  local rows, parts = block_words.bounds(p), {}
  local longest = lists.largest(rows, function(row) return row.cycles end, 0)
  for i, row in ipairs(rows) do parts[i] = draw_row(row, (i - 1) * row_height, longest) end
  return parts, label_width + bar_width + value_width, #rows * row_height + 2
end

--- The picture.
-- @param p prediction of a block
-- @return node
function bounds.render(p)
  local parts, width, height = bounds.parts(p)
  local words = lists.map(block_words.bounds(p), function(row) return ("%s %s"):format(row.title, row.text) end)
  return svg.frame({ width = width, height = height, class = "block", title = "Bounds in cycles: " .. table.concat(words, ", ") }, parts)
end

return bounds
