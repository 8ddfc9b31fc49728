--- Numbers of uops that a record tells: what was counted beside the cycles of its experiments (`uops`, docs/formats.md).
--
-- Only what follows is said. Counts are sums over the schemes of an experiment, and every scheme has one uop or more, unless it was counted alone
-- and has none. From these bounds the numbers are narrowed down until nothing more follows.
-- @module portolan.processor.recorded_uops
local experiment = require "portolan.experiment"

local recorded_uops = {}

local whole = 0.1 -- a count is believed if it is this close to a whole number
local most = 64 -- uops of a scheme that an inference takes

-- The counts that are whole numbers: list of `{ e =, uops = }`.
local function sums_of(records)
  local sums = {}
  for _, record in ipairs(records) do
    local uops = (record.status or "ok") == "ok" and record.uops
    local nearest = uops and uops < most * experiment.length(record.e) + 1 and math.floor(uops + 0.5)
    if nearest and math.abs(uops - nearest) <= whole then sums[#sums + 1] = { e = record.e, uops = nearest } end
  end
  return sums
end

-- Bounds of each scheme of the sums, before anything follows. Only what was counted alone may have no uop at all.
local function unbounded(sums)
  local least, highest = {}, {}
  for _, sum in ipairs(sums) do
    for name in pairs(sum.e) do least[name], highest[name] = least[name] or 1, most end
    local name = next(sum.e)
    if sum.uops == 0 and next(sum.e, name) == nil then least[name] = 0 end
  end
  return least, highest
end

-- Narrows the bounds of one sum's schemes; true if something follows, nil if the sum cannot be.
local function narrow(sum, least, highest)
  local low, high, changed = 0, 0, false
  for name, count in pairs(sum.e) do low, high = low + count * least[name], high + count * highest[name] end
  if sum.uops < low or sum.uops > high then return nil end
  for name, count in pairs(sum.e) do
    local top = least[name] + (sum.uops - low) // count
    local bottom = highest[name] - (high - sum.uops) // count
    if top < highest[name] then highest[name], changed = top, true end
    if bottom > least[name] then least[name], changed = bottom, true end
    if least[name] > highest[name] then return nil end
  end
  return changed
end

--- The numbers of uops that follow from a record.
-- @param records list of `{ e =, uops =, status = }`
-- @return `{ [scheme] = number }` of those that have one value only; or nil and a message where the counts contradict each other
function recorded_uops.of(records)
  local sums, numbers = sums_of(records), {}
  local least, highest = unbounded(sums)
  local again = true
  while again do
    again = false
    for _, sum in ipairs(sums) do
      local l, h = {}, {}
      for name in pairs(sum.e) do l[name], h[name] = least[name], highest[name] end
      local changed = narrow(sum, l, h)
      if changed == nil then
        return nil, ("the recorded numbers of uops contradict each other: no whole numbers sum to the %.14g of %s"):format(sum.uops,
          experiment.format(sum.e))
      end
      for name in pairs(sum.e) do least[name], highest[name] = l[name], h[name] end
      again = again or changed
    end
  end
  for name, low in pairs(least) do
    if low == highest[name] then numbers[name] = low end
  end
  return numbers
end

return recorded_uops
