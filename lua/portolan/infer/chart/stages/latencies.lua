--- Stage: how long after its inputs are an instance's outputs there? Chains of dependent instances tell (portolan.infer.latency).
--
-- It comes last, as it rests on what instances need without waiting, which the mapping says. Where it ends early the mapping has the latencies
-- that were found so far.
-- @module portolan.infer.chart.stages.latencies
local latency = require "portolan.infer.latency"
local outcome = require "portolan.infer.latency.outcome"

--- Runs the stage.
-- @param survey the survey
-- @param parts of the chart: the schemes of its `mapping` get `latencies`, and `latency` becomes the summary (portolan.infer.latency.outcome), unless
-- the processor measures no chains, or nothing can be chained
return function(survey, parts)
  local m = parts.mapping
  if not survey.processor.measure_chains or #m.ports == 0 then return end
  survey:stage("latencies")
  local list = {}
  local found = latency.infer(survey.processor, m, { noise = survey.noise, deadline = survey.deadline,
    progress = function(step, done, total)
      if step ~= list.step or total ~= list.total then list = { step = step, total = total, tell = survey:list() } end
      list.tell(done, total, step)
    end })
  if not found then return end
  outcome.enter(m, found)
  survey.experiments, parts.latency = survey.experiments + found.chains, outcome.summary(found)
  if found.failure then survey:fail(found.failure) end
  if found.unfinished then survey:give_up() end
end
