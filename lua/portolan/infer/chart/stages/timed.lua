--- Stage: schemes whose ports are not asked: those that a set names (`alone`). They hold up what is beside them, so that a flood would say nothing of
-- ports.
-- @module portolan.infer.chart.stages.timed
return function(survey)
  for _, name in ipairs(survey:unsettled(function(_, f) return f.alone end)) do
    local f = survey.facts[name]
    survey:settle(name, "slower than ports", ("%.2f cycles alone; its ports were not asked: %s"):format(f.single.cycles, f.alone))
    survey:witness(name, { [name] = 1 }, f.single.cycles, nil, "alone", "bounds")
  end
end
