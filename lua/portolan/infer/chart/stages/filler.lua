--- Stage: which instruction fills issue slots, and nothing else (portolan.processor.filler)?
-- @module portolan.infer.chart.stages.filler
local filler = require "portolan.processor.filler"

return function(survey)
  survey:stage("what fills issue slots")
  survey.filling = filler.of(survey.processor, function(list) return survey:measure(list) end)
  survey.filler = survey.filling and survey.filling.name
end
