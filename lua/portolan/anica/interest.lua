--- Tells when two predictions differ enough to be interesting (section 8.1.1).
--
-- A block on which one predictor crashes (or hangs) and the other does not is infinitely interesting. Where both crash there is no
-- difference; where a predictor gives no number without having crashed (it lacks an instruction, a measurement was too noisy) there is no
-- verdict either way.
-- @module portolan.anica.interest
local interests = require "portolan.anica.interests"

local interest = {}
interest.__index = interest

--- Makes a criterion.
-- @tparam[opt] table options
-- @tparam[opt="relative"] string options.kind "relative" or "absolute"
-- @tparam[opt] number options.threshold that the difference must exceed: by default 0.5 of the mean, or 1 cycle
-- @return criterion; or nil and a message
function interest.new(options)
  options = options or {}
  local kind = options.kind or "relative"
  if kind ~= "relative" and kind ~= "absolute" then
    return nil, ("interest: kind '%s'; write relative or absolute"):format(tostring(kind))
  end
  local threshold = options.threshold or (kind == "relative" and 0.5 or 1)
  if type(threshold) ~= "number" or not (threshold >= 0 and threshold < math.huge) then
    return nil, ("interest: threshold '%s'; write a number that is not negative"):format(tostring(threshold))
  end
  if kind == "relative" and threshold >= 2 then
    return nil, ("interest: no relative difference exceeds a threshold of %g; write one below 2"):format(threshold)
  end
  return setmetatable({ kind = kind, threshold = threshold }, interest)
end

--- Computes how far two answers are apart.
-- @param a answer of the first predictor
-- @param b answer of the second
-- @return number, `math.huge` if exactly one crashed, 0 if both did; nil if there is no verdict
function interest:difference(a, b) return interests[self.kind] { a, b } end

--- The verdict on a block.
-- @param a answer of the first predictor
-- @param b answer of the second
-- @return true or false, nil if there is none; the difference
function interest:judge(a, b)
  local d = self:difference(a, b)
  if not d then return nil end
  return d > self.threshold, d
end

return interest
