--- This module holds what `portolan infer cegis` and `portolan infer grow` share: their options, and their course, which opens the oracle, prepares,
-- infers, writes and prints.
-- @module portolan.cli.infer.session
local core = require "portolan.core"
local duration = require "portolan.support.duration"
local experiment = require "portolan.experiment"
local file = require "portolan.support.file"
local json = require "portolan.support.json"
local lists = require "portolan.support.lists"
local mapping = require "portolan.mapping"
local must = require("portolan.support.failure").check
local one_uop = require "portolan.infer.one_uop"
local open = require "portolan.cli.infer.open"
local options = require "portolan.cli.infer.options"
local oracle = require "portolan.processor.oracle"
local outcome_words = require "portolan.infer.outcome_words"
local plural = require "portolan.support.plural"
local printable = require "portolan.support.printable"
local progress = require "portolan.progress.line"

local session = {}

--- Declares the shared options.
-- @param parser of argparse, of the strategy
-- @tparam int most_ports that the strategy takes
function session.declare(parser, most_ports)
  parser:option("--oracle", "what answers experiments: hw (this machine), sim:MAPPING or replay:EXPERIMENTS, with options behind commas "
    .. "(docs/command-line.md)"):argname("ORACLE"):count(1)
  parser:option("--schemes", "file with schemes to infer, one a line"):argname("FILE"):target("schemes_file")
  parser:option("--out", "write the mapping"):argname("FILE")
  parser:option("--ports", "most ports to consider; by default as many as are needed"):convert(options.number("--ports", 1, most_ports, true))
  parser:option("--rmax", "instructions per cycle; by default what the oracle says"):convert(options.number("--rmax", 0.01, 1000))
  parser:option("--epsilon", "what measurements resolve, in cycles per instruction; 0.02, with the asymmetric reading 0.01")
    :convert(options.number("--epsilon", 0, 0.5))
  parser:option("--reading", "of a measured time: symmetric (it is the model's) or asymmetric (never faster, now and then slower); "
    .. "asymmetric for hw and greedy binders"):choices { "symmetric", "asymmetric" }
  parser:option("--port-counts", "number of ports of a scheme (SCHEME=N), where known, or a JSON file of them"):argname("SCHEME=N|FILE")
    :count("*")
  parser:option("--fixed", "mapping whose schemes have the ports that it says, under these names"):argname("MAPPING")
  parser:option("--time", "how long to go on: 90s, 10m, 2h"):convert(options.duration)
  parser:option("--experiments", "how many experiments to measure at most"):convert(options.number("--experiments", 1, 1e9, true))
  parser:option("--seed", "of every random choice", "1"):convert(options.number("--seed", 0, 2 ^ 53, true))
  parser:flag("--json", "print JSON")
end

--- Reads what the shared options say, as `cegis.infer` and `grow.infer` take it.
-- @tparam table args of the command line
-- @tparam table spec of `oracle.parse`
-- @return options; or nil and a message
function session.read(args, spec)
  local greedy = spec.measures or spec.options.binder == "greedy"
  local reading = args.reading or (greedy and "asymmetric" or "symmetric")
  local o, message = { ports = args.ports, rmax = args.rmax, reading = reading, seed = args.seed,
    epsilon = args.epsilon or (reading == "asymmetric" and 0.01 or 0.02), time_limit = args.time, experiment_limit = args.experiments }
  o.port_counts, message = options.numbers(args.port_counts, "--port-counts")
  if message then return nil, message end
  if args.fixed then o.fixed, message = options.fixed(args.fixed) end
  if message then return nil, message end
  return o
end

--- Every name that an option mentions must be one of the schemes. Given ports of other schemes are dropped: a whole mapping may be given.
-- @tparam table o options of `read`
-- @tparam {string,...} names of the schemes to infer
-- @tparam {[string]=table,...} further option -> values by scheme
-- @treturn[1] boolean true
-- @return[2] nil and a message
function session.check(o, names, further)
  local known = lists.set(names)
  further["--port-counts"] = o.port_counts or {}
  for option, values in pairs(further) do
    for name in pairs(values) do
      if not known[name] then return nil, ("%s: '%s' is not one of the schemes to infer"):format(option, name) end
    end
  end
  for name in pairs(o.fixed or {}) do
    if not known[name] then o.fixed[name] = nil end
  end
  if o.fixed and not next(o.fixed) then return nil, "--fixed: it explains none of the schemes to infer" end
  return true
end

local function usage_lines(m)
  local lines, width = {}, 0
  for _, name in ipairs(mapping.schemes(m, true)) do width = math.max(width, #name) end
  for _, name in ipairs(mapping.schemes(m, true)) do
    lines[#lines + 1] = ("  %-" .. math.min(width, 60) .. "s  %s"):format(printable(name), printable(mapping.usage(m.schemes[name])))
  end
  return lines
end

local function show_list(context, title, lines)
  if #lines == 0 then return end
  context.out("\n%s:\n", title)
  for _, line in ipairs(lines) do context.out("  %s\n", printable(line)) end
end

-- The schemes without ports, and why, of strategies that say it of each.
local function unplaced(schemes)
  local list = {}
  for name, s in pairs(schemes) do
    if s.status == "contradicting" or s.status == "unmeasured" or s.status == "unfinished" then
      list[#list + 1] = ("%s: %s"):format(name, s.status)
    end
  end
  table.sort(list)
  return list
end

local colours = { unique = "green", contradiction = "red" }

local function show(outcome, args, context)
  context.out("%s: %s\n", context.style(outcome.status, colours[outcome.status] or "yellow"), printable(outcome_words.ending(outcome)))
  if outcome.conflict and args.uops and one_uop.words(outcome.assumed) then
    context.out("if a scheme has several uops, say how many: --uops SCHEME=N; for a few schemes --find-uops MOST finds it out\n")
  end
  if outcome.mapping then
    context.out("\n%s\n", table.concat(usage_lines(outcome.mapping), "\n"))
  end
  show_list(context, "ports not known", unplaced(outcome.schemes or {}))
  show_list(context, "certain: the same ports, up to names, in every mapping that fits", outcome_words.certain(outcome))
  show_list(context, "open", outcome_words.open(outcome.open))
  show_list(context, "assumed, not inferred", outcome_words.assumed(outcome.assumed))
  show_list(context, "experiments that would decide", outcome_words.wanted(outcome.wanted))
  local failed = lists.map(outcome.failed, experiment.format)
  show_list(context, "not measured", failed)
  context.out("\n%s, %s, %s (%s of them the solver)\n", plural(#outcome.observations, "experiment"), plural(outcome.rounds, "round"),
    duration.text(outcome.seconds), duration.text(outcome.solver_seconds))
  if args.out and outcome.mapping then
    context.out("%s: the mapping%s\n", args.out, outcome.certificate and ", with a certificate" or "; without a certificate")
  end
end

-- An outcome as JSON; experiments are tables scheme -> count.
local function show_json(outcome, context)
  local o = lists.copy(outcome)
  o.question = nil
  for _, key in ipairs { "open", "assumed", "wanted", "failed", "observations" } do o[key] = json.array(o[key]) end
  for _, s in pairs(o.schemes or {}) do json.array(s.experiments) end
  context.write_json(o)
end

-- Writes the mapping, and the last question, where the command line names files for them. True; or nil, message, status.
local function write(outcome, args, processor, spec, method)
  if args.smtlib and outcome.question then
    local ok, message, status = file.write(args.smtlib, outcome.question)
    if not ok then return nil, message, status end
  end
  if not (args.out and outcome.mapping) then return true end
  local m = outcome.mapping
  m.certificate = outcome.certificate
  m.provenance = { method = method, version = core.version, oracle = args.oracle, processor = processor.describe and processor:describe(),
    experiments = #outcome.observations, rounds = outcome.rounds, seconds = outcome.seconds, seed = outcome.seed, kind = spec.kind,
    uops = outcome.uops,
    core = outcome.core, partial = outcome.status ~= "unique" and outcome.certificate == nil or nil }
  return mapping.save(m, args.out)
end

local exit = { contradiction = 1, limit = 1, interrupted = 130 }

-- Infers with an open processor. The outcome; or nil, message, exit status.
local function infer(strategy, processor, spec, given, o, known, update)
  local names, message, status = strategy.prepare(processor, spec, #given > 0 and given or nil, known, o, update)
  if not names then return nil, message, status end
  local ok
  ok, message = strategy.check(o, names)
  if not ok then return nil, message end
  o.progress = function(s)
    update("inferring", s.experiments, nil, "experiments, " .. (s.search or ("round %d, %d of %d schemes, %d ports"):format(s.rounds, s.schemes,
      s.of, s.ports)))
  end
  return strategy.infer(processor, names, o)
end

--- Runs a strategy.
-- @tparam table args of the command line
-- @tparam table context of the command
-- @tparam table strategy
-- @tparam string strategy.method its name
-- @tparam func strategy.read function(args, spec) -> options; or nil and a message
-- @tparam func strategy.prepare function(processor, spec, names or nil, known names, options, update) -> names; or nil, message, exit status
-- @tparam func strategy.check function(options, names) -> true; or nil and a message
-- @tparam func strategy.infer function(processor, names, options) -> outcome; or nil and a message
-- @return what a command returns
function session.run(args, context, strategy)
  local spec, message = oracle.parse(args.oracle)
  if not spec then return nil, message end
  local o = must(strategy.read(args, spec))
  local named
  named, message = open.named(args) -- a file that cannot be read is said before the machine is calibrated
  if not named then return nil, message end
  must(open.writable(args.out, args.smtlib))
  local update, finish = progress.by_stage(false)
  local processor, known, trouble, status = open.processor(spec, args.seed, update, finish)
  if not processor then return known, trouble, status end
  local outcome
  outcome, message, status = infer(strategy, processor, spec, named, o, known, update)
  finish()
  local ok, kind
  if outcome then ok, trouble, kind = write(outcome, args, processor, spec, strategy.method) end
  if processor.close then processor:close() end
  if not outcome then return nil, message, status end
  if context.json then show_json(outcome, context) else show(outcome, args, context) end
  if not ok then return nil, trouble, kind end
  return exit[outcome.status] or 0
end

return session
