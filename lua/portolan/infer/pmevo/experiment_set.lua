--- PMEvo's experiments (section 5.1.1): every scheme alone, and pairs.
-- @module portolan.infer.pmevo.experiment_set
local experiment_set = {}

--- n of a pair's second experiment {a: 1, b: n}: ceil(t(a) / t(b)), where a takes longer than b; nil otherwise.
--
-- A quotient that exceeds a whole number by less than measurements resolve is that number: 4.02 is 4, not 5, and schemes that
-- take the same time have no second experiment.
-- @param slow cycles of a alone
-- @param fast cycles of b alone
-- @param epsilon what relative difference does not count
-- @return whole number above 1, or nil
function experiment_set.repeats(slow, fast, epsilon)
  local n = math.ceil(slow / fast * (1 - epsilon) - 1e-9)
  return n > 1 and n or nil
end

--- The experiments of a pair of schemes, as counts.
-- @param a cycles of the first scheme alone
-- @param b cycles of the second scheme alone
-- @param epsilon as above
-- @return list of one or two pairs of counts `{ of the first, of the second }`
function experiment_set.pair(a, b, epsilon)
  local n, m = experiment_set.repeats(a, b, epsilon), experiment_set.repeats(b, a, epsilon)
  if n then return { { 1, 1 }, { 1, n } } end
  if m then return { { 1, 1 }, { m, 1 } } end
  return { { 1, 1 } }
end

--- Counts the experiments that there are for all pairs of schemes and each alone.
-- @param alone list of cycles
-- @param epsilon as above
-- @return whole number
function experiment_set.count(alone, epsilon)
  local n = #alone
  for i = 1, #alone do
    for k = 1, i - 1 do n = n + #experiment_set.pair(alone[i], alone[k], epsilon) end
  end
  return n
end

return experiment_set
