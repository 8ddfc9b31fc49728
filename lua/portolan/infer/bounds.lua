--- This module turns a measured inverse throughput into bounds on the model's.
--
-- *Symmetric* (§4.3): the two differ by epsilon cycles per instruction at most. *Asymmetric*: hardware binds uops to ports
-- greedily and so may be slower than the model, which schedules optimally, but never faster; the upper bound is certain,
-- the lower ones hold for a price. An experiment at the limit of the front end says nothing from below.
--
-- Besides epsilon, which is what measurements resolve, a reading errs by random noise in proportion to the cycles.
-- @module portolan.infer.bounds
local bounds = { known = { symmetric = true, asymmetric = true } }

--- Lists how far below the measured value the model may stay (a share of it), and the price of staying further below. Small
-- whole prices keep the solver's running total short; their ratios matter, and that a gap of a quarter outweighs several
-- small ones.
bounds.steps = {
  { share = 0.02, weight = 1 }, { share = 0.06, weight = 1 }, { share = 0.13, weight = 2 }, { share = 0.25, weight = 7 },
}

-- Standard deviations. Bounds that are certain must hold for all of several hundred readings: beyond 4.5 is one of 150,000.
local certain, usual = 4.5, 2

--- Bounds on the ports' inverse throughput for `core.smt`: `{ upper = cycles, { bound = cycles, weight = price }, ... }`.
-- @tparam string kind "symmetric" or "asymmetric"
-- @tparam number cycles measured, per experiment
-- @tparam number length instructions in the experiment
-- @tparam number floor cycles that the front end takes for it (0 if it has no limit)
-- @tparam number epsilon CPI
-- @tparam[opt] number noise standard deviation of a reading, a share of it (0)
function bounds.of(kind, cycles, length, floor, epsilon, noise)
  local margin, deviation = epsilon * length, noise or 0
  local list = { upper = cycles / (1 - math.min(certain * deviation, 0.5)) + margin }
  local function below(bound, weight)
    if bound > floor then list[#list + 1] = { bound = bound, weight = weight } end
  end
  if kind == "symmetric" then
    below(cycles / (1 + certain * deviation) - margin, 0)
  else
    for _, step in ipairs(bounds.steps) do
      below(cycles * (1 - step.share) / (1 + usual * deviation) - margin, step.weight)
    end
  end
  return list
end

return bounds
