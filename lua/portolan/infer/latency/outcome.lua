--- Makes the outcome of an inference of latencies: entries for a mapping, and how many of which kind there are.
-- @module portolan.infer.latency.outcome
local all_pairs = require "portolan.infer.latency.pairs"
local chain = require "portolan.experiment.chain"
local clock = require("portolan.core").base
local constants = require "portolan.infer.latency.constants"
local isa = require "portolan.scheme.isa"
local lists = require "portolan.support.lists"
local place = require "portolan.scheme.place"

local outcome = {}

local unmeasurable = { ["unsupported here"] = true, ["faults"] = true, ["not reached"] = true }

--- The schemes of a mapping whose latencies can be looked for: all that could be measured alone.
-- @param m mapping table
-- @return sorted list
function outcome.schemes(m)
  return lists.where(lists.keys(m.schemes), function(name)
    local scheme = m.schemes[name]
    return not unmeasurable[scheme.status] and (scheme.tp or scheme.uops)
  end)
end

local function witness_of(r) return { chain = chain.format(r.links), cycles = r.time } end

-- The round that shows the cycles from one instance of a scheme that updates memory in place to the next, where these are not its latency among
-- others: what the core makes of a load and a store of one place depends on what is around them.
local function in_place(p)
  local operand = p.from == p.to and isa.scheme(p.scheme).operands[tonumber(p.from)]
  for _, r in ipairs(operand and operand.kind == "memory" and p.rounds or {}) do
    if #r.links == 1 and r.status == "ok" and r.waits ~= nil and math.abs(r.time - (p.cycles or p.high)) > constants.differs then return r end
  end
end

local function entry_of(p)
  local entry = { from = p.from, to = p.to, cycles = p.cycles, other = p.other, bypass = p.bypass,
    independent = p.status == "waits for nothing" or nil, witnesses = { witness_of(p.witness) } }
  if p.status == "interval" or p.status == "at most" then entry.low, entry.high = p.low, p.high end
  if p.status == "at most" then entry.cycles = p.high end
  local shown = entry.cycles and in_place(p)
  if shown then entry.in_place = shown.time end
  if shown and shown ~= p.witness then entry.witnesses[2] = witness_of(shown) end
  return entry
end

-- Adds what an instance takes whose two inputs are one register, where that is less: what is more, other instructions beside the chain cause.
local function add_same(entries, p)
  local first, second = entries[p.from .. ">" .. p.to], entries[p.same .. ">" .. p.to]
  if not first or p.status == "no chain" or p.status == "at most" then return end
  local function through(entry) -- by a delay of the same domain
    return entry.cycles + (entry.bypass and entry.bypass[p.witness.domain] or 0)
  end
  local longest = math.max(through(first), second and through(second) or 0)
  if p.cycles > longest - 0.5 and p.status ~= "waits for nothing" then return end
  first.same = p.cycles
  table.insert(first.witnesses, witness_of(p.witness))
end

-- A base that no chain tells is like the index of the same memory: both make the address.
local function as_index(entries, p)
  local operand = p.status == "like the index" and p.from:match "^(%d+)%.base$"
  local like = operand and entries[operand .. ".index>" .. p.to]
  if not like then return nil end
  local entry = lists.copy(like)
  entry.from, entry.witnesses, entry.as = p.from, nil, ("%s > %s"):format(like.from, like.to)
  return entry
end

-- The places of a scheme that a measured place stands for: itself, and flags that it was measured for.
local function standing_for(state, text, places)
  local list = { text }
  for flag, of in pairs(all_pairs.measured_for(state, places)) do
    if of == text and flag ~= text then list[#list + 1] = flag end
  end
  table.sort(list, function(a, b) return a == text and b ~= text or b ~= text and a < b end)
  return list
end

-- Entries for flags that are renamed together with a measured one.
local function spread(state, name, entries)
  local list, inputs, outputs = {}, place.inputs(name), place.outputs(name)
  for _, entry in ipairs(entries) do
    for _, from in ipairs(standing_for(state, entry.from, inputs)) do
      for _, to in ipairs(standing_for(state, entry.to, outputs)) do
        local copy = lists.copy(entry)
        if from ~= entry.from or to ~= entry.to then
          copy.from, copy.to, copy.witnesses = from, to, nil
          copy.as = entry.as or ("%s > %s"):format(entry.from, entry.to)
        end
        list[#list + 1] = copy
      end
    end
  end
  return list
end

local function entries_of(state, name, own)
  local by_places, list = {}, {}
  for _, p in ipairs(own) do
    if not p.same and p.witness then
      local entry = entry_of(p)
      by_places[p.from .. ">" .. p.to], list[#list + 1] = entry, entry
    end
  end
  for _, p in ipairs(own) do
    if p.same and p.witness then add_same(by_places, p) end
    list[#list + 1] = not p.same and as_index(by_places, p) or nil
  end
  return spread(state, name, list)
end

-- Pairs by scheme, in order.
local function by_scheme(state)
  local of = {}
  for _, p in ipairs(state.pairs) do
    lists.into(of, p.scheme, p)
  end
  return of
end

local function count(state)
  local counts, of, reasons = {}, {}, {}
  for _, p in ipairs(state.pairs) do
    local status = p.status or "not reached"
    counts[status] = (counts[status] or 0) + 1
    local why = status == "no chain" and p.why:gsub(" %([^()]*%)", "") -- without the names of schemes
    if why then of[why] = (of[why] or 0) + 1 end
  end
  for _, why in ipairs(lists.keys(of)) do reasons[#reasons + 1] = { why = why, pairs = of[why] } end
  table.sort(reasons, lists.most_first("pairs", "why"))
  return counts, reasons
end

--- The outcome of a state.
-- @param state the state
-- @return `{ latencies = scheme -> list of entries (docs/formats.md), pairs = number, counts = status -> number of pairs, reasons = list of
-- `{ why = there is no chain, pairs = their number }`, chains = readings asked for, noise =, seconds =, flags = flag -> the flag that was measured
-- for it, contradicting = list of chains of connectors, unfinished = step or nil, failure = text or nil }`
function outcome.of(state)
  local latencies = {}
  for name, own in pairs(by_scheme(state)) do
    local entries = entries_of(state, name, own)
    if #entries > 0 then latencies[name] = entries end
  end
  local counts, reasons = count(state)
  return { latencies = latencies, pairs = #state.pairs, counts = counts, reasons = reasons, chains = state.meter.asked, noise = state.meter.noise,
    seconds = clock.now() - state.began, flags = state.flags, unfinished = state.unfinished, failure = state.failure,
    contradicting = lists.map(state.broken, function(r) return { chain = chain.format(r.links), cycles = r.time, off = r.off } end) }
end

--- Returns what a chart keeps of an outcome, and people are told: all but the latencies themselves, which are in the mapping.
-- @param found outcome
-- @return table
function outcome.summary(found)
  local s = lists.copy(found)
  s.latencies, s.schemes = nil, #lists.keys(found.latencies)
  return s
end

--- Puts latencies into a mapping.
-- @param m mapping table, which is changed
-- @param found outcome
function outcome.enter(m, found)
  for name, entries in pairs(found.latencies) do
    if m.schemes[name] then m.schemes[name].latencies = entries end
  end
end

return outcome
