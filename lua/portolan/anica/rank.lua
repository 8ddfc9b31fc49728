--- Ranking discoveries (section 8.1.7): by how far predictions differ, by generality, by the blocks of a set that they subsume.
-- @module portolan.anica.rank
local rank = {}

local function interestingness(d) return d.infinite and math.huge or d.interestingness or 0 end
local function number_of(id) return math.tointeger(tonumber(id:match "%d+")) or 0 end

--- The criteria by name: function(discovery) -> number, the more the better.
rank.criteria = {
  interestingness = interestingness,
  generality = function(d) return d.generality end,
  covers = function(d) return d.covers or 0 end,
}

--- Sorts discoveries.
-- @param discoveries list, as of discoveries.json
-- @param criterion name of a criterion
-- @return new list, the best first; equal ones in the order of their numbers
function rank.sorted(discoveries, criterion)
  local value = assert(rank.criteria[criterion], "no such criterion")
  local list = table.move(discoveries, 1, #discoveries, 1, {})
  table.sort(list, function(x, y)
    local vx, vy = value(x), value(y)
    if vx ~= vy then return vx > vy end
    return number_of(x.id) < number_of(y.id)
  end)
  return list
end

--- Gives every discovery its places, `rank = { interestingness = 1, generality = 3, covers = 2 }`. Equal values have equal places.
-- @param discoveries list; their `rank` is set
function rank.all(discoveries)
  for _, d in ipairs(discoveries) do d.rank = {} end
  for criterion, value in pairs(rank.criteria) do
    local before, place
    for i, d in ipairs(rank.sorted(discoveries, criterion)) do
      if value(d) ~= before then before, place = value(d), i end
      d.rank[criterion] = place
    end
  end
end

return rank
