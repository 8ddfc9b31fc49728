--- Decides what the rounds of a pair of places say of its latency.
-- @module portolan.infer.latency.decide
local all_pairs = require "portolan.infer.latency.pairs"
local constants = require "portolan.infer.latency.constants"
local core = require "portolan.infer.latency.core"
local lists = require "portolan.support.lists"

local decide = {}

-- Returns what one round says of the pair alone: cycles by the gauge, at least, at most.
local function bounds_of(state, r)
  local chosen, least, most = core.sum(state, r.others)
  return { round = r, cycles = (r.exact and r.low or r.time) - chosen, low = r.waits and not r.uneven and r.low - most or 0, high = r.high - least,
    rest = least, exact = r.exact, waits = r.waits and not r.uneven }
end

-- Returns by how many cycles a chain is faster than its connectors alone; below 0 if it is not.
local function lead(b) return b.rest - b.round.high end

-- A chain that waits for something, and yet is a little faster than its connectors: these were held up where they were measured.
local function contradicts(b) return b.round.waits and lead(b) > constants.broken and lead(b) < constants.contradiction end

-- Rounds that were measured, whose connectors are known; and whether there were others that contradict the connectors.
local function usable(state, p)
  local list, contradiction = {}, false
  for _, r in ipairs(p.rounds) do
    if r.status == "ok" and r.bound and core.knows(state, r.others) then
      local b = bounds_of(state, r)
      if contradicts(b) then contradiction = true else list[#list + 1] = b end
    end
  end
  return list, contradiction
end

local function failed(p, contradiction)
  p.status, p.why = "no chain", contradiction and "its chain is faster than its connectors are in other chains" or nil
  for _, r in ipairs(p.rounds) do
    if r.status and r.status ~= "ok" then p.why = r.why or r.status end
  end
  p.why = p.why or (#p.rounds == 0 and ("nothing leads from %s to %s"):format(p.written, p.read) or "its connectors are not known")
end

-- A chain that is faster than its connectors: nothing waits there.
local function broken(list)
  return lists.first(list, function(b) return lead(b) > constants.broken end)
end

-- The one among the rounds that the claim rests on: the shortest of those without a domain, otherwise of all.
local function best_of(list)
  local best
  for _, b in ipairs(list) do
    local better = not best or b.cycles < best.cycles - constants.differs
      or b.cycles < best.cycles + constants.differs and not b.round.domain and best.round.domain
    if b.waits and better then best = b end
  end
  return best
end

-- Further cycles where an instruction of a domain reads the result, which the domain's own do not have. Nothing is said of what keeps a unit busy,
-- divisions and roots: with another instruction in the chain they get other values, and take another time for that.
local function bypass_of(state, p, list, best)
  local scheme, bypass = state.mapping.schemes[p.scheme], nil
  if scheme and scheme.status == "slower than ports" then return nil end
  for _, b in ipairs(list) do
    local more = b.cycles - best.cycles
    if b.waits and b.exact and b.round.domain and more > constants.differs then
      bypass = bypass or {}
      bypass[b.round.domain] = math.max(bypass[b.round.domain] or 0, more)
    end
  end
  return bypass
end

-- Between which values a latency is, by all rounds that agree with the best one. These agree but for noise: what the best one says is among them.
local function interval(p, list, best)
  p.low, p.high = best.low, best.high
  for _, b in ipairs(list) do
    if math.abs(b.cycles - best.cycles) <= constants.differs and b.waits then
      p.low, p.high = math.max(p.low, b.low), math.min(p.high, b.high)
    end
  end
  p.low, p.high = math.max(0, math.min(p.low, p.cycles)), math.max(p.high, p.cycles)
end

-- One uop that is executed takes a cycle; where that is all that there can be, the bound is the latency.
local function is_least(state, p)
  if not p.witness.together then return false end
  local least = state.cost:least(p.scheme, p.from)
  return least > 0 and p.high - least < constants.broken
end

local function at_most(state, p, list)
  p.status, p.low = "at most", 0
  for _, b in ipairs(list) do
    if not p.high or b.high < p.high then p.high, p.witness = b.high, b.round end
  end
  p.high = math.max(0, p.high) -- less than its connectors take, by less than tells that it is broken
  if is_least(state, p) then p.status, p.low, p.cycles, p.whole = "determined", p.high, p.high, true end
end

--- Decides a pair.
-- @param state the state
-- @param p pair; its `status` and what goes with it are filled
function decide.pair(state, p)
  if all_pairs.is_renamed(p) then
    p.status = "like the index"
    return
  end
  local list, contradiction = usable(state, p)
  p.low, p.high, p.cycles, p.bypass, p.whole, p.witness = nil, nil, nil, nil, nil, nil
  if #list == 0 then return failed(p, contradiction) end
  local cut = broken(list)
  if cut then
    p.status, p.cycles, p.low, p.high, p.witness = "waits for nothing", 0, 0, 0, cut.round
    return
  end
  local best = best_of(list)
  if not best then return at_most(state, p, list) end
  p.cycles, p.whole, p.bypass, p.witness = math.max(0, best.cycles), best.exact, bypass_of(state, p, list, best), best.round
  interval(p, list, best)
  p.status = p.high - p.low < constants.broken and "determined" or "interval"
end

return decide
