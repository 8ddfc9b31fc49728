--- Stage: do schemes that are slower than their ports depend on what they work on?
--
-- Where the processor can, they are measured alone with other values in the registers.
-- @module portolan.infer.chart.stages.inputs
local other = require("portolan.infer.chart.constants").inputs_differ

local function differs(result, f)
  return result.status == "ok" and f.single.status == "ok" and math.abs(result.cycles / f.single.cycles - 1) > other
end

return function(survey)
  local processor = survey.processor
  if not processor.measure_other_inputs then return end
  survey:stage("other inputs")
  local names, list = {}, {}
  for _, name in ipairs(survey.order) do
    local f = survey.facts[name]
    if f.status == "slower than ports" or f.status == "contradicting" then names[#names + 1], list[#list + 1] = name, { [name] = 1 } end
  end
  local results, message = processor:measure_other_inputs(list)
  if not results then survey:fail(message) end
  local doubtful, where = {}, {}
  for i, result in ipairs(results) do
    if differs(result, survey.facts[names[i]]) then doubtful[#doubtful + 1], where[#where + 1] = list[i], i end
  end
  for k, result in ipairs(survey:measure(doubtful, { again = true })) do -- with the usual values: is it still another time?
    if not differs(results[where[k]], { single = result }) then results[where[k]] = result end
  end
  for i, result in ipairs(results) do
    local f = survey.facts[names[i]]
    if differs(result, f) then
      survey:settle(names[i], "input-dependent", ("alone it takes %.3f cycles with small numbers in the registers, %.3f with large ones"):format(
        f.single.cycles, result.cycles))
    end
  end
end
