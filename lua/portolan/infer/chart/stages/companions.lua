--- Stage: takes off what stood around instances (portolan.mapping.companions). Everything before saw schemes with their companions, as experiments
-- have them; the mapping says what a scheme is alone.
-- @module portolan.infer.chart.stages.companions
local companions = require "portolan.mapping.companions"
local mapping = require "portolan.mapping"
local memory_uops = require "portolan.mapping.memory_uops"
local port_set = require "portolan.mapping.ports"

local found = { explained = true, ["slower than ports"] = true, ["input-dependent"] = true }

-- Returns what a scheme and its companions are known to be; its uops are nil if nothing is known.
local function with_companions(f)
  local uops = found[f.status] and f.uops or f.status == "eliminated at rename" and {} or nil
  return { uops = uops, slots = f.slots, companions = f.companions }
end

-- Issue slots of a scheme whose own cannot be counted: one for each uop, but for those that share one by micro-fusion.
local function slots_by_uops(name, uops)
  return math.max(1, port_set.uops(uops) - memory_uops.beyond_slots(name))
end

return function(survey)
  local all, any = {}, false
  for _, name in ipairs(survey.order) do
    all[name] = with_companions(survey.facts[name])
    any = any or survey.facts[name].companions ~= nil or survey.facts[name].loses_slots
  end
  if not any then return end
  survey:stage("companions")
  local own, why = companions.apart(all)
  for _, name in ipairs(survey.order) do
    local f = survey.facts[name]
    if (f.companions or f.loses_slots) and own[name] then
      f.own = own[name]
      if f.loses_slots then f.own.slots = slots_by_uops(name, f.own.uops) end
      if f.status == "explained" and #f.own.uops == 0 then
        survey:settle(name, "eliminated at rename", ("with %s it has the uops of these alone: no port executes it"):format(
          table.concat(f.companions, ", ")))
      end
    end
    if why[name] and all[name].uops then
      survey:settle(name, "not told apart", ("with %s it is %s; %s"):format(table.concat(f.companions, ", "), mapping.usage(all[name]), why[name]))
    end
  end
end
