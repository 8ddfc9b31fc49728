--- FNV-1a, 64 bits: labels of texts, and digests that tell a changed text from an unchanged one. Not for secrets.
-- @module portolan.support.hash
local hash = {}

--- As a whole number.
-- @param text string
function hash.number(text)
  local h = 0xcbf29ce484222325
  for i = 1, #text do h = (h ~ text:byte(i)) * 0x100000001b3 end
  return h
end

--- As 16 hexadecimal digits.
-- @param text string
function hash.hex(text) return ("%016x"):format(hash.number(text)) end

return hash
