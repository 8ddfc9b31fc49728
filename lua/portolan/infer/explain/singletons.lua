--- Stage: every scheme alone. Gives its inverse throughput, and who cannot be measured at all.
-- @module portolan.infer.explain.singletons
return function(survey)
  survey:stage("schemes alone")
  local names = survey:unsettled()
  local list = {}
  for i, name in ipairs(names) do list[i] = { [name] = 1 } end
  for i, result in ipairs(survey:measure(list)) do
    local name = names[i]
    survey.facts[name].single = result
    if result.status ~= "ok" then
      survey:settle(name, result.status, result.message or ("it could not be measured: %s"):format(result.status))
    end
  end
end
