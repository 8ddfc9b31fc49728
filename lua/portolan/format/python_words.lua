--- Python's words in JSON: `True`, `False` and `None`, as left by programs that write a file in part with Python's own `repr`
-- (pmtestbench's recorded experiments), and the numbers that JSON does not have (`NaN`, `Infinity`), which Python's own writer leaves.
-- @module portolan.format.python_words
local words = { True = "true", False = "false", None = "null", NaN = "null", Infinity = "null" }

-- Behind the string that begins at a quote; the end of the text if it does not end.
local function behind_string(text, quote)
  local at = quote + 1
  while true do
    local found = text:find('["\\]', at)
    if not found then return #text + 1 end
    if text:byte(found) == 34 then return found + 1 end
    at = found + 2 -- a backslash and what it escapes
  end
end

--- Puts JSON's words in the place of Python's; what is no number becomes `null`.
-- @param text string
-- @return text, how many words were replaced; what stands in quotes is left alone
local function python_words(text)
  local parts, kept, at, count = {}, 1, 1, 0
  while true do
    local found = text:find('["%a_]', at)
    if not found then break end
    local word = text:match("^[%w_]+", found)
    local json = words[word]
    if json then
      count = count + 1
      local negative = word == "Infinity" and text:byte(found - 1) == 45
      parts[#parts + 1] = text:sub(kept, found - (negative and 2 or 1)) .. json
      kept = found + #word
    end
    if text:byte(found) == 34 then at = behind_string(text, found) else at = found + #word end
  end
  parts[#parts + 1] = text:sub(kept)
  return table.concat(parts), count
end

return python_words
