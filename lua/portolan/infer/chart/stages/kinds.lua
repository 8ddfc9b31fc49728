--- Stage: how long do schemes take for named kinds of values? Divisions, and string instructions by length.
--
-- String instructions have pointers and counts that nothing else gives them, so this is all that is asked about them.
-- @module portolan.infer.chart.stages.kinds
local bodies = require "portolan.infer.chart.bodies"
local isa = require "portolan.scheme.isa"
local kind_probes = require "portolan.processor.kind_probes"

local usual_bytes = 64 -- the length whose time stands for a string instruction where one number is needed

local function questions(survey)
  local jobs = {}
  for _, name in ipairs(survey.order) do
    local scheme = isa.scheme(name)
    for _, kind in ipairs(scheme and kind_probes.of(scheme) or {}) do
      jobs[#jobs + 1] = { name = name, kind = kind, key = ("probe: %s, %s"):format(name, kind.values), kernels = kind.kernels }
    end
  end
  return jobs
end

-- The time that stands for all lengths.
local function usual(kinds)
  local best
  for _, kind in ipairs(kinds) do
    if not best or math.abs(kind.bytes - usual_bytes) < math.abs(best.bytes - usual_bytes) then best = kind end
  end
  return best
end

local function settle_strings(survey)
  for _, name in ipairs(survey:unsettled(function(name) return isa.scheme(name) and kind_probes.only(isa.scheme(name)) end)) do
    local kinds = survey.facts[name].kinds
    local kind = kinds and usual(kinds)
    if kind then
      survey.facts[name].single = { status = "ok", cycles = kind.cycles }
      survey:settle(name, "input-dependent", ("%.2f cycles for %s; its ports were not asked"):format(kind.cycles, kind.values))
    else
      survey:settle(name, "unsupported here", "no code for it ran")
    end
  end
end

return function(survey)
  if not survey.processor.measure_bodies then return end
  survey:stage("kinds of values")
  local jobs = questions(survey)
  for i, cycles in ipairs(bodies.cycles(survey, jobs, bodies.fastest)) do
    local job = jobs[i]
    local f = survey.facts[job.name]
    if cycles then
      f.kinds = f.kinds or {}
      table.insert(f.kinds, { values = job.kind.values, bytes = job.kind.bytes, cycles = cycles })
    end
  end
  settle_strings(survey)
end
