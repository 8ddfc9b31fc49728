--- Options by which a command is told schemes: names, a file of names, a set, a filter.
-- @module portolan.cli.scheme_options
local arch_option = require "portolan.cli.arch_option"
local file = require "portolan.support.file"
local isa = require "portolan.scheme.isa"
local lines = require "portolan.support.lines"
local lists = require "portolan.support.lists"
local scheme_set = require "portolan.scheme.set"

local scheme_options = {}

--- Adds the options to a parser.
function scheme_options.add(parser)
  parser:argument("schemes", "schemes to draw from; by default those of a set"):args("*"):argname("SCHEME")
  parser:option("--schemes", "file with schemes, one a line"):argname("FILE"):target("schemes_file")
  parser:option("--set", "the name of a set, or a Lua file", "starter"):argname("SET")
  arch_option.add(parser, "the set")
  parser:option("--filter", "only those that match this filter (portolan isa list --help)"):argname("EXPR")
end

--- Names of schemes, one a line; empty lines and those that begin with # are skipped.
-- @param path of a file
-- @return list; or nil and a message
function scheme_options.file(path)
  local text, message = file.read(path)
  if not text then return nil, message end
  local each, too_many = lines.of(text, path)
  if not each then return nil, too_many end
  local list = {}
  for _, line in each do
    local name = line:match("^%s*(.-)%s*$")
    if name ~= "" and name:sub(1, 1) ~= "#" then list[#list + 1] = name end
  end
  if #list == 0 then return nil, path .. ": no schemes in it; write one a line" end
  return list
end

-- The names before the filter.
local function all(args)
  if args.schemes_file then
    local list, message = scheme_options.file(args.schemes_file)
    return list and table.move(args.schemes, 1, #args.schemes, #list + 1, list), message
  end
  if #args.schemes > 0 then return args.schemes end
  local groups, message = scheme_set.load(args.set, args.arch)
  return groups and scheme_set.names(groups), message
end

--- The schemes that the command line names.
-- @param args of the command line
-- @return list of names; or nil and a message
function scheme_options.names(args)
  local list, message = all(args)
  if not list then return nil, message end
  local fine, fault = arch_option.check(args, list)
  if not fine then return nil, fault end
  if not args.filter then return list end
  local schemes = {}
  for i, name in ipairs(list) do
    schemes[i], message = isa.scheme(name)
    if not schemes[i] then return nil, message end
  end
  schemes, message = isa.select(schemes, args.filter)
  if not schemes then return nil, "--filter: " .. message end
  if #schemes == 0 then return nil, "--filter: no scheme is left" end
  return lists.map(schemes, function(scheme) return scheme.name end)
end

return scheme_options
