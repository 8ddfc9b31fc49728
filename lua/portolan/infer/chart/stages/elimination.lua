--- Stage: eliminated at rename or not, of what cannot be chained: decided beside floods.
--
-- Beside a flood of n ports on a wider core, an executed uop that these ports take costs 1/n cycles; one that rename eliminates costs an issue
-- slot, of which there are some left. A scheme that is as fast as the rename width, where no class has that many ports, is eliminated if it
-- costs nothing beside any of the widest floods, and in part if it costs less than a uop.
--
-- Where executed schemes are as fast as the front end, that tells nothing: what cannot be chained then is taken for one of these, and its
-- ports are assumed.
-- @module portolan.infer.chart.stages.elimination
local classes = require "portolan.infer.chart.stages.classes"
local constants = require "portolan.infer.chart.constants"
local fitness = require "portolan.infer.chart.fitness"
local lacking = require "portolan.infer.chart.lacking"
local lists = require "portolan.support.lists"
local rename = require "portolan.infer.chart.stages.rename"

local nothing, all = constants.elimination_sure, 1 - constants.elimination_sure
local filled, cycles_of_flood = constants.flood_filled, constants.flood_cycles

-- Classes that can be flooded with issue slots left, of at least `least` ports if there are such; of registers only.
local function floods(survey, least)
  local list, most = {}, 0
  for _, class in ipairs(survey.classes) do
    local apt = not class.loads and class.count < survey.width
      and not fitness.trouble(survey, class.representative)
    if apt then list[#list + 1], most = class, math.max(most, class.count) end
  end
  return lists.where(list, function(class) return class.count >= math.min(least, most) end)
end

-- Measures what one instance of each name costs on the ports of each class, in uops: name -> list of `{ class =, cost =, e =, cycles =, alone = }`.
local function costs(survey, names, blockers)
  local jobs, list, of = {}, {}, {}
  for _, name in ipairs(names) do
    of[name] = {}
    for _, class in ipairs(blockers) do
      local slots = survey.facts[name].issued or 1
      local k = class.count * cycles_of_flood
      local n = math.min(k, math.floor(filled * (survey.width * cycles_of_flood - k) / slots))
      if n > 0 then
        jobs[#jobs + 1] = { name = name, class = class, n = n, e = { [class.representative] = k, [name] = n } }
        list[#list + 1] = jobs[#jobs].e
      end
    end
  end
  local flooded, missing, alone, precise = {}, {}, {}, {}
  for i, class in ipairs(blockers) do alone[i] = { [class.representative] = class.count * cycles_of_flood } end
  for i = 1, math.max(#list, #alone) do precise[i] = constants.elimination_precision end
  for i, result in ipairs(survey:measure(alone, { precision = precise })) do
    missing[blockers[i]] = result.status ~= "ok" and result or nil
    flooded[blockers[i]] = result.status == "ok" and result.cycles or nil
  end
  local thresholds = lists.map(jobs, function(job)
    local cycles, each = flooded[job.class], job.n / job.class.count
    return cycles and { cycles + nothing * each, cycles + all * each }
  end)
  for i, result in ipairs(survey:measure(list, { precision = precise, thresholds = thresholds })) do
    local job = jobs[i]
    lacking.note(survey, job.name, job.e, flooded[job.class] and result or missing[job.class] or result)
    job.alone, job.cycles = flooded[job.class], result.cycles
    if result.status == "ok" and job.alone then
      job.cost = (job.cycles - job.alone) * job.class.count / job.n
      table.insert(of[job.name], job)
    end
  end
  return of
end

-- The job that costs most; nil if none could be measured.
local function dearest(jobs)
  local worst
  for _, job in ipairs(jobs) do
    if not worst or job.cost > worst.cost then worst = job end
  end
  return worst
end

local function note(survey, name, job, role)
  survey:witness(name, job.e, job.cycles, nil, ("%d instances cost %.2f uops each beside a flood of %s"):format(job.n, math.max(0, job.cost),
    job.class.representative), role, nil, { without = job.alone })
end

-- Settles one scheme by what it costs; false if that says nothing.
local function decide(survey, name, jobs)
  local job = dearest(jobs)
  if not job then return false end
  local beside = ("and beside %s it costs "):format(job.class.representative)
  if job.cost < nothing then
    rename.settle(survey, name, beside .. "nothing: no port executes it")
  elseif job.cost < all then
    rename.settle(survey, name, beside .. ("%.2f uops"):format(job.cost), job.cost)
  else
    survey:settle(name, "contradicting", ("%.2f a cycle alone, as if no port executed it, but beside %s each costs a uop"):format(
      1 / survey.facts[name].single.cycles, job.class.representative))
  end
  note(survey, name, job, survey.facts[name].status == "contradicting" and "contradicts" or "shows")
  return true
end

-- Has any of these been seen to be executed, instance for instance?
local function is_executed(survey, names)
  for _, name in ipairs(names) do
    local chain = survey.facts[name].chain
    if chain and chain >= constants.chain_executed then return true end
  end
  return false
end

-- Names that are as fast as rename and of one slot; those of several slots, and what does nothing, though it is slower. Breakers are slots, too:
-- beside them, executed schemes may be as fast.
local function as_fast(survey)
  local one, others = {}, {}
  for _, name in ipairs(survey:unsettled()) do
    local f = survey.facts[name]
    local fast = not f.memory.reads and not f.memory.writes and rename.at_width(survey, f)
    local list = fast and f.issued == 1 and one or (fast or rename.does_nothing(name, f.memory)) and others
    if list then list[#list + 1] = name end
  end
  return one, others
end

-- Of one slot: each is eliminated, or in part.
local function settle_single(survey, names)
  local blockers = floods(survey, constants.elimination_ports)
  if #blockers == 0 then return end
  local of = costs(survey, names, blockers)
  for _, name in ipairs(names) do
    if not decide(survey, name, of[name]) then
      survey:settle(name, "unstable", "it is as fast as rename, and could not be measured beside floods")
    end
  end
end

-- Those that may have uops on few ports: eliminated if they cost nothing beside any flood.
local function settle_others(survey, names)
  local of = costs(survey, names, floods(survey, 1))
  for _, name in ipairs(names) do
    local job = dearest(of[name])
    if job and job.cost < nothing then decide(survey, name, of[name]) end
  end
end

-- Those that are as fast as rename: eliminated, or a class as wide as the front end. If one of them has been seen to be executed, its ports
-- may be anybody's, and floods tell nothing.
local function settle_fast(survey)
  local one, others = as_fast(survey)
  if not is_executed(survey, lists.joined(survey.as_wide, one)) then
    settle_single(survey, one)
    settle_others(survey, others)
  end
  local wide = lists.where(survey.as_wide, function(name) return not survey.facts[name].status end)
  classes.make_wide(survey, wide)
end

-- Classes of which a core eliminates so many instances a cycle, and executes the others: they seem to have more ports than these. What is left of
-- them is in no class.
local function settle_classes(survey)
  local founders = survey:unsettled(function(name, f)
    local of_class = lists.any(survey.classes, function(class) return class.representative == name and not class.wide end)
    return rename.can_be_chained(name, f) and (of_class or f.unfounded ~= nil)
  end)
  rename.chain(survey, founders)
  survey.classes = lists.where(survey.classes, function(class)
    if not survey.facts[class.representative].status then return true end
    rename.chain(survey, lists.where(class.members, function(name) return not survey.facts[name].status end))
    for _, name in ipairs(class.members) do survey.facts[name].unfounded = class.count end
    return false
  end)
end

return function(survey)
  survey:stage("eliminated beside floods")
  settle_fast(survey)
  settle_classes(survey)
end
