--- Durations, as people write and read them.
-- @module portolan.support.duration
local duration = {}

--- A duration for people.
-- @param seconds number
-- @return "0.4 s", "42 s", "3 min 05 s", "2 h 07 min"
function duration.text(seconds)
  if seconds < 9.95 then return ("%.1f s"):format(seconds) end
  local whole = math.floor(seconds + 0.5)
  if whole < 60 then return ("%d s"):format(whole) end
  if whole < 3600 then return ("%d min %02d s"):format(whole // 60, whole % 60) end
  return ("%d h %02d min"):format(whole // 3600, whole % 3600 // 60)
end

--- A duration that somebody gave, as one would write it: `10 min`, not `10 min 00 s`.
-- @param seconds number
function duration.given(seconds)
  local whole = seconds >= 1 and seconds < 10 and seconds % 1 == 0 and ("%d s"):format(seconds)
  return whole or (duration.text(seconds):gsub(" 00 %a+$", ""))
end

local units = { [""] = 1, s = 1, m = 60, h = 3600 }

--- Seconds of a duration in words: `90`, `90s`, `10m`, `1.5h`.
-- @param text string
-- @return seconds; or nil and a message
function duration.seconds(text)
  local digits, unit = text:match("^([%d.]+)([smh]?)$")
  local value = tonumber(digits)
  if not value then return nil, ("'%s' is not a time; write 90s, 10m or 2h"):format(text) end
  return value * units[unit]
end

--- A converter for an option that takes a duration longer than none; its message names the option.
-- @param option its name
-- @return function(word) -> seconds | nil, message
function duration.converter(option)
  return function(word)
    local seconds, message = duration.seconds(word)
    if seconds and seconds > 0 then return seconds end
    return nil, ("%s: %s"):format(option, message or ("'%s' leaves no time; write 90s, 10m or 2h"):format(word))
  end
end

return duration
