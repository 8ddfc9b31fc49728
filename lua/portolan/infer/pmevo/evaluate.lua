--- Held-out experiments (sections 5.2.2 and 6.3.6): random multisets of five instructions, measured and modelled.
-- @module portolan.infer.pmevo.evaluate
local accuracy = require "portolan.prediction.accuracy"
local core = require "portolan.core"
local experiment = require "portolan.experiment"
local failure = require "portolan.support.failure"
local lists = require "portolan.support.lists"
local mapping = require "portolan.mapping"
local mapping_diff = require "portolan.mapping.diff"
local model = require "portolan.prediction.model"
local predictors = require "portolan.prediction.compared"

local length = 5 -- instructions of an experiment

local evaluate = {}

--- Random experiments, sampled uniformly with repetition.
-- @param names schemes
-- @param count how many
-- @param seed of the random choice
-- @return list of experiments
function evaluate.experiments(names, count, seed)
  local rng, list = core.base.rng(seed):split(5), {}
  for i = 1, count do
    local picked = {}
    for k = 1, length do picked[k] = names[rng:below(#names) + 1] end
    list[i] = experiment.of_list(picked)
  end
  return list
end

-- A mapping as a predictor.
local function predictor(m, name)
  local found, message = model.of(m)
  if not found then return nil, message end
  return predictors.of_model(found, name)
end

-- The mapping with the schemes that it claims to explain: of those that are slower than their ports it has the ports, but no time.
local function claimed(m)
  local schemes = {}
  for name, scheme in pairs(m.schemes) do
    if scheme.status ~= "slower than ports" and scheme.status ~= "input-dependent" then schemes[name] = scheme end
  end
  local part = lists.copy(m)
  part.schemes = schemes
  return part
end

--- Measures random experiments and judges the mapping by them, and a reference beside it.
-- @param processor any
-- @param m the mapping
-- @tparam table options
-- @tparam int options.count experiments
-- @tparam int options.seed of their choice
-- @tparam[opt] table options.reference mapping to compare with
-- @tparam[opt] func options.progress function(done, total)
-- @return `{ set =, result = }` (portolan.prediction.accuracy), `records` (measured experiments), and, where there is a reference, `compared` (as
-- `result`, of the experiments that both explain) and `structure` (portolan.mapping.diff); or nil and a message
function evaluate.run(processor, m, options)
  local list, records = evaluate.experiments(mapping.schemes(m, true), options.count, options.seed), {}
  local results, message = failure.of_machine(processor:measure(list, { progress = options.progress }))
  if not results then return nil, message end
  for i, result in ipairs(results) do records[i] = { e = list[i], cycles = result.cycles, status = result.status } end
  local set, models = accuracy.set(records), {}
  models[1], message = predictor(m, "PMEvo")
  if models[1] and options.reference then models[2], message = predictor(claimed(options.reference), "reference") end
  if message then return nil, message end
  local structure = options.reference and mapping_diff.of(m, options.reference)
  local found = { set = set, records = records, structure = structure or nil }
  if #set.records > 0 then
    found.result = accuracy.evaluate(set, models, { unit = "cycles", by_length = true })
    local compared = models[2] and accuracy.evaluate(set, models, { unit = "cycles", common = true })
    if compared and compared.common > 0 then found.compared = compared end
  end
  return found
end

return evaluate
