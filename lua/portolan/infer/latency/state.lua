--- What the inference of latencies knows: a record, filled step by step.
-- @module portolan.infer.latency.state
local record = require "portolan.support.record"

local state = {}

--- Field -> what it is, its unit; the file that writes it.
state.fields = {
  mapping = "table whose schemes are looked at; init",
  names = "of the schemes, in order; init",
  cost = "what instances need without waiting (portolan.infer.latency.cost); init",
  meter = "portolan.infer.latency.meter; init",
  network = "portolan.infer.latency.network; init",
  progress = "function(stage, done, total, note); init",
  began = "clock at the start, in seconds; init",
  deadline = "clock after which nothing is measured, in seconds; nil: none; init",
  pairs = "list of portolan.infer.latency.pair; pairs",
  flags = "flag -> the flag that is measured for it; flags",
  system = "sums of connectors (portolan.infer.latency.system); core",
  gauge = "unknown of a connector -> the cycles that it is given; core",
  ranges = "sum of connectors, as text -> { least, greatest }, in cycles; core",
  rounds = "key of a chain -> round, all that were asked for; rounds",
  broken = "rounds of connectors that contradict the others, a list; core",
  kinds = "kinds of values that pairs have, a set; pairs",
  domains = "list of domains that vector registers have delays of; init",
  unfinished = "step that was not finished, its name; nil: all were; init",
  failure = "why it ended early, a sentence; nil: it did not, or the user wished it; init",
}

--- Makes one.
state.new = record.kind("latencies' state", state.fields, state)

return state
