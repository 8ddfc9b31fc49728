--- The encodings of Algorithm 4.1's queries, by what is asked for.
-- @module portolan.infer.encodings
local three_level = require "portolan.infer.three_level"
local two_level = require "portolan.infer.two_level"

local encodings = {}

--- Those that are selectable for the two-level model.
encodings.names = { "union" }

--- @param options of `cegis.infer`: `encoding`, `uops`
-- @return encoding (see `portolan.infer.two_level`); or nil and a message
function encodings.of(options)
  local name = options.encoding or "union"
  for _, known in ipairs(encodings.names) do
    if name == known then return options.uops and three_level or two_level end
  end
  return nil, ("no encoding '%s'; use %s"):format(tostring(name), table.concat(encodings.names, " or "))
end

return encodings
