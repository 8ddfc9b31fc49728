--- This module computes what several readings of one thing say.
-- @module portolan.measuring.values
local values = {}

--- The middle one; of two, or of the two in the middle, the mean.
-- @param list numbers, at least one
function values.middle(list)
  local sorted = table.move(list, 1, #list, 1, {})
  table.sort(sorted)
  local half = (#sorted + 1) // 2
  return (sorted[half] + sorted[#sorted + 1 - half]) / 2
end

--- The standard deviation of a reading, as a share of it: from the differences of repeated readings, such that outliers do not
-- count, and somewhat more the fewer there are.
-- @param observations list of `{ readings = { first, second, ... } }`
-- @return share; 0 if nothing was measured twice
function values.noise(observations)
  local differences = {}
  for _, o in ipairs(observations) do
    local r = o.readings
    if r and r[2] then differences[#differences + 1] = math.abs(r[2] - r[1]) / math.min(r[1], r[2]) end
  end
  if #differences == 0 then return 0 end
  return values.middle(differences) / 0.954 * (1 + 2 / math.sqrt(#differences)) -- 0.954: of a normal difference
end

return values
