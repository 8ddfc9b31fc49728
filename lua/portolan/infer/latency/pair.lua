--- A pair of places of a scheme, from an input to an output, whose latency is to be found: a record.
-- @module portolan.infer.latency.pair
local record = require "portolan.support.record"

local pair = {}

--- Field -> what it is, its unit; the file that writes it.
pair.fields = {
  scheme = "its name; pairs",
  from = "place; pairs",
  to = "place; pairs",
  same = "the other input place, which is the same register as `from`; nil: others; pairs",
  unknown = "its name in systems (portolan.infer.latency.round); pairs",
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
}

local new = record.kind("pair of places", pair.fields)

--- Makes one.
function pair.new(fields)
  fields.rounds = {}
  return new(fields)
end

return pair
