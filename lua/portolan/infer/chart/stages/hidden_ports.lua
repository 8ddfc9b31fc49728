--- Stage: schemes of several uops tell what the front end hides of the classes.
--
-- Where two classes together have more ports than the front end issues instructions, schemes of one uop cannot tell whether they
-- share any (section 6.3.4 met that on Zen+: the ports of add). A scheme of several uops, known by blocking as so many of these
-- classes, takes fewer issue slots for them: its measurements are observations of the classes' uops.
-- @module portolan.infer.chart.stages.hidden_ports
local constants = require "portolan.infer.chart.constants"
local lists = require "portolan.support.lists"
local several_uops = require "portolan.infer.chart.stages.several_uops"
local experiment = require "portolan.experiment"
local ports = require "portolan.infer.chart.stages.class_ports"

-- The uops of a scheme as copies of classes' representatives; nil if they are not all located.
local function as_classes(f)
  if f.status ~= "explained" or not f.parts then return nil end
  local e, distinct = {}, 0
  for _, part in ipairs(f.parts) do
    if part.class.improper or part.class.wide then return nil end
    e[part.class.representative], distinct = part.uops, distinct + 1
  end
  return e, distinct
end

-- The cheapest scheme, in issue slots per uop, of each class, and of each pair of classes that has one uop of each:
-- `best[class]` and `best[a][b]` = { name =, uops = (of one class), slots = }.
local function stand_ins(survey)
  local own, both = {}, {}
  for _, class in ipairs(survey.classes) do
    if class.ports and not class.improper then
      own[class], both[class] = { name = class.representative, uops = 1, slots = 1 }, {}
    end
  end
  for _, name in ipairs(survey.order) do
    local f = survey.facts[name]
    local e, distinct = as_classes(f)
    if e and not f.memory.writes then
      local a, b = f.parts[1], f.parts[2]
      if distinct == 1 and a.uops / f.issued > own[a.class].uops / own[a.class].slots then
        own[a.class] = { name = name, uops = a.uops, slots = f.issued }
      elseif distinct == 2 and a.uops == b.uops and f.issued < a.uops + b.uops and not both[a.class][b.class] then
        both[a.class][b.class] = { name = name, uops = a.uops, slots = f.issued }
        both[b.class][a.class] = both[a.class][b.class]
      end
    end
  end
  return own, both
end

-- An experiment of as many uops of both classes as they have ports (twice as many, ...), in few issue slots: what it is of schemes, and of
-- representatives; nil if the front end hides the ports nevertheless.
local function saturating(survey, a, b, fold, own, both)
  local wanted, e, slots = { [a] = fold * a.count, [b] = fold * b.count }, {}, 0
  local function add(scheme, n)
    if n > 0 then e[scheme.name], slots = (e[scheme.name] or 0) + n, slots + n * scheme.slots end
  end
  local pair = both[a][b]
  if pair then
    local n = math.min(wanted[a], wanted[b]) // pair.uops
    add(pair, n)
    wanted[a], wanted[b] = wanted[a] - n * pair.uops, wanted[b] - n * pair.uops
  end
  for _, class in ipairs { a, b } do
    local n = wanted[class] // own[class].uops
    add(own[class], n)
    wanted[class] = wanted[class] - n * own[class].uops
  end
  local meant = { [a.representative] = fold * a.count - wanted[a], [b.representative] = fold * b.count - wanted[b] }
  local floor = slots / survey.rmax
  local hides = floor >= (a.count + b.count) * fold / (a.count + b.count - 1)
  if hides then return nil end
  return e, { e = meant, floor = floor }
end

-- Is this what some number of common ports would make of it? Other slowness is a binder's, and no sign of any.
local function is_exact(cycles, e, a, b)
  local uops = e[a.representative] + e[b.representative]
  for count = math.max(a.count, b.count), a.count + b.count do
    if math.abs(cycles - uops / count) <= constants.witness_tolerance * cycles then return true end
  end
  return false
end

-- Observations of pairs of classes around saturation, as `{experiment of representatives, cycles, cycles of the front end}`; where nothing follows
-- from slowness, the front end is said to take all of it.
local function pair_observations(survey)
  local own, both = stand_ins(survey)
  local list, meant = {}, {}
  for i, a in ipairs(survey.classes) do
    for j, b in ipairs(survey.classes) do
      local open = own[a] and own[b] and a.ambiguous and (j > i or not b.ambiguous) and a ~= b
      for fold = 1, open and a.count + b.count > survey.rmax and constants.hidden_folds or 0 do
        local e, what = saturating(survey, a, b, fold, own, both)
        if e then
          what.a, what.b = a, b
          list[#list + 1], meant[#meant + 1] = e, what
        end
      end
    end
  end
  local observations = {}
  for k, result in ipairs(survey:measure(list)) do
    if result.status == "ok" then
      local what = meant[k]
      observations[#observations + 1] = { what.e, result.cycles, is_exact(result.cycles, what.e, what.a, what.b) and what.floor or result.cycles }
    end
  end
  return observations
end

-- Observations of schemes of several classes alone. Of those with the same uops the fastest counts. That it is slow is a sign of shared ports only
-- if another one is: a single scheme may be held up by anything.
local function mixed_observations(survey)
  local list, of = {}, {}
  for _, name in ipairs(survey.order) do
    local f = survey.facts[name]
    local e, distinct = as_classes(f)
    local key = e and distinct > 1 and experiment.key(e)
    if key and of[key] then
      of[key].floor = math.min(of[key].floor or math.huge, f.issued / survey.rmax)
      of[key].cycles = math.min(of[key].cycles, f.single.cycles)
    elseif key and #list < constants.noise_sample then
      list[#list + 1] = { e = e, cycles = f.single.cycles }
      of[key] = list[#list]
    end
  end
  return lists.map(list, function(o) return { o.e, o.cycles, o.floor or o.cycles } end)
end

-- What was settled by the classes' ports is open again.
local function reopen(survey)
  for name in pairs(survey.blocked) do
    local f = survey.facts[name]
    f.status, f.note, f.uops, f.parts, f.assumed, f.witnesses, f.proofs = nil, nil, nil, nil, nil, {}, nil
  end
end

return function(survey)
  local doubtful = lists.any(survey.classes, function(class) return class.ambiguous end)
  if not doubtful then return end
  survey:stage("ports behind the front end")
  local observations = mixed_observations(survey)
  local of_pairs = pair_observations(survey)
  table.move(of_pairs, 1, #of_pairs, #observations + 1, observations)
  if #observations == 0 then return end
  local outcome = ports.infer(survey, observations)
  if not outcome or not outcome.mapping then return end
  ports.adopt(survey, outcome)
  reopen(survey)
  several_uops.explain(survey)
end
