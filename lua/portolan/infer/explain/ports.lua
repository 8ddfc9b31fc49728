--- Stage: the ports of the classes, by counter-example-guided inference on their representatives (Algorithm 4.1).
--
-- Hardware is slower than the model, never faster: observations are read asymmetrically (docs/inference.md). A representative
-- whose observations contradict all mappings is set aside, with the experiments that say so.
-- @module portolan.infer.explain.ports
local cegis = require "portolan.infer.cegis"
local experiment = require "portolan.experiment"

local unlocated = "a store has two uops that share an issue slot; these ports limit it, those of the other uop are not located"
local solver_time = 120 -- seconds; what it leaves open is reported as ambiguous
local noise = 0.01 -- CPI: what the gate lets through (docs/measuring.md), with a margin

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
  local names, counts, improper = {}, {}, {}
  for i, class in ipairs(survey.classes) do
    local name = class.representative
    names[i], counts[name], improper[name] = name, class.count, class.improper or nil
  end
  -- The survey's way of measuring: what was disturbed gets a second chance. The gate lets no reading through that is off by more
  -- than epsilon (docs/measuring.md), so that none has to be confirmed; but what contradicts is measured anew.
  local processor = { name = survey.processor.name }
  function processor.measure(_, list, options) return survey:measure(list, options and options.again) end
  return cegis.infer(processor, names, {
    rmax = survey.rmax, port_counts = counts, epsilon = noise, reading = "asymmetric", seed = survey.seed, batch = 8,
    improper = improper, time_limit = solver_time, confirm = false,
    progress = function(state) survey.progress("ports of the classes", state.experiments) end,
  })
end

local telling = 0.02 -- by so much an experiment must be off what other ports would give

-- What an observation of two representatives says about their ports, and how strongly: the relative distance to what one shared
-- port more (fewer, if they share any) would give. Nil if it would be the same.
local function says(counts, ports, o, name, other, limit)
  local e, shared, set = o.experiment, 0, {}
  for _, p in ipairs(ports[name]) do set[p] = true end
  for _, p in ipairs(ports[other]) do shared = shared + (set[p] and 1 or 0) end
  local union = counts[name] + counts[other] - shared
  local function takes(size) return math.max(e[name] / counts[name], e[other] / counts[other], limit, (e[name] + e[other]) / size) end
  if shared == 0 then
    local strength = takes(union - 1) / o.cycles - 1
    return strength > telling and ("does not compete with " .. other) or nil, strength
  end
  local strength = 1 - takes(union + 1) / o.cycles
  return strength > telling and ("competes with %s: %d ports for both"):format(other, union) or nil, strength
end

-- Evidence for the set of one class: for every other class the experiment that says most about the two, if any does.
local function note_witnesses(survey, class, outcome)
  local counts, ports, best = {}, {}, {}
  for _, c in ipairs(survey.classes) do counts[c.representative], ports[c.representative] = c.count, ports_of(outcome, c) end
  for _, o in ipairs(outcome.observations) do
    local name, other, third = class.representative, nil, nil
    for n in pairs(o.experiment) do
      if n ~= name then third, other = other, n end
    end
    if o.experiment[name] and other and not third and o.predicted then
      local limit = experiment.length(o.experiment) / survey.rmax
      local text, strength = says(counts, ports, o, name, other, limit)
      local proper = not class.wide and counts[other] < survey.rmax
      if proper and text and (not best[other] or strength > best[other].strength) then
        best[other] = { experiment = o.experiment, cycles = o.cycles, expected = o.predicted, says = text, strength = strength }
      end
    end
  end
  class.witnesses = {}
  for _, c in ipairs(survey.classes) do
    class.witnesses[#class.witnesses + 1] = best[c.representative]
  end
end

local few = 2 -- members

-- Do all members access memory? It has ports that nothing else uses.
local function memory_only(survey, class)
  for _, member in ipairs(class.members) do
    local use = survey.facts[member].memory
    if not (use.reads or use.writes) then return false end
  end
  return true
end

-- One or two schemes that share no port with any other have a bottleneck of their own; nothing says that it is a port.
local function find_loner(survey, outcome)
  local users = {}
  for _, class in ipairs(survey.classes) do
    for _, p in ipairs(ports_of(outcome, class)) do
      users[p] = (users[p] or 0) + (class.wide and 0 or 1)
    end
  end
  for index, class in ipairs(survey.classes) do
    local alone = #class.members <= few and not class.wide and not memory_only(survey, class)
    for _, p in ipairs(ports_of(outcome, class)) do alone = alone and users[p] == 1 end
    if alone then return index end
  end
end

local function dismiss(survey, index)
  local class = table.remove(survey.classes, index)
  for _, name in ipairs(class.members) do
    survey:settle(name, "limited elsewhere", ("it takes %.3f cycles alone, but competes with next to no other scheme: a limit of its "
      .. "own, such as fetching or decoding, rather than a port"):format(survey.facts[name].single.cycles))
  end
end

-- Infers until nothing has to be set aside any more.
local function settle_classes(survey)
  while #survey.classes > 0 do
    local outcome, message = infer(survey)
    if not outcome then survey:fail(message) end
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

-- Could the ports of this class be others, too? They could if the inference left an overlap open, or if an experiment that might
-- have ruled others out could not be measured. (With sets as wide as the front end that is always so, and said elsewhere.)
local function is_ambiguous(survey, outcome, class)
  if outcome.status ~= "unique" then return true end
  local wide = {}
  for _, c in ipairs(survey.classes) do wide[c.representative] = c.wide end
  for _, point in ipairs(outcome.open) do
    local names_it = point.a == class.representative or point.b == class.representative
    if names_it and not wide[point.a] and not (point.b and wide[point.b]) then return true end
  end
  for _, e in ipairs(outcome.failed) do
    local with_wide = false
    for name in pairs(e) do with_wide = with_wide or wide[name] end
    if e[class.representative] and not with_wide then return true end
  end
  return false
end

local function status_of(class)
  if class.ambiguous then return "ambiguous", "other ports agree with the measurements, too: the front end hides the difference, or noise did" end
  if class.improper then return "partly explained", unlocated end
  return "explained"
end

return function(survey)
  survey:stage("ports of the classes")
  local outcome = settle_classes(survey)
  survey.inference = outcome
  if not outcome or not outcome.mapping then return end
  survey.ports = outcome.mapping.ports
  for _, class in ipairs(survey.classes) do
    class.ports = ports_of(outcome, class)
    class.ambiguous = not class.wide and is_ambiguous(survey, outcome, class)
  end
  for _, class in ipairs(survey.classes) do
    note_witnesses(survey, class, outcome)
    for _, member in ipairs(class.members) do
      local f = survey.facts[member]
      f.uops, f.class = { { class.ports, 1 } }, class
      f.assumed = (class.wide or class.ambiguous) and class.ports or nil
      survey:settle(member, status_of(class))
    end
  end
end
