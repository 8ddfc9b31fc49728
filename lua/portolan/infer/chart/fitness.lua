--- Which schemes may stand for others: as representatives of a class, and as blocking instructions?
--
-- Both are repeated many times beside something else, and whatever then happens is put down to ports. So they must be steady, and neither
-- wait for what is beside them nor make it wait. What readings show comes first (`unsteady`, a wide spread), then what is known of the scheme
-- (`processor:avoids`).
-- @module portolan.infer.chart.fitness
local constants = require "portolan.infer.chart.constants"

local fitness = {}

--- Why a scheme stands for no others.
-- @param survey the survey
-- @param name scheme
-- @return words; nil if it may
function fitness.trouble(survey, name)
  local single = survey.facts[name].single
  local scattered = (single.spread or 0) > constants.fitness_spread or (single.share or 1) < constants.fitness_share
  if survey.facts[name].unfit then return survey.facts[name].unfit end
  if single.unsteady or not single.slow and scattered then return "its readings are not steady" end
  if survey.processor.avoids and survey.processor:avoids(name) then return "it waits for what is beside it, or stalls the decoder" end
end

-- Code with two rates is steady in each of them, but not as good as code with one.
local function rank(survey, name)
  local single = survey.facts[name].single
  local good = not single.slow and (single.spread or 0) <= constants.fitness_steady and (single.share or 1) >= constants.fitness_good_share
  return good and 0 or 1
end

--- Takes the fittest name out of a list: the first of the steadiest ones; of those that were chosen by hand, if one is fit.
-- @param survey the survey
-- @param names list
-- @return name; nil if none is fit
function fitness.take(survey, names)
  local best, least
  for i, name in ipairs(names) do
    local r = not fitness.trouble(survey, name) and (survey.preferred[name] and -1 or rank(survey, name))
    if r and (not best or r < least) then best, least = i, r end
  end
  return best and table.remove(names, best)
end

return fitness
