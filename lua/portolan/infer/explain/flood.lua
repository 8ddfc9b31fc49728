--- Blocking experiments: how many uops of a scheme cannot evade the ports of a blocking instruction (dissertation section 6.2.2)?
--
-- Flood the ports Q with k copies of Q's blocking instruction and add one instance: every uop of it that cannot evade Q costs
-- 1/|Q| cycles. NOPs take what the front end has left: without them the scheduler fills up with blocking instructions, uops trickle
-- in as slowly as the flooded ports drain, and a binder that counts recent uops forgets that these ports are crowded.
-- @module portolan.infer.explain.flood
local flood = {}

-- Hardware is slower than the model, never faster: a measured count may exceed the true one by more than it may fall short. It
-- exceeds it by most where uops are confined to a part of the flooded ports, or come in a burst, since the binder does not see in
-- time where there is room.
local excess, of_confined, of_stuck, of_evading, small = 0.5, 0.55, 0.1, 0.4, 4
flood.short = 0.4

local cycles_of_flood = 10 -- at least
local room = 1.25 -- how much longer than needed
local filled = 0.93 -- share of the front end that a flood, its NOPs and the instance take
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

-- NOPs beside k copies of the blocking instruction and an instance.
local function padding(survey, class, f, k)
  local width = survey.rmax or survey.width
  local nops = survey.filler and math.floor(filled * width * k / class.count - k - f.slots) or 0
  return nops > 0 and nops or nil
end

--- All blocking experiments of these schemes with these classes: list of `{ name=, class=, k=, e= }`.
function flood.plan(survey, names, blockers)
  local jobs = {}
  for _, name in ipairs(names) do
    for _, class in ipairs(blockers) do
      if name ~= class.representative then
        local k = copies(survey, class, survey.facts[name])
        local e = { [class.representative] = k, [name] = 1 }
        if survey.filler then e[survey.filler] = padding(survey, class, survey.facts[name], k) end
        jobs[#jobs + 1] = { name = name, class = class, k = k, e = e }
      end
    end
  end
  return jobs
end

--- Could so many uops stay on the flooded ports?
-- @param count measured
-- @param uops whole number
-- @param[opt] confined how many of them are known to stay on a part of these ports (0)
-- @param[opt] burst number of uops that come at once (`uops`)
-- @return how far the count is from what these give, in uops; nil if that is too far
function flood.fit(count, uops, confined, burst)
  local above, evading = count - uops, (burst or uops) - uops
  local usual = of_confined * (confined or 0) + of_stuck * uops + of_evading * math.max(0, evading - small)
  if above < -flood.short or above > excess + usual then return nil end
  return above < 0 and -above or math.max(0, above - usual) + 0.1 * math.min(above, usual)
end

-- Reads a job's result: `job.count` uops that stay on the class's ports, `job.uops` as a whole number; or `job.trouble` =
-- { class of scheme, note }.
local function read(survey, job, result)
  job.cycles, job.trouble, job.uops, job.count = result.cycles, nil, nil, nil
  if result.status ~= "ok" then
    job.trouble = { "unstable", ("with %s: %s"):format(job.class.representative, result.status) }
    return
  end
  job.alone = job.k / job.class.count * (1 + survey:overhead())
  job.count = (result.cycles - job.alone) * job.class.count
  job.uops = math.max(0, math.floor(job.count + flood.short))
  job.doubtful = not flood.fit(job.count, job.uops)
end

local function precision(job) return precise / (job.k + job.class.count) end

--- Measures all jobs; what gives trouble is measured anew before it is believed.
function flood.measure(survey, jobs)
  local list, precisions, doubtful, where = {}, {}, {}, {}
  for i, job in ipairs(jobs) do list[i], precisions[i] = job.e, precision(job) end
  for i, result in ipairs(survey:measure(list, { precision = precisions })) do
    read(survey, jobs[i], result)
    if jobs[i].trouble or jobs[i].doubtful then doubtful[#doubtful + 1], where[#where + 1] = jobs[i].e, jobs[i] end
  end
  precisions = {}
  for k, job in ipairs(where) do precisions[k] = precision(job) end
  for k, result in ipairs(survey:measure(doubtful, { again = true, precision = precisions })) do
    local job = where[k]
    local before, cycles = job.count, job.cycles
    read(survey, job, result)
    if before and job.count then read(survey, job, { status = "ok", cycles = (cycles + job.cycles) / 2 }) end
  end
end

return flood
