--- A number with its noun: `1 scheme`, `2 schemes`, `3 discoveries`.
-- @module portolan.support.plural

--- @param n whole number
-- @param noun of one
-- @param[opt] nouns of several; by default the noun with an s
-- @return text
return function(n, noun, nouns) return n == 1 and "1 " .. noun or ("%d %s"):format(n, nouns or noun .. "s") end
