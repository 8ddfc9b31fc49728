--- Both queries of Algorithm 4.1 as the dissertation poses them (§4.2.3, §4.3, §4.4): a reference for the faster encodings.
--
-- An encoding like `portolan.infer.cegis.two_level`, for schemes of one uop and of known numbers of uops alike. The solver is asked for
-- the experiment itself, a short one first.
-- @module portolan.infer.cegis.lira
local alternatives = require "portolan.infer.cegis.alternatives"
local core = require "portolan.core"
local settle = require "portolan.infer.cegis.settle"
local state = require "portolan.infer.cegis.state"
local three_level = require "portolan.infer.cegis.three_level"
local two_level = require "portolan.infer.cegis.two_level"
local unknowns = require "portolan.infer.cegis.unknowns"

local lira = {}

--- A solver without observations.
-- @param run the state
-- @tparam integer ports
-- @return search; or nil and a message
function lira.search(run, ports)
  local o, u, counts = run.options, run.unknowns, {}
  for i, name in ipairs(u.names) do counts[i] = o.port_counts and o.port_counts[name] or 0 end
  run.length, run.longer = 1, true
  local search, message = core.smt.lira { schemes = #u.names, uops = u.uops, counts = counts, slots = u.slots, ports = ports,
    epsilon = o.epsilon, rmax = o.rmax, seed = o.seed }
  if not search then return nil, message end
  return three_level.share(run, search)
end

--- findMapping.
-- @return mapping, 0; false if there is none; nil, message, status
function lira.mapping(run) return run.search:mapping() end

-- Stratified lengths (§4.3): the bound grows as long as the last one brought something to light. Where it did not, the question is
-- put without a bound; if that has an answer, a somewhat longer experiment has.
local function other(run, mapping)
  while true do
    local found, terms, status = run.search:other(mapping, run.length)
    if found == nil then return nil, terms, status end
    if found then
      run.longer = true
      return found, terms
    end
    if not run.longer then
      found, terms, status = run.search:other(mapping)
      if found == nil then return nil, terms, status end
      if not found then return false end
    end
    run.length, run.longer = run.length + 1, false
  end
end

--- findOtherMapping: the experiment that tells one of them from the mapping.
-- @return list of one experiment by scheme numbers; none if there is none; or nil, message, status
function lira.others(run, mapping)
  local found, terms, status = other(run, mapping)
  if found == nil then return nil, terms, status end
  run.stage = #run.unknowns.names
  if found and not state.answers(run, terms) then
    run.wishes[#run.wishes + 1] = { terms = terms, one = mapping, rival = found }
    return {}
  end
  run.rival = found
  return found and { terms } or {}
end

-- What is open, from the solver that can answer that: one with the same observations in the default encoding.
local function open(run, mapping)
  local encoding = run.options.uops and three_level or two_level
  local search, message = encoding.search(run, run.ports)
  if not search then return nil, message end
  if run.deadline < math.huge then search:deadline(run.deadline - core.base.now()) end
  if run.unknowns.given then search:fix(run.unknowns.given) end
  for _, seen in ipairs(run.observations) do search:observe(seen.terms, seen.bounds) end
  local list, more, status = (run.options.uops and alternatives or settle).open(run.unknowns, search, mapping, run.ports)
  search:close()
  if list and not run.options.uops then settle.note_choice(run.unknowns, list, mapping) end
  return list, more, status
end

--- No experiment tells another mapping from this one. The mapping is taken as it is; what the observations leave open is noted.
-- @return an empty list; run.open is set when all is done
function lira.settle(run, mapping)
  if not run.options.uops and run.ports < run.most_ports
    and core.smt.union(mapping, unknowns.first(run.unknowns.rows)) == run.ports then
    local ok, message = state.set_up(run, run.ports + 1)
    return ok and {}, message
  end
  local list, more, status = open(run, mapping)
  if not list then return nil, more, status end
  run.mapping, run.open, run.more_open, run.assumed = mapping, list, more, {}
  return {}
end

return lira
