--- Stage: the peak rate R_max of the whole core (dissertation section 4.3): mixes of ever more classes, in several orders.
-- @module portolan.infer.chart.stages.peak
local constants = require "portolan.infer.chart.constants"
local core = require "portolan.core"
local experiment = require "portolan.experiment"
local lists = require "portolan.support.lists"

local near_whole = constants.rate_whole

local function mixes(survey, rng)
  local list = {}
  for _ = 1, constants.peak_orders do
    local classes = lists.copy(survey.classes)
    rng:shuffle(classes)
    local mix = {}
    for _, class in ipairs(classes) do
      local grown = lists.copy(mix)
      grown[class.representative] = class.count
      mix = grown
      list[#list + 1] = mix
    end
  end
  return list
end

local function rate(e, result) return experiment.length(e) / result.cycles end

return function(survey)
  survey:stage("peak rate")
  local list = mixes(survey, core.base.rng(survey.seed):split(1))
  local peak, fast = survey.measured_width, {}
  for i, result in ipairs(survey:measure(list)) do
    if result.status == "ok" and rate(list[i], result) > peak * (1 + near_whole) then fast[#fast + 1] = list[i] end
  end
  for i, result in ipairs(survey:measure(fast, { again = true })) do -- a single fast reading is not believed
    if result.status == "ok" and rate(fast[i], result) > peak then peak = rate(fast[i], result) end
  end
  survey.peak = peak
  local nearest = math.floor(peak + 0.5)
  survey.rmax = math.abs(peak - nearest) < near_whole * nearest and nearest or peak
end
