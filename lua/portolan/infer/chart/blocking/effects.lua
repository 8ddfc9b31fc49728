--- What one uop of known ports adds to the count on blocked ports: measured, with the classes' own schemes.
--
-- The model says 1 or 0. Greedy binders say otherwise where a uop is confined to a part of the blocked ports, or to few others; the same
-- holds for uops of the schemes that are looked at next.
-- @module portolan.infer.chart.blocking.effects
local constants = require "portolan.infer.chart.constants"
local flood = require "portolan.infer.chart.blocking.flood"
local lists = require "portolan.support.lists"
local port_set = require "portolan.ports"

local least, most, one = constants.effect_least, constants.effect_most, 1 - constants.flood_short

-- Uops of a class's scheme beside the one that it stands for (of stores), that stay on the blocked ports.
local function companions(class, blocking)
  local n = 0
  for _, uop in ipairs(class.uops or {}) do
    if uop[1] ~= class.ports and port_set.within(uop[1], blocking.ports) then n = n + uop[2] end
  end
  return n
end

-- Class -> class that is flooded -> effect; of pairs that could not be measured false. Each pair is asked once.
local known = setmetatable({}, { __mode = "k" })

local function is_new(job, class) return known[job.class] == nil or known[job.class][class] == nil end

--- Measures the effects.
-- @param survey the survey
-- @param blockers list of classes that are blocked, or of unions
-- @param classes list of classes whose uops are tried
-- @return function(blocking class, class) -> effect of one uop; nil where it is not known
return function(survey, blockers, classes)
  local names, class_of = {}, {}
  for _, class in ipairs(classes) do
    names[#names + 1], class_of[class.representative] = class.representative, class
  end
  local jobs = lists.where(flood.plan(survey, names, blockers), function(job) return is_new(job, class_of[job.name]) end)
  flood.measure(survey, jobs, constants.effect_finer, true)
  for _, job in ipairs(jobs) do
    known[job.class] = known[job.class] or setmetatable({ [job.class] = 1 }, { __mode = "k" })
    local class = class_of[job.name]
    local count = job.count and job.count - companions(class, job.class)
    known[job.class][class] = count and (count > least and math.max(math.min(most, count), count > one and 1 or 0) or 0) or false
  end
  return function(blocking, class) return known[blocking] and known[blocking][class] or nil end
end
