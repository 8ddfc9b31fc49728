--- A heat map for terminals: measured values to the right, modelled ones upwards, denser characters for more experiments.
local core = require "portolan.core"
local heatmap = require "portolan.report.heatmap"
local lists = require "portolan.support.lists"
local printable = require "portolan.support.printable"
local heatmap_text = {}

local columns, rows = 30, 15 -- a character is about twice as high as wide
local shades = {
  utf8 = { "·", "░", "▒", "▓", "█", diagonal = "╱", upright = "│", corner = "└", level = "─" },
  ascii = { ".", ":", "+", "*", "#", diagonal = "/", upright = "|", corner = "+", level = "-" },
}

-- The counts from which on each shade stands.
local function thresholds(most)
  local list = {}
  for i = 1, 5 do list[i] = most ^ ((i - 1) / 5) end
  return list
end

local function shade(count, limits, set)
  local found = set[1]
  for i, least in ipairs(limits) do
    if count >= least then found = set[i] end
  end
  return found
end

-- Cuts or fills to so many characters.
local function fit(text, width)
  local length = utf8.len(text) or #text
  if length > width then return text:sub(1, (utf8.offset(text, width + 1) or width + 1) - 1) end
  return text .. (" "):rep(width - length)
end

local suffixes = { "k", "M", "G", "T", "P", "E" }

-- A value in five characters, as wide as the axis: 0.123, 12345, 123k, 1.2M.
local function label_of(value)
  if value > 99999 then
    local power = math.min(#suffixes, math.floor(math.log(value, 1000) + 1e-9))
    for digits = 3, 1, -1 do
      local text = ("%." .. digits .. "g%s"):format(value / 1000 ^ power, suffixes[power])
      if #text <= 5 then return text end
    end
  elseif value >= 1000 then
    return ("%.0f"):format(value)
  end
  for digits = 4, 1, -1 do
    local text = ("%." .. digits .. "g"):format(value)
    if #text <= 5 then return text end
  end
  return ("%.0e"):format(value)
end

-- The lines of one map, all of the same width.
local function map_lines(grid, name, max, limits, set)
  local lines = { fit("       " .. printable(name), columns + 7) }
  for row = rows, 1, -1 do
    local cells = {}
    for column = 1, columns do
      local count = grid.counts[row] and grid.counts[row][column]
      local on_diagonal = column == 2 * row
      cells[column] = count and shade(count, limits, set) or on_diagonal and set.diagonal or " "
    end
    local label = row == rows and ("%5s "):format(label_of(max)) or "      "
    lines[#lines + 1] = label .. set.upright .. table.concat(cells)
  end
  lines[#lines + 1] = "    0 " .. set.corner .. set.level:rep(columns)
  lines[#lines + 1] = fit("      0" .. (" "):rep(columns - 5) .. ("%5s"):format(label_of(max)), columns + 7)
  if grid.outside > 0 then
    lines[#lines + 1] = fit(("       %d beyond the axes"):format(grid.outside), columns + 7)
  end
  return lines
end

local function grids(models, max)
  local list, most = {}, 1
  for i, model in ipairs(models) do
    list[i] = core.model.heatmap(model.modelled, model.measured, { max = max, columns = columns, rows = rows })
    for _, row in pairs(list[i].counts) do
      for _, count in pairs(row) do most = math.max(most, count) end
    end
  end
  return list, most
end

local function key(limits, most, set)
  local parts = {}
  for i, least in ipairs(limits) do
    local from, to = math.ceil(least), math.ceil((limits[i + 1] or most + 1)) - 1
    if from <= to then parts[#parts + 1] = ("%s %s"):format(set[i], from == to and from or ("%d-%d"):format(from, to)) end
  end
  return "experiments per character: " .. table.concat(parts, "  ")
end

--- Draws models side by side, two in a row of 76 columns, with the same axes and shades.
-- @tparam table models entries of the result of portolan.prediction.accuracy
-- @tparam string unit
-- @tparam boolean utf8_output false: ASCII only
-- @treturn string lines; "" if there is nothing to draw
function heatmap_text.render(models, unit, utf8_output)
  local drawn = lists.where(models, function(model) return #model.index > 0 end)
  if #drawn == 0 then return "" end
  local set, max = utf8_output and shades.utf8 or shades.ascii, heatmap.close_up(drawn) or heatmap.axis(drawn)
  local counted, most = grids(drawn, max)
  local limits, out = thresholds(most), {}
  for i = 1, #drawn, 2 do
    if i > 1 then out[#out + 1] = "" end
    local left = map_lines(counted[i], drawn[i].name, max, limits, set)
    local right = drawn[i + 1] and map_lines(counted[i + 1], drawn[i + 1].name, max, limits, set) or {}
    for k = 1, math.max(#left, #right) do
      out[#out + 1] = ((left[k] or fit("", columns + 7)) .. "  " .. (right[k] or "")):gsub(" +$", "")
    end
  end
  out[#out + 1] = ""
  out[#out + 1] = ("to the right: measured %s; upwards: modelled"):format(unit == "cycles" and unit or unit:upper())
  out[#out + 1] = key(limits, most, set)
  return table.concat(out, "\n") .. "\n"
end

return heatmap_text
