--- Issue slots, counted anew until they are near a whole number (`slots` of portolan.measuring.policy).
-- @module portolan.measuring.slots
local policy = require("portolan.measuring.policy").slots
local values = require "portolan.measuring.values"

local slots = {}

--- The whole number that a count stands for: nothing is issued in less than a slot.
function slots.nearest(count) return math.max(1, math.floor(count + 0.5)) end

--- Is a count nearer to a whole number than that distance? Below one slot there is nothing to doubt: packing effects make it so.
function slots.is_near(count, distance) return count < 1 or math.abs(count - slots.nearest(count)) < distance end

--- The slots that several paddings show. Where a padding does not fill its groups an instance seems to take more: the least counts. But the least of
-- many noisy counts is less than any of them means, so that it is the mean of those that noise alone may have moved away from it.
-- @tparam table counts list of `{ count = slots of an instance, probe = slots of the instance and its NOPs }`, one a padding
-- @tparam[opt=0] number noise standard deviation of a reading, as a share of it
-- @return slots; nil if the list is empty
function slots.of_paddings(counts, noise)
  local least
  for _, c in ipairs(counts) do
    if not least or c.count < least.count then least = c end
  end
  if not least then return nil end
  local farthest, sum, n = least.count + policy.apart * (noise or 0) * least.probe, 0, 0
  for _, c in ipairs(counts) do
    if c.count <= farthest then sum, n = sum + c.count, n + 1 end
  end
  return sum / n
end

-- Do readings repeat so well that more of them would say the same?
local function repeats(list, near)
  local order = table.move(list, 1, #list, 1, {})
  table.sort(order)
  return #list >= policy.steady and order[#order] - order[1] < near / 2
end

-- Does it take another reading to tell which whole number they are of?
local function is_doubtful(list, least, near)
  return #list < least or not slots.is_near(values.middle(list), near) and not repeats(list, near)
end

--- Counts the slots of schemes.
-- @tparam {string,...} names of schemes
-- @tparam function read function(names, again) -> list of counts, false for those without: one more reading of each
-- @tparam integer least number of readings
-- @tparam number near distance from a whole number at which the middle reading is believed
-- @return table: name -> the middle reading; nil for those that could not be read
function slots.count(names, read, least, near)
  local known, middle, open = {}, {}, names
  for _, name in ipairs(names) do known[name] = {} end
  for reading = 1, policy.most do
    local counts, left = read(open, reading > 1), {}
    for i, name in ipairs(open) do
      local list = known[name]
      if counts[i] then table.insert(list, counts[i]) end
      middle[name] = #list > 0 and values.middle(list) or nil
      local disturbed = #list == 0 and reading <= policy.tries
      if disturbed or #list > 0 and is_doubtful(list, least, near) then left[#left + 1] = name end
    end
    open = left
    if #open == 0 then break end
  end
  return middle
end

return slots
