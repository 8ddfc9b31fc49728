--- From counts of uops that stay on blocked ports to port usages: Algorithm 6.1 as a system of equations.
--
-- In the model, one uop of class C adds 1 to the count on the ports Q of a blocking instruction if its ports are among Q, and 0 if not;
-- the algorithm solves that from the smallest sets to the largest. On a core that binds its ports greedily the effects are not
-- whole numbers: a uop that is confined to a part of Q costs more, one that could evade may cost something. So they are measured
-- (portolan.infer.explain.effects), and the whole numbers of uops are looked for whose effects add up to the counts.
-- @module portolan.infer.explain.attribute

local port_set = require "portolan.infer.explain.port_set"

local short, shortest = 0.4, 0.6 -- uops that a count may fall short of the effects: where uops are tried, where they are judged
local base, of_excess, of_uops = 0.2, 0.3, 0.04 -- standard deviation of a count: its own; per uop of excess; per uop of the scheme
local farthest, dear = 3.5, 6 -- standard deviations; squared ones
local most_tried = 30000

-- A store of which one uop shows stands for two.
local function weight(class) return class.posited and 2 or 1 end

-- How a count compares with what the uops chosen give: squared standard deviations; nil if it is too far off. Anything between the
-- model's whole number and the measured effects will do: what a binder loses depends on what else there is. Where some uops are
-- confined to a part of the ports, nothing is too slow: binders have been seen to lose several cycles.
local function misfit(count, expected, ideal, burst)
  if count < ideal - shortest - 0.02 * ideal then return nil end
  if count < ideal then return ((ideal - count) / base) ^ 2 end
  local off = count - math.max(expected, ideal)
  if off <= 0 then return 0.1 * off * off end
  off = off / (base + of_excess * math.max(0, expected - ideal) + of_uops * burst)
  if ideal > 0 then return math.min(off * off, dear) end
  return off <= farthest and off * off or nil
end

-- Finds the numbers of uops on the ports of each job's class; nil if none fit.
local function solve(jobs, total, hidden, effect, ideal)
  local n = #jobs
  local expected, sure, chosen, best, least, tried = {}, {}, {}, nil, math.huge, 0
  for j = 1, n do expected[j], sure[j] = 0, 0 end
  local function add(i, uops)
    for j = 1, n do expected[j], sure[j] = expected[j] + uops * effect[j][i], sure[j] + uops * ideal[j][i] end
  end
  local function judge()
    local cost = 0
    for j = 1, n do
      local square = misfit(jobs[j].count, expected[j], sure[j], total.most)
      if not square then return end
      cost = cost + square
    end
    if cost < least - 1e-6 then best, least = table.move(chosen, 1, n, 1, {}), cost end
  end
  local function try(i, located)
    tried = tried + 1
    if located > total.most or tried > most_tried then return end
    if i > n or located == total.most then
      for rest = i, n do chosen[rest] = 0 end
      if located >= total.least or hidden then judge() end
      return
    end
    local most = math.floor(jobs[i].count - sure[i] + short + 0.02 * total.most)
    for uops = math.max(0, most), 0, -1 do
      chosen[i] = uops
      add(i, uops)
      try(i + 1, located + uops * weight(jobs[i].class))
      add(i, -uops)
      if not hidden and most - uops > 2 + 0.2 * total.most then break end
    end
  end
  try(1, 0)
  return best
end

-- The experiment that bounds a uop from the other side: on the largest blocked part of its ports, it evades.
local function bounding(jobs, of)
  local best
  for _, job in ipairs(jobs) do
    local ports = job.class.ports
    local part = #ports < #of.class.ports and port_set.within(ports, of.class.ports)
    if part and (not best or #ports > #best.class.ports) then best = job end
  end
  return best
end

--- Turns the counts of one scheme's blocking experiments into uops.
-- @param jobs of portolan.infer.explain.flood, measured, from the smallest set of ports to the largest
-- @param total `{ least =, most = }`, the number of uops
-- @param hidden true if there are ports that cannot be blocked: uops may be missing
-- @param effects function(blocking class, class) -> measured effect of one uop of the latter
-- @return list of `{ ports =, uops =, class =, job = (shows it), bound = (bounds it, or nil) }` and their number (a store of which only one
-- uop shows counts twice); or nil if nothing fits the counts
return function(jobs, total, hidden, effects)
  local effect, ideal = {}, {}
  for j, row in ipairs(jobs) do
    effect[j], ideal[j] = {}, {}
    for i, column in ipairs(jobs) do
      ideal[j][i] = port_set.within(column.class.ports, row.class.ports) and 1 or 0
      effect[j][i] = effects(row.class, column.class) or ideal[j][i]
    end
  end
  local best = solve(jobs, total, hidden, effect, ideal)
  if not best then return nil end
  local uops, located = {}, 0
  for j, job in ipairs(jobs) do
    job.uops = 0
    for i in ipairs(jobs) do job.uops = job.uops + best[i] * ideal[j][i] end
    if best[j] > 0 then
      uops[#uops + 1] = { ports = job.class.ports, uops = best[j], class = job.class, job = job, bound = bounding(jobs, job) }
      located = located + best[j] * weight(job.class)
    end
  end
  return uops, located
end
