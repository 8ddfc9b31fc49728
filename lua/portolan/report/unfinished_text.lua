--- For terminals: what to distrust in a chart that ended early.
local terminal = require "portolan.terminal"
local wrap = require "portolan.wrap"

local most_columns = 120

--- Prints it; nothing for a chart that is whole.
-- @param context `out`
-- @param chart `provenance.unfinished` (portolan.infer.explain.plan)
return function(context, chart)
  local unfinished = chart.provenance.unfinished
  if not unfinished then return end
  local longest, width = 0, math.min(most_columns, terminal.width(io.stdout))
  for _, entry in ipairs(unfinished) do longest = math.max(longest, #entry.stage) end
  context.out("\n  PARTIAL: it ended in the stage \"%s\". What to distrust, by the stages that are missing:\n", unfinished[1].stage)
  for _, entry in ipairs(unfinished) do
    local label = ("    %s  "):format(entry.stage .. (" "):rep(longest - #entry.stage))
    context.out("%s\n", wrap(entry.distrust, width, label))
  end
end
