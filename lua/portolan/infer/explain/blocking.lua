--- Stage: the uops of all other schemes, by blocking port sets (dissertation section 6.2.2).
--
-- Flood the ports Q with k copies of Q's blocking instruction and add one instance: every uop of it that cannot evade Q costs
-- 1/|Q| cycles. From the smallest sets to the largest, what was found on subsets is subtracted (Algorithm 6.1).
-- @module portolan.infer.explain.blocking

-- Hardware is slower than the model, never faster: a measured count may exceed the true one by more than it may fall short.
local short, excess, excess_of_many = 0.3, 0.5, 0.7

local flood_cycles = 6 -- at least

-- Classes that can block: those that do not already need the whole front end, smallest first.
local function blockers(survey)
  local list = {}
  for _, class in ipairs(survey.classes) do
    if class.ports and class.count < survey.rmax then list[#list + 1] = class end
  end
  table.sort(list, function(a, b)
    if a.count ~= b.count then return a.count < b.count end
    return a.representative < b.representative
  end)
  return list
end

local function wide_class(survey)
  for _, class in ipairs(survey.classes) do
    if class.ports and class.wide then return class end
  end
end

-- Copies of the blocking instruction: the flood lasts longer than the instance needs by itself, longer than its uops need if all
-- that evade do so to one port, and leaves the front end room for all its slots.
local function flood(survey, class, f)
  local slots_fit = 1.25 * f.slots / (survey.rmax - class.count)
  return class.count * math.ceil(math.max(flood_cycles, 1.25 * f.single.cycles, 1.25 * f.slots, slots_fit))
end

local function set_of(list)
  local set = {}
  for _, p in ipairs(list) do set[p] = true end
  return set
end

local function within(a, b)
  local set = set_of(b)
  for _, p in ipairs(a) do
    if not set[p] then return false end
  end
  return true
end

-- All blocking experiments: list of { name=, class=, k=, e= }.
local function plan(survey, names)
  local jobs = {}
  for _, name in ipairs(names) do
    for _, class in ipairs(blockers(survey)) do
      local k = flood(survey, class, survey.facts[name])
      jobs[#jobs + 1] = { name = name, class = class, k = k, e = { [class.representative] = k, [name] = 1 } }
    end
  end
  return jobs
end

-- Reads a job's result: `job.uops` on the class's ports, or `job.trouble` = { status, note }.
local function read(survey, job, result)
  job.cycles, job.trouble = result.cycles, nil
  if result.status ~= "ok" then
    job.trouble = { "unstable", ("with %s: %s"):format(job.class.representative, result.status) }
    return
  end
  local alone = job.k * survey.facts[job.class.representative].single.cycles
  local count = (result.cycles - alone) * job.class.count
  job.uops = math.floor(count + short)
  if count - job.uops > (job.uops < 3 and excess or excess_of_many) or job.uops < 0 then
    job.fraction = count
    job.trouble = { "contradicting", ("%.2f uops stay on the ports of %s"):format(count, job.class.representative) }
  end
end

-- Measures all jobs; what gives trouble is measured anew before it is believed.
local function measure(survey, jobs)
  local list, doubtful, where = {}, {}, {}
  for i, job in ipairs(jobs) do list[i] = job.e end
  for i, result in ipairs(survey:measure(list)) do
    read(survey, jobs[i], result)
    if jobs[i].trouble then doubtful[#doubtful + 1], where[#where + 1] = jobs[i].e, jobs[i] end
  end
  for k, result in ipairs(survey:measure(doubtful, true)) do read(survey, where[k], result) end
end

local function says(class, uops)
  local ports = table.concat(class.ports, ",")
  if uops == 0 then return "evades ports " .. ports end
  return ("%d uop%s on ports %s"):format(uops, uops > 1 and "s" or "", ports)
end

-- Turns the counts of one scheme's jobs into uops; nil and the evidence if they do not add up.
local function attribute(survey, name, jobs)
  local uops, located = {}, 0
  for _, job in ipairs(jobs) do
    local here = job.uops
    for _, other in ipairs(uops) do
      if within(other.ports, job.class.ports) then here = here - other.uops end
    end
    if here < 0 then return nil, ("fewer uops on ports %s than on a part of them"):format(table.concat(job.class.ports, ",")) end
    if here > 0 then
      uops[#uops + 1] = { ports = job.class.ports, uops = here, class = job.class }
      located = located + here * (job.class.improper and 2 or 1)
    end
    if here > 0 or #survey.facts[name].witnesses < 3 then
      survey:witness(name, job.e, job.cycles, job.k / job.class.count + job.uops / job.class.count, says(job.class, job.uops))
    end
  end
  return uops, located
end

local register_of = { m8 = "r8", m16 = "r16", m32 = "r32", m64 = "r64", m128 = "xmm", m256 = "ymm", m512 = "zmm" }

-- How many uops the same operation has on registers, or nil if that is not known.
local function uops_on_registers(survey, name)
  local other = survey.facts[name:gsub("%f[%w]m%d+%f[%W]", register_of)]
  if not other or other.status ~= "explained" and other.status ~= "ambiguous" then return nil end
  local n = 0
  for _, uop in ipairs(other.uops) do n = n + uop[2] end
  return n
end

-- Uops that a scheme should have. On registers: its issue slots. On memory: those of the same operation on registers, one for the
-- load, two for the store; if that operation is not known, the issue slots and one more for a load, and for a store, that shares a
-- slot (a postulate, as Postulate 6.5).
local function expected_uops(survey, name)
  local f = survey.facts[name]
  if f.memory.moves or not (f.memory.reads or f.memory.writes) then return f.slots + (f.memory.writes and 1 or 0) end
  local n = uops_on_registers(survey, name)
  if n then return n + (f.memory.reads and 1 or 0) + (f.memory.writes and 2 or 0) end
  return f.slots + (f.memory.reads and 1 or 0) + (f.memory.writes and 1 or 0)
end

-- What is missing evades everything that can be blocked: it runs on the widest set, if the front end hides one. Where the same
-- operation on registers is known to run there, that is as good as found.
-- Returns whether the scheme is explained, a note, and the status if it is not.
local function complete(survey, name, uops, located)
  local f, wide = survey.facts[name], wide_class(survey)
  local missing = expected_uops(survey, name) - located
  if missing <= 0 then return true end
  if not wide then
    return false, ("%d uop%s evade every set of ports that can be blocked"):format(missing, missing > 1 and "s" or ""), "incomplete"
  end
  uops[#uops + 1] = { ports = wide.ports, uops = missing, class = wide }
  f.assumed = wide.ports
  local note = ("%d uop%s by elimination: no other set of ports holds %s"):format(missing, missing > 1 and "s" or "", missing > 1 and "them" or "it")
  return uops_on_registers(survey, name) ~= nil, note, "by elimination"
end

local function entries(uops)
  local list = {}
  for i, u in ipairs(uops) do list[i] = { u.ports, u.uops } end
  return list
end

-- The ports of both lists, each once.
local function add_ports(list, more)
  local all, seen = {}, {}
  for _, ports in ipairs { list or {}, more } do
    for _, p in ipairs(ports) do
      if not seen[p] then all[#all + 1] = p end
      seen[p] = true
    end
  end
  return all
end

local function explain(survey, name, jobs)
  local f = survey.facts[name]
  local uops, located = attribute(survey, name, jobs)
  if not uops then return survey:settle(name, "contradicting", located) end
  if located > expected_uops(survey, name) then
    local note = ("%d uops found by blocking where %d are expected (%d issue slots)"):format(located, expected_uops(survey, name), f.slots)
    return survey:settle(name, "contradicting", note)
  end
  local whole, note, otherwise = complete(survey, name, uops, located)
  f.uops = entries(uops)
  local partly, ambiguous = false, false
  for _, u in ipairs(uops) do
    partly = partly or u.class.improper
    if u.class.ambiguous then ambiguous, f.assumed = true, add_ports(f.assumed, u.ports) end
  end
  local status = not whole and (otherwise or "incomplete") or ambiguous and "ambiguous" or partly and "partly explained" or "explained"
  if partly and whole then note = (note and note .. "; " or "") .. "the ports of a store's other uop are not located" end
  survey:settle(name, status, note)
end

return function(survey)
  survey:stage("uops by blocking")
  local names = survey:unsettled(function(_, f) return f.slots ~= nil end)
  for _, name in ipairs(survey:unsettled(function(_, f) return f.slots == nil end)) do
    survey:settle(name, "unstable", "its issue slots could not be counted")
  end
  local jobs, of, trouble = plan(survey, names), {}, {}
  measure(survey, jobs)
  for _, job in ipairs(jobs) do
    trouble[job.name] = trouble[job.name] or job.trouble
    if job.trouble and job.fraction then
      survey:witness(job.name, job.e, job.cycles, nil, ("%.2f uops stay on ports %s"):format(job.fraction, table.concat(job.class.ports, ",")))
    end
    of[job.name] = of[job.name] or {}
    table.insert(of[job.name], job)
  end
  for _, memory in ipairs { false, true } do -- what works on memory leans on what works on registers
    for _, name in ipairs(names) do
      local use = survey.facts[name].memory
      if (use.reads or use.writes) == memory then
        if trouble[name] then
          survey:settle(name, trouble[name][1], trouble[name][2])
        elseif of[name] then
          explain(survey, name, of[name])
        end
      end
    end
  end
end
