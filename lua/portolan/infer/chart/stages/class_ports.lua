--- Stage: the ports of the classes, by counter-example-guided inference on their representatives (Algorithm 4.1).
--
-- Hardware is slower than the model, never faster: observations are read asymmetrically (docs/inference.md). A representative
-- whose observations contradict all mappings is set aside, with the experiments that say so.
-- @module portolan.infer.chart.stages.class_ports
local binding = require "portolan.infer.chart.binding"
local cegis = require "portolan.infer.cegis"
local controls = require "portolan.infer.chart.controls"
local constants = require "portolan.infer.chart.constants"
local further_uop = require "portolan.infer.chart.further_uop"
local jointly = require "portolan.infer.chart.jointly"
local lacking = require "portolan.infer.chart.lacking"
local lists = require "portolan.support.lists"
local mapping = require "portolan.mapping"
local port_class = require "portolan.infer.chart.port_class"
local port_set = require "portolan.ports"
local store_data = require "portolan.infer.chart.store_data"
local note_witnesses = require "portolan.infer.chart.port_witnesses"
local precise = require("portolan.measuring.policy").precise
local plural = require "portolan.support.plural"
local unfit = require "portolan.infer.chart.unfit"

local ports = {}

local function class_of(classes, name)
  for i, class in ipairs(classes) do
    if class.representative == name then return class, i end
  end
end

-- The ports that limit a class: those of its uop that has as many as the class alone shows. Of a store's two uops of one size, the
-- one that it has in common with no other class.
local function ports_of(outcome, class)
  local schemes = outcome.mapping.schemes
  local fitting
  for _, uop in ipairs(schemes[class.representative].uops) do
    if #uop[1] == class.count then
      local common = false
      for _, job in ipairs(class.profile or {}) do
        local other = schemes[job.class.representative]
        common = common or job.uops > 0 and other and port_set.same(other.uops[1][1], uop[1])
      end
      if not common or not fitting then fitting = uop[1] end
    end
  end
  return fitting or schemes[class.representative].uops[1][1]
end

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

-- What the stage before knows of stores: that one of their uops is that of a proper class (section 6.3.4).
local function shared_uops(classes, class)
  local jobs = lists.where(class.profile, function(job)
    return job.uops > 0 and class_of(classes, job.class.representative)
  end)
  local among = lists.map(jobs, function(job) return job.class.representative end)
  return #among > 0 and { scheme = class.representative, among = among } or nil
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
-- `fixed`: name of a representative -> its ports, where they are known.
local function infer(survey, classes, observations, rmax, fixed)
  local names, counts, improper, uops, same, domains = {}, {}, {}, {}, {}, {}
  for i, class in ipairs(classes) do
    local name = class.representative
    local shared = class.improper and shared_uops(classes, class)
    names[i], improper[name] = name, class.improper or nil
    domains[name] = port_class.domain(class)
    if shared then uops[name], same[#same + 1] = 2, shared else counts[name] = class.count end
  end
  -- The survey's way of measuring: what was disturbed gets a second chance. What is slow must be so twice, as a single slow reading would pass for a
  -- port in common; what contradicts is measured anew.
  local processor = { name = survey.processor.name }
  function processor.measure(_, list, options) return survey:measure(list, options) end
  local open = lacking.leaves_open(survey)
  if lacking.is_record(survey) then
    function processor.experiments() return survey.processor:experiments() end
    function processor.answers(_, e) return survey.processor:answers(e) end
  end
  local outcome, message = cegis.infer(processor, names, {
    rmax = rmax or survey.rmax, domains = domains,
    controls = not open and function(list, cycles) return controls.floors(survey, list, cycles) end or nil,
    port_counts = counts, fixed = fixed, most_ports = constants.ports_most,
    epsilon = survey.epsilon or survey.processor.resolution or constants.ports_epsilon, deviation = math.min(survey.noise or 0, precise.deviation),
    reading = "asymmetric", seed = survey.seed,
    uops = next(uops) and uops or nil, same_uop = #same > 0 and same or nil,
    improper = improper, time_limit = open and constants.lacking_solver or constants.ports_solver, confirm = true,
    observations = observations, certain = open,
  })
  if outcome and outcome.status == "interrupted" then error(survey.stop, 0) end
  return outcome, message
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

local function improper(class) return class.improper end
local function proper(class) return not class.improper end

-- Infers all classes. Stores that have a uop in common with others make of the inference one of schemes of several uops, in which nothing chooses
-- between mappings that no experiment tells apart (portolan.infer.cegis.three_level), and bring their slowness along: the others are inferred by
-- themselves, and the stores beside what they have. Of stores that turn out to have their address on the ports of loads, and nothing else in common
-- with others, the outcome says nothing. Returns the outcome, or nil and a message.
local function infer_together(survey, classes, observations)
  local function shares(class) return class.improper and shared_uops(classes, class) end
  local at_once = lacking.leaves_open(survey) or not lists.any(classes, shares) or not lists.any(classes, proper)
  if at_once then return infer(survey, classes, observations) end
  local known, message = infer(survey, lists.where(classes, proper), observations)
  if not known or known.status ~= "unique" then return known, message end
  local rest = store_data.beside_others(classes)
  if not lists.any(rest, improper) then return known end
  local fixed = {}
  for name, scheme in pairs(known.mapping.schemes) do fixed[name] = scheme.uops[1][1] end
  local whole, why = infer(survey, rest, observations, nil, fixed)
  if not whole or not whole.mapping then return whole, why end
  whole.open, whole.assumed = lists.joined(known.open, whole.open), known.assumed
  return whole
end

-- Infers classes: first those that show no address uop; those that do are known but for how their data ports overlap.
local function infer_apart(survey, classes, observations)
  local outcome, message = infer_together(survey, store_data.beside_others(classes), observations)
  local trouble = outcome and outcome.mapping and store_data.add(survey, outcome, classes, infer)
  if trouble then return nil, trouble end
  return outcome, message
end

--- Infers until nothing has to be set aside any more.
-- @param survey the survey
-- @param[opt] observations `{experiment, cycles, cycles of the front end}` of representatives, known beside what is measured
-- @return outcome of portolan.infer.cegis; nil if no class is left, or if the observations contradict the others
function ports.infer(survey, observations)
  while #survey.classes > 0 do
    local outcome, message = infer_apart(survey, survey.classes, observations)
    if not outcome then survey:fail(message) end
    local told = not lacking.leaves_open(survey) or outcome.status == "unique" -- an absent pair is no sign of separate ports
    local loner = not observations and outcome.mapping and told and find_loner(survey, outcome) -- later on, schemes of several uops rest on it
    if outcome.status == "contradiction" then
      if observations then return nil end -- what was known of the classes stays
      set_aside(survey, outcome.conflict)
    elseif loner then
      dismiss(survey, loner)
    elseif not (told and not observations and not lacking.leaves_open(survey) and outcome.mapping
        and unfit.take_out(survey, outcome, infer_apart)) then
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

-- A store of which one uop shows gets ports of its own for the other: it never limits anything, so that no experiment tells
-- where it runs. As many as for the one that shows, which is the least that agrees with the measurements.
local function posit(survey, class)
  local names = port_set.further(survey.ports, class.count)
  table.move(names, 1, #names, #survey.ports + 1, survey.ports)
  return names
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
  local compiled, most = mapping.compile(outcome.mapping), constants.unfit_broken
  local slow = lists.where(outcome.observations, function(o)
    return o.predicted and o.cycles > most * o.predicted and o.cycles > most * binding.slowest(compiled, o.experiment)
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

local unlocated = "one of a store's two uops limits it; the other never shows, and its ports are assumed"
local beyond = "it takes longer beside other classes than these ports explain"
local either = "its data have as few ports, or as few of the ports of loads address it: nothing tells"
local open = "other ports agree with the measurements, too: no experiment tells them apart"

-- Does a store hold up floods, so that blocking cannot tell whether it has a uop on their ports? That it has ports of its own is assumed then.
local function hinders(class) return lists.any(class.profile or {}, function(job) return job.refuted end) end

-- Of a store with a uop on the ports of loads, what nothing shows: unless another store is faster by these ports, they may be fewer, and limit it in
-- the place of its data. Nil if nothing is open.
local function unlimited(survey, class)
  local loads = class.address
  local others = lists.where(survey.classes, function(other) return other.address == loads end)
  local fastest = loads and lists.largest(others, function(other) return other.count end, 0)
  if not loads or fastest >= loads.count then return nil end
  return port_set.union { loads.ports, fastest == class.count and class.ports or {} }
end

-- The uops of the members of a class, and what of them is assumed.
local function usage(survey, outcome, class)
  if class.improper and not outcome.mapping.schemes[class.representative].uops[2] then
    survey.posited = survey.posited or {}
    survey.posited[class.count] = survey.posited[class.count] or posit(survey, class)
    local posited = survey.posited[class.count]
    local assumed = table.move(posited, 1, #posited, 1, {})
    if hinders(class) then table.move(class.ports, 1, #class.ports, #assumed + 1, assumed) end
    return { { class.ports, 1 }, { posited, 1 } }, assumed, unlocated, posited
  end
  local uops = class.improper and outcome.mapping.schemes[class.representative].uops or { { class.ports, 1 } }
  if class.wide or class.ambiguous or class.slow_beside then
    return uops, class.ports, class.ambiguous and open or class.slow_beside and beyond or nil
  end
  local assumed = unlimited(survey, class)
  return uops, assumed, assumed and either or nil
end

-- What each member alone shows: the number of ports. The representative has the evidence for which they are.
local function note_members(survey, class)
  local says = "alone: " .. plural(class.count, "port")
  for _, member in ipairs(class.members) do
    local f = survey.facts[member]
    f.own_witnesses = f.own_witnesses or f.witnesses
    f.witnesses = table.move(f.own_witnesses, 1, #f.own_witnesses, 1, {})
    survey:witness(member, { [member] = 1 }, f.single.cycles, 1 / class.count, says, "bounds")
    if member == class.representative then
      for _, w in ipairs(class.witnesses) do survey:witness(member, w.experiment, w.cycles, w.expected, w.says, w.role) end
    end
  end
end

-- Why a record leaves the ports of a class open; nil if it does not.
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
    if class.improper or class.wide or not class.ports then return true end
    local key = port_set.unordered_key(class.ports) .. (class.loads and " of loads" or "")
    local first = of[key]
    of[key] = first or class
    if not first then return true end
    table.move(class.members, 1, #class.members, #first.members + 1, first.members)
    for _, doubt in ipairs { "ambiguous", "slow_beside", "assumed" } do first[doubt] = first[doubt] or class[doubt] end
    return false
  end)
end

-- Where a uop was seen that has no issue slot of its own, any scheme may have one.
local function allow_second_units(survey)
  for _, f in pairs(survey.facts) do
    if f.total then f.total.second_unit = true end
  end
end

--- Gives the classes and their members the ports of an outcome.
function ports.adopt(survey, outcome)
  survey.inference, survey.ports, survey.posited = outcome, outcome.mapping.ports, nil
  local slow = beyond_ports(survey, outcome)
  for _, class in ipairs(survey.classes) do
    class.ports, class.slow_beside = ports_of(outcome, class), slow[class.representative]
    class.ambiguous = not class.wide and is_ambiguous(survey, outcome, class)
    class.open = left_open(survey, outcome, class)
  end
  for _, class in ipairs(survey.classes) do
    local note
    class.uops, class.assumed, note, class.posited = usage(survey, outcome, class)
    note_witnesses(survey, class, outcome, ports_of)
    note_members(survey, class)
    local further, having = further_uop(survey, outcome, class)
    local lone, has = class.uops, lists.set(having or class.members)
    if further then
      class.uops = lists.joined(lone, { { further, 1 } })
      allow_second_units(survey)
    end
    for _, member in ipairs(class.members) do
      local f = survey.facts[member]
      f.uops, f.assumed, f.note = has[member] and class.uops or lone, class.assumed, nil
      survey:settle(member, "explained", note)
    end
  end
  survey.classes = merged(survey.classes)
end

-- Is there a class that is not of stores?
local function has_proper(survey) return lists.any(survey.classes, function(class) return not class.improper end) end

--- The stage.
function ports.__call(_, survey)
  survey:stage("ports of the classes")
  if lacking.is_record(survey) and not has_proper(survey) then return jointly.infer(survey) end
  local outcome = ports.infer(survey)
  if outcome and outcome.mapping then ports.adopt(survey, outcome) end
end

return setmetatable(ports, ports)
