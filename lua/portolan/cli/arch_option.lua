--- The option `--arch` of commands that cannot tell the architecture from what they are given.
-- @module portolan.cli.arch_option
local architectures = require "portolan.support.architectures"
local isa = require "portolan.scheme.isa"

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

--- Checks that schemes are of one architecture, and of the one that the option names, if it is given.
-- @param args of the command line
-- @param names list of names of schemes
-- @return true; or nil and a message
function arch_option.check(args, names)
  local of, mixed = isa.architecture(names)
  if mixed then return nil, mixed end
  if args.arch and of and of ~= args.arch then return nil, ("--arch %s: the schemes are of %s; leave it out"):format(args.arch, of) end
  return true
end

--- Checks that the option names no other architecture than what is measured here.
-- @param args of the command line
-- @return true; or nil and a message
function arch_option.check_measured(args)
  local here = architectures.default()
  if not args.arch or args.arch == here then return true end
  return nil, ("--arch %s: this machine measures %s; give another --oracle"):format(args.arch, here)
end

return arch_option
