--- Rounds: chains that are to be measured, with what their time says; and which of them are asked for.
--
-- A round is a record. Its time is the sum of its links' latencies, if it exceeds what its instructions need without waiting; otherwise the sum is
-- at most its time.
-- @module portolan.infer.latency.rounds
local chain = require "portolan.experiment.chain"
local constants = require "portolan.infer.latency.constants"
local record = require "portolan.support.record"

local rounds = {}

-- Field -> what it is, its unit; the file that writes it.
local new = record.kind("round", {
  links = "the chain (portolan.experiment.chain); rounds",
  key = "of the chain, for stores; rounds",
  own = "unknown that it is about; nil: connectors only; rounds",
  others = "unknown -> how often the chain has it, without `own`; rounds",
  delays = "delays in it, their number; rounds",
  domain = "of the instruction that reads what `own` writes; nil: the same instruction's, or none; rounds",
  route = "schemes that it goes through besides, as text; rounds",
  cuts = "scheme -> instances a round has to cut other dependencies; nil: none, or not known yet; meter",
  together = "true: further flags come with the carrier, so that its time is the longer of two ways; meter",
  bound = "cycles that its instructions need without waiting; nil: not known; meter",
  time = "cycles, as measured last, or the middle of several readings; nil: not measured; meter",
  status = "of its measurement: \"ok\", or why there is none; meter",
  why = "the engine's words for that; meter",
  low = "cycles that the true sum has at least; meter",
  high = "cycles that the true sum has at most; meter",
  exact = "true: one whole number is near, which is `low` and `high`; meter",
  uneven = "true: no whole number is near: something else holds it up at times, and it tells no more than that the sum is not above; meter",
  waits = "true: its time is that of its latencies; false: at most that; meter",
  tries = "readings that were taken, beside those for precision; meter",
  off = "cycles by which it contradicts the other rounds; core",
})

--- Names what is to be found out: the text of a link.
-- @param link `{ scheme =, from =, to =, same = }`
function rounds.unknown(link) return ("%s [%s > %s]%s"):format(link.scheme, link.from, link.to, link.same and " same" or "") end

--- The link of a connector.
function rounds.link(connector) return { scheme = connector.scheme, from = connector.input, to = connector.output } end

-- A round of a link and the connectors behind it.
-- @param link it is about; nil: connectors only
-- @param connectors list
-- @tparam[opt] table delayed `{ delay = connector, count =, behind = list of connectors }`: delays behind the connectors, and more connectors
-- @tparam[opt] string domain
local function of(link, connectors, delayed, domain)
  local links, others, route = { link }, {}, {}
  local function add(connector)
    local one = rounds.link(connector)
    links[#links + 1] = one
    others[rounds.unknown(one)] = (others[rounds.unknown(one)] or 0) + 1
  end
  for _, c in ipairs(connectors) do
    add(c)
    route[#route + 1] = c.scheme
  end
  for _ = 1, delayed and delayed.count or 0 do add(delayed.delay) end
  for _, c in ipairs(delayed and delayed.behind or {}) do
    add(c)
    route[#route + 1] = c.scheme
  end
  return new { links = links, key = chain.key(links), own = link and rounds.unknown(link), others = others,
    delays = delayed and delayed.count or 0, domain = domain, route = table.concat(route, " - "), tries = 0 }
end

local function key_of(r) return (r.own or "") .. "|" .. r.key end

-- The one round of its chain.
local function known(state, r)
  local key = key_of(r)
  state.rounds[key] = state.rounds[key] or r
  return state.rounds[key]
end

--- Forgets a round, so that whoever asks for its chain gets another one.
function rounds.forget(state, r) state.rounds[key_of(r)] = nil end

--- A round without delays.
-- @param state the state
-- @param link that it is about; nil: connectors only
-- @param path connectors behind it
-- @param[opt] domain of the connectors that are vector instructions
function rounds.plain(state, link, path, domain) return known(state, of(link, path, nil, domain)) end

-- Computes how long the connectors of a round are at least, in cycles, a delay too; 0 where that is not known yet.
local function least(state, terms)
  local sum = 0
  for name, count in pairs(terms) do sum = sum + count * (state.gauge and state.gauge[name] or state.system and state.system.lower[name] or 0) end
  return sum
end

--- A round with as many delays as make it longer than its instructions need.
-- @param state the state
-- @param link that it is about; nil: connectors only
-- @param written kind of value that it leaves
-- @param read kind of value that it takes
-- @tparam[opt] string domain of the delays
-- @tparam[opt] int count of delays, at least; 1
-- @tparam[opt] table cuts of a shorter chain with the link
-- @return round; nil if there is none
function rounds.delayed(state, link, written, read, domain, count, cuts)
  local before, behind, delay = state.network:delayed(written, read, domain)
  if not before then return nil end
  for n = count or 1, constants.most_links - #before - #behind - (link and 1 or 0) do
    local r = of(link, before, { delay = delay, count = n, behind = behind }, delay.domain)
    local needs = state.cost:needs(r.links, cuts or {})
    if not needs then return nil end
    if least(state, r.others) > constants.beyond * constants.delay_room * needs + constants.beyond_cycles + constants.delay_cycles then
      return known(state, r)
    end
  end
  return nil
end

return rounds
