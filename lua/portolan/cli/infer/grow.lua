--- `portolan infer grow`: a few schemes jointly, every further one alone against them, from the command line.
-- @module portolan.cli.infer.grow
local arch_option = require "portolan.cli.arch_option"
local file = require "portolan.support.file"
local grow = require "portolan.infer.grow"
local lists = require "portolan.support.lists"
local must = require("portolan.support.failure").check
local open = require "portolan.cli.infer.open"
local options = require "portolan.cli.infer.options"
local plural = require "portolan.support.plural"
local prepare = require "portolan.cli.infer.prepare"
local session = require "portolan.cli.infer.session"

local strategy = { summary = "by counter-examples, from a core of a few schemes: hundreds of schemes of one uop each" }

-- `N` or a file of names.
local function core_of(word)
  local number = tonumber(word)
  if not number then return word end
  return options.number("--core", 1, 64, true)(word)
end

function strategy.configure(parser)
  parser:description("Infers a few schemes jointly, by counter-examples, and places every further one alone against those that are certain. "
    .. "All schemes must be one uop each. The mapping has the experiments that each scheme rests on ('portolan explain'), but no certificate.")
  parser:argument("schemes", "schemes to infer, of one uop each; by default all that the oracle knows to be so, and on this "
    .. "machine those of a set"):args("*"):argname("SCHEME")
  session.declare(parser, 20)
  open.declare_set(parser)
  parser:option("--core", "schemes that are inferred jointly: how many, those with the fewest ports, or a file of their names, one a line", "12")
    :argname("N|FILE"):convert(core_of)
  parser:option("--threads", "0: one per processor; the outcome is the same for any number", "0"):convert(options.number("--threads", 0, 1024, true))
end

local function read(args, spec)
  if spec.kind == "replay" then
    return nil, "--oracle: growing chooses its experiments one by one, and a record lacks most of them; 'infer cegis' uses all that a record has"
  end
  local o, message = true, nil
  if spec.measures then o, message = arch_option.check_measured(args) end -- before the machine is calibrated
  if o then o, message = session.read(args, spec) end
  if not o then return nil, message end
  o.core, o.threads = args.core, args.threads
  if type(o.core) == "string" then
    if file.kind(o.core) ~= "file" then return nil, ("--core %s: neither a number nor a file of names"):format(o.core) end
    o.core = must(options.names(o.core))
  end
  return o
end

local function check(o, names)
  local in_core = lists.set(type(o.core) == "table" and o.core or {})
  return session.check(o, names, { ["--core"] = in_core })
end

local function infer(processor, names, o)
  local outcome, message = grow.infer(processor, names, o)
  if not outcome then return nil, message end
  table.insert(outcome.assumed, { kind = "one uop", text = "every scheme is one uop" .. (o.slots and ", as issue slots and memory operands say" or
    ", which no issue slots of this oracle show") })
  if (o.left_out or 0) > 0 then
    table.insert(outcome.assumed, { text = plural(o.left_out, "scheme of several uops is left out", "schemes of several uops are left out") })
  end
  return outcome
end

function strategy.run(args, context)
  local function prepared(processor, spec, given, known, o, update)
    local fine, message = arch_option.check(args, given or not spec.measures and known or {})
    if fine and args.set and not spec.measures then known, message = open.of_set(args, spec, known) end
    if not fine or not known then return nil, message end
    return prepare.single_uops(processor, spec, given, known, o, update, args)
  end
  return session.run(args, context, { method = "grow", read = read, prepare = prepared, check = check, infer = infer })
end

return strategy
