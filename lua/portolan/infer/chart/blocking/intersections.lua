--- Sets of ports that no scheme has alone, but two blocking instructions have in common.
--
-- A uop on what the sets A and B share stays on the ports of either, so that it is counted in both floods: as if it were two. Where counts agree
-- better with uops on such a set than with any on those that can be blocked, these it has. Its two floods are the evidence.
-- @module portolan.infer.chart.blocking.intersections
local lists = require "portolan.support.lists"
local misfit = require "portolan.infer.chart.blocking.misfit"
local new_job = require("portolan.infer.chart.blocking.job").new
local port_class = require "portolan.infer.chart.port_class"
local port_set = require "portolan.ports"

local intersections = {}

local function common(a, b)
  local list = port_set.common(a, b)
  table.sort(list)
  return list
end

-- A job that was never run: no more uops can be on these ports than either flood counts, and nothing says how many are (an infinite deviation).
local function job_of(a, b, ports)
  local parent = a.count <= b.count and a or b
  local class = port_class.new { ports = ports, count = #ports, union = true, improper = false,
    representative = a.class.representative .. " and " .. b.class.representative }
  return new_job { name = parent.name, class = class, count = parent.count, sd = math.huge, parent = parent, e = parent.e,
    cycles = parent.cycles, alone = parent.alone, length = parent.length, slots = parent.slots, uops = 0 }
end

local function is_known(jobs, ports) return lists.any(jobs, function(job) return port_set.same(job.class.ports, ports) end) end

-- May a uop on a part of these ports be what a flood counts?
local function may_hold(job) return job.count and misfit.most(job.count) > 0 and not job.class.improper end

--- Adds jobs of what floods have in common.
-- @param jobs of one scheme, from the smallest set of ports to the largest
-- @return another list, as sorted; the same one if there is nothing to add
function intersections.add(jobs)
  local more = {}
  for i, a in ipairs(jobs) do
    for k = 1, i - 1 do
      local b = jobs[k]
      local apt = may_hold(a) and may_hold(b)
      local ports = apt and common(a.class.ports, b.class.ports) or {}
      if #ports > 0 and not is_known(jobs, ports) and not is_known(more, ports) then more[#more + 1] = job_of(a, b, ports) end
    end
  end
  if #more == 0 then return jobs end
  local all = table.move(jobs, 1, #jobs, 1, {})
  for _, job in ipairs(more) do
    local place = 1
    while all[place] and #all[place].class.ports <= #job.class.ports do place = place + 1 end
    table.insert(all, place, job)
  end
  return all
end

--- Is any of these uops on such a set?
function intersections.used(uops) return lists.any(uops, function(uop) return uop.class.union end) end

return intersections
