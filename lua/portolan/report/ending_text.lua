--- For terminals: a chart that ended early, or found no ports: what failed, why, what to do, and what to distrust. It is said first, so that
-- nobody takes what follows for a result.
-- @module portolan.report.ending_text
local terminal = require "portolan.support.terminal"
local wrap = require "portolan.support.wrap"

local most_columns = 120

local function show_unfinished(context, unfinished, width)
  local longest = 0
  for _, entry in ipairs(unfinished) do longest = math.max(longest, #entry.stage) end
  context.out("  What to distrust, by the stages that are missing:\n")
  for _, entry in ipairs(unfinished) do
    local label = ("    %s  "):format(entry.stage .. (" "):rep(longest - #entry.stage))
    context.out("%s\n", wrap(entry.distrust, width, label))
  end
end

--- Prints how a chart ended; nothing for a chart that is whole and has ports.
-- @param context `out`
-- @param chart `ending` (portolan.infer.chart.ending), `mapping`, `provenance.unfinished` (portolan.infer.chart.plan)
return function(context, chart)
  local ending = chart.ending
  if not ending then return end
  local width = math.min(most_columns, terminal.width(io.stdout))
  local head = #chart.mapping.ports > 0 and "PARTIAL: " or "NO PORT MAPPING: "
  local where = ending.stage and ("it ended in the stage \"%s\": "):format(ending.stage) or ""
  context.out("%s\n", wrap(head .. where .. ending.why .. ".", width, "  ", "    "))
  context.out("%s\n", wrap(ending.mend, width, "  To do: ", "    "))
  if chart.provenance.unfinished then show_unfinished(context, chart.provenance.unfinished, width) end
  context.out("\n")
end
