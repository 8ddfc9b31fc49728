--- Words for what an inference of latencies found.
-- @module portolan.report.latency_words
local latency_words = {}

--- Kinds of pairs of places in the order in which reports tell of them: `{ status =, means = }`.
latency_words.kinds = {
  { status = "determined", means = "determined" },
  { status = "interval", means = "within an interval: only sums with others are determined" },
  { status = "at most", means = "at most: ports, issue slots or another flag take longer, however long the chain" },
  { status = "waits for nothing", means = "no dependency: the output does not wait for this input" },
  { status = "like the index", means = "of the base of a store: taken to be as of its index, since cores rename memory" },
  { status = "no chain", means = "not known: no chain could be measured, because" },
  { status = "not reached", means = "not reached" },
}

return latency_words
