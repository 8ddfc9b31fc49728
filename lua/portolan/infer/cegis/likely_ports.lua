--- Guesses how many ports to start with where their number is not given. Too few cost a proof that they are too few, so rather
-- some more; none of those that are spare will be used (`portolan.infer.cegis.settle`).
-- @module portolan.infer.cegis.likely_ports
local unknowns = require "portolan.infer.cegis.unknowns"

-- Ports of schemes that have none in common, as far as measured pairs of them say: schemes with few ports first, each that is apart
-- from all before it.
local function ports_apart(observations, counts)
  local apart, order, chosen, ports = {}, {}, {}, 0
  for i, count in ipairs(counts) do
    apart[i] = {}
    if count > 0 then order[#order + 1] = i end
  end
  for _, seen in ipairs(observations) do
    local a = next(seen.terms)
    local b = next(seen.terms, a)
    if b and not next(seen.terms, b) and unknowns.length(seen.terms) / seen.bounds.upper > counts[a] + counts[b] - 1 then
      apart[a][b], apart[b][a] = true, true
    end
  end
  table.sort(order, function(x, y) return counts[x] < counts[y] or counts[x] == counts[y] and x < y end)
  for _, i in ipairs(order) do
    local fits = true
    for _, j in ipairs(chosen) do fits = fits and apart[i][j] end
    if fits then chosen[#chosen + 1], ports = i, ports + counts[i] end
  end
  return ports
end

--- A few more than any observation keeps busy, and than schemes without common ports have.
-- @param observations list of `{terms=, bounds=}`
-- @tparam {integer,...} counts ports of each scheme, 0 where unknown
-- @tparam integer given number of ports that were given
-- @treturn integer
return function(observations, counts, given)
  local most = math.max(1, given, table.unpack(counts))
  for _, seen in ipairs(observations) do most = math.max(most, math.ceil(unknowns.length(seen.terms) / seen.bounds.upper)) end
  return math.max(most + 3, ports_apart(observations, counts) + 2)
end
