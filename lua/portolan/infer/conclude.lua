--- The outcome of an inference: the mapping, how it fits what was measured, what is open, what contradicts.
-- @module portolan.infer.conclude
local core = require "portolan.core"
local experiment = require "portolan.experiment"
local settle = require "portolan.infer.settle"

local conclude = { statuses = { unique = true, contradiction = true, limit = true, interrupted = true } }

-- A minimal set of observations that no mapping explains, in words.
local function conflict(run)
  local which, message, status = run.search:conflict()
  if not which then return nil, message, status end
  local parts, experiments = {}, {}
  for k, n in ipairs(which) do
    local o = run.observations[n]
    experiments[k] = { experiment = run.unknowns:experiment(o.terms), cycles = o.cycles }
    parts[k] = ("%s takes %.3f cycles"):format(experiment.format(experiments[k].experiment), o.cycles)
  end
  return { experiments = experiments, text = ("no mapping with up to %d ports explains that %s"):format(run.ports, table.concat(parts, " and ")) }
end

local function observations(run, mapping)
  local list = {}
  for k, o in ipairs(run.observations) do
    local predicted = mapping and run.unknowns:predict(mapping, o.terms)
    list[k] = { experiment = run.unknowns:experiment(o.terms), cycles = o.cycles, predicted = predicted,
      residual = predicted and o.cycles - predicted }
  end
  return list
end

-- What is open; a budget that ends while that is found out changes nothing of the mapping.
local function open_points(run, mapping)
  local open, _, why = settle.open(run.unknowns, run.search, mapping, run.ports)
  if not open then return {}, why end
  settle.note_choice(run.unknowns, open, mapping)
  return open
end

--- @param run the state of cegis.infer
-- @tparam string status how the loop ended
function conclude.outcome(run, status)
  local o, outcome, mapping = run.options, { open = {}, assumed = run.assumed or {} }, run.chosen or run.mapping
  if status == "unique" then
    local ended
    outcome.open, ended = open_points(run, mapping)
    status = ended or status
  elseif status == "contradiction" then
    outcome.conflict, mapping = conflict(run), nil
  end
  outcome.status = status
  outcome.mapping = mapping and run.unknowns:mapping(mapping, run.processor.name)
  outcome.observations = observations(run, mapping)
  outcome.rounds, outcome.experiments, outcome.ports, outcome.cost = run.rounds, run.experiments, run.ports, run.cost
  outcome.epsilon, outcome.rmax, outcome.seed, outcome.reading = o.epsilon, o.rmax, o.seed, o.reading
  outcome.solver_seconds = run.solver_seconds + run.search:statistics().seconds
  run.search:close()
  outcome.seconds = core.base.now() - run.began
  return outcome
end

return conclude
