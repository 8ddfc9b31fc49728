--- Edit distance (Levenshtein), for suggestions: how many bytes to insert, remove or replace to come from one text to another.
-- @module portolan.support.distance

--- The distance of two texts.
-- @param a string
-- @param b string
-- @return whole number
return function(a, b)
  local row = {}
  for j = 0, #b do row[j] = j end
  for i = 1, #a do
    local diagonal = row[0]
    row[0] = i
    for j = 1, #b do
      local cost = diagonal + (a:byte(i) == b:byte(j) and 0 or 1)
      diagonal, row[j] = row[j], math.min(cost, row[j] + 1, row[j - 1] + 1)
    end
  end
  return row[#b]
end
