--- The option `--arch` of commands that cannot tell the architecture from what they are given.
-- @module portolan.cli.arch_option
local architectures = require "portolan.support.architectures"

local arch_option = {}

--- Adds the option to a parser.
-- @param parser of argparse
-- @tparam[opt] string what is of the architecture, for the help
function arch_option.add(parser, what)
  parser:option("--arch", ("architecture%s: %s (default here: %s)"):format(what and " of " .. what or "",
    table.concat(architectures.names(), ", "), architectures.default())):argname("NAME"):convert(function(name)
    local known, message = architectures.check(name)
    return known, message and "--arch: " .. message
  end)
end

return arch_option
