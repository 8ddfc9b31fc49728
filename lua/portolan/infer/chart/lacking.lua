--- Notes what a record lacks: a chart of recorded measurements asks for experiments that nobody measured. A decision that needs one stays open, and
-- what was concluded without it is taken back.
--
-- Stages note the schemes that an absent experiment is about (`lacking.note`). Open are those, the members of a class whose representative is
-- one, and the classes whose ports the recorded experiments leave open. Open schemes of one uop might have blocked ports that now nothing
-- blocks, so that uops seem to have more ports than they do: then a claim by blocking stands only if what the scheme takes alone excludes fewer
-- ports, and nothing is said of stores and of elimination beside floods.
-- @module portolan.infer.chart.lacking
local constants = require "portolan.infer.chart.constants"
local experiment = require "portolan.experiment"
local lists = require "portolan.support.lists"
local plural = require "portolan.support.plural"

local lacking = {}

--- Is the processor a record that lacks something? One that has all that is asked is charted as what it was recorded of.
function lacking.is_record(survey) return survey.incomplete or false end

--- Does what the record lacks leave open what it says? Not where it compares some schemes with all others: it is then as good as a processor that is
-- asked no more.
function lacking.leaves_open(survey) return lacking.is_record(survey) and not survey.compared end

--- Notes an experiment that the record lacks, with the scheme that it is about, unless that is settled.
-- @param survey the survey
-- @param name scheme
-- @param e experiment
-- @param result of measuring it
function lacking.note(survey, name, e, result)
  local f = survey.facts[name]
  if result.status ~= "not recorded" or not f or f.status then return end
  f.lacks = f.lacks or {}
  f.lacks[#f.lacks + 1] = e
end

--- Opens a scheme: nothing is claimed of it.
-- @param survey the survey
-- @param name scheme
-- @param why a sentence; otherwise what the record lacks
function lacking.open(survey, name, why)
  survey:lack()
  local f = survey.facts[name]
  local first = f.lacks and f.lacks[1]
  why = why or first and ("the record lacks %s it, such as %s"):format(
    plural(#f.lacks, "experiment that decides", "experiments that decide"), experiment.format(first)) or "the record lacks experiments that decide it"
  f.uops, f.parts, f.assumed = nil, nil, nil
  survey:settle(name, "not recorded", why)
end

-- Is there an open scheme that might be a blocking instruction? One that is as fast as the front end blocks nothing.
local function blocker_is_open(survey)
  for _, name in ipairs(survey.order) do
    local f = survey.facts[name]
    local uops = f.total and f.total.most or survey.processor.uops and survey.processor.uops[name] or 1
    local fast = f.single and f.single.cycles and survey.rmax and f.single.cycles < constants.consistent_slower / survey.rmax
    if not fast and f.status == "not recorded" and uops == 1 and not f.memory.writes then return true end
  end
  return false
end

-- Does what a scheme takes alone exclude that one of its uops has fewer ports than it seems?
local function shown_alone(f)
  for _, uop in ipairs(f.uops or {}) do
    local ports = #uop[1]
    if ports > 1 and not (f.single and f.single.cycles < (1 - constants.witness_tolerance) / (ports - 1)) then return false end
  end
  return true
end

-- Classes of which a representative is open, or the ports: their members are.
local function open_classes(survey)
  for _, class in ipairs(survey.classes) do
    if survey.facts[class.representative].lacks or class.open then
      for _, member in ipairs(class.members) do
        if survey.facts[member].status ~= "not recorded" then lacking.open(survey, member, class.open) end
      end
      class.ports = nil
    end
  end
end

-- Schemes that are members of no class, or of a class of stores: what is said of them rests on what can be blocked.
local function resting_on_blocking(survey)
  local proper = {}
  for _, class in ipairs(survey.classes) do
    for _, member in ipairs(not class.improper and class.members or {}) do proper[member] = true end
  end
  return lists.where(survey.order, function(name) return not proper[name] end)
end

-- A claim that does not stand where an open scheme might have blocked more.
local function is_doubtful(survey, name)
  local f = survey.facts[name]
  if f.together then return false end
  if f.status == "explained" then return f.memory.writes or not shown_alone(f) end
  if f.status == "eliminated at rename" then return not f.chain and name ~= survey.filler end
  return f.status == "contradicting" or f.status == "slower than ports"
end

--- Takes back what was concluded without experiments that the record lacks; with any other processor nothing.
function lacking.take_back(survey)
  if not lacking.leaves_open(survey) then return end
  for _, name in ipairs(survey.order) do
    local f = survey.facts[name]
    if f.lacks and f.status and f.status ~= "not recorded" then lacking.open(survey, name) end
  end
  open_classes(survey)
  if not blocker_is_open(survey) then return end
  for _, name in ipairs(resting_on_blocking(survey)) do
    if is_doubtful(survey, name) then
      lacking.open(survey, name, "schemes that might block fewer ports are open: the record lacks experiments with them")
    end
  end
end

--- Lists what is open, for people who could measure it.
-- @return list of `{ scheme =, experiments = { texts } }` in the order of the set
function lacking.list(survey)
  local list = {}
  for _, name in ipairs(survey.order) do
    local f = survey.facts[name]
    if f.status == "not recorded" then
      local texts = lists.map(f.lacks or {}, experiment.format)
      list[#list + 1] = { scheme = name, experiments = texts }
    end
  end
  return list
end

return lacking
