--- The steps from the pairs' first chains to what is known of them: every step asks chains that the ones before it left a need for.
-- @module portolan.infer.latency.refine
local all_pairs = require "portolan.infer.latency.pairs"
local constants = require "portolan.infer.latency.constants"
local core = require "portolan.infer.latency.core"
local decide = require "portolan.infer.latency.decide"
local lists = require "portolan.support.lists"
local rounds = require "portolan.infer.latency.rounds"

local refine = {}

-- The rounds of pairs that were not measured yet, each once.
local function fresh(pairs_of_places)
  local list, seen = {}, {}
  for _, p in ipairs(pairs_of_places) do
    for _, r in ipairs(p.rounds) do
      if not r.status and not seen[r] then list[#list + 1], seen[r] = r, true end
    end
  end
  return list
end

local function decide_all(state, some)
  for _, p in ipairs(some or state.pairs) do decide.pair(state, p) end
end

--- The first chains of all pairs.
function refine.first(state)
  state.pairs = {}
  for _, name in ipairs(state.names) do
    local own = all_pairs.of(state, name)
    for _, p in ipairs(own) do all_pairs.plan(state, p) end
    table.move(own, 1, #own, #state.pairs + 1, state.pairs)
  end
  state.meter:measure(fresh(state.pairs))
  decide_all(state)
end

-- Pairs without a chain whose time is that of its latencies. Longer chains do not tell flags apart that come together.
local function open_pairs(state)
  return lists.where(state.pairs, function(p)
    local undecided = p.status == "at most" and not p.witness.together or p.status == "no chain"
    return undecided and not all_pairs.is_renamed(p)
  end)
end

-- The next longer chain of a pair; nil if there is none.
local function lengthened(state, p)
  local before = p.rounds[#p.rounds]
  local count = before and before.delays > 0 and 2 * before.delays or 1
  return rounds.delayed(state, all_pairs.link(p), p.written, p.read, nil, count, before and before.cuts)
end

-- Other ways back than the shortest, for a pair whose chains are held up, or cannot be built.
local function detours(state, p)
  if p.same then return end
  for _, path in ipairs(state.network:paths(p.written, p.read, constants.detours, 1)) do
    local r = rounds.plain(state, all_pairs.link(p), path)
    if not lists.any(p.rounds, function(other) return other == r end) then table.insert(p.rounds, r) end
  end
end

--- Longer chains, where ports and issue slots hide the latencies, and other ones, where none could be built or what is beside a chain holds it up.
function refine.longer(state)
  for _ = 1, constants.lengthenings do
    local some = open_pairs(state)
    for _, p in ipairs(some) do table.insert(p.rounds, lengthened(state, p)) end
    state.meter:measure(fresh(some))
    decide_all(state, some)
  end
  local some = open_pairs(state)
  for _, p in ipairs(some) do detours(state, p) end
  state.meter:measure(fresh(some))
  decide_all(state, some)
end

-- Rounds of a pair that disagree, though no domain says why.
local function disagreeing(state, p)
  local list, least, most = {}, math.huge, -math.huge
  for _, r in ipairs(p.rounds) do
    if r.waits and not r.uneven and not r.domain and core.knows(state, r.others) then
      local cycles = r.time - core.sum(state, r.others)
      list[#list + 1], least, most = r, math.min(least, cycles), math.max(most, cycles)
    end
  end
  return most - least > constants.differs and list or {}
end

--- Chains that contradict each other are read again.
function refine.contradictions(state)
  local list = {}
  for _, p in ipairs(state.pairs) do
    local some = disagreeing(state, p)
    table.move(some, 1, #some, #list + 1, list)
  end
  if #list == 0 then return end
  state.meter:again(lists.distinct(list))
  decide_all(state)
end

-- The tightest bound that pairs give each sum of connectors: list of `{ terms =, high = }`, in an order that does not depend on chance.
local function tightest(state)
  local of, list = {}, {}
  for _, p in ipairs(state.pairs) do
    local r, least = p.witness, state.cost:least(p.scheme, p.from)
    if (p.status == "determined" or p.status == "interval") and r.waits and next(r.others) then
      local high, key = r.high - least, r.route .. " " .. r.delays
      if not of[key] or high < of[key].high then of[key] = { terms = r.others, high = high } end
    end
  end
  for _, key in ipairs(lists.keys(of)) do list[#list + 1] = of[key] end
  return list
end

--- Uses what all schemes say of the connectors: a scheme of one executed uop takes a cycle, so that its connectors take less than the chain. What
-- contradicts the connectors' own chains is left out.
function refine.intervals(state)
  for _, bound in ipairs(tightest(state)) do
    local low, high = state.system:range(bound.terms)
    if low and low <= bound.high and bound.high < high then state.system:row(bound.terms, -math.huge, bound.high) end
  end
  core.solve(state)
  decide_all(state)
end

-- The pair of each scheme whose latency is longest.
local function longest(state)
  local of, list = {}, {}
  for _, p in ipairs(state.pairs) do
    local known = (p.status == "determined" or p.status == "interval") and not p.same
    if known and (not of[p.scheme] or p.cycles > of[p.scheme].cycles) then of[p.scheme] = p end
  end
  for _, name in ipairs(lists.keys(of)) do list[#list + 1] = of[name] end
  return list
end

-- A number of cycles: the whole one, where one is near.
local function tidy(cycles)
  local whole = math.floor(cycles + 0.5)
  return math.abs(cycles - whole) <= constants.steady + constants.drift * cycles and whole or cycles
end

-- Pairs whose chains take another time with other values.
local function changing(state, some)
  local list = lists.map(some, function(p) return p.witness end)
  local changed = {}
  for i, time in ipairs(state.meter:other(list)) do
    local p, r = some[i], list[i]
    if time and math.abs(time - r.time) > math.max(constants.differs, r.high - r.low) then changed[#changed + 1] = p end
    if time then p.other = math.max(0, tidy(p.cycles + time - r.time)) end
  end
  return changed
end

--- Do latencies depend on values? One pair of each scheme is asked, then all pairs of those where they do.
function refine.other(state)
  local doubtful = lists.set(lists.map(changing(state, longest(state)), function(p) return p.scheme end))
  for _, p in ipairs(state.pairs) do p.other = nil end
  local some = lists.where(state.pairs, function(p)
    return doubtful[p.scheme] and not p.same and (p.status == "determined" or p.status == "interval")
  end)
  if #some == 0 then return end
  local changed = lists.set(changing(state, some))
  for _, p in ipairs(some) do
    if not changed[p] then p.other = nil end
  end
end

--- Second readings of chains that claims rest on: of those whose time is near no whole number, and of a sample of the others; of all, if more than
-- a few of the sample differ.
function refine.confirm(state)
  local list, seen = {}, {}
  for _, p in ipairs(state.pairs) do
    if p.witness and not seen[p.witness] then list[#list + 1], seen[p.witness] = p.witness, true end
  end
  local function confirm(some)
    local differ = state.meter:confirm(some)
    if differ > 0 then decide_all(state) end
    return differ
  end
  local sample = lists.spread(lists.where(list, function(r) return r.exact end), constants.confirm_sample)
  local was_read = lists.set(sample)
  local rest = lists.where(list, function(r) return not was_read[r] end)
  local all = confirm(sample) > constants.confirm_differ * #sample
  confirm(all and rest or lists.where(rest, function(r) return not r.exact end))
end

return refine
