--- Which values can the number of ports of a set of uops have in the mappings that remain?
-- @module portolan.infer.cegis.explore
local smt = require "portolan.core".smt
local stop = require "portolan.infer.stop"

local explore = {}

--- Asks the solver until every value that c(set) can have is met by one of the known mappings.
-- @param search solver that holds the observations
-- @tparam integer set of rows
-- @tparam integer ports
-- @tparam table known mappings of the solver; those that are found are appended
function explore.union(search, set, ports, known)
  local seen = {}
  for _, m in ipairs(known) do seen[smt.union(m, set)] = true end
  local function ask(low, high)
    while low <= high do
      local m = stop.need(search:possible(set, low, high))
      if not m then return end
      known[#known + 1] = m
      local c = smt.union(m, set)
      seen[c] = true
      ask(low, c - 1)
      low = c + 1
    end
  end
  local low = 1
  for c = 1, ports + 1 do -- the gaps between the values met so far
    if seen[c] or c > ports then
      ask(low, c - 1)
      low = c + 1
    end
  end
end

return explore
