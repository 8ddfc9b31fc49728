--- Counter-example-guided inference of a two-level port mapping: Algorithm 4.1 in the form of union cardinalities
-- (docs/inference.md), for any processor object.
-- @module portolan.infer.cegis
local core = require "portolan.core"
local conclude = require "portolan.infer.conclude"
local propose = require "portolan.infer.propose"
local reading = require "portolan.infer.reading"
local settle = require "portolan.infer.settle"
local state = require "portolan.infer.state"
local unknowns = require "portolan.infer.unknowns"

local cegis = { pair_experiments = propose.pairs }

local sizes = { 2, 3, 4, 0 } -- schemes by which another mapping is told apart: few first (§4.3), then any number

local defaults = { epsilon = 0.02, reading = "symmetric", seed = 1, time_limit = math.huge, experiment_limit = math.huge }

-- findMapping; allows one more port where the observations ask for it and the number is not given.
local function find_mapping(run)
  while true do
    local mapping, cost, status = run.search:mapping()
    if mapping or mapping == nil or run.ports >= run.most_ports then return mapping, cost, status end
    local ok, message = state.set_up(run, run.ports + 1)
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

-- The observations whose slowness is a sign of shared ports: not those of stores and the like, which have more uops than the one
-- that the two-level model gives them.
local function telling(run)
  local improper, list = run.options.improper or {}, {}
  for _, o in ipairs(run.observations) do
    local proper = true
    for i in pairs(o.terms) do proper = proper and not improper[run.unknowns.names[i]] end
    if proper then list[#list + 1] = o end
  end
  return list
end

-- No other mapping can be told from this one by its ports: take one of those that remain, and make sure that none can
-- be told from that either. A spare port must have been there all along, or the number of ports made the choice.
local function converged(run, mapping)
  local u = run.unknowns
  if run.ports < run.most_ports and core.smt.union(mapping, unknowns.first(#u.names)) == run.ports then
    local ok, message = state.set_up(run, run.ports + 1)
    return ok and {}, message
  end
  local open, why, kind = settle.open(u, run.search, mapping, run.ports)
  if not open then return nil, why, kind end
  local chosen, assumed, status = settle.choose(u, run.search, mapping, run.ports, telling(run), run.options.reading == "asymmetric", open)
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
    local ok, trouble, kind = state.measure(run, list)
    if not ok then return kind, trouble end
  end
end

--- Infers the ports of the schemes, each a single uop, from measurements.
-- @param processor with `measure(experiments, options)` and `name`
-- @tparam {string,...} schemes at most 64 names
-- @tparam[opt] table options `ports` (most ports to consider; otherwise found), `rmax` (instructions per cycle), `slots`
-- (name -> issue slots), `port_counts` (name -> number of ports, where known), `epsilon` (CPI, 0.02), `reading` ("symmetric",
-- "asymmetric"), `seed`, `time_limit` (s), `experiment_limit`, `initial` (experiments to measure first; by default the pairs around
-- saturation with the asymmetric reading, none with the symmetric one), `observations`
-- ({experiment, cycles} already known), `improper` (set
-- name -> true of schemes that stand for more than one uop), `batch` (experiments per round), `slack` (price by which another mapping may exceed
-- the best and still be asked about), `progress` (function of a table)
-- @return outcome `{status="unique"|"contradiction"|"limit"|"interrupted", mapping=, observations=, rounds=, experiments=,
-- seconds=, solver_seconds=, open=, assumed=, conflict=, epsilon=, rmax=, seed=, ports=}`; or nil and a message
function cegis.infer(processor, schemes, options)
  local o = setmetatable({}, { __index = function(_, k) return (options or {})[k] == nil and defaults[k] or (options or {})[k] end })
  if not reading.known[o.reading] then return nil, ("no reading '%s'; use symmetric or asymmetric"):format(tostring(o.reading)) end
  local run, message = state.new(processor, schemes, o)
  if not run then return nil, message end
  local status, why = loop(run)
  if not conclude.endings[status] then return nil, why end
  return conclude.outcome(run, status)
end

return cegis
