--- This module opens for strategies the processor that `--oracle` names, and tells which schemes they infer.
-- @module portolan.cli.infer.open
local architectures = require "portolan.support.architectures"
local arch_option = require "portolan.cli.arch_option"
local core = require "portolan.core"
local file = require "portolan.support.file"
local isa = require "portolan.scheme.isa"
local lists = require "portolan.support.lists"
local open_processor = require "portolan.cli.open_processor"
local options = require "portolan.cli.infer.options"
local printable = require "portolan.support.printable"
local scheme_set = require "portolan.scheme.set"
local terminal = require "portolan.support.terminal"

local open = {}

local default_set = "starter" -- on this machine

--- Declares the options `--set` and `--arch`.
-- @param parser of argparse, of the strategy
function open.declare_set(parser)
  arch_option.add(parser, "the set")
  parser:option("--set", ("only schemes of this set: its name, or a Lua file; on this machine %s if no schemes are named"):format(default_set))
    :argname("SET")
end

--- Declares what strategies take that infer any schemes: which ones, the oracle, and where the outcome goes.
-- @param parser of argparse, of the strategy
-- @param out what is written
-- @param name of the argument of `--out`
-- @tparam[opt] string oracles that there are, for the help
-- @return the option `--out`
function open.declare(parser, out, name, oracles)
  parser:argument("schemes", "schemes to infer; by default all that the oracle knows, and on this machine those of a set"):args("*")
    :argname("SCHEME")
  parser:option("--oracle", ("what answers experiments: %s, with options behind commas (docs/command-line.md)")
    :format(oracles or "hw (this machine), sim:MAPPING or replay:EXPERIMENTS")):argname("ORACLE"):count(1)
  local option = parser:option("--out", out):argname(name)
  parser:option("--schemes", "file with schemes to infer, one a line"):argname("FILE"):target("schemes_file")
  open.declare_set(parser)
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

--- The schemes that the command line names: of the option `--schemes`, and arguments. They go with no `--set`.
-- @param args `schemes`, `schemes_file`, `set`
-- @return list of names, empty if there are none; or nil and a message
function open.named(args)
  local list = {}
  if args.schemes_file then
    local names, message = options.names(args.schemes_file)
    if not names then return nil, message end
    list = names
  end
  table.move(args.schemes, 1, #args.schemes, #list + 1, list)
  if #list > 0 and args.set then return nil, "--set: schemes are named as well; leave out either" end
  return list
end

--- The schemes of the set that `--set` names, and on this machine otherwise those of the starter set: all that the oracle knows of them.
-- @param args `set`, `arch`
-- @param spec of `oracle.parse`
-- @param known names of the schemes that the oracle knows, if it is not this machine
-- @return list of names, and on this machine the set's groups; or nil and a message
function open.of_set(args, spec, known)
  local name = args.set or default_set
  local groups, message = scheme_set.load(name, spec.measures and architectures.default() or args.arch or isa.architecture(known) or nil)
  if not groups then return nil, message end
  local answered, names = lists.set(known or {}), scheme_set.names(groups)
  if spec.measures then return names, groups end
  local list = lists.where(names, function(scheme) return answered[scheme] end)
  if #list == 0 then return nil, ("--set %s: the oracle knows none of its %d schemes"):format(name, #names) end
  if #list < #names then
    terminal.say(("portolan infer: --set %s: the oracle knows %d of its %d schemes; the others are left out"):format(printable(name), #list, #names))
  end
  return list
end

--- Checks whether all of some names are among those that an oracle knows.
-- @return true; or nil and a message
function open.all_known(names, known)
  local set = lists.set(known)
  for _, name in ipairs(names) do
    if not set[name] then return nil, ("the oracle knows no scheme '%s'"):format(name) end
  end
  return true
end

--- Checks whether all of some names are schemes of this build.
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
  local ok, fault
  if spec.measures then
    ok, fault = open.all_schemes(names)
    if ok then ok, fault = arch_option.check_measured(args) end
  else
    ok, fault = open.all_known(names, known)
  end
  if not ok then return nil, fault end
  if #names > 0 then return names end
  if args.set or spec.measures then return open.of_set(args, spec, known) end
  return known
end

--- The schemes to infer: those that are named, or those of a set; otherwise all that the oracle knows, and on this machine the starter set.
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
