--- Rounds: chains that are to be measured, with what their time says.
--
-- A round is a record. Its time is the sum of its links' latencies, if it exceeds what its instructions need without waiting; otherwise the sum is
-- at most its time.
-- @module portolan.infer.latency.round
local chain = require "portolan.chain"
local record = require "portolan.support.record"

local round = {}

--- Field -> what it is, its unit; the file that writes it.
round.fields = {
  links = "the chain (portolan.chain); round",
  key = "of the chain, for stores; round",
  own = "unknown that it is about; nil: connectors only; round",
  others = "unknown -> how often the chain has it, without `own`; round",
  delays = "delays in it, their number; round",
  domain = "of the instruction that reads what `own` writes; nil: the same instruction's, or none; round",
  route = "schemes that it goes through besides, as text; round",
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
}

local new = record.kind("round", round.fields)

--- What is to be found out: the text of a link.
-- @param link `{ scheme =, from =, to =, same = }`
function round.unknown(link) return ("%s [%s > %s]%s"):format(link.scheme, link.from, link.to, link.same and " same" or "") end

--- The link of a connector.
function round.link(connector) return { scheme = connector.scheme, from = connector.input, to = connector.output } end

--- A round of a link and the connectors behind it.
-- @param link it is about; nil: connectors only
-- @param connectors list
-- @tparam[opt] table delayed `{ delay = connector, count =, behind = list of connectors }`: delays behind the connectors, and more connectors
-- @tparam[opt] string domain
function round.of(link, connectors, delayed, domain)
  local links, others, route = { link }, {}, {}
  local function add(connector)
    local one = round.link(connector)
    links[#links + 1] = one
    others[round.unknown(one)] = (others[round.unknown(one)] or 0) + 1
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
  return new { links = links, key = chain.key(links), own = link and round.unknown(link), others = others,
    delays = delayed and delayed.count or 0, domain = domain, route = table.concat(route, " - "), tries = 0 }
end

return round
