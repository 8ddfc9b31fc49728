--- Text in lines of a terminal's width.
-- @module portolan.support.wrap

local function length(text) return utf8.len(text) or #text end

--- Breaks text at spaces.
-- @param text one paragraph
-- @param width characters of a line
-- @param[opt] first what the first line begins with, e.g. a label
-- @param[opt] indent what the others begin with; spaces as long as `first` if not given
-- @return the lines, as one string without a newline at the end
return function(text, width, first, indent)
  first = first or ""
  indent = indent or (" "):rep(length(first))
  local lines, line, used, empty = {}, first, length(first), true
  for word in text:gmatch("%S+") do
    local n = length(word)
    if not empty and used + 1 + n > width then
      lines[#lines + 1] = line
      line, used, empty = indent, length(indent), true
    end
    line, used = line .. (empty and "" or " ") .. word, used + (empty and 0 or 1) + n
    empty = false
  end
  lines[#lines + 1] = line
  return table.concat(lines, "\n")
end
