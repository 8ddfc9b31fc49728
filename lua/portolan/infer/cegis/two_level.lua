--- Both queries of Algorithm 4.1 for the two-level model, in the form of union cardinalities (Theorem B, docs/inference.md).
--
-- An *encoding* answers what the loop of `portolan.infer.cegis` asks: `search` (a solver to tell observations to), `mapping`
-- (findMapping), `others` (findOtherMapping), `settle` (what remains when no other one can be told from the mapping).
-- @module portolan.infer.cegis.two_level
local core = require "portolan.core"
local propose = require "portolan.infer.cegis.propose"
local settle = require "portolan.infer.cegis.settle"
local state = require "portolan.infer.cegis.state"
local unknowns = require "portolan.infer.cegis.unknowns"

local two_level = {}

local sizes = { 2, 3, 4, 0 } -- schemes by which another mapping is told apart: few first (§4.3), then any number

--- A solver without observations.
-- @param run the state
-- @tparam integer ports
-- @return search; or nil and a message
function two_level.search(run, ports)
  local counts, o = state.port_counts(run), run.options
  return core.smt.search { schemes = #counts, ports = ports, epsilon = o.epsilon, rmax = o.rmax, counts = counts, seed = o.seed,
    slack = o.slack or (o.reading == "asymmetric" and 6 or 0) }
end

--- findMapping.
-- @return mapping of least cost, cost; false if there is none; nil, message, status
function two_level.mapping(run) return run.search:mapping() end

-- From now on only other mappings that agree with this one on c(set).
local function agree(run, mapping, set)
  local c = core.smt.union(mapping, set)
  run.search:suppose(set, c, c)
end

--- findOtherMapping, `batch` times: each further one agrees with the mapping on the sets already asked about, and on those
-- of which every experiment has been measured in vain. Schemes come in one by one: run.stage of them are considered, the
-- others have no say yet.
-- @return experiments by scheme numbers, each telling one of them from the mapping; none if there is none; or nil, message, status
function two_level.others(run, mapping)
  local list, o, u = {}, run.options, run.unknowns
  local depth = run.search:supposed()
  for _, set in ipairs(run.exhausted) do agree(run, mapping, set) end
  local function other()
    while run.stage <= #u.names do
      for _, size in ipairs(sizes) do
        local found, set, status = run.search:other(mapping, size, unknowns.first(run.stage))
        if found or found == nil then return found, set, status end
      end
      if #list > 0 or run.stage == #u.names then return false end
      run.stage = run.stage + 1
    end
  end
  local batch = o.batch or o.reading == "asymmetric" and 8 or 1
  while #list < batch do
    local found, set, status = other()
    if found == nil then return nil, set, status end
    if not found then break end
    local e = propose.experiment(u, mapping, found, set, { epsilon = o.epsilon, reading = o.reading, asked = run.asked })
    if e and not state.answers(run, e) then
      run.wishes[#run.wishes + 1] = { terms = e, one = mapping, rival = found }
      e = nil
    end
    if e then list[#list + 1], run.rival = e, found else run.exhausted[#run.exhausted + 1] = set end
    agree(run, mapping, set)
  end
  run.search:forget(depth)
  return list
end

-- The observations whose slowness is a sign of shared ports: not those of stores and the like, which have more uops than the one
-- that the two-level model gives them.
local function telling(run)
  local improper, list = run.options.improper or {}, {}
  for _, o in ipairs(run.observations) do
    local proper = true
    for i in pairs(o.terms) do proper = proper and not improper[run.unknowns.names[i]] end
    if proper then list[#list + 1] = o end
  end
  return list
end

--- No other mapping can be told from this one by its ports: takes one of those that remain, and makes sure that none can
-- be told from that either. A spare port must have been there all along, or the number of ports made the choice.
-- @return as `others`; when nothing is left to measure, run.mapping, run.open and run.assumed are set
function two_level.settle(run, mapping)
  local u = run.unknowns
  if run.ports < run.most_ports and core.smt.union(mapping, unknowns.first(#u.names)) == run.ports then
    local ok, message = state.set_up(run, run.ports + 1)
    return ok and {}, message
  end
  local open, why, kind = settle.open(u, run.search, mapping, run.ports)
  if not open then return nil, why, kind end
  local chosen, assumed, status = settle.choose(u, run.search, mapping, run.ports, telling(run), run.options.reading == "asymmetric", open,
    run.options.rmax)
  run.search:forget(0)
  if not chosen then return nil, assumed, status end
  local list, message, ended = two_level.others(run, chosen)
  if not list then return nil, message, ended end
  if #list == 0 then
    settle.note_choice(u, open, chosen)
    run.mapping, run.open, run.assumed = chosen, open, assumed
  end
  return list
end

return two_level
