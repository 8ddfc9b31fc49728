--- Which schemes may stand for others: as representatives of a class, and as blocking instructions?
--
-- Both are repeated many times beside something else, and whatever then happens is put down to ports. So they must be steady, and neither
-- wait for what is beside them nor make it wait. What readings show comes first (`unsteady`, a wide spread), then what is known of the scheme
-- (`processor:avoids`). Only where none of those with the same ports is fit, one that reads flags stands for them (on Zen 3 all that use just two of
-- the adders do).
-- @module portolan.infer.chart.fitness
local constants = require "portolan.infer.chart.constants"

local fitness = {}

local avoided = {
  waits = "it waits for what is beside it",
  decoder = "it holds up the decoder",
  flags = "it reads flags, and may wait for what is beside it",
}

--- Are its readings steady? What holds others up, or waits for them, makes nothing faster: it may still say what two uops take at most.
-- @param single result of measuring a scheme alone
-- @treturn boolean
function fitness.is_steady(single)
  local scattered = (single.spread or 0) > constants.fitness_spread or (single.share or 1) < constants.fitness_share
  return not single.unsteady and (single.slow ~= nil or not scattered)
end

-- Returns why the processor says that it is unfit, a key of `avoided`; nil if it does not.
local function avoidance(survey, name) return survey.processor.avoids and survey.processor:avoids(name) or nil end

--- Says why a scheme stands for no others.
-- @param survey the survey
-- @param name scheme
-- @return words; nil if it may
function fitness.trouble(survey, name)
  local f = survey.facts[name]
  if f.unfit then return f.unfit end
  if not fitness.is_steady(f.single) then return "its readings are not steady" end
  return avoided[avoidance(survey, name)]
end

-- May it stand for others where nothing else has its ports? What reads flags runs ahead of what writes them as long as that waits for none; what
-- updates a register waits for a cycle only, if its chain says so.
local function is_last_resort(survey, name)
  local f, why = survey.facts[name], avoidance(survey, name)
  local soon = why == "waits" and f.chain and math.floor(f.chain + 0.5) <= 1
  return not f.unfit and fitness.is_steady(f.single) and (why == "flags" or soon)
end

--- Takes a fit name out of a list: the first one that was chosen by hand, or the first one.
-- @param survey the survey
-- @param names list
-- @tparam[opt=false] boolean last_resort also one that reads flags
-- @return name; nil if none is fit
function fitness.take(survey, names, last_resort)
  local first
  for i, name in ipairs(names) do
    local fit = not fitness.trouble(survey, name) or last_resort and is_last_resort(survey, name)
    if fit and (not first or survey.preferred[name] and not survey.preferred[names[first]]) then first = i end
  end
  return first and table.remove(names, first)
end

return fitness
