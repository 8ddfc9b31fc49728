--- Says what floods the ports of a class beside an instance of a scheme: which instruction, how many of it, and how many fillers.
-- @module portolan.infer.chart.blocking.recipe
local constants = require "portolan.infer.chart.constants"
local fitness = require "portolan.infer.chart.fitness"
local lists = require "portolan.support.lists"
local members = require "portolan.infer.chart.members"

local recipe = {}

local room = constants.flood_room
local longer = 1.4 -- factor from one length of floods to the next: few lengths, so that floods alone are measured once for many schemes

-- Lists what keeps a class busy: { class =, share = (copies a cycle) }.
local function parts_of(class) return class.mix or { { class = class, share = class.count } } end

-- Issue slots that a flood takes each cycle; stores may take several each.
local function slots_of(survey, class)
  return lists.sum(parts_of(class), function(part) return part.share * (survey.facts[part.class.representative].issued or 1) end)
end

--- Classes that can block: those that do not already need the whole front end, smallest first.
-- @param survey the survey
-- @param[opt] keep function(class): only those for which it is true
function recipe.blockers(survey, keep)
  local width = survey.rmax
  local function fits(class) return class.count < width and slots_of(survey, class) < width end
  local list = lists.where(survey.classes, function(class) return fits(class) and (not keep or keep(class)) end)
  table.sort(list, lists.least_first("count", "representative"))
  return list
end

--- Cycles that a flood takes at least: more than the instances need, more than their uops need if all that evade do so to one port, and enough for
-- all their slots.
-- @param survey the survey
-- @param class that is flooded
-- @param f facts of the scheme
-- @param instances of it
function recipe.needs(survey, class, f, instances)
  local uops = f.total and f.total.most or f.issued
  local fits = (f.counted_slots or f.issued) / (survey.rmax - slots_of(survey, class))
  return math.max(f.loses_slots and constants.flood_lost or 0, room * instances * math.max(f.single.cycles, f.issued, uops, fits))
end

--- Cycles of a flood, one of few lengths.
-- @param survey the survey
-- @param class that is flooded
-- @param f facts of the scheme
-- @param instances of it
function recipe.cycles(survey, class, f, instances)
  local cycles, needs = constants.flood_cycles, recipe.needs(survey, class, f, instances)
  while cycles < needs do cycles = math.ceil(longer * cycles) end
  return cycles
end

-- Returns what floods a class next to such a scheme as a job's: the representative, or what portolan.infer.chart.blocking.flood took.
local function blocker(class, job) return class.beside and class.beside[job.kind] or class.representative end

-- A fit member of a class, of that mode; nil if there is none.
local function member_of(survey, class, mode)
  return lists.first(class.members, function(member) return survey.processor:mode(member) == mode and not fitness.trouble(survey, member) end)
end

--- The experiment of a job's flood with instances of its scheme; without them, with as many fillers as these have slots.
-- @param survey the survey
-- @param job blocking/job
-- @param cycles of the flood
-- @param filled share of the front end that all take
-- @param instances of the scheme
-- @param[opt] alone true: without them
function recipe.experiment(survey, job, cycles, filled, instances, alone)
  local k, e = math.ceil(slots_of(survey, job.class) * cycles), {}
  for _, part in ipairs(parts_of(job.class)) do e[blocker(part.class, job)] = math.ceil(part.share * cycles) end
  local name, slots = not alone and job.name, instances * job.slots
  for _, part in ipairs(parts_of(job.class)) do filled = math.min(filled, part.class.issue_filled or 1) end
  if job.sparse then filled = filled * constants.flood_sparse end
  if survey.filler then
    local nops = math.max(0, math.floor(filled * survey.rmax * cycles - k - slots)) + (name and 0 or slots)
    e[survey.filler] = nops > 0 and survey:fillers_of(nops) or nil
  end
  if name then e[name] = (e[name] or 0) + instances end
  return e
end

--- Lists what may flood a class next to a job's scheme, the first before the others. A core that clocks itself down for wide vectors is measured
-- a little differently then; a flood and its instance are to be alike: a member of that mode comes first. Loads and stores hold up some
-- instructions and spare others of the same ports: next to them a few members are tried, those first that do something else with registers (on a
-- Redwood Cove a store costs two additions beside those of two registers, and nothing beside `not r64`).
function recipe.candidates(survey, class, job)
  local list, seen = {}, { [job.name] = true }
  local function add(name)
    if name and not seen[name] then list[#list + 1], seen[name] = name, true end
  end
  if job.mode and survey.processor:mode(class.representative) ~= job.mode then add(member_of(survey, class, job.mode)) end
  add(class.representative)
  local others = job.memory and class.members or {}
  for _, member in ipairs(lists.joined(members.unlike(survey, class, others, #others), others)) do
    if #list < constants.flood_candidates and not fitness.trouble(survey, member) then add(member) end
  end
  return list
end

return recipe
