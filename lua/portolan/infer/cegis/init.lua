--- Counter-example-guided inference of a port mapping: Algorithm 4.1, for any processor object (docs/inference.md).
-- @module portolan.infer.cegis
local lists = require "portolan.support.lists"
local printable = require "portolan.support.printable"
local outcome = require "portolan.infer.cegis.outcome"
local encodings = require "portolan.infer.cegis.encodings"
local propose = require "portolan.infer.cegis.propose"
local bounds = require "portolan.infer.bounds"
local state = require "portolan.infer.cegis.state"
local stop = require "portolan.infer.stop"

local cegis = { pair_experiments = propose.pairs }

local most_rmax = 1000 -- as of certificates, and of the solver
local defaults = { epsilon = 0.02, reading = "symmetric", seed = 1, time_limit = math.huge, experiment_limit = math.huge }

-- A contradiction is doubted before it is believed: measures those experiments of a minimal one again that were not measured often enough, once for
-- each. Returns whether there were any; then the solver knows the new values.
local function doubt(run)
  if not run.doubts then return false end
  local list = lists.map(stop.need(run.search.solver:conflict()), function(n) return run.observations.list[n] end)
  local again = stop.need(run.source:anew(list))
  run.doubted = run.doubted + again
  if again > 0 then state.reconsider(run) end
  return again > 0
end

-- findMapping; allows one more port where the observations ask for it and the number is not given, and measures anew what contradicts. False if
-- there is none; its price.
local function find_mapping(run)
  while true do
    local mapping, cost = stop.need(run.search.solver:mapping())
    if mapping then return mapping, cost end
    if run.search.ports < run.search.most_ports then
      state.set_up(run, run.search.ports + 1)
    elseif not doubt(run) then
      return false
    end
  end
end

local function report(run)
  run.rounds = run.rounds + 1
  if run.options.progress then
    run.options.progress { rounds = run.rounds, experiments = run.budget.asked, schemes = run.search.stage,
      of = #run.unknowns.names, ports = run.search.ports }
  end
end

-- Algorithm 4.1. Returns how it ended, as `outcome.endings` names it, and what is decided; run.mapping is the last mapping that admitted all
-- observations.
local function loop(run)
  while true do
    report(run)
    local mapping, cost = find_mapping(run)
    if not mapping then return "contradiction" end
    run.mapping, run.cost = mapping, cost
    local experiments, choice = run.encoding.others(run, mapping), nil
    if #experiments == 0 then experiments, choice = run.encoding.settle(run, mapping) end
    if choice then
      run.mapping = choice.mapping
      return "unique", choice
    end
    if run.budget:left() <= 0 then return "limit" end
    state.measure(run, experiments)
  end
end

--- Infers the ports of the schemes from measurements: each a single uop, unless `uops` gives numbers of them.
-- @param processor with `measure(experiments, options)` and `name`
-- @tparam {string,...} schemes at most 64 names
-- @tparam[opt] table options
-- @tparam[opt] int options.ports that there are; otherwise found
-- @tparam[opt=16] int options.most_ports up to which they are looked for
-- @tparam[opt] number options.rmax instructions per cycle
-- @tparam[opt] func options.controls function(experiments, list of cycles) -> list of cycles up to which each may be slow for another reason than
-- ports in common: it says nothing from below up to there
-- @tparam[opt] table options.domains name -> what the scheme works on, a word: those of different words are taken to have no port in common where
-- nothing joins them, but "several" goes with any but "memory"; otherwise all are
-- @tparam[opt] table options.slots name -> issue slots; otherwise 1
-- @tparam[opt] table options.uops name -> number of uops, where it is not one
-- @tparam[opt] table options.same_uop list of `{ scheme =, among = { names } }`: some uop of the scheme is that of one of these, which have a single
-- one (section 6.3.4)
-- @tparam[opt] table options.port_counts name -> number of ports, where known
-- @tparam[opt] table options.fixed name -> list of given ports, or of uops as in mapping.json
-- @tparam[opt=0.02] number options.epsilon cycles per instruction that measurements resolve
-- @tparam[opt="symmetric"] string options.reading "symmetric" or "asymmetric"
-- @tparam[opt="union"] string options.encoding see portolan.infer.cegis.encodings
-- @tparam[opt=1] int options.seed of the solver
-- @tparam[opt] number options.time_limit seconds
-- @tparam[opt] int options.experiment_limit experiments
-- @tparam[opt] table options.initial experiments to measure first; by default all that there are where the processor replays a record, else the pairs
-- around saturation with the asymmetric reading, none with the symmetric one
-- @tparam[opt] table options.observations list of `{ experiment, cycles[, cycles of the front end] }` that are known already
-- @tparam[opt] table options.improper set name -> true of schemes that stand for more than one uop
-- @tparam[opt] int options.batch experiments per round
-- @tparam[opt] number options.deviation standard deviation of a reading, a share of it; with the asymmetric reading found out, else 0
-- @tparam[opt] boolean options.confirm measure again what is slower than its schemes alone explain; by default with the asymmetric reading
-- @tparam[opt=true] boolean options.doubt measure anew what contradicts
-- @tparam[opt] int options.slack price by which another mapping may exceed the best and still be asked about
-- @tparam[opt=false] boolean options.question also what the solver was asked last, as SMT-LIB
-- @tparam[opt] func options.progress function of a table
-- @return outcome `{status="unique"|"undecided"|"contradiction"|"limit"|"interrupted", mapping=, observations=, rounds=,
-- experiments=, seconds=, solver_seconds=, open=, assumed=, wanted= (experiments that would decide, but that the processor does
-- not have: then "undecided"), certificate= (docs/formats.md), conflict=, question=, epsilon=, rmax=, seed=, ports=, noise=,
-- doubted= (readings of contradictions that were taken anew)}`; or nil and a message
function cegis.infer(processor, schemes, options)
  local o = setmetatable({}, { __index = function(_, k) return (options or {})[k] == nil and defaults[k] or (options or {})[k] end })
  if not bounds.known[o.reading] then return nil, ("no reading '%s'; use symmetric or asymmetric"):format(printable(tostring(o.reading))) end
  if o.rmax and not (o.rmax >= 0 and o.rmax <= most_rmax) then
    return nil, ("R_max is %g instructions a cycle; it must be %d at most"):format(o.rmax, most_rmax)
  end
  local encoding, fault = encodings.of(o)
  if not encoding then return nil, fault end
  local run, message = stop.guard(state.new, processor, schemes, o, encoding)
  if not run then return nil, message end
  local status, choice, ended = stop.guard(loop, run)
  if status then return outcome.of(run, status, choice or {}) end
  if not outcome.endings[ended] then return nil, choice end
  return outcome.of(run, ended, {})
end

return cegis
