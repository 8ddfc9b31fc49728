--- For terminals: what an inference of latencies found, in a few lines.
-- @module portolan.report.latency_text
local latency_words = require "portolan.report.latency_words"
local printable = require "portolan.support.printable"

local latency_text = {}

local most_reasons = 8

--- Prints how many latencies there are of each kind, and why others are missing.
-- @param context `out`
-- @param s summary (portolan.infer.latency.outcome)
function latency_text.show(context, s)
  local out = context.out
  out("  latencies of %d schemes, %d pairs of operands and flags, by %d readings of chains (%.0f s, noise %.2f%%)\n", s.schemes, s.pairs, s.chains,
    s.seconds, 100 * s.noise)
  for _, kind in ipairs(latency_words.kinds) do
    local n = s.counts[kind.status]
    if n then out("  %7d  %s\n", n, kind.means) end
  end
  for i, reason in ipairs(s.reasons) do
    if i > most_reasons then
      out("  %16s %d further reasons\n", "", #s.reasons - most_reasons)
      break
    end
    out("  %16d  %s\n", reason.pairs, printable(reason.why))
  end
  if s.unfinished then out("  it ended early, in the step '%s'\n", s.unfinished) end
end

return latency_text
