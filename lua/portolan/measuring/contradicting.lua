--- What contradicts is not believed at once: the readings of a contradiction are taken anew, once (`contradicting` of portolan.measuring.policy).
-- @module portolan.measuring.contradicting
local enough = require("portolan.measuring.policy").contradicting.readings -- the middle one is believed

local contradicting = {}

--- Takes readings of observations anew, where they rest on fewer than enough and were not doubted before.
-- @param source of readings (portolan.measuring.suspicious)
-- @tparam {table,...} list observations (portolan.infer.observations); good readings are appended to theirs
-- @return how many there were; or nil and a message
function contradicting.again(source, list)
  local terms, known = {}, {}
  for _, seen in ipairs(list) do
    if seen.readings and #seen.readings < enough and not seen.doubted then
      seen.doubted = true
      terms[#terms + 1], known[#known + 1] = seen.terms, seen.readings
    end
  end
  for _ = 2, enough do
    local ok, message = source:add_where(terms, known, function(_, cycles) return #cycles < enough end)
    if not ok then return nil, message end
  end
  return #terms
end

return contradicting
