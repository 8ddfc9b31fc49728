--- The encodings of Algorithm 4.1's queries, by what is asked for.
-- @module portolan.infer.cegis.encodings
local lira = require "portolan.infer.cegis.lira"
local printable = require "portolan.support.printable"
local three_level = require "portolan.infer.cegis.three_level"
local two_level = require "portolan.infer.cegis.two_level"

local encodings = {}

--- Those that are selectable: union cardinalities, or the dissertation's own arithmetic (slow; a reference).
encodings.names = { "union", "lira" }

--- @param options of `cegis.infer`: `encoding`, `reading`, `uops`
-- @return encoding (see `portolan.infer.cegis.two_level`); or nil and a message
function encodings.of(options)
  local name = options.encoding or "union"
  if name == "union" then return options.uops and three_level or two_level end
  if name == "lira" and options.reading == "symmetric" then return lira end
  if name == "lira" then return nil, "the LIRA encoding knows the symmetric reading only; take that, or the encoding union" end
  return nil, ("no encoding '%s'; use %s"):format(printable(tostring(name)), table.concat(encodings.names, " or "))
end

return encodings
