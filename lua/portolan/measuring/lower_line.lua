--- The line below readings that a disturbance only ever makes larger: what grows with a number, where some of the readings are too large.
--
-- Of the lines through two of the points the one counts that most of the others lie on or little above: a point above it costs a third of what one
-- below it does.
-- @module portolan.measuring.lower_line
local lists = require "portolan.support.lists"

local lower_line = {}

local above, below = 0.25, 0.75 -- what a unit of distance costs

local function cost(points, slope, at)
  return lists.sum(points, function(point)
    local distance = point.y - at - slope * point.x
    return distance > 0 and above * distance or -below * distance
  end)
end

--- Finds it.
-- @param points list of `{ x =, y = }`, at least two, by rising `x`
-- @return slope; where the line is at 0; nil: there are too few points
function lower_line.of(points)
  local best, slope, start = math.huge, nil, nil
  for i = 1, #points do
    for k = i + 1, #points do
      local m = (points[k].y - points[i].y) / (points[k].x - points[i].x)
      local at = points[i].y - m * points[i].x
      local price = cost(points, m, at)
      if price < best then best, slope, start = price, m, at end
    end
  end
  return slope, start
end

--- The points that lie on a line.
-- @param points as of `of`
-- @param slope of the line
-- @param at where it is at 0
-- @param tolerance the distance up to which a point is on it
-- @return how many; the largest of their distances
function lower_line.on(points, slope, at, tolerance)
  local distances = lists.map(points, function(point) return math.abs(point.y - at - slope * point.x) end)
  local near = lists.where(distances, function(distance) return distance <= tolerance end)
  return #near, lists.largest(near, function(distance) return distance end, 0)
end

return lower_line
