-- A block that becomes faster by an instruction more: the degree is how many times as fast it is with a NOP behind it. One predictor is enough.
return { predictors = 1, threshold = 1.02, blocks = function(block) return { block .. "\x90" } end, interesting = function(answers, _, more)
  local without, with = answers[1], more.changed[1].answers[1]
  return without.cycles and with.cycles and with.cycles > 0 and without.cycles / with.cycles or nil, with
end }
