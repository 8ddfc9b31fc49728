--- For terminals: what a chart found, in a few lines.
-- @module portolan.report.summary_text
local catalog = require "portolan.report.catalog"
local filling = require "portolan.report.filling"
local latencies = require "portolan.report.latencies"
local plural = require "portolan.support.plural"
local port_count = require "portolan.report.port_count"
local port_set = require "portolan.mapping.ports"
local printable = require "portolan.support.printable"
local terminal = require "portolan.support.terminal"
local trial = require "portolan.report.trial"
local wrap = require "portolan.support.wrap"

local summary_text = {}

local most_columns = 120
local most_reasons = 8 -- why latencies are missing

local function columns() return math.min(most_columns, terminal.width(io.stdout)) end

local function show_unfinished(context, unfinished, width)
  local longest = 0
  for _, entry in ipairs(unfinished) do longest = math.max(longest, #entry.stage) end
  context.out("  What to distrust, by the stages that are missing:\n")
  for _, entry in ipairs(unfinished) do
    local label = ("    %s  "):format(entry.stage .. (" "):rep(longest - #entry.stage))
    context.out("%s\n", wrap(entry.distrust, width, label))
  end
end

--- Prints how a chart ended early, or found no ports: what failed, why, what to do, and what to distrust. It is said first, so that nobody takes
-- what follows for a result. Nothing is said of a chart that is whole and has ports.
-- @param context `out`
-- @param chart `ending` (portolan.infer.chart.ending), `mapping`, `provenance.unfinished` (portolan.infer.chart.plan)
function summary_text.ending(context, chart)
  local ending = chart.ending
  if not ending then return end
  local width = columns()
  local head = #chart.mapping.ports > 0 and "PARTIAL: " or "NO PORT MAPPING: "
  local where = ending.stage and ("it ended in the stage \"%s\": "):format(ending.stage) or ""
  context.out("%s\n", wrap(head .. where .. ending.why .. ".", width, "  ", "    "))
  context.out("%s\n", wrap(ending.mend, width, "  To do: ", "    "))
  if chart.provenance.unfinished then show_unfinished(context, chart.provenance.unfinished, width) end
  context.out("\n")
end

--- Prints a line for each set: `{0,1}  vaddpd ymm, ymm, ymm and 3 more`.
-- @param context of the command line: `out`
-- @param sets of a chart: `{ ports =, representative =, members =, assumed = }`
-- @param assumed what to say of ports that are assumed
function summary_text.port_sets(context, sets, assumed)
  for _, set in ipairs(sets) do
    local more = #set.members > 1 and (" and %d more"):format(#set.members - 1) or ""
    context.out("  %-16s %s%s%s\n", "{" .. printable(port_set.text(set.ports)) .. "}", printable(set.representative), more,
      set.assumed and ("  (%s)"):format(assumed) or "")
  end
end

--- Prints how many latencies there are of each kind, and why others are missing.
-- @param context `out`
-- @param s summary (portolan.infer.latency.outcome)
function summary_text.latencies(context, s)
  local out = context.out
  out("  latencies of %d schemes, %d pairs of operands and flags, by %d readings of chains (%.0f s, noise %.2f%%)\n", s.schemes, s.pairs, s.chains,
    s.seconds, 100 * s.noise)
  for _, kind in ipairs(latencies.kinds) do
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

--- Prints how it ended if that was early, the numbers of ports and schemes, and the sets of ports.
-- @param context `out`
-- @param chart of portolan.infer.chart
function summary_text.show(context, chart)
  local out, m = context.out, chart.mapping
  summary_text.ending(context, chart)
  if #m.ports > 0 then out("  %s, at most %s instructions a cycle\n", plural(#m.ports, "port"), tostring(chart.rmax or "?")) end
  local function say(text, mark)
    if text then out("%s\n", wrap(text, columns(), "  " .. mark, "    ")) end
  end
  say(port_count.doubt(chart), "DOUBTFUL: ")
  local doubt, f = filling.doubt(chart.filling), chart.filling
  say(doubt, "DOUBTFUL: ")
  say(trial.doubt(chart.trial), "DOUBTFUL: ")
  say(trial.differs(chart.opinion), "")
  if f and not doubt and f.name ~= f.candidates[1].name then say(filling.words(f), "") end
  out("  schemes: %s\n\n", catalog.tally(catalog.of(chart)))
  summary_text.port_sets(context, chart.port_sets, "which ports: assumed")
  if chart.latency then
    out("\n")
    summary_text.latencies(context, chart.latency)
  end
end

return summary_text
