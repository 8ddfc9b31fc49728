--- Evidence for the ports of a class: for every other class the experiment that says most about the two, if any does.
-- @module portolan.infer.chart.port_witnesses
local constants = require "portolan.infer.chart.constants"
local experiment = require "portolan.experiment"
local port_set = require "portolan.mapping.ports"

local telling = constants.telling_ports

-- Returns what an observation of two representatives says about their ports, in words, how strongly (the relative distance to what one shared port
-- more, or fewer if they share any, would give), and in which role. The words are nil if that would give the same.
local function says(counts, ports, o, name, other, limit)
  local e, shared = o.experiment, #port_set.common(ports[name], ports[other])
  local union = counts[name] + counts[other] - shared
  local function takes(size) return math.max(e[name] / counts[name], e[other] / counts[other], limit, (e[name] + e[other]) / size) end
  if shared == 0 then
    local strength = takes(union - 1) / o.cycles - 1
    return strength > telling and ("does not compete with " .. other) or nil, strength, "bounds"
  end
  local strength = 1 - takes(union + 1) / o.cycles
  return strength > telling and ("competes with %s: %d ports for both"):format(other, union) or nil, strength, "shows"
end

-- The other scheme of an observation of this one and one other; nil if there are more, or none.
local function partner(o, name)
  local other, third
  for n in pairs(o.experiment) do
    if n ~= name then third, other = other, n end
  end
  return o.experiment[name] and not third and other or nil
end

--- Notes the evidence as `class.witnesses`.
-- @param survey the survey
-- @param class one of its classes
-- @param outcome of the inference
-- @param ports_of function(outcome, class) -> ports
return function(survey, class, outcome, ports_of)
  local counts, ports, best, name = {}, {}, {}, class.representative
  for _, c in ipairs(survey.classes) do counts[c.representative], ports[c.representative] = c.count, ports_of(outcome, c) end
  for _, o in ipairs(outcome.observations) do
    local other = partner(o, name)
    if other and o.predicted and not class.wide and counts[other] < survey.rmax then
      local text, strength, role = says(counts, ports, o, name, other, experiment.length(o.experiment) / survey.rmax)
      if text and (not best[other] or strength > best[other].strength) then
        local measured = survey.faster[experiment.key(o.experiment)] or o.experiment
        best[other] = { experiment = measured, cycles = o.cycles, expected = o.predicted, says = text, strength = strength, role = role }
      end
    end
  end
  class.witnesses = {}
  for _, c in ipairs(survey.classes) do class.witnesses[#class.witnesses + 1] = best[c.representative] end
end
