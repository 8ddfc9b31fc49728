--- A number with its noun: `1 scheme`, `2 schemes`, `3 discoveries`.
-- @module portolan.support.plural

--- @param n number
-- @param noun of one; with its verb, if that differs
-- @param[opt] nouns of several; by default the noun with an s
-- @param[opt] written how the number is written, by default as a whole number; what is written "1" is one. False: not at all
-- @return text
return function(n, noun, nouns, written)
  if written == nil then written = ("%d"):format(n) end
  local word = (n == 1 or written == "1") and noun or nouns or noun .. "s"
  return written and written .. " " .. word or word
end
