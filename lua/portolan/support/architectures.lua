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

--- The one that is meant where nothing says which: what the environment variable PORTOLAN_DEFAULT_ARCHITECTURE names, else this machine's;
-- "x86_64" on a machine of another kind.
-- @return name
function architectures.default() return core.isa.default end

--- Tells whether the variable names an architecture.
-- @return true; or nil and a message
function architectures.check_environment()
  local named = os.getenv "PORTOLAN_DEFAULT_ARCHITECTURE"
  if not named then return true end
  local known, message = architectures.check(named)
  return known and true, message and "PORTOLAN_DEFAULT_ARCHITECTURE: " .. message
end

--- Tells whether code that nothing says the architecture of is this machine's, so that it can be measured here.
-- @return true; or nil and a message
function architectures.check_measurable()
  local host, default = core.isa.host, architectures.default()
  if host == default then return true end
  if not host then return nil, "this machine's architecture is none that can be measured" end
  return nil, ("PORTOLAN_DEFAULT_ARCHITECTURE is %s, and this machine is %s; unset it to measure here"):format(default, host)
end

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

--- Tells whether there is an architecture of this name.
-- @param name any value
-- @return name; or nil and a message
function architectures.check(name)
  for _, known in ipairs(architectures.names()) do
    if name == known then return name end
  end
  return nil, ("no architecture '%s'; there are %s"):format(printable.line(tostring(name)), table.concat(architectures.names(), ", "))
end

return architectures
