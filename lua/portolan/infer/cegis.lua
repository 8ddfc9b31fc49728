--- Counter-example-guided inference of a two-level port mapping: Algorithm 4.1 in the form of union cardinalities
-- (docs/inference.md), for any processor object.
-- @module portolan.infer.cegis
local core = require "portolan.core"
local conclude = require "portolan.infer.conclude"
local propose = require "portolan.infer.propose"
local reading = require "portolan.infer.reading"
local settle = require "portolan.infer.settle"
local unknowns = require "portolan.infer.unknowns"

local cegis = { pair_experiments = propose.pairs }

local sizes = { 2, 3, 4, 0 } -- schemes by which another mapping is told apart: few first (§4.3), then any number

local defaults = { epsilon = 0.02, reading = "symmetric", seed = 1, time_limit = math.huge, experiment_limit = math.huge }

-- A solver that knows all observations so far, for that many ports.
local function set_up(run, ports)
  local counts, o = {}, run.options
  for i, name in ipairs(run.unknowns.names) do counts[i] = o.port_counts and o.port_counts[name] or 0 end
  if run.search then -- of fewer ports
    run.solver_seconds = run.solver_seconds + run.search:statistics().seconds
    run.search:close()
  end
  local search, message = core.smt.search { schemes = #counts, ports = ports, epsilon = o.epsilon, rmax = o.rmax,
    counts = counts, seed = o.seed, slack = o.slack or (o.reading == "asymmetric" and 6 or 0) }
  if not search then return nil, message end
  if run.deadline < math.huge then search:deadline(run.deadline - core.base.now()) end
  run.search, run.ports = search, ports
  for _, seen in ipairs(run.observations) do
    local ok, why = search:observe(seen.terms, seen.bounds)
    if not ok then return nil, why end
  end
  return true
end

local function observe(run, terms, cycles)
  local o, u = run.options, run.unknowns
  local bounds = reading.bounds(o.reading, cycles, unknowns.length(terms), u:floor(terms), o.epsilon)
  run.asked[u:key(terms)] = true
  run.observations[#run.observations + 1] = { terms = terms, cycles = cycles, bounds = bounds }
  return not run.search or run.search:observe(terms, bounds)
end

-- measureCycles: asks the processor for those that are new; what could not be measured is not asked again.
local function measure(run, list)
  local new, experiments = {}, {}
  for _, terms in ipairs(list) do
    local key = run.unknowns:key(terms)
    if not run.asked[key] and run.experiments < run.options.experiment_limit then
      run.asked[key] = true
      run.experiments = run.experiments + 1
      new[#new + 1], experiments[#experiments + 1] = terms, run.unknowns:experiment(terms)
    end
  end
  if #new == 0 then return true end
  local results, message = run.processor:measure(experiments, {})
  if not results then return nil, message end
  for k, result in ipairs(results) do
    if result.status == "ok" then
      local ok, why, kind = observe(run, new[k], result.cycles)
      if not ok then return nil, why, kind end
    end
  end
  return true
end

-- findMapping; allows one more port where the observations ask for it and the number is not given.
local function find_mapping(run)
  while true do
    local mapping, cost, status = run.search:mapping()
    if mapping or mapping == nil or run.ports >= run.most_ports then return mapping, cost, status end
    local ok, message = set_up(run, run.ports + 1)
    if not ok then return nil, message end
  end
end

-- From now on only other mappings that agree with this one on c(set).
local function agree(run, mapping, set)
  local c = core.smt.union(mapping, set)
  run.search:suppose(set, c, c)
end

-- findOtherMapping, `batch` times: each further one agrees with the mapping on the sets already asked about, and on those
-- of which every experiment has been measured in vain. Schemes come in one by one: run.stage of them are considered, the
-- others have no say yet.
local function distinguishing(run, mapping)
  local list, o, u = {}, run.options, run.unknowns
  local depth = run.search:supposed()
  for _, set in ipairs(run.exhausted) do agree(run, mapping, set) end
  local function other()
    while run.stage <= #u.names do
      for _, size in ipairs(sizes) do
        local found, set, status = run.search:other(mapping, size, unknowns.first(run.stage))
        if found or found == nil then return found, set, status end
      end
      if #list > 0 or run.stage == #u.names then return false end
      run.stage = run.stage + 1
    end
  end
  local batch = o.batch or o.reading == "asymmetric" and 8 or 1
  while #list < batch do
    local found, set, status = other()
    if found == nil then return nil, set, status end
    if not found then break end
    local e = propose.experiment(u, mapping, found, set, { epsilon = o.epsilon, reading = o.reading, asked = run.asked })
    if e then list[#list + 1] = e else run.exhausted[#run.exhausted + 1] = set end
    agree(run, mapping, set)
  end
  run.search:forget(depth)
  return list
end

-- No other mapping can be told from this one by its ports: take one of those that remain, and make sure that none can
-- be told from that either. A spare port must have been there all along, or the number of ports made the choice.
local function converged(run, mapping)
  local u = run.unknowns
  if run.ports < run.most_ports and core.smt.union(mapping, unknowns.first(#u.names)) == run.ports then
    local ok, message = set_up(run, run.ports + 1)
    return ok and {}, message
  end
  local open, why, kind = settle.open(u, run.search, mapping, run.ports)
  if not open then return nil, why, kind end
  local chosen, assumed, status = settle.choose(u, run.search, mapping, run.ports, run.observations, run.options.reading == "asymmetric", open)
  run.search:forget(0)
  if not chosen then return nil, assumed, status end
  local list, message, ended = distinguishing(run, chosen)
  if not list then return nil, message, ended end
  if #list == 0 then
    settle.note_choice(u, open, chosen)
    run.mapping, run.open, run.assumed = chosen, open, assumed
  end
  return list
end

local function report(run)
  run.rounds = run.rounds + 1
  if run.options.progress then
    run.options.progress { rounds = run.rounds, experiments = run.experiments, schemes = run.stage, of = #run.unknowns.names, ports = run.ports }
  end
end

-- Algorithm 4.1. Returns how it ended; run.mapping is the last one that admitted all observations.
local function loop(run)
  while true do
    report(run)
    local mapping, cost, status = find_mapping(run)
    if mapping == nil then return status, cost end
    if not mapping then return "contradiction" end
    run.mapping, run.cost = mapping, cost
    local list, message, ended = distinguishing(run, mapping)
    if list and #list == 0 then list, message, ended = converged(run, mapping) end
    if not list then return ended, message end
    if run.open then return "unique" end
    if run.experiments >= run.options.experiment_limit then return "limit" end
    local ok, trouble, kind = measure(run, list)
    if not ok then return kind, trouble end
  end
end

-- A guess to start from: a few more than anything so far keeps busy. find_mapping and loop allow more where needed.
local function likely_ports(run)
  local most = 1
  for _, count in pairs(run.options.port_counts or {}) do most = math.max(most, count) end
  for _, seen in ipairs(run.observations) do most = math.max(most, math.ceil(unknowns.length(seen.terms) / seen.bounds.upper)) end
  return math.min(most + 3, run.most_ports)
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

-- initialExperiments: what is known already, one instance of each scheme, what the caller asks for.
local function start(run)
  local o, u = run.options, run.unknowns
  for _, seen in ipairs(o.observations or {}) do
    local terms, message = u:terms(seen[1])
    if not terms then return nil, message end
    local ok, why = observe(run, terms, seen[2])
    if not ok then return nil, why end
  end
  local singles = {}
  for i, name in ipairs(u.names) do
    if not (o.port_counts and o.port_counts[name]) then singles[#singles + 1] = { [i] = 1 } end
  end
  local ok, message = measure(run, singles)
  if not ok then return nil, message end
  local initial
  initial, message = numbered(run, o.initial or (o.reading == "asymmetric" and propose.pairs(apparent_counts(run)) or {}))
  if not initial then return nil, message end
  return measure(run, initial)
end

--- Infers the ports of the schemes, each a single uop, from measurements.
-- @param processor with `measure(experiments, options)` and `name`
-- @tparam {string,...} schemes at most 64 names
-- @tparam[opt] table options `ports` (most ports to consider; otherwise found), `rmax` (instructions per cycle), `slots`
-- (name -> issue slots), `port_counts` (name -> number of ports, where known), `epsilon` (CPI, 0.02), `reading` ("symmetric",
-- "asymmetric"), `seed`, `time_limit` (s), `experiment_limit`, `initial` (experiments to measure first; by default the pairs around
-- saturation with the asymmetric reading, none with the symmetric one), `observations`
-- ({experiment, cycles} already known), `batch` (experiments per round), `slack` (price by which another mapping may exceed
-- the best and still be asked about), `progress` (function of a table)
-- @return outcome `{status="unique"|"contradiction"|"limit"|"interrupted", mapping=, observations=, rounds=, experiments=,
-- seconds=, solver_seconds=, open=, assumed=, conflict=, epsilon=, rmax=, seed=, ports=}`; or nil and a message
function cegis.infer(processor, schemes, options)
  local o = setmetatable({}, { __index = function(_, k) return (options or {})[k] == nil and defaults[k] or (options or {})[k] end })
  if not reading.known[o.reading] then return nil, ("no reading '%s'; use symmetric or asymmetric"):format(tostring(o.reading)) end
  local u, message = unknowns.new(schemes, o)
  if not u then return nil, message end
  local began = core.base.now()
  local run = { processor = processor, options = o, unknowns = u, observations = {}, asked = {}, exhausted = {}, rounds = 0, experiments = 0,
    stage = math.min(2, #schemes), solver_seconds = 0, deadline = began + o.time_limit, began = began, most_ports = o.ports or 16 }
  local ok
  ok, message = start(run)
  if not ok then return nil, message end
  ok, message = set_up(run, o.ports or likely_ports(run))
  if not ok then return nil, message end
  local status, why = loop(run)
  if not conclude.endings[status] then return nil, why end
  return conclude.outcome(run, status)
end

return cegis
