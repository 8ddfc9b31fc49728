--- The schemes of an inference that grows from a core: what was measured of each, and how far each has come.
-- @module portolan.infer.grow.field
local budget = require "portolan.infer.budget"
local core = require "portolan.core"
local experiment = require "portolan.experiment"
local mapping = require "portolan.mapping"
local observations = require "portolan.infer.observations"
local port_set = require "portolan.mapping.ports"
local record = require "portolan.support.record"
local stop = require "portolan.infer.stop"
local state = require "portolan.infer.cegis.state"
local suspicious = require "portolan.measuring.suspicious"
local unknowns = require "portolan.infer.cegis.unknowns"
local values = require "portolan.measuring.values"

local field = {}

local Scheme = record.kind("scheme that is to be placed", {
  name = "of the scheme",
  order = "its place among those that were named",
  slots = "issue slots of an instance",
  rate = "instances per cycle alone, or the number of its ports where that is given; nil if it could not be measured",
  status = "nil (being placed), unique, open (nothing tells its places apart), contradicting, unmeasured; written by core_schemes, placing, together",
  ports = "mask of its ports, once they are chosen",
  seen = "observations of which it is the subject (portolan.infer.observations)",
  number = "in the engine (core.smt.alone); written by placing",
  known = "its number in the ground, if others are measured against it; written by placing",
  placed = "set of places in `seen`: those that the engine was told; written by placing",
  told = "observations that the engine was told, in its order; written by placing",
  asked = "true while there may be an experiment that tells its places apart; written by placing",
  against = "observations that contradict each other; written by placing",
  conflict = "the same of schemes that were decided together, as an outcome has it; written by together",
  splits = "true if it splits a class of ports that no known scheme tells apart; written by placing",
  left = "masks of the places that are left, the simplest first; written by together",
  count = "how many places are left; written by together",
})

local Growth = record.kind("inference that grows", {
  options = "of grow.infer, with all defaults",
  processor = "what is measured",
  budget = "what may be spent, and what was (portolan.infer.budget)",
  source = "of readings (portolan.measuring.suspicious)",
  observations = "what is common to all observations: how they are read (portolan.infer.observations)",
  schemes = "all schemes, in the order in which they were named",
  by_name = "name -> scheme",
  most_ports = "how many ports there may be",
  ports = "names and numbers of the ports (portolan.mapping.ports); written by core_schemes once the core has some",
  place = "the engine's side (core.smt.alone); written by placing",
  core = "names of the schemes that were inferred jointly, and are certain; written by core_schemes",
  core_outcome = "of the joint inference of the core; written by core_schemes",
  known = "schemes of the ground, by number; written by placing",
  doubts = "true: what contradicts is measured anew",
  doubted = "observations that were measured anew",
  doubtful = "true: some scheme was measured anew in this round; written by placing",
  failed = "experiments that could not be measured",
  points = "open points between schemes; written by together",
  assumed = "what was chosen among equals; written by together",
  wanted = "experiments that would decide, but that the processor does not have; written by together",
  rounds = "so far",
  solver_seconds = "of joint inferences, so far",
})

local function schemes_of(names, options)
  local list, by_name = {}, {}
  for i, name in ipairs(names) do
    if by_name[name] then return nil, ("scheme '%s' is named twice"):format(name) end
    list[i] = Scheme { name = name, slots = options.slots and options.slots[name] or 1, seen = {}, order = i }
    by_name[name] = list[i]
  end
  if #list == 0 then return nil, "no schemes to infer ports for; name at least one" end
  return list, by_name
end

-- What was measured before goes to the scheme listed last: those before it are known first.
local function recall(run)
  for k, seen in ipairs(run.options.observations or {}) do
    local subject
    for name in pairs(seen[1]) do
      local s = run.by_name[name]
      if not s then return nil, ("observation %d: scheme '%s' is not one of those to infer"):format(k, name) end
      if not subject or s.order > subject.order then subject = s end
    end
    if not subject then return nil, ("observation %d: an empty experiment"):format(k) end
    subject.seen[#subject.seen + 1] = run.observations:add { terms = seen[1], cycles = seen[2] }
  end
  return run
end

--- @param processor as for `cegis.infer`
-- @tparam {string,...} names of schemes, any number
-- @tparam table options of `grow.infer`, with all defaults
-- @return state; or nil and a message
function field.new(processor, names, options)
  local list, by_name = schemes_of(names, options)
  if not list then return nil, by_name end
  local most = options.ports or 16
  if most < 1 or most > 20 then return nil, ("%d ports, but growing from a core takes 20 at most"):format(most) end
  local spending, run = budget.new(options), nil
  local asks, asymmetric = not processor.experiments, options.reading == "asymmetric"
  local function floor(e) return field.floor(run, e) end
  run = Growth { processor = processor, options = options, schemes = list, by_name = by_name, most_ports = most, budget = spending,
    observations = observations.new { reading = options.reading, epsilon = options.epsilon, noise = options.noise or 0, floor = floor },
    source = suspicious.new { processor = processor, budget = spending, floor = floor, experiment = function(e) return e end,
      repeats = asks and (options.confirm or options.confirm == nil and asymmetric) },
    rounds = 0, failed = {}, points = {}, assumed = {}, wanted = {}, core = {}, known = {}, doubts = asks and options.doubt ~= false,
    doubted = 0, solver_seconds = 0, ports = port_set.numbered(port_set.further({}, most)) }
  return recall(run)
end

--- Cycles that the front end takes for an experiment at least (§4.3).
function field.floor(run, e)
  if not run.options.rmax then return 0 end
  local slots = 0
  for name, copies in pairs(e) do slots = slots + copies * run.by_name[name].slots end
  return slots / run.options.rmax
end

--- Measures one experiment for each of some schemes, all in one batch, and keeps the results that are good.
-- @param run the state
-- @tparam {{scheme=,experiment=},...} list
-- @tparam[opt] function visit called with each item and its bounds (nil if it could not be measured)
function field.measure(run, list, visit)
  local batch, most = {}, math.max(0, math.min(#list, run.budget:left()))
  for k = 1, most do batch[k] = list[k].experiment end
  if #batch == 0 then return end
  local taken = stop.need(run.source:take(batch))
  for k, e in ipairs(batch) do
    local item, seen = list[k], nil
    if #taken[k] > 0 then
      seen = run.observations:add { terms = e, readings = taken[k] }
      item.scheme.seen[#item.scheme.seen + 1] = seen
    else
      run.failed[#run.failed + 1] = e
    end
    if visit then visit(item, seen and seen.bounds) end
  end
end

-- Returns what was measured of the scheme alone, in instances per cycle; or nil.
local function rate(s)
  for _, seen in ipairs(s.seen) do
    local copies = seen.terms[s.name]
    if copies == experiment.length(seen.terms) then return copies / seen.cycles end
  end
end

--- Measures each scheme alone, but for those whose number of ports is given. Those that can't be measured are set aside. Readings
-- that were repeated show the noise.
function field.measure_alone(run)
  local list, counts, repeated = {}, run.options.port_counts or {}, {}
  for _, s in ipairs(run.schemes) do
    if counts[s.name] then run.source.alone[s.name] = 1 / counts[s.name] end
    if not counts[s.name] and not rate(s) then list[#list + 1] = { scheme = s, experiment = { [s.name] = 1 } } end
  end
  field.measure(run, list)
  for _, s in ipairs(run.schemes) do
    s.rate = field.rate(run, s)
    if not s.rate then s.status = "unmeasured" end
    for _, seen in ipairs(s.seen) do repeated[#repeated + 1] = seen end
  end
  if not run.options.noise and run.source.repeats and run.options.reading == "asymmetric" then run.observations.noise = values.noise(repeated) end
end

--- Instances per cycle of a scheme alone, or the number of its ports if that is given.
function field.rate(run, s) return (run.options.port_counts or {})[s.name] or rate(s) end

--- Measures some observations anew, those that were not measured often enough; the middle one of their readings counts from now on.
-- @return true if there were any, false if not
function field.measure_again(run, list)
  if run.budget:over() then return false end
  local again = stop.need(run.source:anew(list))
  run.doubted = run.doubted + again
  for _, seen in ipairs(list) do seen.cycles = seen.readings and values.middle(seen.readings) or seen.cycles end
  return again > 0
end

--- The numbers of ports that a scheme may have, as a set (bit c for c ports).
function field.counts(run, s)
  local given = (run.options.port_counts or {})[s.name]
  if not given and run.options.reading == "asymmetric" then
    local count = state.believable(s.rate, run.options.rmax)
    given = count > 0 and count <= run.most_ports and count or nil
  end
  return given and 1 << given or 0xffffffff
end

--- Inverse throughput in cycles, front end included, of an experiment over schemes that have ports; nil if one has none.
function field.predict(run, e)
  local masks, terms = {}, {}
  for _, name in ipairs(experiment.schemes(e)) do
    local s = run.by_name[name]
    if not s.ports then return nil end
    masks[#masks + 1], terms[#masks + 1] = s.ports, e[name]
  end
  return math.max(core.smt.cycles(masks, terms), field.floor(run, e))
end

--- The mapping table (the form of mapping.json) of all schemes that have ports; ports that none uses are left out.
function field.mapping(run)
  local used, m = 0, { format = mapping.format, version = mapping.version, processor = { name = run.processor.name },
    rmax = run.options.rmax, schemes = {} }
  for _, s in ipairs(run.schemes) do used = used | (s.ports or 0) end
  m.ports = run.ports:list(used)
  for _, s in ipairs(run.schemes) do
    m.schemes[s.name] = s.ports and { uops = { { run.ports:list(s.ports), 1 } }, tp = field.predict(run, { [s.name] = 1 }),
      status = "explained", slots = s.slots } or { status = s.status or "not explained" }
  end
  return m, unknowns.count(used)
end

return field
