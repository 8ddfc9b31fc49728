--- The outcome of an inference: the mapping, how it fits what was measured, what is open, what contradicts.
-- @module portolan.infer.conclude
local core = require "portolan.core"
local settle = require "portolan.infer.settle"

local conclude = { statuses = { unique = true, contradiction = true, limit = true, interrupted = true } }

local function text(experiment)
  local names, parts = {}, {}
  for name in pairs(experiment) do names[#names + 1] = name end
  table.sort(names)
  for k, name in ipairs(names) do parts[k] = experiment[name] > 1 and experiment[name] .. "*" .. name or name end
  return table.concat(parts, " + ")
end

-- A minimal set of observations that no mapping explains, in words.
local function conflict(run)
  local which, message, status = run.search:conflict()
  if not which then return nil, message, status end
  local parts, experiments = {}, {}
  for k, n in ipairs(which) do
    local o = run.observations[n]
    experiments[k] = { experiment = run.unknowns:experiment(o.terms), cycles = o.cycles }
    parts[k] = ("%s takes %.3f cycles"):format(text(experiments[k].experiment), o.cycles)
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

-- Open points and the choice among the remaining mappings; a budget that ends here leaves the mapping as it is.
local function settled(run, status, mapping, outcome)
  local u, search, ports = run.unknowns, run.search, run.ports
  local open, _, why = settle.open(u, search, mapping, ports)
  if not open then return why, mapping end
  local chosen, assumed, ended = settle.choose(u, search, mapping, ports, run.observations, run.options.reading == "asymmetric", open)
  if not chosen then return ended, mapping end
  settle.note_choice(u, open, chosen)
  outcome.open, outcome.assumed = open, assumed
  return status, chosen
end

function conclude.outcome(run, status, mapping)
  local o, outcome = run.options, { open = {}, assumed = {} }
  if status == "unique" then status, mapping = settled(run, status, mapping, outcome) end
  if status == "contradiction" then outcome.conflict = conflict(run) end
  outcome.status = status
  outcome.mapping = mapping and run.unknowns:mapping(mapping, run.processor.name)
  outcome.observations = observations(run, mapping)
  outcome.rounds, outcome.experiments, outcome.ports = run.rounds, run.experiments, run.ports
  outcome.epsilon, outcome.rmax, outcome.seed, outcome.reading = o.epsilon, o.rmax, o.seed, o.reading
  outcome.solver_seconds = run.solver_seconds + run.search:statistics().seconds
  run.search:close()
  outcome.seconds = core.base.now() - run.began
  return outcome
end

return conclude
