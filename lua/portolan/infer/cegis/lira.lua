--- Both queries of Algorithm 4.1 as the dissertation poses them (§4.2.3, §4.3, §4.4): a reference for the faster encodings.
--
-- An encoding like `portolan.infer.cegis.two_level`, for schemes of one uop and of known numbers of uops alike. The solver is asked for
-- the experiment itself, a short one first.
-- @module portolan.infer.cegis.lira
local alternatives = require "portolan.infer.cegis.alternatives"
local core = require "portolan.core"
local settle = require "portolan.infer.cegis.settle"
local state = require "portolan.infer.cegis.state"
local stop = require "portolan.infer.stop"
local three_level = require "portolan.infer.cegis.three_level"
local two_level = require "portolan.infer.cegis.two_level"
local unknowns = require "portolan.infer.cegis.unknowns"

local lira = {}

--- A solver without observations.
-- @param run the state
-- @tparam integer ports
-- @return solver; or nil and a message
function lira.solver(run, ports)
  local o, u, counts = run.options, run.unknowns, {}
  for i, name in ipairs(u.names) do counts[i] = o.port_counts and o.port_counts[name] or 0 end
  run.search.length, run.search.longer = 1, true
  local solver, message = core.smt.lira { schemes = #u.names, uops = u.uops, counts = counts, slots = u.slots, ports = ports,
    epsilon = o.epsilon, rmax = o.rmax, seed = o.seed }
  if not solver then return nil, message end
  return three_level.share(run, solver)
end

-- Stratified lengths (§4.3): the bound grows as long as the last one brought something to light. Where it did not, the question is
-- put without a bound; if that has an answer, a somewhat longer experiment has.
local function other(search, mapping)
  while true do
    local found, terms = stop.need(search.solver:other(mapping, search.length))
    if found then
      search.longer = true
      return found, terms
    end
    if not search.longer and not stop.need(search.solver:other(mapping)) then return false end
    search.length, search.longer = search.length + 1, false
  end
end

--- findOtherMapping: the experiment that tells one of them from the mapping.
-- @return list of one experiment; an empty one if there is none
function lira.others(run, mapping)
  local found, terms = other(run.search, mapping)
  run.search.stage = #run.unknowns.names
  if found and not state.answers(run, terms) then
    run.wishes[#run.wishes + 1] = { terms = terms, one = mapping, rival = found }
    return {}
  end
  run.search.rival = found or nil
  return found and { terms } or {}
end

-- Finds what is open, from the solver that can answer that: one with the same observations in the default encoding.
local function open(run, mapping)
  local encoding = run.options.uops and three_level or two_level
  local solver, message = encoding.solver(run, run.search.ports)
  stop.need(solver, message)
  if run.budget.deadline < math.huge then solver:deadline(run.budget:seconds_left()) end
  if run.unknowns.given then solver:fix(run.unknowns.given) end
  for _, seen in ipairs(run.observations.list) do solver:observe(seen.terms, seen.bounds) end
  local list, trouble, status = stop.guard((run.options.uops and alternatives or settle).open, run.unknowns, solver, mapping, run.search.ports)
  solver:close()
  stop.need(list, trouble, status)
  if not run.options.uops then settle.note_choice(run.unknowns, list, mapping) end
  return list
end

--- No experiment tells another mapping from this one. The mapping is taken as it is; what the observations leave open is noted.
-- @return no experiments; the choice, unless one port more is allowed
function lira.settle(run, mapping)
  local search = run.search
  if not run.options.uops and search.ports < search.most_ports
    and core.smt.union(mapping, unknowns.first(run.unknowns.rows)) == search.ports then
    return state.allow_port(run)
  end
  return {}, { mapping = mapping, open = open(run, mapping), assumed = {} }
end

return lira
