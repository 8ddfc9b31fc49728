--- Floods that refute the ports of a class.
--
-- A uop that a flood of some ports holds up is held up by a flood of more ports, these among them, too. Where several schemes say otherwise, it is
-- not they that are odd: the class has not the ports that it was given.
-- @module portolan.infer.chart.blocking.carriers
local constants = require "portolan.infer.chart.constants"
local flood = require "portolan.infer.chart.blocking.flood"
local lacking = require "portolan.infer.chart.lacking"
local lists = require "portolan.support.lists"
local port_set = require "portolan.ports"

local shown = 1 - constants.flood_short -- uops that a flood shows

local function is_within(ports, wider)
  return #ports < #wider and #port_set.common(ports, wider) == #ports
end

-- The job of a scheme that shows a uop which a flood of more ports does not; nil if there is none.
local function impossible(jobs)
  return lists.first(jobs, function(job)
    return job.count and job.count > shown and not job.instances and lists.any(jobs, function(other)
      return other.count and is_within(job.class.ports, other.class.ports) and job.count - other.count > shown
    end)
  end)
end

--- Schemes that have a uop of a class which has not the ports that it was given.
-- @param survey the survey, with floods of all schemes
-- @return representative of the class -> names of the schemes; nil if there are none, or the class had such
return function(survey)
  if lacking.is_record(survey) then return nil end
  local jobs, of = {}, {}
  for _, name in ipairs(survey.order) do jobs[#jobs + 1] = impossible(survey.blocked[name] or {}) end
  flood.refuted_by_several(survey, jobs)
  for _, job in ipairs(jobs) do
    if not job.instances and not job.class.carriers then lists.into(of, job.class.representative, job.name) end
  end
  for representative, names in pairs(of) do
    if #names < constants.class_few then of[representative] = nil end
  end
  return next(of) and of or nil
end
