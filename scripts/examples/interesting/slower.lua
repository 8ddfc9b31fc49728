-- The first predictor says at least twice the cycles of every other one: the degree is how many times.
return { threshold = 2, interesting = function(answers)
  local most = 0
  for i = 2, #answers do
    if not answers[i].cycles then return nil end
    most = math.max(most, answers[i].cycles)
  end
  return answers[1].cycles and answers[1].cycles / most
end }
