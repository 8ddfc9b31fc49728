--- Stage: who is eliminated at rename, and needs no port?
--
-- It is a scheme that is as fast as the rename width allows, while a chain of dependent instances takes less than a cycle per link, which nothing
-- that is executed can do. The NOP that fills the front end beside floods cannot be chained: that it needs no port is postulated, there
-- and here. What else cannot be chained is left to portolan.infer.chart.stages.elimination.
--
-- Some cores eliminate only a part of the instances: a chain is as fast then, but alone the scheme is slower than rename, or as fast as if
-- it had more ports than those that execute the rest.
-- @module portolan.infer.chart.stages.rename
local constants = require "portolan.infer.chart.constants"
local core = require "portolan.core"
local lists = require "portolan.support.lists"

local rename = {}

--- Is a scheme as fast as its issue slots can be renamed, and those of its breakers?
function rename.at_width(survey, f) return f.single.cycles < constants.consistent_slower * (f.issued or f.slots or 1) / survey.width end

--- Settles a scheme as eliminated.
-- @param survey the survey
-- @param name scheme
-- @param why text: how that is known
-- @param[opt] share of the instances that are executed nevertheless
function rename.settle(survey, name, why, share)
  local f = survey.facts[name]
  f.slots, f.issued = f.slots or 1, f.issued or 1
  local note = ("%.2f a cycle alone, %s"):format(1 / f.single.cycles, why)
  if share then note = ("%s; %.0f%% of its instances are executed nevertheless"):format(note, 100 * share) end
  survey:settle(name, "eliminated at rename", note)
  local says = share and "alone" or "alone: as fast as the front end"
  survey:witness(name, { [name] = 1 }, f.single.cycles, not share and f.issued / survey.width or nil, says, "shows")
end

--- Does a scheme write nothing and read no memory? Then there is nothing to execute: floods will tell (stages/elimination).
function rename.does_nothing(name, memory)
  local scheme = core.isa.scheme(name)
  local idle = scheme and not scheme.branch and not memory.reads and not memory.writes
  return idle and not lists.any(scheme.operands, function(operand) return operand.access:find("w", 1, true) ~= nil end) or false
end

--- Does a scheme work on registers, and write one at most? What exchanges them makes no chain.
function rename.can_be_chained(name, f)
  local scheme = core.isa.scheme(name)
  return scheme ~= nil and not f.memory.reads and not f.memory.writes and lists.count(scheme.operands, function(operand)
    return operand.kind == "register" and operand.class ~= "flags" and operand.access:find("w", 1, true) ~= nil
  end) < 2
end

--- Chains schemes, and settles those of which a link takes less than a cycle.
-- @param survey the survey
-- @tparam {string,...} names of schemes that write one register
function rename.chain(survey, names)
  local chains, message = survey.processor:chain_latency(names)
  if not chains then survey:fail(message) end
  for i, name in ipairs(names) do
    local f = survey.facts[name]
    f.chain = chains[i] or nil
    if f.chain and f.chain < constants.chain_executed then
      local full = rename.at_width(survey, f)
      local why = ("and a chain of dependent instances takes %.2f cycles a link: %s"):format(f.chain,
        full and "no port executes it" or "no port executes most of its instances, or all")
      rename.settle(survey, name, why, not full and f.chain or nil)
    end
  end
end

--- The stage.
function rename.__call(_, survey)
  survey:stage("eliminated at rename")
  rename.chain(survey, survey:unsettled(function(name, f)
    return rename.can_be_chained(name, f) and f.single.cycles < (f.slots or 1) / (constants.rename_fast * survey.width)
  end))
  local filler = survey.facts[survey.filler]
  if filler and not filler.status and rename.at_width(survey, filler) then
    rename.settle(survey, survey.filler, "and it does nothing: no port executes it (a postulate)")
  end
end

return setmetatable(rename, rename)
