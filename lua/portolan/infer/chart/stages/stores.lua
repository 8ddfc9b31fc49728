--- Stage: stores, which stand in for a blocking instruction that does not exist (dissertation section 6.3.4).
--
-- Where a store's two uops (address and data) come only together, no scheme blocks the ports of either. Its time alone shows the
-- number of ports of the scarcer one. A store belongs to a class if it adds up with it and leaves the same uops on the
-- ports of all proper blocking instructions: some processors have a uop of a store in common with other instructions.
-- @module portolan.infer.chart.stages.stores
local classes = require "portolan.infer.chart.stages.classes"
local constants = require "portolan.infer.chart.constants"
local flood = require "portolan.infer.chart.blocking.flood"
local lacking = require "portolan.infer.chart.lacking"
local lists = require "portolan.support.lists"
local memory_uops = require "portolan.memory_uops"
local recipe = require "portolan.infer.chart.blocking.recipe"

-- Plain stores that may be just an address and data.
local function candidates(survey)
  return survey:unsettled(function(_, f)
    local plain = f.memory.writes and not f.memory.reads and f.memory.moves
    return plain and f.total and f.total.most == 2 and classes.ports_of(f) ~= nil
  end)
end

local alike, refuted = constants.store_alike, constants.store_refuted

-- Experiments of a store and a class that are as slow as a job says only if the store's uops do stay on the class's ports.
local function telling(survey, job)
  local n, alone, list = job.class.count, survey.facts[job.name].single.cycles, {}
  for copies = 1, n do
    for _, stores in ipairs { 1, 2, 4 } do
      local cycles = (copies + job.uops * stores) / n
      local others = math.max(alone * stores, (copies + stores) / survey.rmax)
      if cycles > others / refuted and copies + stores <= constants.store_saturated * n then
        list[#list + 1] = { e = { [job.class.representative] = copies, [job.name] = stores }, cycles = cycles, ratio = cycles / others }
      end
    end
  end
  table.sort(list, lists.most_first("ratio", "cycles"))
  return table.move(list, 1, math.min(#list, constants.store_telling), 1, {})
end

-- A store may hold up a flood though it has no uop on its ports (adds on Golden Cove, vectors on Cascade Lake). Where together they are faster
-- than so many uops would allow, it is not the ports that hold the flood up. Whether fewer uops are there, nothing tells then: none is assumed
-- (`job.refuted`).
local function refute(survey, jobs)
  local list, experiments = {}, {}
  for _, job in ipairs(jobs) do
    for _, t in ipairs(job.count and job.uops > 0 and not job.class.loads and telling(survey, job) or {}) do
      t.job = job
      list[#list + 1], experiments[#experiments + 1] = t, t.e
    end
  end
  local function faster(i, result) return result.status == "ok" and result.cycles < refuted * list[i].cycles end
  local again, of = {}, {}
  for i, result in ipairs(survey:measure(experiments)) do
    lacking.note(survey, list[i].job.name, experiments[i], result)
    if faster(i, result) then again[#again + 1], of[#of + 1] = experiments[i], i end
  end
  for k, result in ipairs(survey:measure(again, { again = true })) do
    local job = list[of[k]].job
    if faster(of[k], result) then job.count, job.uops, job.refuted = 0, 0, true end
  end
end

-- A class of few schemes may be limited by something else than ports; what loads or stores have in common are ports.
local function is_proper(survey, class)
  return not class.wide and (class.loads or #class.members > constants.class_few or survey.facts[class.representative].memory.writes)
end

-- Uops that each store leaves on the ports of each proper class: name -> list of { class=, uops=, job= }; nil where one failed.
local function profiles(survey, names)
  local blockers = recipe.blockers(survey, function(class) return is_proper(survey, class) end)
  local jobs, of = flood.plan(survey, names, blockers), {}
  flood.measure(survey, jobs)
  refute(survey, jobs)
  for _, name in ipairs(names) do of[name] = {} end
  for _, job in ipairs(jobs) do
    if not job.count then of[job.name] = false end
    if of[job.name] then table.insert(of[job.name], job) end
  end
  return of
end

local function same_profile(a, b)
  for i, job in ipairs(a) do
    if math.abs(job.count - b[i].count) > alike then return false end
  end
  return true
end

-- Do all its uops take slots of their own, so that their number is known, and do those on the ports of a proper class limit it? Then it needs none
-- of its own. Where it is the ports of loads, these may address it while others of the same number take its data: all uops must be found there then.
local function has_proper_limit(survey, name, profile, n)
  return memory_uops.beyond_slots(name) == 0 and lists.any(profile, function(job)
    local limits = job.uops and job.uops >= 1 and job.class.count == n * job.uops
    return limits and (not job.class.loads or job.uops == survey.facts[name].total.most)
  end)
end

return function(survey)
  survey:stage("stores")
  local names, fastest = candidates(survey), 0
  local of, by_count = profiles(survey, names), {}
  for _, name in ipairs(names) do
    if of[name] then fastest = math.max(fastest, classes.ports_of(survey.facts[name])) end
  end
  for _, name in ipairs(names) do
    local n = of[name] and classes.ports_of(survey.facts[name])
    if n and not has_proper_limit(survey, name, of[name], n) then
      lists.into(by_count, n, name)
    end
  end
  for n = fastest, 1, -1 do -- slower ones may have further uops: these are left to blocking
    local list = by_count[n] or {}
    if n < fastest then list = classes.not_held_up(survey, list, n) end
    classes.split(survey, list, n, function(name) return { improper = true, profile = of[name] } end,
      function(class, name) return same_profile(class.profile, of[name]) end)
  end
end
