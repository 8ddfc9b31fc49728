--- Predictions of a block in words, and how far two of them are apart.
local format = require "portolan.report.format"
local answers = {}

--- Computes how far two answers are apart, as the campaign judged it (section 8.1.1).
-- @tparam table|nil interest { kind = "relative" or "absolute" }
-- @tparam table|nil sample { a =, b = }
-- @treturn number|nil infinite if exactly one predictor crashed; nil if a prediction is missing
function answers.difference(interest, sample)
  local a, b = sample and sample.a or {}, sample and sample.b or {}
  if a.crash or b.crash then
    if a.crash and b.crash then return 0 end
    if (a.crash and b or a).unsupported then return nil end
    return math.huge
  end
  if not a.cycles or not b.cycles then return nil end
  local apart = math.abs(a.cycles - b.cycles)
  if interest and interest.kind == "absolute" or apart == 0 then return apart end
  return 2 * apart / (a.cycles + b.cycles)
end

--- A difference as text: percent of the mean, or cycles.
function answers.apart(interest, difference)
  if difference == math.huge then return "∞" end
  if interest and interest.kind == "own" then return ("%.3g"):format(difference) end
  if interest and interest.kind == "absolute" then return format.cycles(difference) end
  return format.percent(difference, 0)
end

--- Tells whether one of the predictors crashed on a block.
function answers.crashed(sample)
  return sample ~= nil and (sample.a ~= nil and sample.a.crash or sample.b ~= nil and sample.b.crash) == true
end

--- Cycles as people read them: at most two decimals.
function answers.cycles(x)
  if not format.finite(x) then return format.absent end
  return (("%.2f"):format(x):gsub("0+$", ""):gsub("%.$", ""))
end

--- An answer in a word or two; the whole of an error.
-- @treturn string
-- @treturn string|nil
function answers.word(answer)
  if not answer then return format.absent end
  if answer.cycles then return answers.cycles(answer.cycles) end
  if answer.crash then return "crashes", answer.error end
  return answer.unsupported and "not supported" or answer.error and "no answer" or format.absent, answer.error
end

return answers
