--- Stage: a second opinion on the ports of the classes, from the same evidence, that shares no assumption with how they were inferred.
--
-- Evolution (portolan.infer.evidence) explains what was measured of two schemes of each class. It is given: the last readings of all experiments
-- of these and of what fills the front end; R_max; that the filler is one slot and no port; the slots of each scheme; and how many ports there may
-- be, two more than were found. It is not given what is a class, how many ports a scheme has, or what an experiment was asked for, and it weighs all
-- readings at once, where the chart's inference holds each for a bound. Mixtures for which the two predict other times ask the core. The chart is
-- right about one that takes as long as its uops, or as a binder that does not balance them; the second opinion, if it predicted the time, and the
-- chart did not. It is a witness and no judge: that the chart is wrong about a mixture does not tell about which of its schemes, and evolution
-- predicts with ports what a front end limits, too (docs/decisions.md, 302).
-- @module portolan.infer.chart.stages.second_opinion
local binding = require "portolan.infer.chart.binding"
local compose = require "portolan.infer.chart.compose"
local constants = require "portolan.infer.chart.constants"
local core = require "portolan.core"
local evidence = require "portolan.infer.evidence"
local experiment = require "portolan.experiment"
local lists = require "portolan.support.lists"
local mapping = require "portolan.mapping"

local second_opinion = {}

local most_schemes, most_readings = 32, 1000 -- that evolution has to explain: some two seconds
local further_ports, most_ports = 2, 16 -- beyond those of the chart; at most
local effort = { islands = 2, population = 2, core_generations = 1, generations = 1 }
local draws, most_mixtures, most_of_each = 1000, 60, 4 -- of which mixtures differ; instances of a scheme
local exact = 0.05 -- share of the cycles within which a prediction is right
local examples = 3

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
  if survey.filler and survey:fillers_of(1) == 1 then
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

-- Returns what evolution makes of the readings; nil if it has no answer.
local function explain(survey, names)
  local slots = {}
  for _, name in ipairs(names) do slots[name] = survey.facts[name].slots end
  local o = lists.copy(effort)
  o.rmax, o.slots, o.seed, o.ports = survey.rmax, slots, survey.seed, math.min(most_ports, #survey.ports + further_ports)
  return evidence.explain(readings_of(survey, names), lists.joined(names, { survey.filler }), o)
end

-- Small mixtures for which the chart and the second opinion predict other times: list of `{ e =, chart =, opinion = (cycles by these) }`.
local function differing(survey, chart, other, names)
  local rng, list, seen = core.base.rng(survey.seed):split(5), {}, {}
  for _ = 1, #names > 1 and draws or 0 do
    local e = {}
    for _ = 1, 2 + rng:below(2) do e[names[1 + rng:below(#names)]] = 1 + rng:below(most_of_each) end
    local key, ours, theirs = experiment.key(e), chart:throughput(e), other:throughput(e)
    local differ = math.max(ours, theirs) > constants.beyond_ports * math.min(ours, theirs)
    if differ and not seen[key] and #list < most_mixtures then
      seen[key], list[#list + 1] = true, { e = e, chart = ours, opinion = theirs }
    end
  end
  return list
end

--- Tells who is right about a mixture.
-- @param compiled what the chart claims, compiled
-- @param one `{ e =, cycles = (measured), chart =, opinion = (cycles by these) }`
-- @treturn string "chart", "opinion" or "neither"
function second_opinion.judge(compiled, one)
  local most = constants.beyond_ports
  local fast = one.cycles < constants.consistent_faster * one.chart
  local slow = one.cycles > most * one.chart and one.cycles > most * binding.slowest(compiled, one.e)
  return not (slow or fast) and "chart" or math.abs(one.opinion / one.cycles - 1) <= exact and "opinion" or "neither"
end

-- Measures mixtures, once more where the chart seems wrong; those that could be measured, with `right`.
local function asked(survey, compiled, list)
  local function read(some, again)
    for i, result in ipairs(survey:measure(lists.map(some, function(one) return one.e end), { again = again, optional = true })) do
      local one = some[i]
      if result.status == "ok" then one.cycles = one.cycles and (one.cycles + result.cycles) / 2 or result.cycles end
      one.right = one.cycles and second_opinion.judge(compiled, one)
    end
  end
  read(list)
  read(lists.where(list, function(one) return one.right and one.right ~= "chart" end), true)
  return lists.where(list, function(one) return one.right end)
end

-- Counts who was right.
local function counted(schemes, tried)
  local o = { schemes = schemes, experiments = #tried, chart = 0, opinion = 0, neither = 0, examples = {} }
  for _, one in ipairs(tried) do o[one.right] = o[one.right] + 1 end
  local wrong = lists.where(tried, function(one) return one.right ~= "chart" end)
  for _, one in ipairs(wrong) do one.off = math.abs(math.log(one.cycles / one.chart)) end
  table.sort(wrong, function(a, b) return a.off > b.off end)
  for i, one in ipairs(table.move(wrong, 1, examples, 1, {})) do
    o.examples[i] = { experiment = experiment.format(one.e), measured = one.cycles, chart = one.chart, opinion = one.opinion }
  end
  return o
end

--- The stage.
function second_opinion.__call(_, survey)
  survey:stage("second opinion")
  local names = schemes_of(survey)
  local found = #names > 1 and explain(survey, names)
  if core.base.interrupted() then survey:give_up() end
  if not found then return end
  local chart = mapping.compile(compose.mapping(survey, true))
  local both = lists.where(names, function(name) return found.mapping.schemes[name] and not found.units[name] and not found.eliminated[name] end)
  survey.opinion = counted(#both, asked(survey, chart, differing(survey, chart, mapping.compile(found.mapping), both)))
end

return setmetatable(second_opinion, second_opinion)
