--- How well does a count of uops on blocked ports agree with what a choice of uops gives?
--
-- Hardware is slower than the model, never faster. A count below the model's whole number is a matter of noise only, or of a flood that was
-- itself slower than the model, and less so with an instance; anything between the
-- model's number and the measured effects will do, as what a binder loses depends on what else there is. Beyond the effects a count is
-- less and less likely; but where some uops are confined to a part of the ports nothing is too slow: binders have been seen to lose
-- several cycles.
-- @module portolan.infer.chart.blocking.misfit
local constants = require "portolan.infer.chart.constants"

local misfit = {}

--- The price of a count above the model's number that something else than uops on the ports explains.
misfit.dearest = constants.misfit_dear

local systematic, slow = constants.misfit_below, constants.misfit_above
local of_excess, of_uops, most_uops = constants.misfit_excess, constants.misfit_uops, constants.misfit_most_uops
local shortest, of_held = constants.misfit_shortest, constants.misfit_held
local farthest, dear = constants.misfit_farthest, constants.misfit_dear

--- The least that a count of `ideal` uops can be.
function misfit.least(ideal) return ideal - shortest end

--- The largest whole number of uops that a count can be of.
function misfit.most(count) return math.floor(count + shortest) end

-- Standard deviation of a count below the model's number.
local function below(sd, held) return math.sqrt(systematic * systematic + sd * sd + of_held * of_held * held * held) end

--- Returns how far off a count is, in squared standard deviations.
-- @param count measured
-- @param expected what the measured effects of the chosen uops add up to
-- @param ideal their number by the model; at most `expected`
-- @param sd standard deviation of the count's readings
-- @param uops of the scheme, at most
-- @param held uops by which the flood alone is slower than the model
-- @return number; nil if it is too far off
function misfit.cost(count, expected, ideal, sd, uops, held)
  if count < misfit.least(ideal) then return nil end
  if count < ideal then return ((ideal - count) / below(sd, held)) ^ 2 end
  local off = count - math.max(expected, ideal)
  if off <= 0 then return 0 end
  local base = math.sqrt(slow * slow + sd * sd)
  off = off / (base + of_excess * math.max(0, expected - ideal) + of_uops * math.min(uops, most_uops))
  if ideal > 0 then return math.min(off * off, dear) end
  return off <= farthest and off * off or nil
end

--- Returns how far a count is below the model's number, in standard deviations; 0 or less if it is not.
function misfit.short(count, ideal, sd, held) return (ideal - count) / below(sd, held) end

--- A lower bound of `cost` if the effects are anything from `expected` to `most`.
function misfit.bound(count, expected, most, ideal, sd, uops, held)
  if count >= ideal and count >= expected and count <= most then return 0 end
  return misfit.cost(count, count > most and most or expected, ideal, sd, uops, held)
end

return misfit
