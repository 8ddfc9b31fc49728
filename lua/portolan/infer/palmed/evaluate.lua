--- Tests a conjunctive mapping with fresh random experiments (sections 5.2.2 and 6.3.6).
-- @module portolan.infer.palmed.evaluate
local accuracy = require "portolan.prediction.accuracy"
local failure = require "portolan.support.failure"
local lists = require "portolan.support.lists"
local model = require "portolan.prediction.model"
local pmevo_evaluate = require "portolan.infer.pmevo.evaluate"
local predictors = require "portolan.prediction.compared"

local evaluate = {}

--- Measures random experiments of five instructions and judges the mapping by them.
-- @param processor any
-- @param m conjunctive mapping
-- @tparam table options
-- @tparam int options.count experiments
-- @tparam int options.seed of their choice
-- @tparam[opt] func options.progress function(done, total)
-- @return summary of the model (portolan.prediction.accuracy), nil if nothing could be measured; or nil and a message
function evaluate.run(processor, m, options)
  local names, records = lists.keys(m.schemes), {}
  local list = pmevo_evaluate.experiments(names, options.count, options.seed)
  local results, message = failure.of_machine(processor:measure(list, { progress = options.progress }))
  if not results then return nil, message end
  for i, result in ipairs(results) do records[i] = { e = list[i], cycles = result.cycles, status = result.status } end
  local set = accuracy.set(records)
  if #set.records == 0 then return nil end
  local found
  found, message = model.of_conjunctive(m)
  if not found then return nil, message end
  return accuracy.evaluate(set, { predictors.of_model(found, "Palmed") }, { unit = "cycles" }).models[1].summary
end

return evaluate
