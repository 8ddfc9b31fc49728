--- Stage: a second opinion on the ports of the classes, from the same evidence, that shares no assumption with how they were inferred.
--
-- Evolution (portolan.infer.evidence) explains what was measured of two schemes of each class. It is given: the last readings of all experiments
-- of these and of what fills the front end; R_max; that the filler is one slot and no port; the slots of each scheme; and how many ports there may
-- be, two more than were found. It is not given what is a class, how many ports a scheme has, or what an experiment was asked for, and it weighs all
-- readings at once, where the chart's inference holds each for a bound. Mixtures for which the two predict other times ask the core
-- (stages/mixtures). The chart is right about one that takes as long as its uops, or as a binder that does not balance them, and the second opinion
-- if it predicted the time, and the chart did not.
-- @module portolan.infer.chart.stages.second_opinion
local compose = require "portolan.infer.chart.compose"
local constants = require "portolan.infer.chart.constants"
local core = require "portolan.core"
local evidence = require "portolan.infer.evidence"
local experiment = require "portolan.experiment"
local lists = require "portolan.support.lists"
local mapping = require "portolan.mapping"

local opinion = {}

local most_schemes, most_readings = 32, 1000 -- that evolution has to explain: some two seconds
local further_ports, most_ports = 2, 16 -- beyond those of the chart; at most
local effort = { islands = 2, population = 2, core_generations = 1, generations = 1 }
local draws, most_mixtures, most_of_each = 1000, 60, 4 -- of which mixtures differ; instances of a scheme
local exact = 0.05 -- share of the cycles within which a prediction is right
local examples = 3
local binders = { { kind = "pending" }, { kind = "recent" }, { kind = "late" } }

-- Explained schemes: the representatives of the classes, then the last member of each.
local function schemes_of(survey)
  local first, second = {}, {}
  for _, class in ipairs(survey.classes) do
    local members = lists.where(class.wide and {} or class.members, function(name) return survey.facts[name].status == "explained" end)
    first[#first + 1] = members[1]
    second[#second + 1] = members[2] and members[#members]
  end
  local names = lists.joined(first, second)
  return table.move(names, 1, most_schemes, 1, {})
end

-- The last readings of experiments of some schemes and the filler, in the order in which they were first asked.
local function readings_of(survey, names)
  local known, list, seen = lists.set(names), {}, {}
  if survey.filler then
    known[survey.filler] = true
    list[1] = { e = { [survey.filler] = 1 }, cycles = 1 / survey.rmax }
  end
  for _, x in ipairs(survey.evidence) do
    local of_these = #list < most_readings and lists.all(experiment.schemes(x.e), function(name) return known[name] end)
    local key = of_these and experiment.key(x.e)
    local last = of_these and not seen[key] and survey.evidence:last(key)
    if last and last.result.status == "ok" then list[#list + 1] = { e = last.e, cycles = last.result.cycles } end
    if key then seen[key] = true end
  end
  return list
end

-- What evolution makes of the readings; nil if it has no answer.
local function explain(survey, names)
  local slots = {}
  for _, name in ipairs(names) do slots[name] = survey.facts[name].slots end
  local o = lists.copy(effort)
  o.rmax, o.slots, o.seed, o.ports = survey.rmax, slots, survey.seed, math.min(most_ports, #survey.ports + further_ports)
  return evidence.explain(readings_of(survey, names), lists.joined(names, { survey.filler }), o)
end

-- Small mixtures for which the chart and the second opinion predict other times: list of `{ e =, cycles = (by the opinion) }`.
local function differing(survey, chart, found, names)
  local rng, other, list, seen = core.base.rng(survey.seed):split(5), mapping.compile(found.mapping), {}, {}
  for _ = 1, #names > 1 and draws or 0 do
    local e = {}
    for _ = 1, 2 + rng:below(2) do e[names[1 + rng:below(#names)]] = 1 + rng:below(most_of_each) end
    local key, ours, theirs = experiment.key(e), chart:throughput(e), other:throughput(e)
    local differ = math.max(ours, theirs) > constants.mixture_beyond * math.min(ours, theirs)
    if differ and not seen[key] and #list < most_mixtures then seen[key], list[#list + 1] = true, { e = e, cycles = theirs } end
  end
  return list
end

-- Who is right about a mixture: "chart", "opinion" or "neither".
local function right_about(compiled, one, by_opinion)
  local cycles = one.ratio * one.expected
  local most = constants.mixture_beyond
  local bound = one.ratio >= constants.consistent_faster and (one.ratio <= most or lists.any(binders, function(binder)
    return cycles <= most * compiled:bind(one.e, binder)
  end))
  return bound and "chart" or math.abs(by_opinion / cycles - 1) <= exact and "opinion" or "neither"
end

--- Asks the core about the mixtures for which the two differ, and counts who was right.
-- @param survey the survey
-- @param compiled what the chart claims, compiled
-- @param try function(experiments) -> list of `{ e =, cycles =, expected =, ratio = (to the chart's time), refutes = }`
-- @return that list; `refutes` where the chart is too slow, or too fast and the second opinion right
function opinion.ask(survey, compiled, try)
  local of, told = {}, survey.opinion
  for _, one in ipairs(survey.differing or {}) do of[experiment.key(one.e)] = one.cycles end
  local tried = try(lists.map(survey.differing or {}, function(one) return one.e end))
  for _, one in ipairs(tried) do
    one.opinion = of[experiment.key(one.e)]
    one.right = right_about(compiled, one, one.opinion)
    one.refutes = one.ratio < constants.consistent_faster or one.right == "opinion"
    told.experiments, told[one.right] = told.experiments + 1, told[one.right] + 1
  end
  local odd = lists.where(tried, function(one) return one.right ~= "chart" end)
  table.sort(odd, function(a, b) return math.abs(math.log(a.ratio)) > math.abs(math.log(b.ratio)) end)
  for i = 1, math.min(examples, #odd) do
    told.examples[i] = { experiment = experiment.format(odd[i].e), measured = odd[i].ratio * odd[i].expected, chart = odd[i].expected,
      opinion = odd[i].opinion }
  end
  return tried
end

--- The stage.
function opinion.__call(_, survey)
  survey:stage("second opinion")
  local names = schemes_of(survey)
  local found = #names > 1 and explain(survey, names)
  if core.base.interrupted() then survey:give_up() end
  if not found then return end
  local chart = mapping.compile(compose.mapping(survey, true))
  local both = lists.where(names, function(name) return found.mapping.schemes[name] and not found.units[name] and not found.eliminated[name] end)
  survey.differing = differing(survey, chart, found, both)
  survey.opinion = { schemes = #both, experiments = 0, chart = 0, opinion = 0, neither = 0, examples = {} }
end

return setmetatable(opinion, opinion)
