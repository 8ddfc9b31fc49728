--- Counts of events that must be whole numbers: counted anew until most readings agree.
-- @module portolan.measuring.counting
local lists = require "portolan.support.lists"
local policy = require("portolan.measuring.policy").counts
local values = require "portolan.measuring.values"

local counting = {}

local function nearest(x)
  local n = math.floor(x + 0.5)
  return math.abs(x - n) <= policy.tolerance and n or nil
end

--- The whole number that more than half of some readings are close to, if there are enough readings.
-- @param list numbers
-- @param[opt] least number of readings; 1
-- @return whole number, or nil
function counting.settled(list, least)
  local n = #list >= (least or 1) and nearest(values.middle(list))
  local agree = lists.count(list, function(x) return nearest(x) == n end)
  return n and 2 * agree > #list and n or nil
end

--- Counts an event per experiment: a second time if the first reading was a single sample, and anew while readings differ.
-- @param processor with `count`
-- @param experiments list
-- @param event of `processor:counters()`
-- @tparam[opt] table options
-- @tparam[opt] func options.progress as of the processor's `count`
-- @tparam[opt=false] boolean options.again count anew even what a store has
-- @return list of `{ status =, count = median of the readings, whole = the whole number that it is, if it is one }`; or nil and a message
function counting.whole(processor, experiments, event, options)
  local counts, open = {}, {}
  for i in ipairs(experiments) do open[i], counts[i] = i, { list = {}, least = 2 } end
  for round = 1, policy.most do
    local list = lists.map(open, function(i) return experiments[i] end)
    local results, message = processor:count(list, event,
      { progress = options and options.progress, again = round > 1 or options and options.again })
    if not results then return nil, message end
    local left = {}
    for k, result in ipairs(results) do
      local i, c = open[k], counts[open[k]]
      c.status = result.status
      if result.status == "ok" then
        table.insert(c.list, result.count)
        if (result.n or 1) >= policy.samples then c.least = 1 end
        c.count, c.whole = values.middle(c.list), counting.settled(c.list, c.least)
        if not c.whole then left[#left + 1] = i end
      end
    end
    open = left
    if #open == 0 then break end
  end
  return counts
end

return counting
