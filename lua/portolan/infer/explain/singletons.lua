--- Stage: every scheme alone. Gives its inverse throughput, and who cannot be measured at all.
-- @module portolan.infer.explain.singletons
local status = require "portolan.infer.explain.status"

return function(survey)
  survey:stage("schemes alone")
  local names = survey:unsettled()
  local list = {}
  for i, name in ipairs(names) do list[i] = { [name] = 1 } end
  for i, result in ipairs(survey:measure(list)) do
    local name = names[i]
    survey.facts[name].single = result
    if result.status ~= "ok" then
      survey:settle(name, status.of_result(result))
    end
  end
end
