--- How long an experiment may take by its ports, however unwisely a core binds uops to them.
-- @module portolan.infer.chart.binding
local lists = require "portolan.support.lists"

local binding = {}

local binders = { { kind = "pending" }, { kind = "recent" }, { kind = "late" } }

--- The cycles of the slowest binder.
-- @param compiled mapping, compiled (portolan.mapping)
-- @param e experiment
-- @treturn number cycles
function binding.slowest(compiled, e)
  return lists.largest(binders, function(binder) return compiled:bind(e, binder) end, compiled:throughput(e))
end

return binding
