--- Blocking experiments: how many uops of a scheme cannot evade the ports of a blocking instruction (dissertation section 6.2.2)?
--
-- Flood the ports Q with k copies of Q's blocking instruction and add one instance: every uop of it that cannot evade Q costs
-- 1/|Q| cycles more than the flood with a NOP in place of the instance. NOPs take what the front end has left: without them the
-- scheduler fills up with blocking instructions, uops trickle in as slowly as the flooded ports drain, and a binder that counts
-- recent uops forgets that these ports are crowded. Hardware is slower than the model, never faster: an instance whose costs are no
-- whole number of uops, or more than it has, is tried in longer floods with fewer NOPs as well; the least that it costs counts.
-- Instructions of the same ports may be held up by different neighbours (on Golden Cove `add r16, r16` by stores, `add r16, imm8` not):
-- next to loads and stores floods what is held up least.
-- @module portolan.infer.chart.blocking.flood
local constants = require "portolan.infer.chart.constants"
local experiment = require "portolan.experiment"
local lacking = require "portolan.infer.chart.lacking"
local new_job = require("portolan.infer.chart.blocking.job").new
local lists = require "portolan.support.lists"
local memory_use = require "portolan.scheme.memory_use"
local recipe = require "portolan.infer.chart.blocking.recipe"
local values = require "portolan.measuring.values"

local flood = {}

local short, near = constants.flood_short, constants.flood_near
local precise = constants.flood_precise

-- Floods: how long, in lengths of the first one, and what share of the front end they, their fillers and the instances take.
local variants = { { length = 1, filled = constants.flood_filled, instances = 1 },
  { length = constants.flood_longer, filled = constants.flood_longer_filled, instances = 1 },
  { length = constants.flood_longest, filled = constants.flood_longest_filled, instances = 1 } }
for i, variant in ipairs(variants) do variant.place = i end
local several_instances = { length = 1, filled = constants.flood_longest_filled, instances = 3 } -- with fewer fillers, too

local function precision(class, cycles, finer) return precise / (finer * class.count * (cycles + 1)) end

-- Takes the first candidate of each class that is not held up where another one is not.
local function choose_blockers(survey, jobs)
  local list, precisions, trials = {}, {}, {}
  for _, job in ipairs(jobs) do
    for _, part in ipairs(job.class.mix or { job }) do
      local class, kind = part.class, job.kind
      class.beside = class.beside or {}
      if kind and class.members and not class.beside[kind] then
        local names = recipe.candidates(survey, class, job)
        local one = { class = class, kind = kind, slots = job.memory and job.slots or 1, name = job.name }
        for _, name in ipairs(#names > 1 and names or {}) do
          class.beside[kind] = name
          list[#list + 1] = recipe.experiment(survey, one, constants.flood_cycles, variants[1].filled, 1, not job.memory)
          precisions[#list] = precision(class, constants.flood_cycles, 1)
        end
        class.beside[kind] = names[1] or class.representative
        if #names > 1 then trials[#trials + 1] = { class = class, kind = kind, names = names, last = #list } end
      end
    end
  end
  local results = survey:measure(list, { precision = precisions })
  for _, trial in ipairs(trials) do
    local best, least, first = nil, math.huge, trial.last - #trial.names
    for i, name in ipairs(trial.names) do
      local result = results[first + i]
      if result.status == "ok" and result.cycles + constants.flood_short / trial.class.count < least then best, least = name, result.cycles end
    end
    trial.class.beside[trial.kind] = best or trial.class.representative
  end
end

-- Lists what a record has of floods of a class with one instance of a scheme: those that are long enough.
local function recorded_floods(survey, class, name)
  if class.mix then return {} end
  return survey.processor:floods(class.representative, name, math.ceil(recipe.needs(survey, class, survey.facts[name], 1) * class.count))
end

--- All blocking experiments of these schemes with these classes: list of `{ name =, class =, cycles = (of the flood), slots = }`.
function flood.plan(survey, names, blockers)
  local jobs = {}
  for _, name in ipairs(names) do
    local f, use = survey.facts[name], memory_use(name)
    local memory = use.writes and "stores" or use.reads and "loads" or nil
    local mode = survey.processor.mode and survey.processor:mode(name)
    for _, class in ipairs(blockers) do
      if name ~= class.representative and (not survey.compared or #recorded_floods(survey, class, name) > 0) then
        jobs[#jobs + 1] = new_job { name = name, class = class, length = recipe.cycles(survey, class, f, 1), slots = f.issued,
          sparse = f.loses_slots, mode = mode, memory = memory, kind = (mode or memory) and ("%s %s"):format(mode or "", memory or "") or nil }
      end
    end
  end
  return jobs
end

-- Standard deviation of a job's count by a result, in uops.
local function deviation(job, result) return result.deviation * result.cycles * job.class.count end

-- Measures what floods take without an instance, once for each kind. `survey.floods` keeps the cycles.
local function measure_floods(survey, runs)
  survey.floods = survey.floods or {}
  local list, precisions, keys = {}, {}, {}
  for _, run in ipairs(runs) do
    local job = run.job
    local alone = run.alone or recipe.experiment(survey, job, run.cycles, run.filled, run.instances, true)
    run.key = experiment.key(alone)
    if survey.floods[run.key] == nil then
      survey.floods[run.key] = false
      list[#list + 1] = alone
      precisions[#list], keys[#list] = precision(job.class, run.cycles, 2), run.key
    end
  end
  for i, result in ipairs(survey:measure(list, { precision = precisions })) do
    survey.floods[keys[i]] = result.status == "ok" and result.cycles or false
  end
end

-- A flood with an instance is never faster than without: where it is, the flood alone was held up (loads beside NOPs on Golden Cove), and
-- takes as long as it does with those that evade it.
local function correct_floods(survey, runs, results)
  local faster = {}
  for i, run in ipairs(runs) do
    local flooded, cycles = survey.floods[run.key], results[i].status == "ok" and results[i].cycles
    if flooded and cycles and (flooded - cycles) * run.job.class.count > near then
      lists.into(faster, run.key, math.max(cycles, run.cycles))
    end
  end
  for key, list in pairs(faster) do
    if #list >= constants.class_few then survey.floods[key] = values.middle(list) end -- a single one may be a reading that came out too fast
  end
end

local unmeasured = { status = "not recorded" } -- of a flood alone, where the processor is a record

-- Notes what a run says of its job: the least count is believed, but not that of a flood that is held up more.
local function note(survey, run, result)
  local job, flooded = run.job, survey.floods[run.key]
  if result.status ~= "ok" or not flooded then
    lacking.note(survey, job.name, run.e, result.status == "ok" and unmeasured or result)
    job.trouble = job.trouble or { "unstable", ("with %s: %s"):format(job.class.representative, result.status) }
    return
  end
  local count = (result.cycles - flooded) * job.class.count
  local held = math.max(0, (flooded - run.cycles) * job.class.count)
  if not job.count or count < job.count and held < job.held + near then
    job.count, job.e, job.cycles, job.alone = count, run.e, result.cycles, flooded
    job.held, job.sd = held, deviation(job, result)
  end
end

-- What keeps ports busy costs as much each time, what hinders a flood does so once: where several instances cost less than so many times what one
-- costs, it is what each further one costs that counts.
local function compare(survey, run, result)
  local job, flooded = run.job, survey.floods[run.key]
  if result.status ~= "ok" or not flooded then return end
  local each = ((result.cycles - flooded) * job.class.count - job.count) / (run.instances - 1)
  job.confirmed = each >= job.count - near or nil
  if not job.confirmed then
    job.count, job.e, job.cycles, job.alone, job.instances = each, run.e, result.cycles, flooded, run.instances
    job.sd = math.max(job.sd, deviation(job, result) / (run.instances - 1))
  end
end

-- Cycles at which a job's count is taken for another whole number of uops.
local function thresholds_between(survey, job, flooded)
  local total, list = survey.facts[job.name].total, {}
  for n = 0, total and total.most or 1 do list[n + 1] = flooded + (n + constants.refine_nearest) / job.class.count end
  return list
end

-- Cycles at which a run says something else; of several instances, where they cost less than so many times one.
local function thresholds_of(survey, run)
  local job, flooded = run.job, survey.floods[run.key]
  if not flooded then return nil end
  if run.instances == 1 then return thresholds_between(survey, job, flooded) end
  return job.count and { flooded + (run.instances * job.count - (run.instances - 1) * near) / job.class.count }
end

-- Makes the run that measures a variant of a job.
local function run_of(survey, job, variant)
  local cycles = math.max(math.ceil(variant.length * job.length), recipe.cycles(survey, job.class, survey.facts[job.name], variant.instances))
  return { job = job, cycles = cycles, filled = variant.filled, instances = variant.instances,
    e = recipe.experiment(survey, job, cycles, variant.filled, variant.instances) }
end

-- Returns what a record has in the place of a variant; nil if it has no such flood.
local function recorded_run(survey, job, variant)
  if not survey.compared or variant.instances > 1 then return nil end
  local floods = recorded_floods(survey, job.class, job.name)
  local one = floods[math.min(variant.place, #floods)]
  return one and { job = job, cycles = one.copies / job.class.count, instances = 1, e = one.e, alone = one.alone }
end

-- Measures a variant of jobs; again: readings that nothing explains are not believed at once.
local function run_variant(survey, jobs, variant, again)
  local runs, list, precisions = {}, {}, {}
  for i, job in ipairs(jobs) do
    runs[i] = recorded_run(survey, job, variant) or run_of(survey, job, variant)
    list[i], precisions[i] = runs[i].e, precision(job.class, runs[i].cycles, 1)
  end
  measure_floods(survey, runs)
  local thresholds = lists.map(runs, function(run) return thresholds_of(survey, run) end)
  local results = survey:measure(list, { precision = precisions, thresholds = thresholds, again = again, optional = variant.instances > 1 })
  correct_floods(survey, runs, results)
  local take = variant.instances > 1 and compare or note
  for i, result in ipairs(results) do take(survey, runs[i], result) end
end

-- Is a count far from any whole number?
local function is_fraction(job) return job.count ~= nil and math.abs(job.count - math.floor(job.count + 0.5)) > near end

-- Long floods of schemes of very many uops are too uncertain themselves.
local function doubtful(job, f)
  local most = f.total and f.total.most or math.huge
  return most <= constants.flood_many and job.count > near and is_fraction(job) or job.count > most + near
end

-- Measures once more what takes a fraction of a uop, however long the flood is: the least of several readings may be one that came out too fast.
local function ask_again(survey, jobs)
  local precisions = lists.map(jobs, function(job) return precision(job.class, job.cycles, 1) end)
  for i, result in ipairs(survey:measure(lists.map(jobs, function(job) return job.e end), { precision = precisions, again = true })) do
    local job = jobs[i]
    if result.status == "ok" then
      job.count, job.cycles, job.sd = (result.cycles - job.alone) * job.class.count, result.cycles, deviation(job, result)
    end
  end
end

--- Measures jobs: `job.count` uops stay on the class's ports; `job.uops` as a whole number; `job.e`, `job.cycles` the experiment,
-- `job.alone` the cycles of its flood, and `job.held` by how many uops these are more than the model says. Or `job.trouble` = { class of scheme,
-- note }.
-- @param survey the survey
-- @param jobs of `plan`
function flood.measure(survey, jobs)
  choose_blockers(survey, jobs)
  local left = jobs
  for _, variant in ipairs(variants) do
    run_variant(survey, left, variant)
    local impossible = {}
    for _, job in ipairs(left) do
      if job.count and job.count < -short then
        job.count = nil
        impossible[#impossible + 1] = job
      end
    end
    run_variant(survey, impossible, variant, true)
    left = lists.where(left, function(job) return not job.count or doubtful(job, survey.facts[job.name]) end)
  end
  ask_again(survey, lists.where(left, is_fraction))
  for _, job in ipairs(jobs) do
    if job.count then
      job.trouble = nil
      job.uops = math.max(0, math.floor(job.count + short))
    end
  end
end

--- Do several instances cost so many times what one does? Measures jobs of claims with three; what hinders a flood once is no uop.
-- @param survey the survey
-- @param jobs measured
-- @return list of those jobs that are refuted: `count` is now what each further instance costs
function flood.refuted_by_several(survey, jobs)
  local list = lists.where(jobs, function(job) return job.instances == nil and job.count and job.count > 1 - short end)
  run_variant(survey, list, several_instances)
  return lists.where(list, function(job) return job.instances ~= nil end)
end

return flood
