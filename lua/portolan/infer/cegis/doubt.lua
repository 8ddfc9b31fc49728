--- A contradiction is doubted before it is believed: its readings are taken anew.
-- @module portolan.infer.cegis.doubt
local contradicting = require "portolan.measuring.contradicting"
local state = require "portolan.infer.cegis.state"

local doubt = {}

--- Measures those experiments of a minimal contradiction again that were not measured often enough; once for each.
-- @param run the state; no mapping admits its observations
-- @return true if there were any, and the solver knows the new values; false if the contradiction stands; or nil, message, status
function doubt.resolve(run)
  if not run.doubts then return false end
  local which, message, status = run.search.solver:conflict()
  if not which then return nil, message, status end
  local list = {}
  for k, n in ipairs(which) do list[k] = run.observations.list[n] end
  local again, why = contradicting.again(run.source, list)
  if not again then return nil, why end
  if again == 0 then return false end
  run.doubted = run.doubted + again
  return state.reconsider(run)
end

return doubt
