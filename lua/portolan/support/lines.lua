--- The lines of a text, whose number is limited (portolan.support.limits).
-- @module portolan.support.lines
local limits = require "portolan.support.limits"

local lines = {}

--- Goes through the lines of a text.
-- @param text string
-- @param name of the text, for messages
-- @return iterator of line number, line without its end, and the position behind it; or nil and `name:line: what`
function lines.of(text, name)
  local at, count = 0, -1
  repeat
    at, count = text:find("\n", at + 1, true), count + 1
  until not at or count > limits.lines
  if at then return nil, ("%s:%d: more than %d lines; split the file"):format(name, count, limits.lines) end
  local number, from = 0, 1
  return function()
    if from > #text then return nil end
    local newline = text:find("\n", from, true) or #text + 1
    local line = text:sub(from, newline - 1)
    number, from = number + 1, math.min(newline, #text) + 1
    return number, line, from
  end
end

return lines
