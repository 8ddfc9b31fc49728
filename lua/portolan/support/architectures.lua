--- The architectures that the engine knows, by name, and the one that is meant where nothing says which.
--
-- What belongs to an architecture is in the folder `arch/NAME` (`paths.arch(NAME, FILE)`).
-- @module portolan.support.architectures
local core = require "portolan.core"
local printable = require "portolan.support.printable"

local architectures = {}

--- All of them.
-- @return list of names
function architectures.names() return core.isa.architectures() end

--- The one that is meant where nothing says which: this machine's; "x86_64" on a machine of another kind.
-- @return name
function architectures.default() return core.isa.default end

--- All of them, one ahead of the others.
-- @param[opt] first name; the default's if left out
-- @return list of names
function architectures.from(first)
  first = first or architectures.default()
  local list = { first }
  for _, name in ipairs(architectures.names()) do
    if name ~= first then list[#list + 1] = name end
  end
  return list
end

--- Whether there is one of this name.
-- @param name any value
-- @return name; or nil and a message
function architectures.check(name)
  for _, known in ipairs(architectures.names()) do
    if name == known then return name end
  end
  return nil, ("no architecture '%s'; there are %s"):format(printable.line(tostring(name)), table.concat(architectures.names(), ", "))
end

return architectures
