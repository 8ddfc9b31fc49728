--- Stage: schemes of several uops tell what the front end hides of the classes.
--
-- Where two classes together have more ports than the front end issues instructions, schemes of one uop cannot tell whether they
-- share any (section 6.3.4 met that on Zen+: the ports of add). A scheme of several uops, known by blocking as so many of these
-- classes, takes fewer issue slots for them: its measurements are observations of the classes' uops.
-- @module portolan.infer.explain.dense
local blocking = require "portolan.infer.explain.blocking"
local ports = require "portolan.infer.explain.ports"

local most_mixed = 40 -- schemes of several classes whose time alone is an observation

-- The uops of a scheme as copies of classes' representatives; nil if they are not all located.
local function as_classes(f)
  if f.status ~= "explained" or not f.parts or f.assumed then return nil end
  local e, distinct = {}, 0
  for _, part in ipairs(f.parts) do
    if part.class.improper then return nil end
    e[part.class.representative], distinct = part.uops, distinct + 1
  end
  return e, distinct
end

-- For each class the scheme that has most uops of it per issue slot, and of no other: class -> { name=, uops=, slots= }.
local function stand_ins(survey)
  local best = {}
  for _, class in ipairs(survey.classes) do
    if class.ports and not class.improper then best[class] = { name = class.representative, uops = 1, slots = 1 } end
  end
  for _, name in ipairs(survey.order) do
    local f = survey.facts[name]
    local e, distinct = as_classes(f)
    if e and distinct == 1 and not (f.memory.reads or f.memory.writes) then
      local part = f.parts[1]
      if part.uops / f.slots > best[part.class].uops / best[part.class].slots then
        best[part.class] = { name = name, uops = part.uops, slots = f.slots }
      end
    end
  end
  return best
end

-- Observations of pairs of stand-ins around saturation, as `{experiment of representatives, cycles, cycles of the front end}`.
local function pair_observations(survey, best)
  local list, meant = {}, {}
  for i, a in ipairs(survey.classes) do
    for j, b in ipairs(survey.classes) do
      local x, y = best[a], best[b]
      local hidden = x and y and (a.ambiguous and (j > i or not b.ambiguous)) and a.count + b.count > survey.rmax
      if hidden and (x.uops > x.slots or y.uops > y.slots) then
        for _, fold in ipairs { 1, 2 } do -- whole numbers of instances, about as many uops as ports
          local m, n = math.max(1, fold * a.count // x.uops), math.max(1, fold * b.count // y.uops)
          local e = { [a.representative] = m * x.uops, [b.representative] = n * y.uops }
          list[#list + 1] = { [x.name] = m, [y.name] = n }
          meant[#list] = { e = e, floor = (m * x.slots + n * y.slots) / survey.rmax }
        end
      end
    end
  end
  local observations = {}
  for k, result in ipairs(survey:measure(list)) do
    if result.status == "ok" then observations[#observations + 1] = { meant[k].e, result.cycles, meant[k].floor } end
  end
  return observations
end

-- Observations of schemes of several classes alone.
local function mixed_observations(survey)
  local list = {}
  for _, name in ipairs(survey.order) do
    local f = survey.facts[name]
    local e, distinct = as_classes(f)
    if e and distinct > 1 and #list < most_mixed then
      list[#list + 1] = { e, f.single.cycles, f.slots / survey.rmax }
    end
  end
  return list
end

-- What was settled by the classes' ports is open again.
local function reopen(survey)
  for name in pairs(survey.blocked) do
    local f = survey.facts[name]
    f.status, f.note, f.uops, f.parts, f.assumed, f.witnesses = nil, nil, nil, nil, nil, {}
  end
end

return function(survey)
  local doubtful = false
  for _, class in ipairs(survey.classes) do doubtful = doubtful or class.ambiguous end
  if not doubtful then return end
  survey:stage("ports behind the front end")
  local observations = mixed_observations(survey)
  table.move(pair_observations(survey, stand_ins(survey)), 1, 10000, #observations + 1, observations)
  if #observations == 0 then return end
  local outcome = ports.infer(survey, observations)
  if not outcome or not outcome.mapping then return end
  ports.adopt(survey, outcome)
  reopen(survey)
  blocking.explain(survey)
end
