--- Stage: the uops of all other schemes, by blocking port sets (dissertation section 6.2.2, Algorithm 6.1).
-- @module portolan.infer.chart.stages.several_uops
local constants = require "portolan.infer.chart.constants"
local effects = require "portolan.infer.chart.blocking.effects"
local fitness = require "portolan.infer.chart.fitness"
local flood = require "portolan.infer.chart.blocking.flood"
local port_set = require "portolan.ports"
local refine = require "portolan.infer.chart.blocking.refine"
local totals = require "portolan.infer.chart.blocking.totals"
local unions = require "portolan.infer.chart.blocking.unions"

local several_uops = {}

local function wide_class(survey)
  for _, class in ipairs(survey.classes) do
    if class.ports and class.wide then return class end
  end
end

local function says(job)
  local ports = port_set.text(job.class.ports)
  if job.uops == 0 then return "evades ports " .. ports end
  return ("%d uop%s on ports %s"):format(job.uops, job.uops > 1 and "s" or "", ports)
end

local function note_job(survey, job, role)
  survey:witness(job.name, job.e, job.cycles, job.expected, says(job), role, constants.uops_tolerance / job.class.count,
    { without = job.alone, ports = (job.parent or job).class.ports })
end

local function note_evidence(survey, name, uops, jobs)
  for _, uop in ipairs(uops) do
    note_job(survey, uop.job, "shows")
    if uop.bound then note_job(survey, uop.bound, "bounds") end
  end
  local f = survey.facts[name]
  if #uops == 0 then
    for i = 1, math.min(constants.uops_shown, #jobs) do note_job(survey, jobs[i], "bounds") end
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

-- What is missing evades everything that can be blocked: it runs on the widest set, if the front end hides one. Where the same
-- operation on registers is known to run there, that is as good as found.
local function complete(survey, name, uops, located)
  local f, wide = survey.facts[name], wide_class(survey)
  local expected = totals.expected(survey, name, located)
  local missing = expected - located
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
  return true, ("%d uop%s by elimination: no other set of ports holds %s"):format(missing, missing > 1 and "s" or "",
    missing > 1 and "them" or "it")
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
  local all, seen = {}, {}
  for _, ports in ipairs { list or {}, more } do
    for _, p in ipairs(ports) do
      if not seen[p] then all[#all + 1] = p end
      seen[p] = true
    end
  end
  return all
end

-- No reading of the counts fits: they are the evidence.
local function contradict(survey, name, jobs)
  local parts = {}
  for _, job in ipairs(jobs) do
    if job.count > constants.uops_counted then
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
  for _, job in ipairs(doubt.jobs) do
    survey:witness(name, job.e, job.cycles, nil, ("%.2f uops stay on ports %s"):format(job.count, port_set.text(job.class.ports)),
      "contradicts", nil, { without = job.alone, ports = job.class.ports })
  end
  survey:settle(name, "contradicting", ("the measurements agree with %s, and as well with %s"):format(doubt.best, doubt.second))
end

-- A single uop that founded no class, and is on none of the sets of ports that can be blocked.
local function is_unlocated(f, uops)
  return f.unfounded and not (#uops == 1 and uops[1].uops == 1 and #uops[1].ports == f.unfounded)
end

-- Its ports are a part of those on which it is seen, and nothing that is fit for it keeps just these busy.
local function leave_unlocated(survey, name, jobs, uops)
  for i = 1, math.min(constants.uops_shown, #jobs) do note_job(survey, jobs[i], "bounds") end
  local within = uops[1] and (" of ports %s"):format(port_set.text(uops[1].ports)) or ""
  survey:settle(name, "contradicting", ("unlocated: it has %d port%s%s, and no scheme that has them is fit to block them (%s)"):format(
    survey.facts[name].unfounded, survey.facts[name].unfounded > 1 and "s" or "", within, fitness.trouble(survey, name) or "too few have them"))
end

local function explain(survey, name, jobs)
  local f = survey.facts[name]
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
  local uops, located, doubt = refine.attribute(survey, name, wide_class(survey) ~= nil)
  if not uops or doubt.short > constants.uops_low then return contradict(survey, name, jobs) end
  if is_unlocated(f, uops) then return leave_unlocated(survey, name, jobs, uops) end
  if doubt.lead < survey.lead then return leave_open(survey, name, doubt) end
  note_evidence(survey, name, uops, jobs)
  local whole, note = complete(survey, name, uops, located)
  f.uops, f.parts = entries(uops), uops
  for _, u in ipairs(uops) do
    if u.class.assumed then f.assumed = add_ports(f.assumed, u.class.assumed) end
  end
  survey:settle(name, whole and "explained" or "contradicting", note)
end

-- Classes that block. Of stores that block the same ports, the one whose other uop has most: it is in nobody's way.
local function blockers(survey)
  local best = {}
  local function room(class)
    local most = 0
    for _, uop in ipairs(class.uops) do most = math.max(most, #uop[1]) end
    return most
  end
  for _, class in ipairs(survey.classes) do
    local key = class.improper and class.ports and port_set.key(class.ports)
    if key and (not best[key] or room(class) > room(best[key])) then best[key] = class end
  end
  return flood.blockers(survey, function(class)
    return class.ports and not class.wide and (not class.improper or best[port_set.key(class.ports)] == class)
  end)
end

-- Names of those that were blocked, and work on memory or not.
local function blocked(survey, memory)
  local names = {}
  for _, name in ipairs(survey.order) do
    local use = survey.facts[name].memory
    if survey.blocked[name] and (use.reads or use.writes) == memory then names[#names + 1] = name end
  end
  return names
end

-- What works on memory leans on what works on registers.
local function explain_all(survey, prepare)
  for _, memory in ipairs { false, true } do
    local names = blocked(survey, memory)
    prepare(names)
    for _, name in ipairs(names) do explain(survey, name, survey.blocked[name]) end
  end
end

-- Unions have other ports, or are none, if classes have.
local function refresh(survey)
  for name, jobs in pairs(survey.blocked) do
    local kept = {}
    for _, job in ipairs(jobs) do
      if not job.class.union or unions.refresh(job.class) then kept[#kept + 1] = job end
    end
    survey.blocked[name] = kept
  end
end

--- Explains what was measured (`survey.blocked`: name -> jobs) with the classes' ports.
function several_uops.explain(survey)
  refresh(survey)
  explain_all(survey, function() end)
end

--- The stage.
function several_uops.__call(_, survey)
  survey:stage("uops by blocking")
  local hidden = wide_class(survey) ~= nil
  local function uncounted(_, f) return not (f.slots and f.total) or hidden and f.total.vague end
  for _, name in ipairs(survey:unsettled(uncounted)) do
    survey:settle(name, "unstable", ("its %s could not be counted"):format(survey.facts[name].slots and "uops" or "issue slots"))
  end
  local names = survey:unsettled()
  local classes = blockers(survey)
  survey.effects = effects(survey, classes, classes)
  survey.lead = refine.lead(survey, classes)
  local jobs = flood.plan(survey, names, classes)
  flood.measure(survey, jobs)
  survey.blocked = {}
  for _, job in ipairs(jobs) do
    survey.blocked[job.name] = survey.blocked[job.name] or {}
    table.insert(survey.blocked[job.name], job)
  end
  for _, name in ipairs(names) do
    if not survey.blocked[name] then survey:settle(name, "contradicting", "no scheme of the set keeps ports busy that it could be tried on") end
  end
  explain_all(survey, function(some) refine.all(survey, some, classes, hidden) end)
end

return setmetatable(several_uops, several_uops)
