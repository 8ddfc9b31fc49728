--- Lanes for arrows beside a listing, so that no two of them overlap: arrows that cover the fewest rows are nearest to the text.
-- @module portolan.report.prediction.lanes
local lists = require "portolan.support.lists"

local lanes = {}

local function overlaps(a, b) return a.low < b.high and b.low < a.high or a.low == b.low and a.high == b.high end

local function free(lane, arrow)
  return not lists.any(lane, function(other) return overlaps(other, arrow) end)
end

--- Gives every arrow a lane.
-- @param arrows list of `{ from =, to = }`, numbers of rows; each gets `lane`, from 1
-- @return how many lanes there are
function lanes.give(arrows)
  local order, list = {}, {}
  for i, arrow in ipairs(arrows) do
    arrow.low, arrow.high = math.min(arrow.from, arrow.to), math.max(arrow.from, arrow.to)
    order[i] = { arrow = arrow, number = i }
  end
  table.sort(order, function(a, b)
    local long_a, long_b = a.arrow.high - a.arrow.low, b.arrow.high - b.arrow.low
    if long_a ~= long_b then return long_a < long_b end
    local back_a, back_b = a.arrow.from > a.arrow.to, b.arrow.from > b.arrow.to
    if back_a ~= back_b then return back_b end -- what leads back goes round
    return a.number < b.number
  end)
  for _, entry in ipairs(order) do
    local k = 1
    while list[k] and not free(list[k], entry.arrow) do k = k + 1 end
    lists.into(list, k, entry.arrow)
    entry.arrow.lane = k
  end
  return #list
end

return lanes
