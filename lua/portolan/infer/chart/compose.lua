--- From a survey to what is written: the mapping (`mapping.json`) and the chart (`chart.json`, the report).
-- @module portolan.infer.chart.compose
local lacking = require "portolan.infer.chart.lacking"
local lists = require "portolan.support.lists"
local port_set = require "portolan.mapping.ports"

local compose = {}

-- Classes of schemes whose uops are worth writing down; predictions may lean on those of the first only.
local has_uops = { explained = true, ["slower than ports"] = true, ["input-dependent"] = true }

-- Makes the mapping entry of what fills the front end in blocking experiments, if it is not among the schemes.
local function filler_entry(survey)
  local tp, width = survey.measured_width and 1 / survey.measured_width, survey.width
  local alone = tp and { experiment = survey.filler, cycles = tp, expected = 1 / width, says = "alone: as fast as the front end", role = "shows" }
  return { uops = {}, slots = 1, status = "eliminated at rename", tp = tp, witnesses = { alone },
    note = "fills the front end in blocking experiments" }
end

local function note_of(f)
  if not f.note and f.own and f.companions then
    return ("measured with %s around each instance; its uops are without them"):format(table.concat(f.companions, ", "))
  end
  if f.note or not f.varies or f.status ~= "explained" then return f.note end
  return ("alone it takes now less, now more: %.3f to %.3f cycles"):format(f.varies.low, f.varies.high)
end

-- The uops, issue slots and status of a scheme: with its companions, or what remains without them.
local function resources(f, as_measured)
  local uops, status = has_uops[f.status] and f.uops or f.status == "eliminated at rename" and {} or nil, f.status or "not reached"
  if as_measured or not (f.companions or f.loses_slots) then return uops, f.slots, status end
  if uops and f.own then return f.own.uops, f.own.slots, status end
  return nil, nil, uops and "not reached" or status -- companions are taken off at the end
end

-- Returns the cycles that a scheme takes alone; nil if it was not measured, and of a return: that would be the time of its call and jump, too.
local function time_alone(f)
  return f.single and not (f.taken and f.companions) and f.single.cycles or nil
end

--- The mapping table.
-- @param survey the survey
-- @param[opt] as_measured true: schemes have the uops of their companions, and no `companions`
function compose.mapping(survey, as_measured)
  local schemes = {}
  for _, name in ipairs(survey.order) do
    local f = survey.facts[name]
    local uops, slots, status = resources(f, as_measured)
    schemes[name] = {
      uops = uops, companions = not as_measured and f.companions or nil,
      tp = time_alone(f), busy = f.busy, unit = f.unit, slots = slots, breakers = f.breakers, status = status, note = note_of(f),
      witnesses = f.witnesses, assumed = f.assumed, kinds = f.kinds,
      taken = f.taken,
    }
  end
  if survey.filler and not schemes[survey.filler] then schemes[survey.filler] = filler_entry(survey) end
  local machine = survey.processor:describe()
  return {
    format = "portolan-mapping", version = 1, ports = survey.ports or {}, rmax = survey.rmax, schemes = schemes,
    front_end = survey.front_end, first_cache = survey.first_cache, forms = survey.forms,
    processor = { name = machine.microarchitecture or machine.cpu or survey.processor.name, cpu = machine.cpu,
      family = machine.family, model = machine.model, stepping = machine.stepping },
    provenance = { method = "chart", seed = survey.seed, experiments = survey.experiments },
  }
end

--- Names of the schemes that the mapping explains, sorted.
function compose.explained(survey)
  return lists.where(lists.keys(survey.facts), function(name) return survey.facts[name].status == "explained" end)
end

-- Classes of stores that came out with the same ports are one set of ports to a reader.
local function port_sets(survey)
  local sets, of_stores = {}, {}
  for _, class in ipairs(survey.classes) do
    local key = class.improper and class.ports and port_set.key(class.ports)
    if key and of_stores[key] then
      table.move(class.members, 1, #class.members, #of_stores[key].members + 1, of_stores[key].members)
    elseif class.ports then
      sets[#sets + 1] = {
        ports = class.ports, representative = class.representative, members = table.move(class.members, 1, #class.members, 1, {}),
        assumed = (class.wide or class.ambiguous) and class.ports or nil, witnesses = class.witnesses,
      }
      if key then of_stores[key] = sets[#sets] end
    end
  end
  return sets
end

local function misfits(survey)
  local list = {}
  for _, name in ipairs(survey.order) do
    local f = survey.facts[name]
    if f.status ~= "explained" then
      list[#list + 1] = { scheme = name, status = f.status or "not reached", evidence = f.note, experiments = f.witnesses }
    end
  end
  return list
end

local function noise(machine)
  local all = (machine.accepted or 0) + (machine.rejected or 0)
  return {
    accepted = machine.accepted, rejected = machine.rejected, sentinel = machine.sentinel, timeline = machine.timeline,
    quiet_share = all > 0 and machine.accepted / all or nil,
  }
end

local function stages(survey)
  return lists.map(survey.stages, function(stage) return { name = stage.name, seconds = stage.seconds } end)
end

--- The chart: everything the report shows.
-- @param survey the survey
-- @param parts `mapping`, `evaluation`, `partial`, `title`, `version`, `command`, `seconds`, `counters`,
-- `latency`, `unfinished` (portolan.infer.chart.plan), `ending` (portolan.infer.chart.ending)
function compose.chart(survey, parts)
  local machine = survey.processor:describe()
  local n = noise(machine)
  n.unstable = parts.evaluation and parts.evaluation.unstable
  machine.timeline, machine.counters = nil, parts.counters
  return {
    title = parts.title, date = os.date("!%Y-%m-%d %H:%M UTC"), version = parts.version, seconds = parts.seconds,
    partial = parts.partial or nil, failure = parts.failure, ending = parts.ending,
    machine = machine, noise = n, rmax = survey.rmax, mapping = parts.mapping,
    port_sets = port_sets(survey), groups = survey.groups, misfits = misfits(survey), evaluation = parts.evaluation,
    open = survey.processor.experiments and lacking.list(survey) or nil,
    inference = survey.inference, filling = survey.filling, counting = survey.counting, agreement = survey.agreement, trial = survey.trial,
    opinion = survey.opinion,
    disagreements = parts.disagreements, latency = parts.latency, stages = stages(survey),
    provenance = { seed = survey.seed, command = parts.command, experiments = survey.experiments, unfinished = parts.unfinished },
  }
end

return compose
