--- Stage: how noisy are the processor's readings? Some schemes are measured twice; their differences tell.
--
-- All later stages measure as often as that asks for (`survey:measure`).
-- @module portolan.infer.chart.stages.noise
local sample = require("portolan.infer.chart.constants").noise_sample
local values = require "portolan.measuring.values"

return function(survey)
  survey:stage("noise")
  local list = {}
  for k = 1, math.min(sample, #survey.order) do
    list[k] = { [survey.order[1 + (k - 1) * #survey.order // math.min(sample, #survey.order)]] = 1 }
  end
  local first = survey:measure(list)
  local good, pairs_of = {}, {}
  for k, result in ipairs(first) do
    if result.status == "ok" then good[#good + 1], pairs_of[#pairs_of + 1] = list[k], { readings = { result.cycles } } end
  end
  for k, result in ipairs(survey:measure(good, { again = true })) do
    if result.status == "ok" then table.insert(pairs_of[k].readings, result.cycles) end
  end
  survey.noise = values.noise(pairs_of)
end
