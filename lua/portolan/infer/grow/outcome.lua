--- The outcome of an inference that grew from a core: the mapping, and for each scheme what tells it apart or leaves it open.
-- @module portolan.infer.grow.outcome
local experiment = require "portolan.experiment"
local field = require "portolan.infer.grow.field"
local lists = require "portolan.support.lists"
local outcome_words = require "portolan.infer.outcome_words"
local port_set = require "portolan.mapping.ports"

-- It can end in these ways, by the word of the loop or of the engine.
local outcome = { endings = { unique = "unique", contradiction = "contradiction", limit = "limit", ["limit reached"] = "limit",
  interrupted = "interrupted", undecided = "undecided" } }

local function usage(ports) return "[" .. port_set.text(ports) .. "]" end

-- The chosen ports and those that it could have as well.
local function alternatives(run, s)
  local list = { run.ports:list(s.ports) }
  for _, mask in ipairs(s.left) do
    if mask ~= s.ports then list[#list + 1] = run.ports:list(mask) end
  end
  return list
end

local function open_point(s, list)
  local texts = lists.map(list, usage)
  local count = math.max(s.count, #list)
  return { a = s.name, usages = texts, count = count, text = outcome_words.could_be(s.name, texts, count) }
end

-- Observations as outcomes have them.
local function told(list) return lists.map(list, function(seen) return { experiment = seen.terms, cycles = seen.cycles } end) end

local function conflict_of(s)
  if s.conflict then return s.conflict end
  local against = told(s.against)
  return { experiments = against, text = ("no ports of %s explain that %s"):format(s.name, outcome_words.taken(against)) }
end

local function describe(run, result)
  local texts, experiments = {}, {}
  for _, s in ipairs(run.schemes) do
    local d = { status = s.status or "unfinished", experiments = told(s.seen) }
    if s.status == "open" and s.ports and s.left then
      d.alternatives = alternatives(run, s)
      if #d.alternatives > 1 then result.open[#result.open + 1] = open_point(s, d.alternatives) end
    elseif s.status == "contradicting" then
      d.conflict = conflict_of(s)
      if texts[#texts] ~= d.conflict.text then
        texts[#texts + 1] = d.conflict.text
        for _, seen in ipairs(d.conflict.experiments) do experiments[#experiments + 1] = seen end
      end
    end
    result.schemes[s.name] = d
  end
  if #texts > 0 then result.conflict = { experiments = experiments, text = table.concat(texts, "; ") } end
end

-- Maps statuses of growing to those of a mapping (portolan.mapping.statuses).
local class_of = { contradicting = "contradicting", unmeasured = "unstable" }

-- The measured experiments of a scheme, as a mapping has them.
local function witnesses(run, s)
  local list = lists.map(s.seen, function(seen)
    return { experiment = experiment.format(seen.terms), cycles = seen.cycles, expected = field.predict(run, seen.terms) }
  end)
  return list
end

-- The mapping, with what each scheme rests on and what of it was chosen.
local function mapping_of(run)
  local m = field.mapping(run)
  for _, s in ipairs(run.schemes) do
    local entry = m.schemes[s.name]
    entry.witnesses = witnesses(run, s)
    if not s.ports then entry.status = class_of[s.status] or "not reached" end
    if s.ports and s.status == "open" then entry.assumed = run.ports:list(s.ports) end
  end
  return m
end

local function observations(run)
  local list = {}
  for _, s in ipairs(run.schemes) do
    for _, seen in ipairs(s.seen) do
      local predicted = field.predict(run, seen.terms)
      list[#list + 1] = { experiment = seen.terms, cycles = seen.cycles, predicted = predicted,
        residual = predicted and seen.cycles - predicted }
    end
  end
  return list
end

-- The joint core first, then those that joined it.
local function core_names(run)
  local names, inside = {}, {}
  local function enter(name)
    if not inside[name] then names[#names + 1], inside[name] = name, true end
  end
  for _, name in ipairs(run.core) do enter(name) end
  for _, s in ipairs(run.known) do enter(s.name) end
  return names
end

--- @param run the state of growing
-- @tparam string status how it ended
function outcome.of(run, status)
  local o = run.options
  local result = { status = outcome.endings[status], open = {}, assumed = run.assumed, wanted = run.wanted, schemes = {}, failed = run.failed,
    core = core_names(run), rounds = run.rounds, experiments = run.budget.asked, solver_seconds = run.solver_seconds,
    epsilon = o.epsilon, rmax = o.rmax, seed = o.seed, reading = o.reading, noise = run.observations.noise, doubted = run.doubted }
  if run.core_outcome and run.core_outcome.status == "contradiction" then
    result.conflict, result.observations = run.core_outcome.conflict, run.core_outcome.observations
  else
    describe(run, result)
    for _, point in ipairs(run.points) do result.open[#result.open + 1] = point end
    result.mapping = mapping_of(run)
    result.observations = observations(run)
    if result.conflict and result.status == "unique" then result.status = "contradiction" end
  end
  result.ports = run.most_ports
  result.seconds = run.budget:seconds()
  return result
end

return outcome
