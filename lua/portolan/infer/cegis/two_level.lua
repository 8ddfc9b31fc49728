--- Both queries of Algorithm 4.1 for the two-level model, in the form of union cardinalities (Theorem B, docs/inference.md).
--
-- An *encoding* answers what the loop of `portolan.infer.cegis` asks:
--
-- - `solver(run, ports)`: one to tell observations to, which finds mappings (findMapping); or nil and a message;
-- - `others(run, mapping)` (findOtherMapping): a list of experiments to measure next; empty: nothing tells another mapping from this one;
-- - `settle(run, mapping)`, then: an empty list and a choice `{ mapping = masks, open = points that the observations leave open, assumed = what was
--   chosen among them, and why }`; or a list of experiments; an empty one alone: the solver considers one port more now.
--
-- A solver that has no answer ends the inference (`portolan.infer.stop`).
-- @module portolan.infer.cegis.two_level
local core = require "portolan.core"
local propose = require "portolan.infer.cegis.propose"
local settle = require "portolan.infer.cegis.settle"
local state = require "portolan.infer.cegis.state"
local stop = require "portolan.infer.stop"
local unknowns = require "portolan.infer.cegis.unknowns"

local two_level = {}

local sizes = { 2, 3, 4, 0 } -- schemes by which another mapping is told apart: few first (§4.3), then any number

--- A solver without observations.
-- @param run the state
-- @tparam integer ports
-- @return solver; or nil and a message
function two_level.solver(run, ports)
  local counts, o = state.port_counts(run), run.options
  return core.smt.search { schemes = #counts, ports = ports, epsilon = o.epsilon, rmax = o.rmax, counts = counts, seed = o.seed,
    slack = o.slack or (o.reading == "asymmetric" and 6 or 0) }
end

-- From now on only other mappings that agree with this one on c(set).
local function agree(run, mapping, set)
  local c = core.smt.union(mapping, set)
  run.search.solver:suppose(set, c, c)
end

--- findOtherMapping, `batch` times: each further one agrees with the mapping on the sets already asked about, and on those
-- of which every experiment has been measured in vain. Schemes come in one by one: `run.search.stage` of them are considered, the
-- others have no say yet.
-- @return experiments, each telling one of them from the mapping; an empty list if there is none
function two_level.others(run, mapping)
  local list, o, u, search = {}, run.options, run.unknowns, run.search
  local depth = search.solver:supposed()
  for _, set in ipairs(search.exhausted) do agree(run, mapping, set) end
  local function other()
    while search.stage <= #u.names do
      for _, size in ipairs(sizes) do
        local found, set = stop.need(search.solver:other(mapping, size, unknowns.first(search.stage)))
        if found then return found, set end
      end
      if #list > 0 or search.stage == #u.names then return false end
      search.stage = search.stage + 1
    end
  end
  local batch = o.batch or o.reading == "asymmetric" and 8 or 1
  while #list < batch do
    local found, set = other()
    if not found then break end
    local e = propose.experiment(u, mapping, found, set, { epsilon = o.epsilon, reading = o.reading, asked = run.asked })
    if e and not state.answers(run, e) then
      run.wishes[#run.wishes + 1] = { terms = e, one = mapping, rival = found }
      e = nil
    end
    if e then list[#list + 1], search.rival = e, found else search.exhausted[#search.exhausted + 1] = set end
    agree(run, mapping, set)
  end
  search.solver:forget(depth)
  return list
end

-- The observations whose slowness is a sign of shared ports: not those of stores and the like, which have more uops than the one
-- that the two-level model gives them.
local function telling(run)
  local improper, list = run.options.improper or {}, {}
  for _, o in ipairs(run.observations.list) do
    local proper = true
    for i in pairs(o.terms) do proper = proper and not improper[run.unknowns.names[i]] end
    if proper then list[#list + 1] = o end
  end
  return list
end

--- No other mapping can be told from this one by its ports: takes one of those that remain, and makes sure that none can
-- be told from that either.
-- @return experiments, or none and the choice
function two_level.settle(run, mapping)
  local u, search = run.unknowns, run.search
  if search.ports < search.most_ports and core.smt.union(mapping, unknowns.first(#u.names)) == search.ports then return state.allow_port(run) end
  local open = settle.open(u, search.solver, mapping, search.ports)
  local chosen, assumed, status = stop.guard(settle.choose, u, search.solver, mapping, search.ports, telling(run),
    run.options.reading == "asymmetric", open, run.options.rmax)
  search.solver:forget(0)
  if status == settle.crowded and search.ports < search.most_ports then return state.allow_port(run) end
  stop.need(chosen, assumed, status)
  local others = two_level.others(run, chosen)
  if #others > 0 then return others end
  settle.note_choice(u, open, chosen)
  return others, { mapping = chosen, open = open, assumed = assumed }
end

return two_level
