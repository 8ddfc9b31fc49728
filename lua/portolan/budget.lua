--- Budgets of time: how they are written, and how long a chart may take if nobody says.
-- @module portolan.budget
local progress = require "portolan.progress"

local budget = {}

local units = { [""] = 1, s = 1, m = 60, h = 3600 }

--- Seconds of a duration in words: `90`, `90s`, `10m`, `1.5h`.
-- @param text string
-- @return seconds; or nil and a message
function budget.duration(text)
  local digits, unit = text:match("^([%d.]+)([smh]?)$")
  local value = tonumber(digits)
  if not value then return nil, ("'%s' is not a time; write 90s, 10m or 2h"):format(text) end
  return value * units[unit]
end

--- A duration as one would write it: `10 min`, not `10 min 00 s`.
-- @param seconds number
function budget.words(seconds)
  local whole = seconds >= 1 and seconds < 10 and seconds % 1 == 0 and ("%d s"):format(seconds)
  return whole or (progress.duration(seconds):gsub(" 00 %a+$", ""))
end

--- A converter for an option that takes a duration longer than none; its message names the option.
-- @param option its name
-- @return function(word) -> seconds | nil, message
function budget.converter(option)
  return function(word)
    local seconds, message = budget.duration(word)
    if seconds and seconds > 0 then return seconds end
    return nil, ("%s: %s"):format(option, message or ("'%s' leaves no time; write 90s, 10m or 2h"):format(word))
  end
end

local least = 600 -- seconds: some sixty times what the starter set takes on a quiet machine
local schemes_in_it, each_further = 200, 1.5

--- How long a chart may take if nobody says: ten minutes for small sets, an hour for 2,200 schemes. A quiet machine needs a tenth or less.
-- @param schemes their number
-- @return seconds
function budget.default(schemes) return least + each_further * math.max(0, schemes - schemes_in_it) end

return budget
