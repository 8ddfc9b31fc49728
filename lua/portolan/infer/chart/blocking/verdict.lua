--- Decides what the floods of a scheme say of it: its uops with their evidence, or why these are not known.
-- @module portolan.infer.chart.blocking.verdict
local constants = require "portolan.infer.chart.constants"
local lists = require "portolan.support.lists"
local plural = require "portolan.support.plural"
local port_set = require "portolan.mapping.ports"
local refine = require "portolan.infer.chart.blocking.refine"
local totals = require "portolan.infer.chart.blocking.totals"

local verdict = {}

--- The class whose ports the front end hides, if there is one: what evades everything that can be blocked runs there.
function verdict.wide_class(survey)
  return lists.first(survey.classes, function(class) return class.ports and class.wide end)
end

local function says(job)
  local ports = port_set.text(job.class.ports)
  if job.uops == 0 then return "evades ports " .. ports end
  return ("%s on ports %s"):format(plural(job.uops, "uop"), ports)
end

local function note_job(survey, job, role)
  survey:witness(job.name, job.e, job.cycles, job.expected, says(job), role, constants.refine_nearest / job.class.count,
    { without = job.alone, ports = job.class.ports, confirmed = job.confirmed })
end

-- The first of the floods that were measured, as bounds.
local function note_some(survey, jobs)
  local measured = lists.where(jobs, function(job) return job.count ~= nil end)
  for i = 1, math.min(constants.uops_shown, #measured) do note_job(survey, measured[i], "bounds") end
end

local function note_evidence(survey, name, uops, jobs)
  for _, uop in ipairs(uops) do
    note_job(survey, uop.job, "shows")
    if uop.bound then note_job(survey, uop.bound, "bounds") end
  end
  local f = survey.facts[name]
  if #uops == 0 then
    note_some(survey, jobs)
  end
  survey:witness(name, { [name] = 1 }, f.single.cycles, nil, "alone", "bounds")
end

-- A microcode sequencer takes over the front end: whatever is blocked, the experiment takes longer by the time that all the
-- scheme's slots need (section 6.3.5).
local function is_microcoded(survey, f, jobs)
  if f.slots <= survey.width or #jobs < 2 then return false end
  local least = math.huge
  for _, job in ipairs(jobs) do
    if not job.alone or not job.cycles then return false end
    least = math.min(least, job.cycles - job.alone)
  end
  return least > constants.uops_microcode * f.slots / survey.width, least
end

-- Does a flood of the ports of loads say that the uops which were found there are all? Then one address serves the load and the store.
local function has_all_accesses(jobs)
  return lists.any(jobs, function(job) return job.class.loads and job.count and job.count - job.uops < constants.flood_near end)
end

-- What is missing evades everything that can be blocked: it runs on the widest set, if the front end hides one. Where the same operation on registers
-- is known to run there, that is as good as found. Of the uops of a relative (`alike`) nothing is missing that the relative does not miss.
local function complete(survey, name, uops, located, jobs, alike)
  local f, wide = survey.facts[name], verdict.wide_class(survey)
  if f.total.sequenced and not wide then return true end -- floods reach all ports
  local expected, sure = totals.expected(survey, name, located)
  local missing = expected - located
  local updates = f.memory.reads and f.memory.writes
  if missing > 0 and not wide and sure and f.total.least < expected and updates and not alike and not has_all_accesses(jobs) then
    return false, ("%d of the %d uops that the operation on registers and its accesses to memory have were not found"):format(missing, expected)
  end
  if missing <= 0 or not wide and located >= f.total.least then return true end
  if not wide then
    return false, ("%d of %d uops evade every set of ports that can be blocked"):format(f.total.least - located, f.total.least)
  end
  if f.total.inexact then
    return false, ("some of its uops (about %d) evade every set of ports that can be blocked, and its issue slots could not be counted exactly")
      :format(missing)
  end
  uops[#uops + 1] = { ports = wide.ports, uops = missing, class = wide }
  f.assumed = wide.ports
  return true, ("%s by elimination: no other set of ports holds %s"):format(plural(missing, "uop"),
    missing > 1 and "them" or "it")
end

-- That uops are those that a relative lets expect, in words; nil if they are not.
local function as_relative(f, uops)
  local expected = f.relative and f.relative.uops or {}
  local alike = #uops > 0 and #uops == #expected and lists.all(uops, function(uop)
    return lists.any(expected, function(other) return other[2] == uop.uops and port_set.same(other[1], uop.ports) end)
  end)
  return alike and ("as its relative %s lets expect: asked were floods that would have refuted this"):format(f.relative.name) or nil
end

-- Uops as mapping entries, equal sets added up; those of a store that never show come with it.
local function entries(uops)
  local list, place = {}, {}
  local function add(ports, n)
    local key = port_set.key(ports)
    if not place[key] then
      place[key] = { ports, 0 }
      list[#list + 1] = place[key]
    end
    place[key][2] = place[key][2] + n
  end
  for _, u in ipairs(uops) do
    add(u.ports, u.uops)
    if u.posited then add(u.posited, u.uops) end
  end
  return list
end

-- The ports of both lists, each once.
local function add_ports(list, more)
  return lists.distinct(lists.joined(list or {}, more))
end

-- No reading of the counts fits: they are the evidence.
local function contradict(survey, name, jobs)
  local parts = {}
  for _, job in ipairs(jobs) do
    if job.count and job.count > constants.answers_apart then
      local ports = port_set.text(job.class.ports)
      parts[#parts + 1] = ("%.2f on %s"):format(job.count, ports)
      survey:witness(name, job.e, job.cycles, nil, ("%.2f uops stay on ports %s"):format(job.count, ports), "contradicts", nil,
        { without = job.alone, ports = job.class.ports })
    end
  end
  local t = survey.facts[name].total
  local wanted = t.least == t.most and ("%d"):format(t.least) or ("%d to %d"):format(t.least, t.most)
  local found = #parts > 0 and table.concat(parts, ", ") or "none on any"
  survey:settle(name, "contradicting", ("%s uops expected; blocked ports keep %s"):format(wanted, found))
end

-- Two answers fit about as well, whatever was measured again.
local function leave_open(survey, name, doubt)
  for _, job in ipairs(lists.where(doubt.jobs, function(one) return one.count ~= nil end)) do
    survey:witness(name, job.e, job.cycles, nil, ("%.2f uops stay on ports %s"):format(job.count, port_set.text(job.class.ports)),
      "contradicts", nil, { without = job.alone, ports = job.class.ports })
  end
  survey:settle(name, "contradicting", ("the measurements agree with %s, and as well with %s"):format(doubt.best, doubt.second))
end

-- Is the count on the most ports that were flooded above the number of uops that were found within them? Where slots are lost, it tells that none is
-- missing; binders make counts on fewer ports too large.
local function counts_more(jobs)
  local widest
  for _, job in ipairs(jobs) do
    if job.count and (not widest or #job.class.ports > #widest.class.ports) then widest = job end
  end
  return widest.count - widest.uops > constants.refine_nearest
end

-- Did floods show all of an answer, and is none of these far below what it says?
local function is_shown(a)
  return a.uops and lists.all(a.uops, function(u) return u.job.count ~= nil end) and a.doubt.short <= constants.uops_low
end

-- Leaves out the floods of classes that are slower beside others than their ports explain: they show what else these keep busy, too. Is anything left
-- out, and anything left?
local function clean_only(survey, name)
  local clean = lists.where(survey.blocked[name], function(job) return not job.class.slow_beside end)
  local fewer = #clean > 0 and #clean < #survey.blocked[name]
  if fewer then survey.blocked[name] = clean end
  return fewer
end

-- Claims uops. `without`: the floods of some classes do not fit them, and were left out.
local function claim(survey, name, jobs, uops, located, without)
  note_evidence(survey, name, uops, jobs)
  local f = survey.facts[name]
  local alike = as_relative(f, uops)
  local whole, note = complete(survey, name, uops, located, jobs, alike)
  local second = totals.has_second_unit(f.total, located)
  local unseen = f.memory.writes and located < f.total.most and not lists.any(uops, function(u) return u.class.improper end)
  f.uops, f.parts = entries(uops), uops
  for _, u in ipairs(uops) do
    local assumed = (second or without or unseen) and u.ports or u.class.assumed
    if assumed then f.assumed = add_ports(f.assumed, assumed) end
  end
  if second then
    note = "a uop more than its issue slot: one keeps a second unit busy, which passes for a port"
  elseif whole then
    note = without and "what it keeps busy beside classes that are slower than their ports explain is left out" or note
      or unseen and "of what it stores no uop shows" or nil
  end
  survey:settle(name, whole and "explained" or "contradicting", note or alike)
end

--- Settles a scheme: explained, microcoded, contradicting, or what its measurements came to.
-- @param survey the survey
-- @param name scheme
-- @param[opt] answer to its floods (portolan.infer.chart.blocking.refine)
function verdict.settle(survey, name, answer)
  local f, jobs = survey.facts[name], survey.blocked[name]
  local microcoded, least = is_microcoded(survey, f, jobs)
  if microcoded then
    for i = 1, math.min(constants.uops_shown, #jobs) do
      local job = jobs[i]
      survey:witness(name, job.e, job.cycles, nil, ("%.1f cycles more than without it, whatever ports are blocked"):format(job.cycles - job.alone),
        "contradicts", nil, { without = job.alone, ports = job.class.ports })
    end
    return survey:settle(name, "microcoded", ("%d issue slots, and whatever ports are blocked, it adds at least %.1f cycles"):format(f.slots, least))
  end
  for _, job in ipairs(jobs) do
    if job.trouble then return survey:settle(name, job.trouble[1], job.trouble[2]) end
  end
  if not lists.any(jobs, function(job) return job.count end) then -- every flood of it told nothing
    local fastest = 1 / lists.largest(jobs, function(job) return job.class.count end, 1)
    return survey:settle(name, "contradicting", f.single.cycles < constants.consistent_faster * fastest
      and ("it takes %.3f cycles alone, and no ports that are known do with less than %.3f for a uop"):format(f.single.cycles, fastest)
      or "no flood of the set's schemes tells anything of it")
  end
  local hidden = verdict.wide_class(survey) ~= nil
  local a = answer or refine.answer(survey, name, hidden)
  local without = not is_shown(a) and clean_only(survey, name)
  if without then a = refine.answer(survey, name, hidden) end
  if not is_shown(a) then return contradict(survey, name, jobs) end
  -- where slots do not say how many uops there are, the counts must do so, on both sides
  if f.loses_slots and counts_more(jobs) then return contradict(survey, name, jobs) end
  local by_counts = f.total.sequenced and not f.loses_slots and not hidden
  if by_counts and a.doubt.long > constants.refine_nearest then return contradict(survey, name, jobs) end
  if a.doubt.lead < survey.lead then return leave_open(survey, name, a.doubt) end
  claim(survey, name, jobs, a.uops, a.located, without)
end

return verdict
