--- Stage: the peak rate R_max of the whole core (dissertation section 4.3): mixes of ever more classes, in several orders.
-- @module portolan.infer.explain.peak
local core = require "portolan.core"

local orders = 4
local near_whole = 0.04

local function mixes(survey, rng)
  local list = {}
  for _ = 1, orders do
    local classes = {}
    for i, class in ipairs(survey.classes) do classes[i] = class end
    rng:shuffle(classes)
    local mix = {}
    for _, class in ipairs(classes) do
      local grown = {}
      for name, count in pairs(mix) do grown[name] = count end
      grown[class.representative] = class.count
      mix = grown
      list[#list + 1] = mix
    end
  end
  return list
end

return function(survey)
  survey:stage("peak rate")
  local list = mixes(survey, core.base.rng(survey.seed):split(1))
  local peak = survey.measured_width
  for i, result in ipairs(survey:measure(list)) do
    if result.status == "ok" then
      local length = 0
      for _, count in pairs(list[i]) do length = length + count end
      if length / result.cycles > peak then peak, survey.peak_experiment = length / result.cycles, list[i] end
    end
  end
  survey.peak = peak
  local nearest = math.floor(peak + 0.5)
  survey.rmax = math.abs(peak - nearest) < near_whole * nearest and nearest or peak
end
