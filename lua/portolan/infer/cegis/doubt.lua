--- What contradicts is not believed at once: the readings of a contradiction are taken anew.
-- @module portolan.infer.cegis.doubt
local readings = require "portolan.infer.readings"
local state = require "portolan.infer.cegis.state"

local doubt = {}

local enough = require("portolan.measuring.policy").contradicting.readings -- the middle one is believed

--- Measures those experiments of a minimal contradiction again that were not measured often enough; once for each.
-- @param run the state; no mapping admits its observations
-- @return true if there were any, and the solver knows the new values; false if the contradiction stands; or nil, message, status
function doubt.resolve(run)
  if not run.doubt then return false end
  local which, message, status = run.search:conflict()
  if not which then return nil, message, status end
  local list, known = {}, {}
  for _, n in ipairs(which) do
    local o = run.observations[n]
    if o.readings and #o.readings < enough and not o.doubted then
      o.doubted = true
      list[#list + 1], known[#known + 1] = o.terms, o.readings
    end
  end
  if #list == 0 then return false end
  run.doubted = run.doubted + #list
  for _ = 2, enough do
    local ok, why = readings.add_where(run, list, known, function(_, cycles) return #cycles < enough end)
    if not ok then return nil, why end
  end
  return state.reconsider(run)
end

return doubt
