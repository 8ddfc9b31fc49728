--- Stage: schemes that take more issue slots than they have uops (the front ends of Arm cores charge some vectors two).
--
-- Slots stand for uops before. Where floods reach all ports that there are, and some of the uops expected are on none, either the front end has a
-- rule of its own, or there are ports that nothing else shows. It is taken for a rule only if several schemes are so, all without memory operands
-- (stores have ports that nothing else shows), and each beside another one runs as fast as both take slots: a port that they had in common would
-- hold them up. Ports that are too many to limit anything are not excluded, and the note says so; they would not change any prediction.
-- @module portolan.infer.chart.stages.dispatch
local constants = require "portolan.infer.chart.constants"
local lists = require "portolan.support.lists"
local mapping = require "portolan.mapping"
local plural = require "portolan.support.plural"
local port_set = require "portolan.ports"
local refine = require "portolan.infer.chart.blocking.refine"
local verdict = require "portolan.infer.chart.blocking.verdict"

local function is_open(survey, name)
  local f = survey.facts[name]
  local jobs, t = survey.blocked and survey.blocked[name], f.total
  local counted = t and f.slots and f.slots > 1 and t.most == f.slots and not t.doubtful and not t.vague and not t.sequenced
  local measured = jobs and not lists.any(jobs, function(job) return job.trouble end)
  return f.status == "contradicting" and counted and measured and not (f.memory.reads or f.memory.writes or f.breakers)
end

-- The uops that floods show, whatever the slots say, as mapping entries; nil if they are not clear, or are all.
local function located(survey, name)
  local f = survey.facts[name]
  local total = f.total
  f.total = { least = 1, most = total.most }
  local uops, n, doubt = refine.attribute(survey, name, false)
  f.total = total
  local clear = uops and doubt.lead >= survey.lead and doubt.short <= constants.uops_low
  if not clear or n == 0 or n >= total.least then return nil end
  return lists.map(uops, function(uop) return { uop.ports, uop.uops } end)
end

-- Schemes with the uops that they would have: list of `{ name =, uops = }`.
local function candidates(survey)
  local list = {}
  if verdict.wide_class(survey) or survey.counting.source ~= "issue slots" then return list end
  for _, name in ipairs(survey.order) do
    local uops = is_open(survey, name) and located(survey, name)
    if uops then list[#list + 1] = { name = name, uops = uops } end
  end
  return list
end

-- One candidate for each different set of uops: what the others are tried beside.
local function kinds(list)
  return lists.distinct(list, function(candidate)
    return table.concat(lists.map(candidate.uops, function(uop) return port_set.key(uop[1]) .. "*" .. uop[2] end), " ")
  end)
end

-- What would be: the candidates' ports with and without the limit of the front end.
local function models(survey, list)
  local schemes = {}
  for _, candidate in ipairs(list) do schemes[candidate.name] = { uops = candidate.uops, slots = survey.facts[candidate.name].slots } end
  local function model(rmax) return assert(mapping.compile { ports = survey.ports, rmax = rmax, schemes = schemes }) end
  return model(survey.rmax or survey.width), model(nil)
end

-- Gives each candidate the experiment with another one (or itself) that takes longest in the front end, compared with its ports, and the cycles of
-- it; those where the front end limits one.
local function limited(survey, list)
  local with, without = models(survey, list)
  local partners = kinds(list)
  return lists.where(list, function(candidate)
    local most = constants.dispatch_bound
    for _, other in ipairs(partners) do
      local e = { [candidate.name] = 1 }
      e[other.name] = (e[other.name] or 0) + 1
      local cycles = with:throughput(e)
      local ratio = cycles / without:throughput(e)
      if ratio > most then candidate.e, candidate.cycles, most = e, cycles, ratio end
    end
    return candidate.e ~= nil
  end)
end

-- Settles a scheme by the uops that were located.
local function adopt(survey, candidate, cycles, many)
  local name = candidate.name
  local f = survey.facts[name]
  local n = port_set.uops(candidate.uops)
  f.total = { least = 1, most = f.total.most }
  f.status, f.note, f.uops, f.parts, f.assumed, f.witnesses, f.proofs = nil, nil, nil, nil, nil, {}, nil
  verdict.settle(survey, name, survey.blocked[name])
  if f.status ~= "explained" then return end
  local says = ("%d slots and %s: the front end limits it, no further port"):format(f.slots, plural(n, "uop"))
  survey:witness(name, candidate.e, cycles, candidate.cycles, says, "shows")
  survey:settle(name, "explained", ("it takes %d issue slots with %s, as %d schemes take more slots than uops: a rule of the front end, or "
    .. "uops on ports that never limit it"):format(f.slots, plural(n, "uop"), many))
end

return function(survey)
  local list = candidates(survey)
  if #list < constants.dispatch_least then return end
  survey:stage("slots beyond uops")
  list = limited(survey, list)
  local results = survey:measure(lists.map(list, function(candidate) return candidate.e end))
  local fast = {}
  for i, result in ipairs(results) do
    local as_fast = result.status == "ok" and math.abs(result.cycles / list[i].cycles - 1) <= constants.dispatch_exact
    if as_fast then fast[#fast + 1] = { candidate = list[i], cycles = result.cycles } end
  end
  if #fast < constants.dispatch_least then return end
  for _, found in ipairs(fast) do adopt(survey, found.candidate, found.cycles, #fast) end
end
