--- Stage: every scheme alone. Gives its inverse throughput, and who cannot be measured at all.
--
-- Code that takes now longer, now shorter by itself (loads with an operation on Golden Cove) stands for no other, but blocking may tell its uops all
-- the same: its time is then that of its fastest readings.
-- @module portolan.infer.chart.stages.singletons
local lacking = require "portolan.infer.chart.lacking"
local status = require "portolan.mapping.statuses"

return function(survey)
  survey:stage("schemes alone")
  local names = survey:unsettled()
  local list = {}
  for i, name in ipairs(names) do list[i] = { [name] = 1 } end
  for i, result in ipairs(survey:measure(list)) do
    local name = names[i]
    local f = survey.facts[name]
    f.single, f.varies = result, result.unsteady and result.range or nil
    if f.varies then
      result.cycles = f.varies.low
    elseif result.status == "not recorded" then
      lacking.note(survey, name, list[i], result)
      lacking.open(survey, name)
    elseif result.status ~= "ok" then
      survey:settle(name, status.of_result(result))
    end
  end
end
