--- Lists the pairs of places that have a latency to be found, and plans their first chains.
-- @module portolan.infer.latency.pairs
local kinds = require "portolan.infer.latency.kinds"
local lists = require "portolan.support.lists"
local memory_use = require "portolan.scheme.memory_use"
local place = require "portolan.scheme.place"
local record = require "portolan.support.record"
local rounds = require "portolan.infer.latency.rounds"

local all_pairs = {}

-- Field -> what it is, its unit; the file that writes it.
local new = record.kind("pair of places", {
  scheme = "its name; pairs",
  from = "place; pairs",
  to = "place; pairs",
  same = "the other input place, which is the same register as `from`; nil: others; pairs",
  unknown = "its name in systems (portolan.infer.latency.rounds); pairs",
  written = "kind of value at `to` (portolan.infer.latency.kinds); pairs",
  read = "kind of value at `from`; pairs",
  rounds = "of chains with it, a list; rounds",
  status = "\"determined\", \"interval\", \"at most\", \"waits for nothing\", \"like the index\" or \"no chain\"; decide",
  why = "for \"no chain\": a phrase; decide",
  cycles = "its latency, with the connectors' latencies that were chosen; decide",
  low = "cycles that it takes at least; decide",
  high = "cycles that it takes at most; decide",
  whole = "false: its time is near no whole number; decide",
  bypass = "domain -> further cycles; nil: none; decide",
  other = "cycles with the other kind of values, where they differ; other",
  witness = "the round that says how long it is; decide",
})

--- Makes a pair of places of a scheme, from an input to an output, whose latency is to be found.
-- @tparam table fields that are known: `scheme`, `from`, `to`, `same`, `unknown`, `written`, `read`
-- @return record
function all_pairs.new(fields)
  fields.rounds = {}
  return new(fields)
end

--- The flags that stand for others: each flag of a list of places with the one that is measured for it. Groups only count where all flags are there:
-- instructions that write some flags make these in ways of their own, and may leave undefined ones as they were.
-- @param state the state
-- @param places list
-- @return flag -> flag
function all_pairs.measured_for(state, places)
  local has, of = lists.set(places), {}
  local alone = state.network.flags.alone
  local whole = lists.all(alone, function(flag) return has[flag] end)
  for _, flag in ipairs(alone) do
    if has[flag] then of[flag] = whole and state.flags[flag] or flag end
  end
  return of
end

-- The places of a list that are measured: of flags, those that stand for themselves.
local function chosen(state, places)
  local of, unread = all_pairs.measured_for(state, places), lists.set(state.network.flags.unread)
  return lists.where(places, function(text) return not unread[text] and (of[text] or text) == text end)
end

-- The base that is written back with a register added to it, of which an input is that register; or nil.
local function base_behind(name, at)
  local base = at.kind == "register" and ("%d.base"):format(at.operand - 1)
  local of = base and place.parse(base, name)
  return of and of.output and base
end

-- What is written back to a base waits for the base, and for a register that is added to it; that register is read by nothing else.
local function may_wait(name, from, to)
  local at = place.parse(from, name)
  local amount_of = base_behind(name, at)
  if amount_of or to:find "%.base$" then return to == from or to == amount_of end
  return true
end

local function add(list, name, from, to, same)
  if not may_wait(name, from, to) then return end
  local written, read = kinds.written(name, to), kinds.read(name, from)
  if not written or not read then return end
  local unknown = rounds.unknown { scheme = name, from = from, to = to, same = same and true }
  list[#list + 1] = all_pairs.new { scheme = name, from = from, to = to, same = same, unknown = unknown, written = written, read = read }
end

--- The pairs of a scheme.
-- @param state the state
-- @param name scheme
-- @return list
function all_pairs.of(state, name)
  local list = {}
  local inputs, outputs = chosen(state, place.inputs(name) or {}), chosen(state, place.outputs(name) or {})
  for _, to in ipairs(outputs) do
    for _, from in ipairs(inputs) do add(list, name, from, to) end
    for _, twins in ipairs(kinds.twins(name)) do add(list, name, twins[1], to, twins[2]) end
  end
  return list
end

--- The link of a pair.
function all_pairs.link(p) return { scheme = p.scheme, from = p.from, to = p.to, same = p.same and true or nil } end

--- Tells whether chains through a pair may say nothing: cores that rename memory hand on what is stored to loads from the same base, before that is
-- known. So it is with the base of instructions that store, unless it is asked how it is written back.
function all_pairs.is_renamed(p)
  return p.from:find "%.base$" ~= nil and not p.to:find "%.base$" and memory_use(p.scheme).writes
end

--- The chains that a pair begins with: by itself, or by connectors.
-- @param state the state
-- @param p pair; `rounds` is filled
function all_pairs.plan(state, p)
  local link = all_pairs.link(p)
  if all_pairs.is_renamed(p) then return end
  if p.same then -- zeroing idioms wait for nothing, which delays show
    p.rounds[1] = rounds.delayed(state, link, p.written, p.read)
    return
  end
  for _, path in ipairs(state.network:paths(p.written, p.read)) do table.insert(p.rounds, rounds.plain(state, link, path)) end
  if p.written == p.read then
    for _, domain in ipairs(state.domains[p.written] or {}) do
      table.insert(p.rounds, rounds.delayed(state, link, p.written, p.read, domain))
    end
  end
end

return all_pairs
