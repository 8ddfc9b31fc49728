--- How strategies open the processor that `--oracle` names, and which schemes they infer.
-- @module portolan.cli.infer.open
local architectures = require "portolan.support.architectures"
local arch_option = require "portolan.cli.arch_option"
local core = require "portolan.core"
local file = require "portolan.support.file"
local lists = require "portolan.support.lists"
local open_processor = require "portolan.cli.open_processor"
local options = require "portolan.cli.infer.options"
local scheme_set = require "portolan.scheme_set"

local open = {}

--- Declares what strategies take that infer any schemes: which ones, the oracle, and where the outcome goes.
-- @param parser of argparse, of the strategy
-- @param out what is written
-- @param name of the argument of `--out`
-- @return the option `--out`
function open.declare(parser, out, name)
  parser:argument("schemes", "schemes to infer; by default all that the oracle knows, and on this machine those of a set"):args("*")
    :argname("SCHEME")
  parser:option("--oracle", "what answers experiments: hw (this machine), sim:MAPPING or replay:EXPERIMENTS, with options behind commas "
    .. "(docs/command-line.md)"):argname("ORACLE"):count(1)
  local option = parser:option("--out", out):argname(name)
  parser:option("--schemes", "file with schemes to infer, one a line"):argname("FILE"):target("schemes_file")
  arch_option.add(parser, "the set")
  parser:option("--set", "on this machine: the name of a set, or a Lua file", "starter"):argname("SET")
  return option
end

--- Opens the processor; says so while it waits for a quiet machine.
-- @param spec of `oracle.parse`
-- @param seed where the oracle's text gives none
-- @param[opt] update function(stage, done, total, note) of `progress.by_stage`; without it there is a line of its own while it waits
-- @param[opt] finish ends that display where there is no processor; nil if its owner closes it anyway
-- @return processor, names of the schemes that it knows; or nil and what the strategy is to return (exit status, message, its status)
function open.processor(spec, seed, update, finish)
  local processor, known, status = open_processor.open(spec, "infer", { seed = seed, update = update })
  if processor then return processor, known end
  if finish then finish() end
  if core.base.interrupted() then return nil, 130 end
  return nil, nil, known, status
end

--- Can these files be written when all is done? This is asked before anything is measured.
-- @param ... paths, or nil
-- @return true; or nil and a message
function open.writable(...)
  for i = 1, select("#", ...) do
    local path = select(i, ...)
    local directory = path and path:match "^(.+)/[^/]*$"
    if directory and file.kind(directory) ~= "directory" then return nil, ("cannot write %s: there is no such directory"):format(path) end
  end
  return true
end

--- The schemes that the command line names: of the option `--schemes`, and arguments.
-- @param args `schemes`, `schemes_file`
-- @return list of names, empty if there are none; or nil and a message
function open.named(args)
  local list = {}
  if args.schemes_file then
    local names, message = options.names(args.schemes_file)
    if not names then return nil, message end
    list = names
  end
  return table.move(args.schemes, 1, #args.schemes, #list + 1, list)
end

--- Whether all of some names are among those that an oracle knows.
-- @return true; or nil and a message
function open.all_known(names, known)
  local set = lists.set(known)
  for _, name in ipairs(names) do
    if not set[name] then return nil, ("the oracle knows no scheme '%s'"):format(name) end
  end
  return true
end

--- Whether all of some names are schemes of this build.
-- @return true; or nil and a message
function open.all_schemes(names)
  for _, name in ipairs(names) do
    local scheme, message = core.isa.scheme(name)
    if not scheme then return nil, message end
  end
  return true
end

local function schemes_of(args, spec, known)
  local names, message = open.named(args)
  if not names then return nil, message end
  if not spec.measures then
    local ok, stranger = open.all_known(names, known)
    if not ok then return nil, stranger end
    return #names > 0 and names or known
  end
  local ok, stranger = open.all_schemes(names)
  if not ok then return nil, stranger end
  local here, elsewhere = arch_option.check_measured(args)
  if not here then return nil, elsewhere end
  if #names > 0 then return names end
  local groups, trouble = scheme_set.load(args.set, architectures.default())
  return groups and scheme_set.names(groups), trouble
end

--- The schemes to infer: those that are named; otherwise all that the oracle knows, and on this machine those of a set.
-- @param args `schemes`, `schemes_file`, `set`, `arch`
-- @param spec of `oracle.parse`
-- @param known names of the schemes that the oracle knows
-- @return list of names, of one architecture; or nil and a message
function open.schemes(args, spec, known)
  local names, message = schemes_of(args, spec, known)
  if not names then return nil, message end
  local fine, fault = arch_option.check(args, names)
  if not fine then return nil, fault end
  return names
end

return open
