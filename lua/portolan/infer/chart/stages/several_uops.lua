--- Stage: the uops of all other schemes, by blocking port sets (dissertation section 6.2.2).
--
-- This is Algorithm 6.1 in its counter-sparse form, whole:
--
--     for each scheme of several uops, and each blocked set of ports Q, the smallest first:             flood.plan
--         measure the scheme amid a flood of Q's blocking instruction; what it adds, times |Q|,
--         is the number of its uops that cannot evade Q                                                 flood.measure
--         of these, uops on parts of Q were counted there before: subtract them                         attribute
--     what is left of its number of uops, as far as it is known, evades all that can be blocked         verdict
--
-- The original subtracts exact counts, set after set (`portolan.infer.uops_info`: `port_usage`). Here counts have errors, and greedy binders let some
-- uops stay that could evade. So the subtraction is a system of equations (blocking/attribute): the whole numbers of uops are taken that explain
-- all counts at once best; where the second best are hardly worse, more is measured (blocking/refine); where that does not help, the scheme is left
-- open.
-- @module portolan.infer.chart.stages.several_uops
local asking = require "portolan.infer.chart.blocking.asking"
local carriers = require "portolan.infer.chart.blocking.carriers"
local constants = require "portolan.infer.chart.constants"
local effects = require "portolan.infer.chart.blocking.effects"
local flood = require "portolan.infer.chart.blocking.flood"
local lists = require "portolan.support.lists"
local port_set = require "portolan.mapping.ports"
local recipe = require "portolan.infer.chart.blocking.recipe"
local relatives = require "portolan.infer.chart.blocking.relatives"
local refine = require "portolan.infer.chart.blocking.refine"
local totals = require "portolan.infer.chart.blocking.totals"
local verdict = require "portolan.infer.chart.blocking.verdict"

local several_uops = {}

local asked, asked_relatives = 12, 3 -- experiments for each scheme, about, and for each that has relatives (16 and 7 on a Zen 5)

-- Classes that block. Of stores that block the same ports, the one whose other uop has most: it is in nobody's way. None, if there is a class
-- without another uop.
local function blockers(survey)
  local best, proper = {}, {}
  local function room(class) return lists.largest(class.uops, function(uop) return #uop[1] end, 0) end
  for _, class in ipairs(survey.classes) do
    local key = class.improper and class.ports and port_set.key(class.ports)
    if key and (not best[key] or room(class) > room(best[key])) then best[key] = class end
    if class.ports and not class.improper and not class.wide then proper[port_set.key(class.ports)] = true end
  end
  return recipe.blockers(survey, function(class)
    local key = class.ports and port_set.key(class.ports)
    return key and not class.wide and (not class.improper or best[key] == class and not proper[key])
  end)
end

-- Also the ports that address stores, ahead of the classes of as many ports: floods of stores keep them busy, too.
local function with_addresses(survey, classes)
  local address, list = survey.store_address, {}
  for _, class in ipairs(classes) do
    if address and class.count >= address.count then list[#list + 1], address = address, nil end
    list[#list + 1] = class
  end
  return list
end

-- Those of some schemes for which there are floods, and which work on memory or not.
local function blocked(survey, names, memory)
  return lists.where(names, function(name)
    local use = survey.facts[name].memory
    return survey.blocked[name] and (use.reads or use.writes) == memory
  end)
end

-- Are all floods of a scheme to be asked, as no relative lets expect anything? Single uops that found no class may have none of the sets that can be
-- flooded, and what only stores is addressed by ports of loads or not.
local function needs_all(f) return not f.relative and (f.unfounded ~= nil or f.memory.writes and not f.memory.reads) end

-- Asks as many of the floods of schemes as tell their uops apart (blocking/asking), or all of them.
local function ask(survey, names, all)
  local hidden, schemes, jobs = verdict.wide_class(survey) ~= nil, {}, {}
  for i, name in ipairs(names) do
    schemes[i] = { jobs = survey.blocked[name], known = totals.known(survey, name, hidden), all = all or needs_all(survey.facts[name]) }
    table.move(survey.blocked[name], 1, #survey.blocked[name], #jobs + 1, jobs)
  end
  asking.measure(schemes, survey.effects, function(some) flood.measure(survey, some) end)
  local telling = lists.set(several_uops.telling(jobs))
  for i, name in ipairs(names) do
    survey.blocked[name] = lists.where(schemes[i].jobs, function(job) return telling[job] end)
  end
end

-- Explains schemes by floods, those that tell them apart, or all.
local function explain(survey, names, all)
  ask(survey, names, all)
  local answers = refine.all(survey, names, verdict.wide_class(survey) ~= nil)
  for _, name in ipairs(names) do verdict.settle(survey, name, answers[name]) end
end

-- What works on memory leans on what works on registers, and in either case on relatives.
local function explain_all(survey, all)
  for _, memory in ipairs { false, true } do
    for _, names in ipairs { relatives.split(survey, blocked(survey, all, memory)) } do
      relatives.learn(survey, names)
      explain(survey, names)
    end
  end
end

local function plan_floods(survey, names, classes)
  local jobs = flood.plan(survey, names, with_addresses(survey, classes))
  for _, job in ipairs(jobs) do lists.into(survey.blocked, job.name, job) end
  return jobs
end

-- Companions that no port executes have issue slots, which were counted, and no uops.
local function forget_eliminated(survey)
  for _, name in ipairs(survey:unsettled(function(_, f) return f.companions and f.total end)) do
    local total = survey.facts[name].total
    for _, other in ipairs(survey.facts[name].companions) do
      local f = survey.facts[other]
      local slots = f and f.status == "eliminated at rename" and f.slots or 0
      total.least, total.most = math.max(1, total.least - slots), math.max(1, total.most - slots)
    end
  end
end

--- The jobs that tell something. A flood that is faster with an instance than without, for many of the schemes, whatever was measured again, is held
-- up by something else than its ports, and hastened by what evades it (`lea r64, m` on Zen 5): it tells nothing. Where few hasten it, it tells
-- nothing of these.
-- @param jobs measured (blocking/job)
-- @return list of jobs
function several_uops.telling(jobs)
  local faster, all = {}, {}
  local function is_faster(job) return job.count and job.count < -constants.flood_short end
  for _, job in ipairs(jobs) do
    all[job.class] = (all[job.class] or 0) + (job.count and 1 or 0)
    faster[job.class] = (faster[job.class] or 0) + (is_faster(job) and 1 or 0)
  end
  return lists.where(jobs, function(job)
    local n = faster[job.class]
    return not is_faster(job) and (n < constants.class_few or n < constants.flood_hastened * all[job.class])
  end)
end

--- The stage.
-- @return representatives of classes that turned out to have other ports -> schemes that have their uops, too; or nil
function several_uops.__call(_, survey)
  survey:stage("uops by blocking")
  local hidden = verdict.wide_class(survey) ~= nil
  local function uncounted(_, f) return not (f.slots and f.total) or hidden and f.total.vague end
  for _, name in ipairs(survey:unsettled(uncounted)) do
    survey:settle(name, "unstable", ("its %s could not be counted"):format(survey.facts[name].slots and "uops" or "issue slots"))
  end
  forget_eliminated(survey)
  local names = survey:unsettled()
  local classes = blockers(survey)
  survey.effects = effects(survey, classes, classes)
  survey.lead = refine.lead(survey, classes)
  survey.blocked = {}
  local jobs = plan_floods(survey, names, classes)
  local firsts, others = relatives.split(survey, names)
  survey:expect(asked * #firsts + asked_relatives * #others)
  for _, name in ipairs(names) do
    if not survey.blocked[name] then survey:settle(name, "contradicting", "no scheme of the set keeps ports busy that it could be tried on") end
  end
  explain_all(survey, names)
  return carriers(survey, several_uops.telling(jobs))
end

--- Asks schemes by all floods, whatever relatives let expect: each has a verdict then.
-- @param survey the survey, whose `uops by blocking` are done
-- @tparam {string,...} names of schemes that are not settled
function several_uops.ask(survey, names)
  plan_floods(survey, names, blockers(survey))
  explain(survey, lists.where(names, function(name) return survey.blocked[name] end), true)
end

return setmetatable(several_uops, several_uops)
