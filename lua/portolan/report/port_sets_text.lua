--- The sets of ports that a chart found, as lines for terminals.
-- @module portolan.report.port_sets_text
local port_set = require "portolan.ports"
local printable = require "portolan.support.printable"

--- Prints a line for each set: `{0,1}  vaddpd ymm, ymm, ymm and 3 more`.
-- @param context of the command line: `out`
-- @param sets of a chart: `{ ports =, representative =, members =, assumed = }`
-- @param assumed what to say of ports that are assumed
return function(context, sets, assumed)
  for _, set in ipairs(sets) do
    local more = #set.members > 1 and (" and %d more"):format(#set.members - 1) or ""
    context.out("  %-16s %s%s%s\n", "{" .. printable(port_set.text(set.ports)) .. "}", printable(set.representative), more,
      set.assumed and ("  (%s)"):format(assumed) or "")
  end
end
