--- Stage: do the claims explain mixtures? Small random mixtures of explained schemes share no assumption with floods, fillers and classes.
--
-- Each claim is tried in mixtures that it makes slower by its uops, or that it should leave alone (portolan.infer.chart.mixture_plan). Hardware is
-- slower than the model, now and then, and never faster: a mixture that is faster than its claims allow refutes one of these, and so does one that
-- is slower by far more than others on this core are, and than other schemes with these uops (portolan.infer.chart.stand_ins).
-- portolan.infer.chart.refutation tells which one is refuted. Where many claims are refuted, what all of them rest on does not hold: the others are
-- assumed, too.
-- @module portolan.infer.chart.stages.mixtures
local anew = require "portolan.infer.chart.stages.anew"
local binding = require "portolan.infer.chart.binding"
local compose = require "portolan.infer.chart.compose"
local constants = require "portolan.infer.chart.constants"
local core = require "portolan.core"
local experiment = require "portolan.experiment"
local lists = require "portolan.support.lists"
local mapping = require "portolan.mapping"
local mixture_plan = require "portolan.infer.chart.mixture_plan"
local port_set = require "portolan.mapping.ports"
local refutation = require "portolan.infer.chart.refutation"
local stand_ins = require "portolan.infer.chart.stand_ins"
local totals = require "portolan.infer.chart.blocking.totals"

-- So many mixtures are added for a scheme that may be to blame for so many that refute; in the end for the first of those alone that do the same.
local rounds = { { blamed = 1, more = 4 }, { blamed = 2, more = 6, firsts = true } }
local most_others = 4 -- mixtures on other ports that a slow one is compared with; there may be dozens, and more of them tell no more
local repeats = 3 -- times as much of an odd mixture
local most_left = 0.1 -- share of the mixtures that refute and are put down to no claim: beyond it, what all rest on does not hold

-- Four times what three in four of several mixtures are slower than the model.
local function usual(tried)
  local ratios = lists.map(tried, function(one) return one.ratio end)
  table.sort(ratios)
  return 1 + 4 * ((ratios[math.ceil(0.75 * #ratios)] or 1) - 1)
end

-- Returns how much slower than the model mixtures may be on this core, a factor, where it matters how uops are bound (true), and where it does not
-- (false): no less than a constant.
local function limits_of(tried)
  local all, clean = usual(tried), usual(lists.where(tried, function(one) return not one.bound end))
  return { [true] = math.max(constants.mixture_slower, all), [false] = math.max(constants.beyond_ports, math.min(all, clean)) }
end

-- The schemes of a mixture that may be to blame: if it is fast, those with uops on its bottleneck.
local function blamed(survey, compiled, one)
  local names = lists.keys(one.e)
  if one.ratio > 1 then return names end
  local bottleneck = compiled:predict(one.e).bottleneck or compiled:ports()
  return lists.where(names, function(name)
    return lists.any(survey.facts[name].uops, function(uop) return #port_set.common(uop[1], bottleneck) > 0 end)
  end)
end

-- Measures what is too fast again: it has to be so once more, on average.
local function confirm_fast(survey, list)
  for i, result in ipairs(survey:measure(lists.map(list, function(one) return one.e end), { again = true, optional = true })) do
    local one = list[i]
    if result.status == "ok" then one.ratio = (one.ratio + result.cycles / one.expected) / 2 end
    one.refutes = one.ratio < constants.consistent_faster
  end
end

-- Lowers or sets the limits of mixtures to so many times what others take: list of `{ of = mixture, e = the other }`.
local function compare(survey, list, beyond)
  local least = {}
  for i, result in ipairs(survey:measure(lists.map(list, function(pair) return pair.e end), { optional = true })) do
    local one = list[i].of
    if result.status == "ok" then least[one] = math.min(least[one] or math.huge, beyond * result.cycles / one.expected) end
  end
  return least
end

-- Says how much slower than the model mixtures have to be to refute (`limit`): slower than the same uops of others of the classes, where there are
-- such, as a core does with these, too, however unwisely it binds uops. What is as slow as these has to be about as slow as other ports that overlap
-- as much: a class may be wrong as a whole. `limits`: `bound` -> that of the others.
local function set_limits(survey, compiled, list, limits)
  local sets, pairs_of, others_of = stand_ins.sets(survey), {}, {}
  for _, one in ipairs(list) do
    local own, others = stand_ins.of(survey, compiled, sets, one.e)
    one.limit, others_of[one] = limits[one.bound], others
    for _, e in ipairs(own) do pairs_of[#pairs_of + 1] = { of = one, e = e } end
  end
  for one, limit in pairs(compare(survey, pairs_of, constants.beyond_ports)) do one.limit = limit end
  local excused = {}
  for _, one in ipairs(list) do
    local others = one.ratio > constants.mixture_slower and one.ratio <= one.limit and others_of[one] or {}
    for _, e in ipairs(lists.spread(others, most_others)) do excused[#excused + 1] = { of = one, e = e } end
  end
  for one, limit in pairs(compare(survey, excused, constants.beyond_ports)) do one.limit = math.min(one.limit, limit) end
end

-- Measures three times as much of what is slow: what hinders costs so once, ports as much each time.
local function confirm_slow(survey, list)
  for i, result in ipairs(survey:measure(lists.map(list, function(one) return experiment.scale(one.e, repeats) end), { optional = true })) do
    local one = list[i]
    if result.status == "ok" then
      one.ratio = math.max(1, math.min(one.ratio, (result.cycles - one.cycles) / ((repeats - 1) * one.expected)))
    end
    one.refutes = one.ratio > one.limit
  end
end

-- Measures mixtures: `ratio` to the model's time; `bound`: how its uops are bound matters; `crowd` of schemes of one kind: each of them may be slow.
local function measured(survey, compiled, list, kind)
  local tried = {}
  local expected = lists.map(list, function(e) return compiled:throughput(e) end)
  local thresholds = lists.map(expected, function(cycles) return { constants.consistent_faster * cycles, constants.beyond_ports * cycles } end)
  for i, result in ipairs(survey:measure(list, { optional = true, thresholds = thresholds })) do
    if result.status == "ok" then
      tried[#tried + 1] = { e = list[i], cycles = result.cycles, expected = expected[i], ratio = result.cycles / expected[i],
        bound = binding.matters(list[i], function(name) return survey.facts[name].uops end), crowd = mixture_plan.is_crowd(list[i], kind) }
    end
  end
  return tried
end

-- Says of mixtures whether they refute what was found of some of their schemes. `limits`: `bound` -> ratio that is too slow. Returns those that tell:
-- crowds that do not refute tell nothing.
local function judge(survey, compiled, tried, limits)
  local slow = lists.where(tried, function(one) return one.ratio > constants.beyond_ports and not one.crowd end)
  confirm_fast(survey, lists.where(tried, function(one) return one.ratio < constants.consistent_faster end))
  set_limits(survey, compiled, slow, limits)
  confirm_slow(survey, lists.where(slow, function(one) return one.ratio > one.limit end))
  local telling = lists.where(tried, function(one) return one.refutes or not one.crowd end)
  for _, one in ipairs(telling) do one.blamed = blamed(survey, compiled, one) end
  return telling
end

-- The schemes that may be to blame for so many mixtures that refute, and those with more uops than there were slots for.
local function suspects(survey, names, tried, least)
  local times = {}
  for _, one in ipairs(tried) do
    for _, name in ipairs(one.refutes and one.blamed or {}) do times[name] = (times[name] or 0) + 1 end
  end
  return lists.where(names, function(name)
    local f = survey.facts[name]
    local second = f.parts and totals.has_second_unit(f.total, lists.sum(f.parts, function(part) return part.uops end))
    return second or (times[name] or 0) >= least
  end)
end

-- Does a mixture take as long as its claims say, and longer than without a scheme of it?
local function bears_out(compiled, one, name)
  local rest = lists.copy(one.e)
  rest[name] = nil
  return math.abs(one.ratio - 1) < constants.witness_tolerance and compiled:throughput(rest) < constants.consistent_faster * one.expected
end

-- Notes which claims a mixture bears out: an experiment that has nothing in common with what showed them.
local function note_borne_out(survey, compiled, tried)
  for _, one in ipairs(tried) do
    for name in pairs(one.e) do
      local f = survey.facts[name]
      f.borne_out = f.borne_out or f.status == "explained" and bears_out(compiled, one, name) or nil
    end
  end
end

-- Returns what a record that compares some schemes with all others has in the place of mixtures that are planned: its experiments that are mixtures
-- of some schemes.
local function recorded(survey, names)
  local known = lists.set(names)
  return lists.where(survey.processor:experiments(), function(e)
    local of_these = next(e, (next(e))) ~= nil
    for name, n in pairs(e) do of_these = of_these and known[name] and n <= mixture_plan.most_of_each end
    return of_these
  end)
end

return function(survey)
  survey:stage("mixtures")
  local names = compose.explained(survey)
  if #names < 2 then return end
  local compiled = mapping.compile(compose.mapping(survey, true))
  local kind, members = refutation.kinds(survey, names)
  local planned = mixture_plan.new(core.base.rng(survey.seed):split(3), compiled, survey.facts, members, survey.tried)
  local tried = measured(survey, compiled, survey.compared and recorded(survey, names) or planned.list, kind)
  local limits = limits_of(lists.where(tried, function(one) return not one.crowd end))
  tried = judge(survey, compiled, tried, limits)
  for _, round in ipairs(rounds) do
    local some = suspects(survey, names, tried, round.blamed)
    some = round.firsts and mixture_plan.firsts(planned, some) or some
    local more = measured(survey, compiled, mixture_plan.more(planned, some, round.more), kind)
    tried = lists.joined(tried, judge(survey, compiled, more, limits))
  end
  local refuted = refutation.settle(survey, tried, kind, members)
  note_borne_out(survey, compiled, tried)
  refuted = refuted - anew(survey, lists.where(names, function(name) return survey.facts[name].status ~= "explained" end), tried)
  local left = lists.count(tried, function(one) return one.refutes and not one.explained end)
  survey.trial = { mixtures = #tried, claims = #names, refuted = refuted,
    sure = refuted < constants.mixtures_refute * #names and left < most_left * #tried }
  if not survey.trial.sure then refutation.assume(survey, names) end
end
