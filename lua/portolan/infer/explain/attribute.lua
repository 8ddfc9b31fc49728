--- From counts of uops that stay on blocked ports to port usages (Algorithm 6.1).
-- @module portolan.infer.explain.attribute

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

-- The experiment that bounds a uop from the other side: on the largest blocked part of its ports, it evades.
local function bounding(jobs, uop)
  local best
  for _, job in ipairs(jobs) do
    local part = job ~= uop.job and #job.class.ports < #uop.ports and within(job.class.ports, uop.ports)
    if part and (not best or #job.class.ports > #best.class.ports) then best = job end
  end
  return best
end

--- Turns the counts of one scheme's blocking experiments into uops.
-- @param jobs of portolan.infer.explain.flood, measured, from the smallest set of ports to the largest
-- @return list of `{ ports =, uops =, class =, job = (shows it), bound = (bounds it, or nil) }`, their number (a store of which only
-- one uop shows counts twice); or nil and the evidence that they do not add up
return function(jobs)
  local uops, located = {}, 0
  for _, job in ipairs(jobs) do
    local here = job.uops
    for _, other in ipairs(uops) do
      if within(other.ports, job.class.ports) then here = here - other.uops end
    end
    if here < 0 then return nil, ("fewer uops on ports %s than on a part of them"):format(table.concat(job.class.ports, ",")) end
    if here > 0 then
      uops[#uops + 1] = { ports = job.class.ports, uops = here, class = job.class, job = job }
      located = located + here * (job.class.posited and 2 or 1)
    end
  end
  for _, uop in ipairs(uops) do uop.bound = bounding(jobs, uop) end
  return uops, located
end
