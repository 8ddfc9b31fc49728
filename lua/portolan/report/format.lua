--- This module writes quantities for reports. Every function takes nil (and what is no finite number) for "not known" and
-- then gives an em dash, so that a partial result still reads well.
local duration = require "portolan.support.duration"
local plural = require "portolan.support.plural"

local format = {}

format.absent = "—"

local function finite(x)
  return type(x) == "number" and x == x and x ~= math.huge and x ~= -math.huge
end
format.finite = finite

--- The place of the item with the least number.
-- @param items list
-- @param number function(item) -> number; what is no finite number does not count
-- @return place and number of the first such item; nil if none has a number
function format.least(items, number)
  local found, least
  for i, item in ipairs(items) do
    local value = number(item)
    if finite(value) and (not least or value < least) then found, least = i, value end
  end
  return found, least
end

--- Any plain value as text; whole numbers without a decimal point, however they are stored.
function format.plain(x)
  if math.type(x) == "float" then return ("%.14g"):format(x) end
  return tostring(x)
end

--- Cycles per experiment or per instance: three decimals below ten, two from there.
function format.cycles(x)
  if not finite(x) then return format.absent end
  return (math.abs(x) < 10 and "%.3f" or "%.2f"):format(x)
end

--- A fraction as a percentage: 0.0617 -> "6.2%".
function format.percent(x, decimals)
  if not finite(x) then return format.absent end
  return ("%%.%df%%%%"):format(decimals or 1):format(100 * x)
end

--- Deviation of a measured value from an expected one, with its sign: "+1.4%".
function format.deviation(measured, expected)
  if not finite(measured) or not finite(expected) or expected == 0 then return format.absent end
  local text = ("%+.1f%%"):format(100 * (measured / expected - 1))
  return text == "-0.0%" and "+0.0%" or (text:gsub("%-", "−"))
end

--- A correlation coefficient: "0.93".
function format.coefficient(x)
  if not finite(x) then return format.absent end
  return (("%.3f"):format(x):gsub("%-", "−"))
end

--- A whole number with thin spaces between groups of three digits: "12 345".
function format.count(x)
  if not finite(x) then return format.absent end
  local digits = ("%.0f"):format(x)
  local grouped = digits:reverse():gsub("(%d%d%d)", "%1,"):reverse():gsub("^(%-?),", "%1")
  return (grouped:gsub(",", "\u{202F}"))
end

--- Seconds as people say them: "0.4 s", "48 s", "1 min 42 s", "2 h 5 min".
function format.duration(seconds)
  if not finite(seconds) then return format.absent end
  return (duration.text(seconds):gsub(" 0(%d)", " %1"))
end

--- Hertz: "2.10 GHz".
function format.frequency(hertz)
  if not finite(hertz) then return format.absent end
  if hertz >= 1e9 then return ("%.2f GHz"):format(hertz / 1e9) end
  return ("%.0f MHz"):format(hertz / 1e6)
end

--- A word of a command line as a shell takes it.
function format.word(text)
  text = tostring(text)
  if text:find "^[%w@%%_+=:,./-]+$" then return text end
  return "'" .. text:gsub("'", "'\\''") .. "'"
end

--- "1 port", "12 345 ports".
function format.plural(n, word, words)
  return plural(n, word, words, format.count(n))
end

--- "a", "a and b", "a, b and c".
function format.list(items)
  if #items < 2 then return tostring(items[1] or "") end
  return table.concat(items, ", ", 1, #items - 1) .. " and " .. tostring(items[#items])
end

return format
