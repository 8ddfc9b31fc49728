--- Schemes that floods show to have the uop of a class, and that refute the ports which the class was given.
--
-- A representative may pass for having ports in common with another class, as something else holds it up beside that. What has the same uop, and
-- others, is not held up so: floods of the class show the uop, floods of the other class, which has all of its ports, do not. Where it is faster
-- beside the other class than the ports allow, it is not the scheme that is odd, and the ports are inferred anew.
-- @module portolan.infer.chart.blocking.carriers
local constants = require "portolan.infer.chart.constants"
local flood = require "portolan.infer.chart.blocking.flood"
local lacking = require "portolan.infer.chart.lacking"
local lists = require "portolan.support.lists"
local members = require "portolan.infer.chart.members"
local port_set = require "portolan.mapping.ports"

local most = 8 -- schemes that are tried in the place of a representative
local shown = 1 - constants.flood_short -- uops that a flood shows

local function is_within(ports, wider) return #ports < #wider and #port_set.common(ports, wider) == #ports end

-- The jobs of a scheme that show a uop which a flood of more ports, these among them, does not: the ports are wrong, or something else holds up the
-- flood.
local function impossible(jobs)
  return lists.where(jobs, function(job)
    return job.count and job.count > shown and not job.instances and not job.class.carriers and lists.any(jobs, function(other)
      local telling = other.count and other.count > -constants.flood_short
      return telling and is_within(job.class.ports, other.class.ports) and job.count - other.count > shown
    end)
  end)
end

-- List of `{ class =, jobs = }`: jobs that show the class's uop, of schemes that do different things with registers.
local function candidates(survey, jobs)
  local of_scheme, showing, found = {}, {}, {}
  for _, job in ipairs(jobs) do lists.into(of_scheme, job.name, job) end
  for _, name in ipairs(survey.order) do
    for _, job in ipairs(impossible(of_scheme[name] or {})) do lists.into(showing, job.class, job) end
  end
  for _, class in ipairs(survey.classes) do
    local of = showing[class] and not class.improper and showing[class] or {}
    local unlike = lists.set(members.unlike(survey, class, lists.map(of, function(job) return job.name end), most))
    found[#found + 1] = #of >= constants.class_few and { class = class, jobs = lists.where(of, function(job) return unlike[job.name] end) } or nil
  end
  return found
end

-- Is a class with a scheme in its representative's place faster beside others than its ports allow?
local function refutes(survey, class, name)
  local slow = lists.where(survey.inference.observations, function(o)
    return o.experiment[class.representative] and o.predicted and next(o.experiment, next(o.experiment)) ~= nil
  end)
  local list = lists.map(slow, function(o) return o.experiment end)
  local results = members.measure(survey, survey.classes, list, { optional = true }, { [class] = { name } })
  for i, o in ipairs(slow) do
    if results[i].status == "ok" and results[i].cycles < constants.consistent_faster * o.predicted then return true end
  end
  return false
end

--- Finds them.
-- @param survey the survey
-- @param jobs floods of all schemes, as far as they were asked
-- @return representative of a class -> names of the schemes; nil if there are none, or the class had such
return function(survey, jobs)
  if lacking.is_record(survey) then return nil end
  local found = {}
  for _, one in ipairs(candidates(survey, jobs)) do
    flood.refuted_by_several(survey, one.jobs)
    local left = lists.where(one.jobs, function(job) return not job.instances end)
    local refuting = lists.where(left, function(job) return refutes(survey, one.class, job.name) end)
    if #refuting > 0 then found[one.class.representative] = lists.map(refuting, function(job) return job.name end) end
  end
  return next(found) and found or nil
end
