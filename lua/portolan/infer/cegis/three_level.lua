--- Both queries of Algorithm 4.1 for schemes of several uops, their numbers known (§4.4, docs/inference.md).
--
-- An encoding like `portolan.infer.cegis.two_level`. No set of schemes tells two three-level mappings apart, so the solver is asked for
-- the experiment itself.
-- @module portolan.infer.cegis.three_level
local alternatives = require "portolan.infer.cegis.alternatives"
local core = require "portolan.core"
local state = require "portolan.infer.cegis.state"
local stop = require "portolan.infer.stop"

local three_level = {}

--- Improper blocking instructions (§6.3.4): some uop of the scheme is that of one of the others.
-- @param run the state
-- @param solver of any encoding
-- @return solver; or nil and a message
function three_level.share(run, solver)
  for _, same in ipairs(run.options.same_uop or {}) do
    local among = 0
    for _, name in ipairs(same.among) do among = among | 1 << (run.unknowns.number[name] - 1) end
    local ok, message = solver:same(run.unknowns.number[same.scheme], among)
    if not ok then return nil, ("same_uop of '%s': %s"):format(same.scheme, message) end
  end
  return solver
end

--- A solver without observations.
-- @param run the state
-- @tparam integer ports
-- @return solver; or nil and a message
function three_level.solver(run, ports)
  local o, u, counts = run.options, run.unknowns, state.port_counts(run)
  local solver, message = core.smt.search { schemes = #u.names, uops = u.uops, counts = counts, slots = u.slots, ports = ports,
    epsilon = o.epsilon, rmax = o.rmax, seed = o.seed, slack = o.slack or (o.reading == "asymmetric" and 6 or 0) }
  if not solver then return nil, message end
  return three_level.share(run, solver)
end

--- findOtherMapping: the experiment that tells one of them from the mapping.
-- @return list of one experiment; an empty one if there is none
function three_level.others(run, mapping)
  local other, terms = stop.need(run.search.solver:tell(mapping))
  run.search.stage = #run.unknowns.names
  local in_vain = other and run.asked[run.unknowns:key(terms)] -- with the asymmetric reading both may go with what it gave
  if other and (in_vain or not state.answers(run, terms)) then
    run.wishes[#run.wishes + 1] = { terms = terms, one = mapping, rival = other }
    return {}
  end
  run.search.rival = other or nil
  return other and { terms } or {}
end

--- No experiment tells another mapping from this one: what is open are the choices that no experiment shows.
-- @return no experiments, and the choice
function three_level.settle(run, mapping)
  return {}, { mapping = mapping, open = alternatives.open(run.unknowns, run.search.solver, mapping, run.search.ports), assumed = {} }
end

return three_level
