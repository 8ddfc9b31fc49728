--- The bounds of a block as bars: the longest of them is the prediction, and the simulation is never shorter.
-- @module portolan.report.prediction.bounds
local block_words = require "portolan.report.block_words"
local svg = require "portolan.report.svg"

local bounds = {}

local label_width, bar_width, value_width, row_height = 96, 300, 110, 20

local function draw_row(row, y, longest)
  local width = longest > 0 and row.cycles / longest * bar_width or 0
  return {
    svg.text(row.limit and "label limits" or "label", label_width - 8, y + 10, row.title, "end"),
    svg.rect("none", label_width, y + 2, bar_width, row_height - 5),
    svg.rect(row.class or row.limit and "bar full" or "bar", label_width, y + 2, width, row_height - 5),
    svg.text(row.limit and "value limits" or "value", label_width + bar_width + 8, y + 10, row.text),
  }
end

local function rows_of(p)
  local rows = {}
  for i, bound in ipairs(block_words.bounds(p)) do
    rows[i] = { title = bound.title, cycles = bound.cycles, limit = bound.limit,
      text = ("%.3f%s"):format(bound.cycles, bound.limit and "  limit" or "") }
  end
  if p.simulated_cycles then
    local more = block_words.simulated_more(p)
    rows[#rows + 1] = { title = "simulated", cycles = p.simulated_cycles, class = "bar simulated",
      text = ("%.3f%s"):format(p.simulated_cycles, more and ("  %+.0f%%"):format(100 * more) or "") }
  end
  return rows
end

--- The parts of the picture.
-- @param p prediction of a block
-- @return list of nodes, width and height in user units
function bounds.parts(p)
  local rows, longest, parts = rows_of(p), 0, {}
  for _, row in ipairs(rows) do longest = math.max(longest, row.cycles) end
  for i, row in ipairs(rows) do parts[i] = draw_row(row, (i - 1) * row_height, longest) end
  return parts, label_width + bar_width + value_width, #rows * row_height + 2
end

--- The picture.
-- @param p prediction of a block
-- @return node
function bounds.render(p)
  local parts, width, height = bounds.parts(p)
  local words = {}
  for i, row in ipairs(rows_of(p)) do words[i] = ("%s %s"):format(row.title, row.text) end
  return svg.frame({ width = width, height = height, class = "block", title = "Bounds in cycles: " .. table.concat(words, ", ") }, parts)
end

return bounds
