--- The connectors' own latencies: the part of the linear system that all others rest on.
--
-- Only sums round cycles are measured, so that a constant may be added on all ways into a file and taken from all ways out of it. `ranges` holds what
-- remains open; `gauge` is one choice that agrees with every measurement (arch/x86_64/connectors.lua).
-- @module portolan.infer.latency.core
local constants = require "portolan.infer.latency.constants"
local kinds = require "portolan.infer.latency.kinds"
local rounds = require "portolan.infer.latency.rounds"
local system = require "portolan.infer.latency.system"

local core = {}

local returns = 3 -- ways back for each connector

-- Every connector of kinds that matter, and every delay.
local function parts(state)
  local list = table.move(state.network.delays, 1, #state.network.delays, 1, {})
  return table.move(state.network.connectors, 1, #state.network.connectors, #list + 1, list)
end

-- Tells whether legacy and VEX instructions write vector registers in one chain, which some cores make slow.
local function mixed(path)
  local vector, sse = false, false
  for _, c in ipairs(path) do
    vector, sse = vector or c.from == "vector" or c.to == "vector", sse or c.from == "sse" or c.to == "sse"
  end
  return vector and sse
end

-- Kinds whose ways in are not combined with all ways out: the first have so many; and memory is not the same to all, as cores hand on what a store of
-- a general register writes without going through memory, and other things not.
local function is_hub(kind) return kind == "gpr" or kind == "vector" or kind == "sse" or kind:find "^mem" ~= nil end

-- The ways into each kind with each way out of it, so that one gauge of a kind holds for all of them.
local function combinations(state, visit)
  for _, first in ipairs(state.network.connectors) do
    for _, second in ipairs(state.network.connectors) do
      local back = not is_hub(first.to) and first.to == second.from and state.network:paths(second.to, first.from, 1)[1]
      if back then visit(table.move(back, 1, #back, 3, { first, second })) end
    end
  end
end

-- Rounds that hold each connector, back by several paths.
local function plan(state)
  local list, seen = {}, {}
  local function add(path)
    local r = not mixed(path) and rounds.plain(state, nil, path)
    if r and not seen[r] then list[#list + 1], seen[r] = r, true end
  end
  for _, c in ipairs(parts(state)) do
    for _, path in ipairs(state.network:paths(c.to, c.from, returns)) do add(table.move(path, 1, #path, 2, { c })) end
  end
  combinations(state, add)
  return list
end

-- Enters what rounds say.
local function enter(sums, list)
  for _, r in ipairs(list) do
    if r.status == "ok" then sums:row(r.others, r.waits and not r.uneven and r.low or -math.huge, r.high, r) end
  end
end

-- The unknowns of rounds that were measured.
local function unknowns(state, sums, list)
  for _, r in ipairs(list) do
    for _, link in ipairs(r.status == "ok" and r.links or {}) do
      sums:unknown(rounds.unknown(link), kinds.crosses(link) and 1 or state.cost:least(link.scheme, link.from))
    end
  end
end

local function build(state, list)
  local sums = system.new()
  unknowns(state, sums, list)
  enter(sums, list)
  return sums
end

-- Rounds that are off the fit.
local function contradicting(sums)
  local list = {}
  for _, row in ipairs(sums.rows) do
    if math.abs(row.off) > constants.differs then list[#list + 1] = row.round end
  end
  return list
end

-- Rows that contradict the others after all: a chain may be slower than its latencies, as results reach other units late, but is never faster.
local function loosen(state, sums)
  for _, row in ipairs(sums.rows) do
    row.round.off = math.abs(row.off) > constants.differs and row.off or nil
    if row.round.off then table.insert(state.broken, row.round) end
    if row.off < -constants.differs then row.low = -math.huge
    elseif row.off < 0 then row.low = row.low + row.off
    elseif row.off > 0 then row.high = row.high + row.off end
  end
end

-- Chains whose latencies ports and issue slots hide, or which something holds up at times: once more, with delays.
local function lengthen(state, list)
  local longer = {}
  for _, r in ipairs(list) do
    if r.status ~= "ok" or not r.waits or r.uneven then
      local first = r.links[1]
      for _, c in ipairs(parts(state)) do
        if c.scheme == first.scheme and c.input == first.from and c.output == first.to then
          longer[#longer + 1] = rounds.delayed(state, first, c.to, c.from)
          break
        end
      end
    end
  end
  return longer
end

-- Rounds of a connector, as rounds of connectors only; a pair of places that asks for the same chain has a round of its own.
local function absorb(state, list)
  for _, r in ipairs(list) do
    if r.own then
      rounds.forget(state, r)
      r.others[r.own], r.own = (r.others[r.own] or 0) + 1, nil
    end
  end
end

local choose = { least = function(low) return low end, middle = function(low, high) return math.floor((low + high) / 2) end }

-- Fixes connectors one by one until every sum has a value.
local function fix(state, sums)
  local fixed = system.new()
  for _, name in ipairs(sums.names) do fixed:unknown(name, sums.lower[name]) end
  fixed.rows = table.move(sums.rows, 1, #sums.rows, 1, {})
  for _, g in ipairs(state.network.gauges) do
    local name = rounds.unknown { scheme = g.scheme, from = g.input, to = g.output }
    local low, high
    if fixed:has(name) then low, high = fixed:range { [name] = 1 } end
    if low and high < math.huge then fixed:fix(name, choose[g.choose](low, high)) end
  end
  return fixed:fit()
end

local near = 1e-5

local function rounded(x)
  local whole = math.floor(x + 0.5)
  return math.abs(x - whole) < near and whole or x
end

--- Chooses the connectors' latencies anew, once the system has more rows.
-- @param state the state; `gauge` is filled, `ranges` forgotten
function core.solve(state)
  state.ranges, state.gauge = {}, {}
  for name, cycles in pairs(fix(state, state.system)) do state.gauge[name] = rounded(cycles) end
end

--- Measures the connectors and solves their system.
-- @param state the state; `system`, `gauge` and `ranges` are filled
function core.run(state)
  local list = plan(state)
  state.meter:measure(list)
  state.system = build(state, list)
  state.system:fit()
  local doubtful = contradicting(state.system)
  if #doubtful > 0 then state.meter:again(doubtful) end
  state.system = build(state, list)
  state.gauge = state.system:fit()
  local longer = lengthen(state, list)
  state.meter:measure(longer)
  absorb(state, longer)
  table.move(longer, 1, #longer, #list + 1, list)
  state.system = build(state, list)
  state.system:fit()
  state.broken = {}
  loosen(state, state.system)
  core.solve(state)
end

--- Tells whether all connectors of a sum have latencies.
-- @param state the state
-- @param terms unknown -> how often
function core.knows(state, terms)
  for name in pairs(terms) do
    if not state.system:has(name) then return false end
  end
  return true
end

local function text_of(terms)
  local words = {}
  for name, count in pairs(terms) do words[#words + 1] = ("%d*%s"):format(count, name) end
  table.sort(words)
  return table.concat(words, " + ")
end

--- Returns what is known of a sum of connectors' latencies.
-- @param state the state
-- @param terms unknown -> how often
-- @return cycles by the gauge; at least; at most
function core.sum(state, terms)
  local key, chosen = text_of(terms), 0
  for name, count in pairs(terms) do chosen = chosen + count * state.gauge[name] end
  if not state.ranges[key] then
    local low, high = state.system:range(terms)
    state.ranges[key] = { low or 0, high or math.huge }
  end
  return chosen, state.ranges[key][1], state.ranges[key][2]
end

return core
