--- Computes how long an experiment may take by its ports, however unwisely a core binds uops to them, and whether that matters.
-- @module portolan.infer.chart.binding
local lists = require "portolan.support.lists"
local port_set = require "portolan.mapping.ports"

local binding = {}

local binders = { { kind = "pending" }, { kind = "recent" }, { kind = "late" } }

--- The cycles of the slowest binder.
-- @param compiled mapping, compiled (portolan.mapping)
-- @param e experiment
-- @treturn number cycles
function binding.slowest(compiled, e)
  return lists.largest(binders, function(binder) return compiled:bind(e, binder) end, compiled:throughput(e))
end

--- Does it matter how the uops of an experiment are bound? Some have other ports than others, and a few in common with these.
-- @param e experiment
-- @tparam function uops_of name of a scheme -> its uops
-- @treturn boolean
function binding.matters(e, uops_of)
  local sets = {}
  for name in pairs(e) do
    for _, uop in ipairs(uops_of(name)) do sets[#sets + 1] = uop[1] end
  end
  return lists.any(sets, function(a)
    return lists.any(sets, function(b) return #port_set.common(a, b) > 0 and not port_set.same(a, b) end)
  end)
end

return binding
