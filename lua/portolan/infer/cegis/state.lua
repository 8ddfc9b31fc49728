--- The state of an inference: what was measured, what the solver knows of it, how far it has come.
-- @module portolan.infer.cegis.state
local core = require "portolan.core"
local likely_ports = require "portolan.infer.cegis.likely_ports"
local propose = require "portolan.infer.cegis.propose"
local bounds = require "portolan.infer.bounds"
local readings = require "portolan.infer.readings"
local values = require "portolan.measuring.values"
local unknowns = require "portolan.infer.cegis.unknowns"

local state = {}

local most_distinct = 16 -- schemes in one experiment that the solver takes

--- A solver that knows all observations so far, for that many ports.
-- @param run the state
-- @tparam integer ports
-- @return true, or nil and a message
function state.set_up(run, ports)
  if run.search then -- of fewer ports
    run.solver_seconds = run.solver_seconds + run.search:statistics().seconds
    run.search:close()
  end
  local search, message = run.encoding.search(run, ports)
  if not search then return nil, message end
  if run.deadline < math.huge then search:deadline(run.deadline - core.base.now()) end
  run.search, run.ports = search, ports
  if run.unknowns.given then
    local fine, trouble = search:fix(run.unknowns.given)
    if not fine then return nil, trouble end
  end
  for _, seen in ipairs(run.observations) do
    local ok, why = search:observe(seen.terms, seen.bounds)
    if not ok then return nil, why end
  end
  return true
end

local function bound(run, seen)
  local o, u = run.options, run.unknowns
  if seen.readings then seen.cycles = values.middle(seen.readings) end
  local floor = seen.floor or u:floor(seen.terms)
  seen.bounds = bounds.of(o.reading, seen.cycles, unknowns.length(seen.terms), floor, o.epsilon, run.noise)
end

-- `cycles` (and perhaps what the front end takes) if they are given, `list` of them if they were measured.
local function observe(run, terms, cycles, list, floor)
  local seen = { terms = terms, cycles = cycles, readings = list, floor = floor }
  bound(run, seen)
  run.asked[run.unknowns:key(terms)] = true
  run.observations[#run.observations + 1] = seen
  return not run.search or run.search:observe(terms, seen.bounds)
end

--- A solver that knows what the observations mean now, after some of them were measured again.
-- @return true, or nil and a message
function state.reconsider(run)
  for _, seen in ipairs(run.observations) do bound(run, seen) end
  return state.set_up(run, run.ports)
end

--- Does the processor have an answer to this experiment at all? One that replays a record has only those of the record.
function state.answers(run, terms)
  local processor = run.processor
  return not processor.answers or processor:answers(run.unknowns:experiment(terms))
end

--- measureCycles: asks the processor for those that are new; what could not be measured is not asked again.
-- @param run the state
-- @param list experiments by scheme numbers
-- @return true, or nil, message, status
function state.measure(run, list)
  local new, most = {}, run.options.experiment_limit - run.experiments
  for _, terms in ipairs(list) do
    local key = run.unknowns:key(terms)
    if not run.asked[key] and state.answers(run, terms) and #new < most then
      run.asked[key] = true
      new[#new + 1] = terms
    end
  end
  if #new == 0 then return true end
  local taken, message = readings.take(run, new)
  if not taken then return nil, message end
  for k, terms in ipairs(new) do
    if #taken[k] > 0 then
      local ok, why, kind = observe(run, terms, nil, taken[k])
      if not ok then return nil, why, kind end
    else
      run.failed[#run.failed + 1] = run.unknowns:experiment(terms)
    end
  end
  return true
end

-- A scheme alone keeps its ports evenly busy on real cores, too: its throughput is the number of its ports, unless the front end
-- hides how many more there are.
local function believable(throughput, rmax)
  local count = math.floor(throughput + 0.5)
  return count >= 1 and math.abs(throughput - count) < 0.1 and count < (rmax or math.huge) - 0.5 and count or 0
end

--- Ports of each scheme, by number, as far as they are known (0: not): as given, and with the asymmetric reading as many as the
-- scheme keeps busy alone.
function state.port_counts(run)
  local counts, o, u = {}, run.options, run.unknowns
  for i, name in ipairs(u.names) do counts[i] = o.port_counts and o.port_counts[name] or 0 end
  if o.reading ~= "asymmetric" then return counts end
  for _, seen in ipairs(run.observations) do
    local i, copies = next(seen.terms)
    if not next(seen.terms, i) and counts[i] == 0 and u.uops[i] == 1 then counts[i] = believable(copies / seen.cycles, o.rmax) end
  end
  return counts
end

local function numbered(run, experiments)
  local list = {}
  for k, e in ipairs(experiments) do
    local terms, message = run.unknowns:terms(e)
    if not terms then return nil, ("initial experiment %d: %s"):format(k, message) end
    list[k] = terms
  end
  return list
end

-- Ports of each scheme: as given, or as many as it keeps busy alone.
local function apparent_counts(run)
  local counts = {}
  for _, seen in ipairs(run.observations) do
    local i, copies = next(seen.terms)
    if not next(seen.terms, i) then counts[run.unknowns.names[i]] = math.max(1, math.floor(copies / seen.cycles + 0.5)) end
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
    local terms, message = u:terms(seen[1])
    if not terms then return nil, message end
    local ok, why = observe(run, terms, seen[2], nil, seen[3])
    if not ok then return nil, why end
  end
  local singles = {}
  for i, name in ipairs(u.names) do
    if not (o.port_counts and o.port_counts[name]) then singles[#singles + 1] = { [i] = 1 } end
  end
  local ok, message = state.measure(run, singles)
  if not ok then return nil, message end
  local initial
  initial, message = numbered(run, o.initial or recorded(run) or (o.reading == "asymmetric" and propose.pairs(apparent_counts(run)) or {}))
  if not initial then return nil, message end
  ok, message = state.measure(run, initial)
  if not ok then return nil, message end
  run.noise = run.noise or values.noise(run.observations)
  for _, seen in ipairs(run.observations) do bound(run, seen) end
  return true
end

-- Schemes come in one by one, from the second on; those whose ports are given are in from the start.
local function first_stage(u)
  local stage = 2
  while u.given and u.uops[stage] == 1 and u.given[stage] and u.given[stage] ~= 0 and u.rows == #u.names do stage = stage + 1 end
  return math.min(stage, #u.names)
end

--- Measures the initial experiments and sets up the solver.
-- @param processor the processor to ask
-- @tparam {string,...} schemes names
-- @tparam table options of `cegis.infer`, with all defaults
-- @tparam table encoding see `portolan.infer.cegis.two_level`
-- @return state, or nil and a message
function state.new(processor, schemes, options, encoding)
  local u, message = unknowns.new(schemes, options)
  if not u then return nil, message end
  if options.deviation and not (options.deviation >= 0 and options.deviation <= 0.1) then
    return nil, ("a deviation of %g; a share from 0 to 0.1 is expected"):format(options.deviation)
  end
  local began = core.base.now()
  local run = { encoding = encoding, processor = processor,
    options = options, unknowns = u, observations = {}, asked = {}, failed = {}, exhausted = {}, wishes = {}, rounds = 0,
    experiments = 0, stage = first_stage(u), solver_seconds = 0, deadline = began + options.time_limit, began = began,
    most_ports = options.ports or 16, alone = {}, doubted = 0 }
  local asks = not processor.experiments -- a record's answers are always the same
  run.doubt = asks and options.doubt ~= false
  local asymmetric = options.reading == "asymmetric"
  run.confirm = asks and (options.confirm or options.confirm == nil and asymmetric)
  run.noise = options.deviation or not (asymmetric and run.confirm) and 0 or nil
  for name, count in pairs(options.port_counts or {}) do
    if u.number[name] then run.alone[u.number[name]] = 1 / count end
  end
  local ok
  ok, message = start(run)
  if not ok then return nil, message end
  ok, message = state.set_up(run,
    options.ports or math.min(run.most_ports, likely_ports(run.observations, state.port_counts(run), #u.given_ports)))
  if not ok then return nil, message end
  return run
end

state.believable = believable

return state
