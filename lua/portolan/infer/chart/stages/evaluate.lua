--- Stage: fresh random experiments over all explained schemes, measured and modelled (dissertation sections 3.2.2 and 6.3.6).
-- @module portolan.infer.chart.stages.evaluate
local core = require "portolan.core"
local experiment = require "portolan.experiment"
local lists = require "portolan.support.lists"

local length = 5 -- instances of a fresh random experiment (sections 3.2.2 and 6.3.6)
local resolution = 0.02 -- cycles, to which times are rounded for tau-b: readings repeat about as well
local tries = 20 -- draws for each experiment

local function random_experiments(names, count, rng)
  local list, seen = {}, {}
  for _ = 1, tries * count do -- few schemes may not have that many different experiments
    if #list == count then break end
    local picked = {}
    for k = 1, length do picked[k] = names[rng:below(#names) + 1] end
    local e = experiment.of_list(picked)
    local key = experiment.key(e)
    if not seen[key] then
      seen[key] = true
      list[#list + 1] = e
    end
  end
  return list
end

-- Recorded experiments of several of these schemes.
local function recorded_experiments(survey, names, count)
  local known, list = lists.set(names), {}
  for _, e in ipairs(survey.processor:experiments()) do
    local all = next(e, next(e)) ~= nil
    for name in pairs(e) do all = all and known[name] end
    if all and #list < count then list[#list + 1] = e end
  end
  return list
end

-- MAPE, Pearson and Kendall's tau-b, and tau-b of what is measured to `resolution`: a narrow front end makes a third of all predictions
-- the same, and the order of such experiments is one of noise only.
local function judge(predicted, measured)
  local m, rounded = core.model.metrics(predicted, measured), {}
  for i, cycles in ipairs(measured) do rounded[i] = math.floor(cycles / resolution + 0.5) * resolution end
  local resolved = core.model.metrics(predicted, rounded)
  return { mape = m.mape, pearson = m.pearson, kendall = m.kendall, kendall_resolved = resolved.kendall }
end

-- Judges what another predictor says of the same experiments; its `cycles` are false where it says nothing.
local function judge_other(other, list, measured)
  local answers, message = other.throughput(list)
  if not answers then return { name = other.name, text = message } end
  local cycles, theirs, ours = {}, {}, {}
  for i, answer in ipairs(answers) do
    cycles[i] = answer.cycles or false
    if answer.cycles then theirs[#theirs + 1], ours[#ours + 1] = answer.cycles, measured[i] end
  end
  local m = #theirs > 0 and judge(theirs, ours) or {}
  m.name, m.cycles = other.name, cycles
  return m
end

--- Measures them; of a record, which has no fresh ones, those that it has.
-- @param survey the survey
-- @param compiled the mapping as core.model.mapping
-- @param names explained schemes, sorted
-- @param count number of experiments
-- @param[opt] others list of `{ name =, throughput = function(experiments) -> list of { cycles = } }`, judged on the same experiments
-- @return evaluation for the report
return function(survey, compiled, names, count, others)
  survey:stage("fresh random experiments")
  local evaluation = { list = {}, unstable = 0 }
  if #names == 0 then return evaluation end
  evaluation.recorded = survey.processor.experiments and true or nil
  local list = evaluation.recorded and recorded_experiments(survey, names, count)
    or random_experiments(names, count, core.base.rng(survey.seed):split(2))
  local seen = {}
  local modelled, bound, measured = {}, {}, {}
  for i, result in ipairs(survey:measure(list)) do
    if result.status == "ok" then
      local n = #measured + 1
      seen[n], measured[n], modelled[n], bound[n] = list[i], result.cycles, compiled:throughput(list[i]), compiled:bind(list[i])
      evaluation.list[n] = { experiment = experiment.format(list[i]), measured = measured[n], modelled = modelled[n], binder = bound[n] }
    else
      evaluation.unstable = evaluation.unstable + 1
    end
  end
  if #measured == 0 then return evaluation end
  for key, value in pairs(judge(modelled, measured)) do evaluation[key] = value end
  evaluation.binder, evaluation.resolution = judge(bound, measured), resolution
  for i, other in ipairs(others or {}) do
    evaluation.others = evaluation.others or {}
    evaluation.others[i] = judge_other(other, seen, measured)
  end
  return evaluation
end
