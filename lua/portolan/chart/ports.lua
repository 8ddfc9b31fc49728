--- Stage: the ports of the classes, by counter-example-guided inference on their representatives (Algorithm 4.1).
--
-- Hardware is slower than the model, never faster: observations are read asymmetrically (docs/inference.md). A representative
-- whose observations contradict all mappings is set aside, with the experiments that say so.
-- @module portolan.chart.ports
local cegis = require "portolan.infer.cegis"
local experiment = require "portolan.experiment"

local noise = 0.006 -- CPI: what the gate lets through (docs/measuring.md), with a margin

local function class_of(survey, name)
  for i, class in ipairs(survey.classes) do
    if class.representative == name then return class, i end
  end
end

-- The scheme that occurs in most of the conflicting experiments; the last one in the order of the set wins a tie.
local function culprit(survey, conflict)
  local counts, worst = {}, nil
  for _, entry in ipairs(conflict.experiments) do
    for name in pairs(entry.experiment) do counts[name] = (counts[name] or 0) + 1 end
  end
  for _, name in ipairs(survey.order) do
    if counts[name] and (not worst or counts[name] >= counts[worst]) then worst = name end
  end
  return worst
end

local function set_aside(survey, conflict)
  local name = culprit(survey, conflict)
  local class, index = class_of(survey, name)
  for _, member in ipairs(class.members) do survey:settle(member, "contradicting", conflict.text) end
  for _, entry in ipairs(conflict.experiments) do
    survey:witness(name, entry.experiment, entry.cycles, nil, "part of the contradiction")
  end
  table.remove(survey.classes, index)
end

local function infer(survey)
  local names, counts = {}, {}
  for i, class in ipairs(survey.classes) do
    names[i], counts[class.representative] = class.representative, class.count
  end
  return cegis.infer(survey.processor, names, {
    rmax = survey.rmax, port_counts = counts, epsilon = noise, reading = "asymmetric", seed = survey.seed, batch = 8,
    time_limit = 60, initial = cegis.pair_experiments(counts),
    progress = function(state) survey.progress("ports of the classes", state.experiments) end,
  })
end

-- Evidence for the set of one class: what involves it, tightest agreement first.
local function note_witnesses(class, outcome)
  local list = {}
  for _, o in ipairs(outcome.observations) do
    if o.experiment[class.representative] and o.predicted then list[#list + 1] = o end
  end
  table.sort(list, function(a, b)
    local da, db = math.abs(a.residual) / a.predicted, math.abs(b.residual) / b.predicted
    if da ~= db then return da < db end
    return experiment.key(a.experiment) < experiment.key(b.experiment)
  end)
  class.observations = list
end

return function(survey)
  survey:stage("ports of the classes")
  local outcome, message
  repeat
    outcome, message = infer(survey)
    if not outcome then error(message, 0) end
    survey.experiments = survey.experiments + outcome.experiments
    if outcome.status == "interrupted" then error(require("portolan.chart.survey").stop, 0) end
    if outcome.status == "contradiction" then set_aside(survey, outcome.conflict) end
  until outcome.status ~= "contradiction" or #survey.classes == 0
  survey.inference = outcome
  if not outcome.mapping then return end
  survey.ports = outcome.mapping.ports
  for _, class in ipairs(survey.classes) do
    class.ports = outcome.mapping.schemes[class.representative].uops[1][1]
    note_witnesses(class, outcome)
    for _, member in ipairs(class.members) do
      local f = survey.facts[member]
      f.uops, f.class = { { class.ports, 1 } }, class
      survey:settle(member, "explained")
    end
  end
end
