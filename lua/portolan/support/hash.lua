--- FNV-1a, 64 bits: labels of texts, and digests that tell a changed text from an unchanged one. Not for secrets.
-- @module portolan.support.hash
local hash = {}

--- As a whole number.
-- @param text string
function hash.number(text)
  local h, byte, whole = 0xcbf29ce484222325, string.byte, #text - #text % 4
  for i = 1, whole, 4 do -- four bytes a call: texts are long
    local a, b, c, d = byte(text, i, i + 3)
    h = (((h ~ a) * 0x100000001b3 ~ b) * 0x100000001b3 ~ c) * 0x100000001b3
    h = (h ~ d) * 0x100000001b3
  end
  for i = whole + 1, #text do h = (h ~ byte(text, i)) * 0x100000001b3 end
  return h
end

--- As 16 hexadecimal digits.
-- @param text string
function hash.hex(text) return ("%016x"):format(hash.number(text)) end

return hash
