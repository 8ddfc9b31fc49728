--- For terminals: what a chart found, in a few lines.
-- @module portolan.report.summary_text
local catalog = require "portolan.report.catalog"
local filling = require "portolan.report.filling"
local latency_text = require "portolan.report.latency_text"
local plural = require "portolan.support.plural"
local port_count = require "portolan.report.port_count"
local show_ending = require "portolan.report.ending_text"
local show_port_sets = require "portolan.report.port_sets_text"
local terminal = require "portolan.support.terminal"
local trial = require "portolan.report.trial"
local wrap = require "portolan.support.wrap"

local most_columns = 120

--- Prints how it ended if that was early, the numbers of ports and schemes, and the sets of ports.
-- @param context `out`
-- @param chart of portolan.infer.chart
return function(context, chart)
  local out, m = context.out, chart.mapping
  show_ending(context, chart)
  if #m.ports > 0 then out("  %s, at most %s instructions a cycle\n", plural(#m.ports, "port"), tostring(chart.rmax or "?")) end
  local function say(text, mark)
    if text then out("%s\n", wrap(text, math.min(most_columns, terminal.width(io.stdout)), "  " .. mark, "    ")) end
  end
  say(port_count.doubt(chart), "DOUBTFUL: ")
  local doubt, f = filling.doubt(chart.filling), chart.filling
  say(doubt, "DOUBTFUL: ")
  say(trial.doubt(chart.trial), "DOUBTFUL: ")
  say(trial.differs(chart.opinion), "")
  if f and not doubt and f.name ~= f.candidates[1].name then say(filling.words(f), "") end
  out("  schemes: %s\n\n", catalog.tally(catalog.of(chart)))
  show_port_sets(context, chart.port_sets, "which ports: assumed")
  if chart.latency then
    out("\n")
    latency_text.show(context, chart.latency)
  end
end
