--- Stage: is what is slower alone than its ports slow beside others, too?
--
-- Such a scheme is taken to keep a unit busy for as long as it takes alone. That is an assumption: branches that stand close to each other wait for
-- what predicts them, and do not where a few other instructions are between (on Zen 3 a jump that is not taken takes a cycle alone, half a cycle
-- beside two loads). So two of them are tried beside instances of the widest class that shares no port with them. What that takes is more than enough
-- for their unit: if it is less than twice the time alone the unit is free sooner.
-- @module portolan.infer.chart.stages.units
local constants = require "portolan.infer.chart.constants"
local lists = require "portolan.support.lists"
local port_set = require "portolan.ports"

local most_beside = 4 -- instances of the other class

-- The widest class without a port of these uops; nil if there is none, or the uops are not known.
local function apart_from(survey, uops)
  local best
  for _, class in ipairs(uops and survey.classes or {}) do
    local free = class.ports and lists.all(uops, function(uop) return #port_set.common(uop[1], class.ports) == 0 end)
    if free and not class.wide and (not best or class.count > best.count) then best = class end
  end
  return best
end

-- The experiments of a scheme: without a unit they would be done before two instances are alone.
local function experiments_of(survey, name, f)
  local class, list = apart_from(survey, f.uops), {}
  for n = 1, class and most_beside or 0 do
    local slots = 2 * ((f.slots or 1) + (f.breakers or 0)) + n
    local free = math.max(n / class.count, slots / survey.width)
    local e = { [name] = 2, [class.representative] = n }
    local can_tell = not survey.processor.answers or survey.processor:answers(e) -- a record may lack it, which leaves nothing else open
    if can_tell and free < constants.consistent_faster * 2 * f.single.cycles then list[#list + 1] = e end
  end
  return list
end

return function(survey)
  survey:stage("units")
  for _, name in ipairs(survey.order) do
    local f = survey.facts[name]
    local list = f.status == "slower than ports" and f.single.cycles and not f.taken and experiments_of(survey, name, f) or {}
    for i, result in ipairs(#list > 0 and survey:measure(list) or {}) do
      local cycles = result.status == "ok" and result.cycles / 2
      if cycles and cycles < constants.consistent_faster * f.single.cycles and cycles < (f.busy or math.huge) then
        f.busy = cycles
        survey:witness(name, list[i], result.cycles, 2 * f.single.cycles, "its unit is free sooner beside others than alone", "shows")
      end
    end
  end
end
