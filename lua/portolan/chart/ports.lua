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

local function ports_of(outcome, class) return outcome.mapping.schemes[class.representative].uops[1][1] end

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

-- A single scheme that shares no port with any other has a bottleneck of its own; nothing says that it is a port. (Memory has
-- ports that nothing else uses.)
local function find_loner(survey, outcome)
  local users = {}
  for _, class in ipairs(survey.classes) do
    for _, p in ipairs(ports_of(outcome, class)) do
      users[p] = (users[p] or 0) + (class.wide and 0 or 1)
    end
  end
  for index, class in ipairs(survey.classes) do
    local memory, alone = survey.facts[class.representative].memory, #class.members == 1 and not class.wide
    for _, p in ipairs(ports_of(outcome, class)) do alone = alone and users[p] == 1 end
    if alone and not (memory.reads or memory.writes) then return index end
  end
end

local function dismiss(survey, index)
  local class = table.remove(survey.classes, index)
  local name = class.representative
  survey:settle(name, "limited elsewhere", ("it takes %.3f cycles alone, but competes with no other scheme: a limit of its own, "
    .. "such as fetching or decoding, rather than a port"):format(survey.facts[name].single.cycles))
end

-- Infers until nothing has to be set aside any more.
local function settle_classes(survey)
  while #survey.classes > 0 do
    local outcome, message = infer(survey)
    if not outcome then error(message, 0) end
    survey.experiments = survey.experiments + outcome.experiments
    if outcome.status == "interrupted" then error(survey.stop, 0) end
    local loner = outcome.mapping and find_loner(survey, outcome)
    if outcome.status == "contradiction" then
      set_aside(survey, outcome.conflict)
    elseif loner then
      dismiss(survey, loner)
    else
      return outcome
    end
  end
end

return function(survey)
  survey:stage("ports of the classes")
  local outcome = settle_classes(survey)
  survey.inference = outcome
  if not outcome or not outcome.mapping then return end
  survey.ports = outcome.mapping.ports
  for _, class in ipairs(survey.classes) do
    class.ports = ports_of(outcome, class)
    note_witnesses(class, outcome)
    for _, member in ipairs(class.members) do
      local f = survey.facts[member]
      f.uops, f.class = { { class.ports, 1 } }, class
      survey:settle(member, "explained")
    end
  end
end
