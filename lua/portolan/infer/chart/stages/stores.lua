--- Stage: stores, which stand in for a blocking instruction that does not exist (dissertation section 6.3.4).
--
-- Where a store's two uops (address and data) come only together, no scheme blocks the ports of either. Its time alone shows the number of ports of
-- the scarcer one. Floods of all other classes, whose ports are known by now, show which of the two these take (Algorithm 6.1); what they do not take
-- has ports that only stores use. Stores of one kind leave the same uops on the ports of others, and add up. How the ports of several kinds overlap
-- is told by experiments with these alone: there, the ports of what others show are a front end of that width.
-- @module portolan.infer.chart.stages.stores
local class_ports = require "portolan.infer.chart.stages.class_ports"
local classes = require "portolan.infer.chart.stages.classes"
local constants = require "portolan.infer.chart.constants"
local flood = require "portolan.infer.chart.blocking.flood"
local lists = require "portolan.support.lists"
local memory_uops = require "portolan.mapping.memory_uops"
local plural = require "portolan.support.plural"
local port_set = require "portolan.mapping.ports"
local recipe = require "portolan.infer.chart.blocking.recipe"
local store_addresses = require "portolan.infer.chart.stages.store_addresses"

local stores = {}

local uops_of_store = 2 -- address and data

-- Plain stores that may be just an address and data.
local function candidates(survey)
  return survey:unsettled(function(_, f)
    local plain = f.memory.writes and not f.memory.reads and f.memory.moves
    return plain and f.total and f.total.most == uops_of_store and classes.ports_of(f) ~= nil
  end)
end

local alike = constants.store_alike

-- Uops that each store leaves on the ports of each class: name -> list of jobs, by rising number of ports; nil where one failed.
local function profiles(survey, names)
  local blockers = recipe.blockers(survey, function(class) return class.ports and not class.wide end)
  local jobs, of = flood.plan(survey, names, blockers), {}
  flood.measure(survey, jobs)
  -- a store may hold up a flood though it has no uop on its ports (adds on Golden Cove, vectors on Cascade Lake)
  for _, job in ipairs(flood.refuted_by_several(survey, lists.where(jobs, function(one) return not one.class.loads end))) do
    job.uops, job.refuted = math.max(0, math.floor(job.count + constants.flood_short)), true
  end
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

--- The uops of a store that floods show, those on the fewest ports first: what has ports that are a part of others is seen on these, too.
-- @param profile its jobs (blocking/job), by rising number of ports
-- @return list of `{ ports, number, class = (of these ports) }`
function stores.seen(profile)
  local uops = {}
  for _, job in ipairs(profile) do
    local known = lists.sum(uops, function(uop) return port_set.within(uop[1], job.class.ports) and uop[2] or 0 end)
    if job.uops > known then uops[#uops + 1] = { job.class.ports, job.uops - known, class = job.class } end
  end
  return uops
end

-- Does a store need no ports of its own? It needs none where all of its uops are seen, or where those on the ports of a class limit it, while all
-- take slots of their own, so that their number is known. Where these are the ports of loads, they may address it while others of the same number
-- take its data.
local function needs_none(name, seen, n)
  return port_set.uops(seen) >= uops_of_store or memory_uops.beyond_slots(name) == 0
    and lists.any(seen, function(uop) return not uop.class.loads and #uop[1] == n * uop[2] end)
end

-- Makes classes of stores of one kind; returns them, and what is seen of each store. Slower ones may have further uops: these are left to blocking.
local function found(survey, names)
  local of, by_count, seen, fastest, before = profiles(survey, names), {}, {}, 0, #survey.classes
  for _, name in ipairs(names) do
    local n = of[name] and classes.ports_of(survey.facts[name])
    seen[name] = of[name] and stores.seen(of[name]) or nil
    fastest = math.max(fastest, n or 0)
    if n and not needs_none(name, seen[name], n) then lists.into(by_count, n, name) end
  end
  local function make(name)
    local uop = seen[name][1]
    return { improper = true, profile = of[name], seen = uop, address = uop and uop.class.loads and uop.class or nil }
  end
  for n = fastest, 1, -1 do
    local list = by_count[n] or {}
    if n < fastest then list = classes.not_held_up(survey, list, n) end
    classes.split(survey, list, n, make, function(class, name) return same_profile(class.profile, of[name]) end)
  end
  return table.move(survey.classes, before + 1, #survey.classes, 1, {}), seen
end

-- Names of new ports, handed out for those of an inference of its own: function(port of that) -> port; each is added to `ports`.
local function naming(ports, count)
  local names, new = port_set.further(ports, count), {}
  return function(port)
    if not new[port] then
      new[port] = table.remove(names, 1)
      ports[#ports + 1] = new[port]
    end
    return new[port]
  end
end

-- Is it a uop that others show which limits a class?
local function is_limited_by_others(class) return class.seen ~= nil and #class.seen[1] == class.count end

-- Gives classes the ports that only stores use, as many as limit them. Returns those to which nothing gives any, as a set.
local function set_own_ports(survey, list)
  local width = survey.rmax
  for _, class in ipairs(list) do width = math.min(width, class.seen and #class.seen[1] or width) end
  local outcome = #list > 0 and class_ports.infer_alone(survey, list, width)
  if not outcome then return {} end
  for _, class in ipairs(outcome.conflict and list or {}) do
    for _, name in ipairs(class.members) do survey:settle(name, "contradicting", outcome.conflict.text) end
  end
  if not outcome.mapping then return lists.set(list) end
  survey.ports = lists.copy(survey.ports)
  local named = naming(survey.ports, #outcome.mapping.ports)
  for _, class in ipairs(list) do
    class.ports = lists.map(outcome.mapping.schemes[class.representative].uops[1][1], named)
    class.ambiguous = class_ports.is_ambiguous(survey, outcome, class) or nil
  end
  return {}
end

-- Hands out ports for uops that never limit anything: function(number) -> ports, as many as show of the other uop, the least that agrees with the
-- measurements.
local function positing(survey)
  local posited = {}
  return function(count)
    if not posited[count] then
      posited[count] = port_set.further(survey.ports, count)
      survey.ports = lists.joined(survey.ports, posited[count])
    end
    return posited[count]
  end
end

-- Does a store hold up floods, so that blocking cannot tell whether it has a uop on their ports? That it has ports of its own is assumed then.
local function hinders(class) return lists.any(class.profile, function(job) return job.refuted end) end

-- Of a store that the ports of loads address, what nothing shows: unless another store is faster by these ports, they may be fewer, and limit it in
-- the place of its data. Nil if nothing is open.
local function unlimited(survey, class)
  local loads = class.address
  local others = lists.where(survey.classes, function(other) return other.address == loads end)
  local fastest = loads and lists.largest(others, function(other) return other.count end, 0)
  if not loads or fastest >= loads.count then return nil end
  return port_set.union { loads.ports, fastest == class.count and class.ports or {} }
end

local unlocated = "one of a store's two uops limits it; the other never shows, and its ports are assumed"
local either = "its data have as few ports, or as few of the ports of loads address it: nothing tells"

-- Gives a class its uops. Returns why some of these are assumed; nil if none are.
local function set_uops(survey, class, posit)
  local seen = class.seen
  if class.ports and seen then
    class.uops, class.assumed = { { class.ports, 1 }, { seen[1], 1 } }, class.ambiguous and class.ports or unlimited(survey, class)
    return class.ambiguous and class_ports.open or class.assumed and either
  end
  class.ports, class.posited = class.ports or seen[1], posit(class.count)
  class.uops = { { class.ports, 1 }, { class.posited, 1 } }
  class.assumed = lists.joined(class.posited, (class.ambiguous or hinders(class)) and class.ports or {})
  return unlocated
end

-- The floods that show the uops of a class, or that it has none on their ports.
local function note_floods(survey, class)
  class.witnesses = lists.map(class.profile, function(job)
    local says, role = ("%s on ports %s"):format(plural(job.uops, "uop"), port_set.text(job.class.ports)), job.uops > 0 and "shows" or "bounds"
    local expected, tolerance = job.alone + job.uops / job.class.count, constants.refine_nearest / job.class.count
    survey:witness(job.name, job.e, job.cycles, expected, says, role, tolerance, { without = job.alone, ports = job.class.ports })
    return { experiment = job.e, cycles = job.cycles, expected = expected, says = says, role = role }
  end)
end

--- The stage.
function stores.__call(_, survey)
  survey:stage("stores")
  if #survey.classes == 0 or not survey.ports then return end
  local list, seen = found(survey, candidates(survey))
  local gone = set_own_ports(survey, lists.where(list, function(class) return not is_limited_by_others(class) end))
  local function stays(class) return not gone[class] end
  survey.classes, list = lists.where(survey.classes, stays), lists.where(list, stays)
  local posit = positing(survey)
  for _, class in ipairs(list) do
    local why = set_uops(survey, class, posit)
    class_ports.note_alone(survey, class)
    note_floods(survey, class)
    class_ports.explain(survey, class, why)
  end
  store_addresses(survey, list, seen)
end

return setmetatable(stores, stores)
