--- Stage: does the mapping found explain what each scheme takes alone?
--
-- Faster than its ports allow: the uops are wrong. Slower than both the model and a greedy binder: something else limits it (a unit
-- that is not pipelined, a dependency of a kind the model does not know); its uops stand, but its throughput is not explained
-- by ports.
-- Otherwise with other values in the registers (stages/inputs): its time is not explained, whatever it is with the usual ones.
-- A record may lack what a scheme takes alone: then there is nothing to compare.
-- @module portolan.infer.chart.stages.consistency
local compose = require "portolan.infer.chart.compose"
local constants = require "portolan.infer.chart.constants"
local mapping = require "portolan.mapping"

local faster, slower = constants.consistent_faster, constants.consistent_slower

-- Is there more to what it takes alone than its ports and slots: slots that it loses, what goes with it (in the decoder, or as taken branches)?
local function takes_more(survey, f, expected)
  local cycles = f.single.cycles
  if f.companions and (f.taken or cycles <= constants.consistent_companions * expected) then return true end
  return f.counted_slots and cycles <= slower * f.counted_slots / survey.width
end

local decided = { explained = true, ["slower than ports"] = true, contradicting = true, ["eliminated at rename"] = true }

return function(survey)
  survey:stage("consistency")
  local compiled = mapping.compile(compose.mapping(survey, true))
  for _, name in ipairs(compose.explained(survey)) do
    local f, e = survey.facts[name], { [name] = 1 }
    local expected = compiled:throughput(e)
    if f.single.cycles and f.single.cycles < faster * expected then
      survey:settle(name, "contradicting", ("it takes %.3f cycles alone, less than its ports allow (%.3f)"):format(f.single.cycles, expected))
      survey:witness(name, e, f.single.cycles, expected, "alone", "contradicts")
    elseif f.single.cycles and not takes_more(survey, f, expected) and f.single.cycles > slower * math.max(expected, compiled:bind(e)) then
      survey:settle(name, "slower than ports",
        ("it takes %.3f cycles alone, its ports would do with %.3f: not pipelined, or held up by a dependency"):format(f.single.cycles, expected))
      survey:witness(name, e, f.single.cycles, expected, "alone", "contradicts")
    end
  end
  for name, f in pairs(survey.facts) do
    if f.depends and decided[f.status] then
      f.uops = f.uops or f.status == "eliminated at rename" and {} or nil
      survey:settle(name, "input-dependent", f.depends)
    end
  end
end
