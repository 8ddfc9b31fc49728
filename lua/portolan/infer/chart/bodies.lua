--- Loop bodies that stages have measured as they are: probes, and schemes by kinds of values.
-- @module portolan.infer.chart.bodies
local bodies = {}

--- Of code that varies by itself, the middle of its range.
function bodies.middle(range) return (range.low + range.high) / 2 end

--- Of code that varies by itself, its fastest readings.
function bodies.fastest(range) return range.low end

--- Measures loop bodies for a survey, which ends if it is interrupted or the processor fails.
-- @param survey
-- @param jobs list of `{ key =, kernels = function() -> variants }`
-- @tparam func of_range `middle` or `fastest`
-- @return cycles of each, false where there are none
function bodies.cycles(survey, jobs, of_range)
  local results, message = survey.processor:measure_bodies(jobs, { deadline = survey.deadline,
    progress = survey:list() })
  if not results then survey:fail(message) end
  local cycles = {}
  for i, result in ipairs(results) do
    if result.status == "interrupted" then survey:give_up() end
    cycles[i] = result.status == "ok" and result.cycles or result.unsteady and result.range and of_range(result.range) or false
  end
  survey.experiments = survey.experiments + #jobs
  return cycles
end

return bodies
