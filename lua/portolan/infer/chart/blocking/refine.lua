--- Finds out what the floods that were asked come to, and which others that needs.
-- @module portolan.infer.chart.blocking.refine
local attribute = require "portolan.infer.chart.blocking.attribute"
local constants = require "portolan.infer.chart.constants"
local flood = require "portolan.infer.chart.blocking.flood"
local lists = require "portolan.support.lists"
local port_set = require "portolan.mapping.ports"
local totals = require "portolan.infer.chart.blocking.totals"

local refine = {}

local function answer(survey, jobs, known)
  local uops, located, doubt = attribute.of(jobs, known, survey.effects)
  return { uops = uops, located = located, doubt = doubt }
end

-- A scheme that writes memory, reads none and has nevertheless a uop on the ports of loads: that may be a store's address, which shows there. The
-- better one of an answer and this.
local function addressed_by_loads(survey, jobs, known, a)
  if known.memory.reads or not known.memory.writes then return a end
  known.addressed_by_loads = true
  local other = answer(survey, jobs, known)
  known.addressed_by_loads = nil
  local shows = lists.any(other.uops or {}, function(uop) return uop.class.loads end)
  return shows and (not a.uops or other.doubt.cost < a.doubt.cost - constants.price_odd) and other or a
end

--- The best answer by what is measured so far.
-- @param survey the survey
-- @param name scheme
-- @param hidden true if there are ports that cannot be blocked
-- @return `{ uops =, located =, doubt = }`, what portolan.infer.chart.blocking.attribute returns; nil `uops`: nothing fits
function refine.answer(survey, name, hidden)
  local jobs, known = survey.blocked[name], totals.known(survey, name, hidden)
  local a = answer(survey, jobs, known)
  local poor = not a.uops or a.doubt.cost >= constants.refine_clear
  return poor and addressed_by_loads(survey, jobs, known, a) or a
end

--- Returns by how many squared standard deviations an answer must be ahead of others: the more, the greedier the core binds its uops.
-- @param survey the survey
-- @param classes that block
function refine.lead(survey, classes)
  local excess, n = 0, 0
  for _, row in ipairs(classes) do
    for _, column in ipairs(classes) do
      local part = #column.ports < #row.ports and port_set.within(column.ports, row.ports)
      local effect = part and survey.effects(row, column)
      if effect then excess, n = excess + effect - 1, n + 1 end
    end
  end
  return math.min(constants.lead_most, constants.lead_least + (n > 0 and constants.lead_greed * math.max(0, excess / n) or 0))
end

-- Answers schemes, and measures floods of sets that the best answers have uops on, where these were not asked, until there are no more: what they say
-- may change the answer. Nothing is answered where a flood failed.
local function answer_all(survey, names, hidden, answers)
  while #names > 0 do
    local jobs = {}
    for _, name in ipairs(names) do
      local failed = lists.any(survey.blocked[name], function(job) return job.trouble end)
      answers[name] = not failed and refine.answer(survey, name, hidden) or nil
      for _, uop in ipairs(answers[name] and answers[name].uops or {}) do jobs[#jobs + 1] = not uop.job.count and uop.job or nil end
    end
    flood.measure(survey, jobs)
    names = lists.distinct(lists.map(jobs, function(job) return job.name end))
  end
end

-- Is a uop what was to be expected: one that the same operation has on registers, or its load?
local function is_expected(survey, name, uop)
  if uop.class.loads and survey.facts[name].memory.reads then return true end
  local known = totals.known(survey, name, false)
  local like = known.relative and known.relative.uops or known.like
  return like ~= nil and lists.any(like, function(other) return port_set.same(other[1], uop.ports) and other[2] == uop.uops end)
end

-- Floods that show other uops than expected are measured with several instances: what they say must add up. Returns the names of which one does not.
local function confirm(survey, names, answers)
  local jobs = {}
  for _, name in ipairs(names) do
    for _, uop in ipairs(answers[name] and answers[name].uops or {}) do
      if uop.job.count and not is_expected(survey, name, uop) then jobs[#jobs + 1] = uop.job end
    end
  end
  return lists.keys(lists.set(lists.map(flood.refuted_by_several(survey, jobs), function(job) return job.name end)))
end

--- Measures what is needed to explain schemes.
-- @param survey the survey; `survey.blocked` has the jobs of all
-- @param names schemes
-- @param hidden true if there are ports that cannot be blocked
-- @return name -> answer (`refine.answer`)
function refine.all(survey, names, hidden)
  local answers = {}
  answer_all(survey, names, hidden, answers)
  answer_all(survey, confirm(survey, names, answers), hidden, answers)
  return answers
end

return refine
