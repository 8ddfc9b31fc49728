--- Which chains are asked for, and the rounds that they are.
-- @module portolan.infer.latency.rounds
local constants = require "portolan.infer.latency.constants"
local round = require "portolan.infer.latency.round"

local rounds = {}

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
function rounds.plain(state, link, path, domain) return known(state, round.of(link, path, nil, domain)) end

-- How long the connectors of a round are at least, a delay too; 0 where that is not known yet.
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
    local r = round.of(link, before, { delay = delay, count = n, behind = behind }, delay.domain)
    local needs = state.cost:needs(r.links, cuts or {})
    if not needs then return nil end
    if least(state, r.others) > constants.beyond * constants.delay_room * needs + constants.beyond_cycles + constants.delay_cycles then
      return known(state, r)
    end
  end
  return nil
end

return rounds
