--- Stage: the ports of the classes, by counter-example-guided inference on their representatives (Algorithm 4.1).
--
-- Hardware is slower than the model, never faster: observations are read asymmetrically (docs/inference.md). A representative
-- whose observations contradict all mappings is set aside, with the experiments that say so.
-- @module portolan.infer.chart.stages.class_ports
local binding = require "portolan.infer.chart.binding"
local controls = require "portolan.infer.chart.controls"
local constants = require "portolan.infer.chart.constants"
local jointly = require "portolan.infer.chart.jointly"
local kept_inference = require "portolan.infer.chart.kept_inference"
local lacking = require "portolan.infer.chart.lacking"
local lists = require "portolan.support.lists"
local mapping = require "portolan.mapping"
local port_class = require "portolan.infer.chart.port_class"
local port_set = require "portolan.mapping.ports"
local members = require "portolan.infer.chart.members"
local note_witnesses = require "portolan.infer.chart.port_witnesses"
local precise = require("portolan.measuring.policy").precise
local plural = require "portolan.support.plural"
local unfit = require "portolan.infer.chart.unfit"

local ports = {}

-- The ports of a class in an outcome.
local function ports_of(outcome, class) return outcome.mapping.schemes[class.representative].uops[1][1] end

-- The class that is to blame for a conflict: that whose scheme occurs in most of the experiments for each of its members, as what many schemes have
-- in common are ports; the last one in the order of the set wins a tie. Its place.
local function culprit(survey, conflict)
  local place, worst, most = {}, nil, 0
  for i, class in ipairs(survey.classes) do place[class.representative] = i end
  for _, name in ipairs(survey.order) do
    local class = survey.classes[place[name]]
    local blame = class and lists.count(conflict.experiments, function(entry) return entry.experiment[name] end) / #class.members or 0
    if blame > 0 and blame >= most then worst, most = place[name], blame end
  end
  return worst
end

local function set_aside(survey, conflict)
  local index = culprit(survey, conflict)
  local class = survey.classes[index]
  for _, member in ipairs(class.members) do survey:settle(member, "contradicting", conflict.text) end
  for _, entry in ipairs(conflict.experiments) do
    survey:witness(class.representative, entry.experiment, entry.cycles, nil, "part of the contradiction", "contradicts")
  end
  table.remove(survey.classes, index)
end

-- Infers the ports of classes. What is tried with some of them, or another R_max, is handed over: the survey stays as it is, whatever ends the try.
local function infer(survey, classes, rmax)
  local names, counts, domains, improper = {}, {}, {}, {}
  for i, class in ipairs(classes) do
    local name = class.representative
    names[i], counts[name], domains[name], improper[name] = name, class.count, port_class.domain(class), class.improper
  end
  -- The survey's way of measuring: what was disturbed gets a second chance. What is slow must be so twice, as a single slow reading would pass for a
  -- port in common; what contradicts is measured anew.
  local processor = { name = survey.processor.name }
  function processor.measure(_, list, options) return members.measure(survey, classes, list, options) end
  local open = lacking.leaves_open(survey)
  if lacking.is_record(survey) then
    function processor.experiments() return survey.processor:experiments() end
    function processor.answers(_, e) return survey.processor:answers(e) end
  end
  local outcome, message = kept_inference.infer(survey.kept, processor, names, {
    rmax = rmax or survey.rmax, domains = domains,
    controls = not open and function(list, cycles) return controls.floors(survey, list, cycles) end or nil,
    port_counts = counts, improper = improper, most_ports = constants.ports_most,
    epsilon = survey.epsilon or survey.processor.resolution or constants.ports_epsilon, deviation = math.min(survey.noise or 0, precise.deviation),
    reading = "asymmetric", seed = survey.seed,
    carriers = lists.map(classes, function(class) return class.carriers or {} end), -- of `kept_inference` alone
    time_limit = open and constants.lacking_solver or constants.ports_solver, confirm = true, certain = open,
  })
  if outcome and outcome.status == "interrupted" then error(survey.stop, 0) end
  return outcome or survey:fail(message)
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
    local alone = #class.members <= constants.class_few and not class.wide and not port_class.is_of_memory(class, survey.facts)
    for _, p in ipairs(ports_of(outcome, class)) do alone = alone and users[p] == 1 end
    if alone then return index end
  end
end

local function dismiss(survey, index)
  local class = table.remove(survey.classes, index)
  for _, name in ipairs(class.members) do
    survey:settle(name, "slower than ports", ("it takes %.3f cycles alone, but competes with next to no other scheme: a limit of its "
      .. "own, such as fetching or decoding, rather than a port"):format(survey.facts[name].single.cycles))
  end
end

-- Infers until nothing has to be set aside any more. Returns the outcome of portolan.infer.cegis; nil if no class is left.
local function infer_all(survey)
  while #survey.classes > 0 do
    local outcome = infer(survey, survey.classes)
    local told = not lacking.leaves_open(survey) or outcome.status == "unique" -- an absent pair is no sign of separate ports
    local loner = outcome.mapping and told and find_loner(survey, outcome)
    if outcome.status == "contradiction" then
      set_aside(survey, outcome.conflict)
    elseif loner then
      dismiss(survey, loner)
    elseif lacking.leaves_open(survey) or not outcome.mapping or not unfit.take_out(survey, outcome, infer) then
      return outcome
    end
  end
end

--- Infers the ports of classes that have none in common with the others. Raises what ends the survey.
-- @param survey the survey
-- @param list classes
-- @param rmax slots a cycle that these share, or ports of what else they have in common
-- @return outcome of portolan.infer.cegis
function ports.infer_alone(survey, list, rmax) return infer(survey, list, rmax) end

--- Could the ports of this class be others, too? They could if the inference left an overlap open, or if an experiment that might
-- have ruled others out could not be measured. (With sets as wide as the front end that is always so, and said elsewhere.)
-- @param survey the survey
-- @param outcome of an inference with the class (portolan.infer.cegis)
-- @param class one of `survey.classes`
-- @treturn boolean
function ports.is_ambiguous(survey, outcome, class)
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

-- The names that are in most of some experiments.
local function in_most(list)
  local times, most = {}, 0
  for _, e in ipairs(list) do
    for name in pairs(e) do
      times[name] = (times[name] or 0) + 1
      most = math.max(most, times[name])
    end
  end
  return lists.where(lists.keys(times), function(name) return times[name] == most end)
end

-- The representatives of an outcome's experiments that take longer than its ports explain, however unwisely a core binds, or than controls do: a set.
-- Those that are in most of these experiments; then those in most of what is left.
local function beyond_ports(survey, outcome)
  local compiled, most = mapping.compile(outcome.mapping), constants.beyond_ports
  local function uops_of(name) return outcome.mapping.schemes[name].uops end
  local slow = lists.where(outcome.observations, function(o)
    local e = o.experiment
    return o.predicted and o.cycles > most * o.predicted and (not binding.matters(e, uops_of) or o.cycles > most * binding.slowest(compiled, e))
  end)
  local list, cycles = lists.map(slow, function(o) return o.experiment end), lists.map(slow, function(o) return o.cycles end)
  local floors, names, left = controls.floors(survey, list, cycles), {}, {}
  for i, o in ipairs(slow) do left[#left + 1] = o.cycles > most * floors[i] and o.experiment or nil end
  while #left > 0 do
    local some = in_most(left)
    for _, name in ipairs(some) do names[name] = true end
    left = lists.where(left, function(e) return not lists.any(some, function(name) return e[name] end) end)
  end
  return names
end

local beyond = "it takes longer beside other classes than these ports explain"
--- This sentence says why ports that are ambiguous are assumed.
ports.open = "other ports agree with the measurements, too: no experiment tells them apart"

--- Notes what each member of a class shows alone: the number of its ports.
-- @param survey the survey
-- @param class of which the members are
function ports.note_alone(survey, class)
  local says = "alone: " .. plural(class.count, "port")
  for _, name in ipairs(class.members) do survey:witness(name, { [name] = 1 }, survey.facts[name].single.cycles, 1 / class.count, says, "bounds") end
end

--- Explains the members of a class by its uops.
-- @param survey the survey
-- @param class with `uops` and `assumed`
-- @param[opt] note what is to be said of them, a sentence
function ports.explain(survey, class, note)
  for _, name in ipairs(class.members) do
    local f = survey.facts[name]
    f.uops, f.assumed = class.uops, class.assumed
    survey:settle(name, "explained", note)
  end
end

-- Says why a record leaves the ports of a class open; nil if it does not.
local function left_open(survey, outcome, class)
  if outcome.status == "unique" or not lacking.leaves_open(survey) then return nil end
  for _, name in ipairs(outcome.certain and outcome.certain.schemes or {}) do
    if name == class.representative then return nil end
  end
  return "other ports agree with the recorded experiments, too: the record lacks what would tell them apart"
end

-- Classes that turn out to have the same ports are one: a comparison that could not be measured kept them apart.
local function merged(classes)
  local of = {}
  return lists.where(classes, function(class)
    if class.wide or not class.ports then return true end
    local key = port_set.unordered_key(class.ports) .. (class.loads and " of loads" or "")
    local first = of[key]
    of[key] = first or class
    if not first then return true end
    table.move(class.members, 1, #class.members, #first.members + 1, first.members)
    for _, doubt in ipairs { "ambiguous", "slow_beside", "assumed" } do first[doubt] = first[doubt] or class[doubt] end
    return false
  end)
end

-- Gives the classes and their members the ports of an outcome.
local function adopt(survey, outcome)
  survey.inference, survey.ports = outcome, outcome.mapping.ports
  local slow = beyond_ports(survey, outcome)
  for _, class in ipairs(survey.classes) do
    class.ports, class.slow_beside = ports_of(outcome, class), slow[class.representative]
    class.ambiguous = not class.wide and ports.is_ambiguous(survey, outcome, class)
    class.open = left_open(survey, outcome, class)
    class.uops, class.assumed = { { class.ports, 1 } }, (class.wide or class.ambiguous or class.slow_beside) and class.ports or nil
  end
  for _, class in ipairs(survey.classes) do
    note_witnesses(survey, class, outcome, ports_of)
    ports.note_alone(survey, class)
    for _, w in ipairs(class.witnesses) do survey:witness(class.representative, w.experiment, w.cycles, w.expected, w.says, w.role) end
    ports.explain(survey, class, class.ambiguous and ports.open or class.slow_beside and beyond or nil)
  end
  survey.classes = merged(survey.classes)
end

--- The stage.
function ports.__call(_, survey)
  survey:stage("ports of the classes")
  if lacking.is_record(survey) and #survey.classes == 0 then return jointly.infer(survey) end
  local outcome = infer_all(survey)
  if outcome and outcome.mapping then adopt(survey, outcome) end
end

return setmetatable(ports, ports)
