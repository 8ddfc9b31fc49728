--- Options that are numbers: converters for argparse, whose own messages do not name the option.
-- @module portolan.cli.number
local number = {}

local function range(least, most)
  if least and most then return (" from %.14g to %.14g"):format(least, most) end
  return least and (" from %.14g on"):format(least) or most and (" up to %.14g"):format(most) or ""
end

local function converter(option, kind, read, least, most)
  return function(word)
    local value = read(word)
    if not value or not (value >= (least or -math.huge) and value <= (most or math.huge)) then
      return nil, ("%s must be a %s%s, not '%s'"):format(option, kind, range(least, most), word)
    end
    return value
  end
end

local function finite(word)
  local value = tonumber(word)
  return value and value - value == 0 and value or nil
end

--- A converter to a finite number.
-- @param option its name, for the message
-- @param[opt] least
-- @param[opt] most
-- @return function(word) -> number | nil, message
function number.any(option, least, most) return converter(option, "number", finite, least, most) end

--- A converter to a whole number.
function number.whole(option, least, most)
  return converter(option, "whole number", function(word) return math.tointeger(tonumber(word)) end, least, most)
end

--- The same with the kind as a last argument.
function number.of(option, least, most, is_whole) return (is_whole and number.whole or number.any)(option, least, most) end

return number
