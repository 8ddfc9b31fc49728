--- The outcome of an inference: the mapping, how it fits what was measured, what is open, what contradicts.
-- @module portolan.infer.conclude
local core = require "portolan.core"
local experiment = require "portolan.experiment"

-- How a run can end, by the word of the loop or of the solver.
local conclude = { endings = { unique = "unique", contradiction = "contradiction", limit = "limit", ["limit reached"] = "limit",
  interrupted = "interrupted" } }

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

--- @param run the state of cegis.infer
-- @tparam string status how the loop ended
function conclude.outcome(run, status)
  local o, outcome, mapping = run.options, { open = run.open or {}, assumed = run.assumed or {} }, run.mapping
  if status == "contradiction" then outcome.conflict, mapping = conflict(run), nil end
  outcome.status = conclude.endings[status]
  outcome.mapping = mapping and run.unknowns:mapping(mapping, run.processor.name)
  outcome.observations = observations(run, mapping)
  outcome.failed = run.failed
  outcome.rounds, outcome.experiments, outcome.ports, outcome.cost = run.rounds, run.experiments, run.ports, run.cost
  outcome.epsilon, outcome.rmax, outcome.seed, outcome.reading = o.epsilon, o.rmax, o.seed, o.reading
  outcome.checks = run.search:statistics().checks; outcome.solver_seconds = run.solver_seconds + run.search:statistics().seconds
  run.search:close()
  outcome.seconds = core.base.now() - run.began
  return outcome
end

return conclude
