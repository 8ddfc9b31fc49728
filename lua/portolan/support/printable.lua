--- Text from elsewhere made harmless: names of schemes, ports and tools, and what tools say, may hold anything that a file can.
--
-- What could move a cursor, change colours, talk to a terminal or turn the order of letters round is replaced: control characters (ASCII's,
-- and U+0080 to U+009F), marks of direction (U+061C, U+200E, U+200F, U+202A to U+202E, U+2066 to U+2069), separators of lines and
-- paragraphs (U+2028, U+2029), and bytes that are no UTF-8. All that leaves for a terminal (portolan.support.terminal) or a report
-- (portolan.report.html) passes here.
-- @module portolan.support.printable
local printable = {}

--- Patterns of UTF-8 of those beyond ASCII.
printable.beyond = { "\xC2[\x80-\x9F]", "\xD8\x9C", "\xE2\x80[\x8E\x8F\xA8-\xAE]", "\xE2\x81[\xA6-\xA9]" }

-- Bytes that are no UTF-8, replaced one by one.
local function valid(text, instead)
  local _, bad = utf8.len(text)
  if not bad then return text end
  local parts, from = {}, 1
  while bad do
    parts[#parts + 1] = text:sub(from, bad - 1)
    parts[#parts + 1] = instead
    from = bad + 1
    _, bad = utf8.len(text, from)
  end
  parts[#parts + 1] = text:sub(from)
  return table.concat(parts)
end

-- `control`: a pattern of the control characters of ASCII that are replaced
local function harmless(text, control, instead)
  text = text:gsub(control, instead)
  if not text:find "[\x80-\xFF]" then return text end
  text = valid(text, instead)
  for _, pattern in ipairs(printable.beyond) do text = text:gsub(pattern, instead) end
  return text
end

--- Text that may have lines and tabs.
-- @param text string
-- @param[opt="?"] instead what is put in the place of a character
-- @return string
function printable.text(text, instead) return harmless(text, "[\0-\8\11-\31\127]", instead or "?") end

--- One line out of a message that may have several.
-- @param text anything
-- @return string without line ends
function printable.line(text) return printable((tostring(text):gsub("%s+$", ""):gsub("%s*\n%s*", "; "))) end

-- `printable(text)`: a piece of a line, with as many characters.
setmetatable(printable, { __call = function(_, text) return harmless(text, "%c", "?") end })

return printable
