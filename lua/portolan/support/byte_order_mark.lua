--- The byte order mark that some editors put before UTF-8 text. It is no part of the text.
-- @module portolan.support.byte_order_mark
local mark = "\239\187\191"

--- A text without the mark at its beginning.
-- @param text string
-- @return string
return function(text) return text:sub(1, #mark) == mark and text:sub(#mark + 1) or text end
