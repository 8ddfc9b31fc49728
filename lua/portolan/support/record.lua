--- Records: tables whose fields are all declared, with what each is, its unit and who writes it.
--
-- A field is nil until somebody writes it. Reading or writing a field that is not declared raises an error: a misspelt name is no nil.
-- @module portolan.support.record
local record = {}

--- Declares a kind of record.
-- @param kind its name, for messages
-- @param fields table: name of a field -> what it is, its unit, who writes it
-- @param[opt] methods table of functions that every record of this kind has; it may be filled later
-- @return constructor: function(initial) -> record; `initial` (a table, or nil) becomes the record
function record.kind(kind, fields, methods)
  methods = methods or {}
  local function check(key, level)
    if not fields[key] then error(("a %s has no field '%s'"):format(kind, tostring(key)), level) end
  end
  local meta = { __name = kind }
  function meta.__index(_, key) -- called for fields that are nil, and for methods
    local method = methods[key]
    if method == nil then check(key, 3) end
    return method
  end
  function meta.__newindex(self, key, value)
    check(key, 3)
    rawset(self, key, value)
  end
  return function(initial)
    initial = initial or {}
    for key in pairs(initial) do check(key, 3) end
    return setmetatable(initial, meta)
  end
end

return record
