--- The outcome of an inference: the mapping, how it fits what was measured, what is open, what contradicts.
-- @module portolan.infer.cegis.outcome
local certain = require "portolan.infer.cegis.certain"
local certificate = require "portolan.infer.cegis.certificate"
local experiment = require "portolan.experiment"
local lists = require "portolan.support.lists"
local one_uop = require "portolan.infer.one_uop"
local outcome_words = require "portolan.infer.outcome_words"
local state = require "portolan.infer.cegis.state"
local stop = require "portolan.infer.stop"

-- A run can end in these ways, by the word of the loop or of the solver.
local outcome = { endings = { unique = "unique", contradiction = "contradiction", limit = "limit", ["limit reached"] = "limit",
  interrupted = "interrupted" } }

-- A minimal set of observations that no mapping explains, in words.
local function conflict(run, assumption)
  local which, message, status = run.search.solver:conflict()
  if not which then return nil, message, status end
  local experiments = lists.map(which, function(n)
    local o = run.observations.list[n]
    return { experiment = run.unknowns:experiment(o.terms), cycles = o.cycles }
  end)
  local given = run.unknowns.given and " and the given ports" or ""
  return { experiments = experiments,
    text = ("no mapping with up to %d ports%s%s explains that %s"):format(run.search.ports, assumption and " in which " .. assumption.text or "",
      given, outcome_words.taken(experiments)) }
end

local function observations(run, mapping)
  local list = {}
  for k, o in ipairs(run.observations.list) do
    local predicted = mapping and run.unknowns:predict(mapping, o.terms)
    list[k] = { experiment = run.unknowns:experiment(o.terms), cycles = o.cycles, predicted = predicted,
      residual = predicted and o.cycles - predicted }
  end
  return list
end

-- Experiments that would tell another mapping from the chosen one, but that the processor does not have.
local function wanted(run, mapping)
  local list, seen = {}, {}
  for _, wish in ipairs(run.wishes) do
    local key = run.unknowns:key(wish.terms)
    local chosen, least = run.unknowns:predict(mapping, wish.terms), 2 * run.options.epsilon * experiment.length(wish.terms)
    for _, rival in ipairs { wish.rival, wish.one } do -- what was asked about then may have been taken since
      local other = run.unknowns:predict(rival, wish.terms)
      if math.abs(chosen - other) > least and not seen[key] then
        list[#list + 1] = { experiment = run.unknowns:experiment(wish.terms), chosen = chosen, other = other }
        seen[key] = true
      end
    end
  end
  return list
end

-- Returns what the solver was asked last, as SMT-LIB 2: is there another mapping that can be told from this one?
local function question(run)
  local mapping = run.mapping
  if not mapping then -- none at all: then no other one either, from whichever it is told
    mapping = {}
    for r = 1, run.unknowns.rows do mapping[r] = 1 end
  end
  return run.search.solver:text(mapping)
end

-- Finds which schemes have the same ports in all mappings that remain, and rivals of the others; where the number of ports is not given, among
-- mappings with as many ports as may be considered. Nil where that was not asked for, or could not be found out in time, or the solver has no such
-- question.
local function decided(run, status)
  local o = run.options
  if not o.certain or o.encoding == "lira" or status ~= "unique" and status ~= "undecided" or run.unknowns.rows > 64 then return nil end
  local found = stop.guard(function()
    if run.search.ports < run.search.most_ports then state.set_up(run, run.search.most_ports) end
    return certain.of(run.unknowns, run.search.solver, run.mapping, run.search.ports)
  end)
  if not found then return nil end
  local rivals = {}
  for name, masks in pairs(found.rivals) do rivals[name] = run.unknowns:mapping(masks, "another mapping that admits the same experiments") end
  return { schemes = found.schemes, rivals = rivals }
end

-- Open points of other schemes than these: in which names of ports they are told is a choice.
local function without(open, names)
  local certain_ones = lists.set(names)
  return lists.where(open, function(point) return not certain_ones[point.a] end)
end

--- @param run the state of cegis.infer
-- @tparam string status how the loop ended
-- @tparam table choice what was decided: `open`, `assumed` (portolan.infer.cegis.two_level); empty where nothing was
function outcome.of(run, status, choice)
  local o, mapping = run.options, run.mapping
  local assumption = one_uop.assumed(run.unknowns.names, o)
  local result = { open = choice.open or {}, assumed = lists.joined({ assumption }, choice.assumed or {}) }
  if status == "contradiction" then result.conflict, mapping = conflict(run, assumption), nil end
  result.status = outcome.endings[status]
  result.wanted = mapping and wanted(run, mapping) or {}
  if result.status == "unique" and #result.wanted > 0 then result.status = "undecided" end
  result.mapping = mapping and run.unknowns:mapping(mapping, run.processor.name)
  result.certain = mapping and decided(run, result.status)
  if result.certain and o.uops then result.open = without(result.open, result.certain.schemes) end
  result.observations = observations(run, mapping)
  result.failed = run.failed
  result.rounds, result.experiments, result.ports, result.cost = run.rounds, run.budget.asked, run.search.ports, run.cost
  result.noise, result.doubted = run.observations.noise, run.doubted
  result.epsilon, result.rmax, result.seed, result.reading = o.epsilon, o.rmax, o.seed, o.reading
  local statistics = run.search.solver:statistics()
  result.checks, result.solver_seconds = statistics.checks, run.search.seconds + statistics.seconds
  result.question = o.question and question(run) or nil
  -- What is undecided can be said as sets of schemes only where every scheme is one uop; else what is certain is all that can be proven.
  local provable = result.status == "unique" or result.status == "undecided" and (not o.uops or result.certain)
  if provable then result.certificate = certificate.of(run, result) end
  run.search.solver:close()
  result.seconds = run.budget:seconds()
  return result
end

return outcome
