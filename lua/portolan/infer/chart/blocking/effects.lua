--- Measures what one uop of known ports adds to the count on blocked ports, with the classes' own schemes.
--
-- The model says 1 or 0. Greedy binders say otherwise where a uop is confined to a part of the blocked ports, or to few others; the same
-- holds for uops of the schemes that are looked at next.
-- @module portolan.infer.chart.blocking.effects
local constants = require "portolan.infer.chart.constants"
local flood = require "portolan.infer.chart.blocking.flood"
local port_set = require "portolan.mapping.ports"

local least, most, one = constants.flood_near, constants.flood_many, 1 - constants.flood_short

-- Uops of a class's scheme beside the one that it stands for (of stores), that stay on the blocked ports.
local function companions(class, blocking)
  local n = 0
  for _, uop in ipairs(class.uops) do
    if uop[1] ~= class.ports and port_set.within(uop[1], blocking.ports) then n = n + uop[2] end
  end
  return n
end

--- Measures the effects.
-- @param survey the survey
-- @param blockers list of classes that are blocked
-- @param classes list of classes whose uops are tried
-- @return function(blocking class, class) -> effect of one uop; nil where it is not known
return function(survey, blockers, classes)
  local names, class_of, known = {}, {}, {}
  for _, class in ipairs(classes) do
    names[#names + 1], class_of[class.representative] = class.representative, class
  end
  local jobs = flood.plan(survey, names, blockers)
  flood.measure(survey, jobs)
  for _, job in ipairs(jobs) do
    known[job.class] = known[job.class] or { [job.class] = 1 }
    local class = class_of[job.name]
    local count = job.count and job.count - companions(class, job.class)
    if count then known[job.class][class] = count > least and math.max(math.min(most, count), count > one and 1 or 0) or 0 end
  end
  return function(blocking, class) return known[blocking] and known[blocking][class] end
end
