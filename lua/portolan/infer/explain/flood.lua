--- Blocking experiments: how many uops of a scheme cannot evade the ports of a blocking instruction (dissertation section 6.2.2)?
--
-- Flood the ports Q with k copies of Q's blocking instruction and add one instance: every uop of it that cannot evade Q costs
-- 1/|Q| cycles.
-- @module portolan.infer.explain.flood
local flood = {}

-- Hardware is slower than the model, never faster: a measured count may exceed the true one by more than it may fall short.
local short, excess, excess_of_many = 0.3, 0.5, 0.7

local cycles_of_flood = 6 -- at least
local room = 1.25 -- how much longer than needed
local precise = 0.12 -- uops: standard deviation wanted of a count

--- Classes that can block: those that do not already need the whole front end, smallest first.
-- @param survey the survey
-- @param[opt] keep function(class): only those for which it is true
function flood.blockers(survey, keep)
  local list, width = {}, survey.rmax or survey.width
  for _, class in ipairs(survey.classes) do
    if class.count < width and (not keep or keep(class)) then list[#list + 1] = class end
  end
  table.sort(list, function(a, b)
    if a.count ~= b.count then return a.count < b.count end
    return a.representative < b.representative
  end)
  return list
end

-- Copies of the blocking instruction: the flood lasts longer than the instance needs by itself, longer than its uops need if all
-- that evade do so to one port, and leaves the front end room for all its slots.
local function copies(survey, class, f)
  local uops = f.total and f.total.most or f.slots
  local fits = room * f.slots / ((survey.rmax or survey.width) - class.count)
  return class.count * math.ceil(math.max(cycles_of_flood, room * f.single.cycles, room * f.slots, room * uops, fits))
end

--- All blocking experiments of these schemes with these classes: list of `{ name=, class=, k=, e= }`.
function flood.plan(survey, names, blockers)
  local jobs = {}
  for _, name in ipairs(names) do
    for _, class in ipairs(blockers) do
      if name ~= class.representative then
        local k = copies(survey, class, survey.facts[name])
        jobs[#jobs + 1] = { name = name, class = class, k = k, e = { [class.representative] = k, [name] = 1 } }
      end
    end
  end
  return jobs
end

-- Reads a job's result: `job.uops` that stay on the class's ports; or `job.trouble` = { class of scheme, note }, with
-- `job.fraction` if the count is not a whole number.
local function read(survey, job, result)
  job.cycles, job.trouble, job.uops, job.fraction = result.cycles, nil, nil, nil
  if result.status ~= "ok" then
    job.trouble = { "unstable", ("with %s: %s"):format(job.class.representative, result.status) }
    return
  end
  job.alone = job.k * survey.facts[job.class.representative].single.cycles
  local count = (result.cycles - job.alone) * job.class.count
  job.count, job.uops = count, math.max(0, math.floor(count + short))
  if count - job.uops > (job.uops < 3 and excess or excess_of_many) or count < -short - 0.01 * job.k then
    job.fraction = count
    job.trouble = { "contradicting", ("%.2f uops stay on the ports of %s"):format(count, job.class.representative) }
  end
end

local function precision(job) return precise / (job.k + job.class.count) end

--- Measures all jobs; what gives trouble is measured anew before it is believed.
function flood.measure(survey, jobs)
  local list, precisions, doubtful, where = {}, {}, {}, {}
  for i, job in ipairs(jobs) do list[i], precisions[i] = job.e, precision(job) end
  for i, result in ipairs(survey:measure(list, { precision = precisions })) do
    read(survey, jobs[i], result)
    if jobs[i].trouble then doubtful[#doubtful + 1], where[#where + 1] = jobs[i].e, jobs[i] end
  end
  precisions = {}
  for k, job in ipairs(where) do precisions[k] = precision(job) end
  for k, result in ipairs(survey:measure(doubtful, { again = true, precision = precisions })) do read(survey, where[k], result) end
end

return flood
