--- From counts of uops that stay on blocked ports to port usages: Algorithm 6.1, with its counts read as intervals.
--
-- Taken one by one, from the smallest set of ports to the largest, each count tells how many uops use all of a set: those that were
-- found on its parts are subtracted. Counts err upwards: the binder does not see in time that uops are confined to a part of
-- the flooded ports, nor where a burst of them can still go. So all ways to read the counts are tried that fit them and the
-- number of uops, and the best is taken.
-- @module portolan.infer.explain.attribute
local flood = require "portolan.infer.explain.flood"

local function within(a, b)
  local set = {}
  for _, p in ipairs(b) do set[p] = true end
  for _, p in ipairs(a) do
    if not set[p] then return false end
  end
  return true
end

-- For each job the earlier ones whose ports are among its ports.
local function parts_of(jobs)
  local parts = {}
  for j, job in ipairs(jobs) do
    parts[j] = {}
    for i = 1, j - 1 do
      if within(jobs[i].class.ports, job.class.ports) then table.insert(parts[j], i) end
    end
  end
  return parts
end

-- A store of which one uop shows stands for two.
local function weight(job) return job.class.posited and 2 or 1 end

local most_readings = 50000 -- of the counts; schemes of dozens of uops have many

-- The reading that fits best: `{ uops on job 1's ports, ... }`; nil if none does. Bursts: as many uops as come at once.
local function best_reading(jobs, parts, total, hidden, burst)
  local chosen, best, least, tried = {}, nil, math.huge, 0
  local function try(j, located, cost)
    tried = tried + 1
    if located > total.most or cost >= least - 1e-6 or tried > most_readings then return end
    if j > #jobs then
      if located >= total.least or hidden then best, least = table.move(chosen, 1, #jobs, 1, {}), cost end
      return
    end
    local confined = 0
    for _, i in ipairs(parts[j]) do confined = confined + chosen[i] end
    for here = math.max(0, math.floor(jobs[j].count + flood.short) - confined), 0, -1 do
      local fit = flood.fit(jobs[j].count, confined + here, confined, burst)
      if not fit and here < jobs[j].count - confined then break end
      if fit then
        chosen[j] = here
        try(j + 1, located + here * weight(jobs[j]), cost + fit)
      end
    end
  end
  try(1, 0, 0)
  return best
end

-- The experiment that bounds a uop from the other side: on the largest blocked part of its ports, it evades.
local function bounding(jobs, parts, j)
  local best
  for _, i in ipairs(parts[j]) do
    if #jobs[i].class.ports < #jobs[j].class.ports and (not best or #jobs[i].class.ports > #best.class.ports) then best = jobs[i] end
  end
  return best
end

--- Turns the counts of one scheme's blocking experiments into uops.
-- @param jobs of portolan.infer.explain.flood, measured, from the smallest set of ports to the largest
-- @param total `{ least =, most = }`, the number of uops
-- @param hidden true if there are ports that cannot be blocked: uops may be missing
-- @return list of `{ ports =, uops =, class =, job = (shows it), bound = (bounds it, or nil) }` and their number (a store of which only one
-- uop shows counts twice); or nil if no reading of the counts fits
return function(jobs, total, hidden)
  local parts = parts_of(jobs)
  local best = best_reading(jobs, parts, total, hidden) or best_reading(jobs, parts, total, hidden, total.most)
  if not best then return nil end
  local uops, located = {}, 0
  for j, job in ipairs(jobs) do
    job.uops = best[j]
    for _, i in ipairs(parts[j]) do job.uops = job.uops + best[i] end
    if best[j] > 0 then
      uops[#uops + 1] = { ports = job.class.ports, uops = best[j], class = job.class, job = job, bound = bounding(jobs, parts, j) }
      located = located + best[j] * weight(job)
    end
  end
  return uops, located
end
