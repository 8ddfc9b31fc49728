--- Text from files for terminals: names of schemes, ports and tools may hold anything that JSON can write.
-- @module portolan.printable

--- Replaces control characters (ASCII's and U+0080 to U+009F), which could move the cursor or change colours, by question marks.
-- @param text string
-- @return string with as many characters
return function(text) return (text:gsub("%c", "?"):gsub("\xC2[\x80-\x9F]", "?")) end
