--- The state of an inference: what was measured, what the solver knows of it, how far it has come.
-- @module portolan.infer.cegis.state
local budget = require "portolan.infer.budget"
local experiment = require "portolan.experiment"
local likely_ports = require "portolan.infer.cegis.likely_ports"
local limits = require "portolan.support.limits"
local lists = require "portolan.support.lists"
local observations = require "portolan.infer.observations"
local propose = require "portolan.infer.cegis.propose"
local record = require "portolan.support.record"
local stop = require "portolan.infer.stop"
local suspicious = require "portolan.measuring.suspicious"
local unknowns = require "portolan.infer.cegis.unknowns"
local values = require "portolan.measuring.values"

local state = {}

local Inference = record.kind("inference", {
  options = "of cegis.infer, with all defaults",
  encoding = "of the queries (portolan.infer.cegis.two_level)",
  processor = "what is measured",
  unknowns = "the schemes, numbered (portolan.infer.cegis.unknowns)",
  budget = "what may be spent, and what was (portolan.infer.budget)",
  source = "of readings (portolan.measuring.suspicious)",
  observations = "what was measured (portolan.infer.observations)",
  search = "the solver, and what it is asked about (below)",
  asked = "set of keys: experiments that were asked for, or need not be",
  failed = "experiments by names that could not be measured",
  wishes = "experiments that would tell mappings apart, but that the processor does not have: { terms =, one =, rival = }",
  doubts = "true: what contradicts is measured anew",
  doubted = "observations that were measured anew, as they contradicted",
  rounds = "of the loop, so far",
  mapping = "the last one that admitted all observations, as the solver's masks; written by the loop",
  cost = "its price",
})

local Search = record.kind("search", {
  solver = "the engine's (core.smt.search, core.smt.lira); it knows all observations",
  ports = "how many ports it considers",
  most_ports = "how many it may consider",
  stage = "how many schemes are considered; the others have no say yet",
  exhausted = "sets of schemes, as masks, of which every experiment was measured in vain",
  rival = "another mapping that the last query found",
  length = "LIRA: instructions of an experiment at most",
  longer = "LIRA: true if the last such bound brought something to light",
  seconds = "that earlier solvers, of fewer ports, have spent",
})

local most_distinct = 16 -- schemes in one experiment that the solver takes

-- Schemes come in one by one, from the second on; those whose ports are given are in from the start.
local function first_stage(u)
  local stage = 2
  while u.given and u.uops[stage] == 1 and u.given[stage] and u.given[stage] ~= 0 and u.rows == #u.names do stage = stage + 1 end
  return math.min(stage, #u.names)
end

--- An inference that knows nothing yet, and has no solver.
-- @param processor the processor to ask
-- @param u unknowns
-- @tparam table options of `cegis.infer`, with all defaults
-- @tparam table encoding see `portolan.infer.cegis.two_level`
-- @return state
function state.empty(processor, u, options, encoding)
  local spending, asymmetric = budget.new(options), options.reading == "asymmetric"
  local asks = not processor.experiments -- a record's answers are always the same
  local repeats = asks and (options.confirm or options.confirm == nil and asymmetric)
  local noise = options.deviation or not (asymmetric and repeats) and 0 or nil
  local function floor(terms) return u:floor(terms) end
  return Inference { options = options, encoding = encoding, processor = processor, unknowns = u, budget = spending,
    source = suspicious.new { processor = processor, budget = spending, repeats = repeats, floor = floor,
      experiment = function(terms) return u:experiment(terms) end },
    observations = observations.new { reading = options.reading, epsilon = options.epsilon, noise = noise,
      floor = floor },
    search = Search { most_ports = options.ports or options.most_ports or 16, stage = first_stage(u), exhausted = {}, seconds = 0 },
    asked = {}, failed = {}, wishes = {}, doubts = asks and options.doubt ~= false, doubted = 0, rounds = 0 }
end

--- A solver that knows all observations so far, for that many ports. Ends the inference, without a status, if there is none.
-- @param run the state
-- @tparam integer ports
function state.set_up(run, ports)
  local search = run.search
  if search.solver then -- of fewer ports
    search.seconds = search.seconds + search.solver:statistics().seconds
    search.solver:close()
  end
  local solver, message = run.encoding.solver(run, ports)
  stop.need(solver, message)
  if run.budget.deadline < math.huge then solver:deadline(run.budget:seconds_left()) end
  search.solver, search.ports = solver, ports
  if run.unknowns.given then
    local fine, trouble = solver:fix(run.unknowns.given)
    stop.need(fine, trouble)
  end
  for _, seen in ipairs(run.observations.list) do
    local ok, why = solver:observe(seen.terms, seen.bounds)
    stop.need(ok, why)
  end
end

--- A spare port must have been there all along, or the number of ports made the choice: one port more is allowed.
-- @return no experiments, and no choice
function state.allow_port(run)
  state.set_up(run, run.search.ports + 1)
  return {}
end

--- Notes an observation; the solver, if there is one, gets to know it.
-- @param run the state
-- @param seen as of `observations:add`
function state.observe(run, seen)
  run.asked[run.unknowns:key(seen.terms)] = true
  local cycles, most = run.observations:add(seen).cycles, limits.solver
  if cycles > most.cycles or lists.count(seen.terms, function(copies) return copies > most.copies end) > 0 then
    stop.raise(("%s takes %g cycles: a solver takes up to %d of a scheme and %g cycles; leave this experiment out")
      :format(experiment.format(run.unknowns:experiment(seen.terms)), cycles, most.copies, most.cycles))
  end
  if run.search.solver then stop.need(run.search.solver:observe(seen.terms, seen.bounds)) end
end

--- A solver that knows what the observations mean now, after some of them were measured again.
function state.reconsider(run)
  run.observations:read_again()
  state.set_up(run, run.search.ports)
end

--- Does the processor have an answer to this experiment at all? One that replays a record has only those of the record.
function state.answers(run, terms)
  local processor = run.processor
  return not processor.answers or processor:answers(run.unknowns:experiment(terms))
end

-- Cycles up to which something else than ports in common may be the reason for what was measured, one for each experiment: what the controls say.
local function controls(run, list, taken)
  if not run.options.controls then return {} end
  local experiments, cycles = {}, {}
  for k, terms in ipairs(list) do experiments[k], cycles[k] = run.unknowns:experiment(terms), taken[k][1] and values.middle(taken[k]) or 0 end
  local floors = run.options.controls(experiments, cycles)
  for k, terms in ipairs(list) do floors[k] = math.max(floors[k], run.unknowns:floor(terms)) end
  return floors
end

--- measureCycles: asks the processor for those that are new; what could not be measured is not asked again.
-- @param run the state
-- @param list experiments by scheme numbers
function state.measure(run, list)
  local new, most = {}, run.budget:left()
  for _, terms in ipairs(list) do
    local key = run.unknowns:key(terms)
    if not run.asked[key] and state.answers(run, terms) and #new < most then
      run.asked[key] = true
      new[#new + 1] = terms
    end
  end
  if #new == 0 then return end
  local taken = stop.need(run.source:take(new))
  local floors = controls(run, new, taken)
  for k, terms in ipairs(new) do
    if #taken[k] > 0 then
      state.observe(run, { terms = terms, readings = taken[k], floor = floors[k] })
    else
      run.failed[#run.failed + 1] = run.unknowns:experiment(terms)
    end
  end
end

--- A scheme alone keeps its ports evenly busy on real cores, too: its throughput is the number of its ports, unless the front end
-- hides how many more there are.
-- @param throughput instances a cycle
-- @param rmax of the front end, or nil
-- @return the number of ports; 0 if it is not believed
function state.believable(throughput, rmax)
  local count = math.floor(throughput + 0.5)
  return count >= 1 and math.abs(throughput - count) < 0.1 and count < (rmax or math.huge) - 0.5 and count or 0
end

--- Ports of each scheme, by number, as far as they are known (0: not): as given, and with the asymmetric reading as many as the
-- scheme keeps busy alone.
function state.port_counts(run)
  local counts, o, u = {}, run.options, run.unknowns
  for i, name in ipairs(u.names) do counts[i] = o.port_counts and o.port_counts[name] or 0 end
  if o.reading ~= "asymmetric" then return counts end
  for i, copies, seen in run.observations:alone() do
    if counts[i] == 0 and u.uops[i] == 1 then counts[i] = state.believable(copies / seen.cycles, o.rmax) end
  end
  return counts
end

local function numbered(run, experiments)
  local list = {}
  for k, e in ipairs(experiments) do
    local terms, message = run.unknowns:terms(e)
    list[k] = stop.need(terms, message and ("initial experiment %d: %s"):format(k, message))
  end
  return list
end

-- Ports of each scheme: as given, or as many as it keeps busy alone.
local function apparent_counts(run)
  local counts = {}
  for i, copies, seen in run.observations:alone() do
    counts[run.unknowns.names[i]] = math.max(1, math.floor(copies / seen.cycles + 0.5))
  end
  for name, count in pairs(run.options.port_counts or {}) do counts[name] = run.unknowns.number[name] and count end
  return counts
end

-- All experiments over the schemes that a processor has, if it has no others; nil if it answers whatever it is asked.
local function recorded(run)
  if not run.processor.experiments then return nil end
  local list = {}
  for _, e in ipairs(run.processor:experiments()) do
    local distinct, ours = 0, true
    for name in pairs(e) do distinct, ours = distinct + 1, ours and run.unknowns.number[name] ~= nil end
    if ours and distinct <= most_distinct then list[#list + 1] = e end
  end
  return list
end

-- initialExperiments: what is known already, one instance of each scheme, what the caller asks for or all that there is.
local function start(run)
  local o, u = run.options, run.unknowns
  for _, seen in ipairs(o.observations or {}) do
    local terms = stop.need(u:terms(seen[1]))
    state.observe(run, { terms = terms, cycles = seen[2], floor = seen[3] })
  end
  local singles = {}
  for i, name in ipairs(u.names) do
    if not (o.port_counts and o.port_counts[name]) then singles[#singles + 1] = { [i] = 1 } end
  end
  state.measure(run, singles)
  state.measure(run, numbered(run, o.initial or recorded(run) or (o.reading == "asymmetric" and propose.pairs(apparent_counts(run)) or {})))
  run.observations.noise = run.observations.noise or values.noise(run.observations.list)
  run.observations:read_again()
end

--- Measures the initial experiments and sets up the solver.
-- @param processor the processor to ask
-- @tparam {string,...} schemes names
-- @tparam table options of `cegis.infer`, with all defaults
-- @tparam table encoding see `portolan.infer.cegis.two_level`
-- @return state; or nil and a message. What cannot be measured ends the inference
function state.new(processor, schemes, options, encoding)
  local u, message = unknowns.new(schemes, options)
  if not u then return nil, message end
  if options.deviation and not (options.deviation >= 0 and options.deviation <= 0.1) then
    return nil, ("a deviation of %g; a share from 0 to 0.1 is expected"):format(options.deviation)
  end
  local run = state.empty(processor, u, options, encoding)
  for name, count in pairs(options.port_counts or {}) do
    if u.number[name] then run.source.alone[u.number[name]] = 1 / count end
  end
  start(run)
  local likely = likely_ports(run.observations.list, state.port_counts(run), #u.given_ports)
  state.set_up(run, options.ports or math.min(run.search.most_ports, likely))
  return run
end

return state
