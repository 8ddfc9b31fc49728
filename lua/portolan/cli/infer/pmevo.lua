--- `portolan infer pmevo`: evolution, from times alone, from the command line.
-- @module portolan.cli.infer.pmevo
local core = require "portolan.core"
local evaluate = require "portolan.infer.pmevo.evaluate"
local file = require "portolan.support.file"
local lists = require "portolan.support.lists"
local lock = require "portolan.support.lock"
local mapping = require "portolan.mapping"
local must = require("portolan.support.failure").check
local open = require "portolan.cli.infer.open"
local options = require "portolan.cli.infer.options"
local oracle = require "portolan.processor.oracle"
local output = require "portolan.cli.infer.pmevo_output"
local pmevo = require "portolan.infer.pmevo"
local processes = require "portolan.infer.pmevo.processes"
local progress = require "portolan.progress.line"

local strategy = { summary = "by evolution, from times of pairs alone (chapter 5)" }

local ports_otherwise = 8

function strategy.configure(parser)
  parser:description("Measures every scheme alone and in pairs, takes schemes that this does not tell apart for one, and evolves a mapping that "
    .. "explains the times. Needs neither counters nor knowledge of the processor, and proves nothing. A run that was ended goes on where it was.")
  open.declare(parser, "directory of the mapping, the experiments, the report and the checkpoint", "DIR"):count(1)
  parser:option("--ports", ("number of ports; by default what the oracle says, or %d"):format(ports_otherwise))
    :convert(options.number("--ports", 1, 16, true))
  parser:option("--rmax", "instructions per cycle; by default what the oracle says; 0: no limit"):convert(options.number("--rmax", 0, 1000))
  parser:option("--epsilon", "relative difference up to which times are equal", tostring(pmevo.epsilon))
    :convert(options.number("--epsilon", 0.0001, 1))
  parser:option("--pairs", "which pairs of schemes are measured: those with one representative of each class, or all, as published",
    "representatives"):choices { "representatives", "all" }
  parser:flag("--plain", "the evolution as published, which is slower and less accurate; with --pairs all its experiments, too")
  parser:option("--population", "number of mappings: 8 on each island, with --plain 1000"):convert(options.number("--population", 2, 1e7, true))
  parser:option("--islands", "that evolve side by side", "4"):convert(options.number("--islands", 1, 10000, true))
  parser:option("--generations", "most generations, or times that islands exchange mappings"):convert(options.number("--generations", 1, 1e9, true))
  parser:option("--time", "how long to evolve at most: 90s, 10m, 2h"):convert(options.duration)
  parser:option("--threads", "0: one per processor", "0"):convert(options.number("--threads", 0, 1024, true))
  parser:option("--fixed", "mapping whose schemes have the ports that it says"):argname("MAPPING")
  parser:option("--start", "mapping to begin with, such as that of a related processor"):argname("MAPPING")
  parser:option("--uops", "uops of a scheme (SCHEME=N), or a JSON file of them, where they are known"):argname("SCHEME=N|FILE"):count("*")
  parser:option("--reference", "mapping to compare the result with; of a simulated processor its own"):argname("MAPPING")
  parser:option("--evaluate", "random experiments to test the mapping with", "2000"):convert(options.number("--evaluate", 0, 1e6, true))
  parser:option("--seed", "of every random choice", "1"):convert(options.number("--seed", 0, 2 ^ 53, true))
  parser:flag("--mpi", "each process that mpirun starts is an island (a build with -DPTL_MPI=ON)")
  parser:flag("--json", "print JSON")
end

-- The mappings that options name, by option; nil and a message.
local function mappings(args, spec)
  local list = {}
  local reference = args.reference or spec.kind == "sim" and spec.path or nil
  for option, path in pairs { fixed = args.fixed, start = args.start, reference = reference } do
    local m, message = mapping.load(path)
    if not m then return nil, message end
    list[option] = m
  end
  local message
  list.uops, message = options.numbers(args.uops, "--uops")
  if message then return nil, message end
  return list
end

local function infer(processor, names, args, given, update)
  local described = processor.describe and processor:describe() or {}
  local rmax = args.rmax
  if rmax == 0 then rmax = false end
  return pmevo.infer(processor, names, { ports = args.ports or math.tointeger(described.ports) or ports_otherwise, rmax = rmax,
    epsilon = args.epsilon, pairs = args.pairs, plain = args.plain, population = args.population, islands = args.islands,
    generations = args.generations, time = args.time, threads = args.threads, seed = args.seed, fixed = given.fixed, start = given.start,
    uops = given.uops, directory = args.out, progress = update, processes = given.processes })
end

-- A scheme whose number of uops is given though it is not inferred, as a message; nil if there is none.
local function unknown_uops(uops, names)
  local set = lists.set(names)
  local list = lists.where(lists.keys(uops or {}), function(name) return not set[name] end)
  return list[1] and ("--uops: '%s' is not one of the schemes to infer"):format(list[1]) or nil
end

-- Infers, tests and writes; the outcome, or nil, message, exit status.
local function work(processor, names, args, given, update)
  local outcome, message, status = infer(processor, names, args, given, update)
  if not outcome then
    if message == "interrupted" then return nil, "interrupted before there was a mapping; run it again to go on", 130 end
    return nil, message, status
  end
  local asks = not processor.experiments -- what a record could answer the mapping was made from
  if args.evaluate > 0 and asks and outcome.status ~= "interrupted" then
    outcome.evaluation, message = evaluate.run(processor, outcome.mapping, { count = args.evaluate, seed = args.seed,
      reference = given.reference, progress = function(done, total) update("random experiments", done, total) end })
    if not outcome.evaluation then return nil, message end
  end
  local ok, trouble, kind = output.write(outcome, args, processor)
  if not ok then return nil, trouble, kind end
  return outcome
end

-- A process beside the first: an island, and nothing else.
local function follow(others)
  local outcome, message = others:follow()
  others.close()
  if not outcome then return nil, message end
  return core.base.interrupted() and 130 or 0
end

-- Everything from the oracle on.
local function run(args, context, spec, given)
  local made, message, status = file.make_directory(args.out)
  if not made then return nil, message, status end
  local writer <close>, why, kind = lock.folder(args.out, "portolan infer pmevo")
  if not writer then return nil, why, kind end
  local names, outcome
  if spec.measures then
    -- width, issue slots and held-out experiments are kept, too: a checkpoint is of a run that measured the same
    spec.options.store = spec.options.store or args.out .. "/measurements.sqlite"
    names = must(open.schemes(args, spec, {}))
  end
  local update, finish = progress.by_stage()
  local processor, known, trouble, state = open.processor(spec, args.seed, update, finish)
  if not processor then return known, trouble, state end
  if not names then names, message = open.schemes(args, spec, known) end
  if names then message = unknown_uops(given.uops, names) end
  if message then names = nil end
  if names then outcome, message, status = work(processor, names, args, given, update) end
  finish()
  if processor.close then processor:close() end
  if not outcome then return nil, message, status end
  output.show(outcome, args, context)
  return outcome.status == "interrupted" and 130 or 0
end

function strategy.run(args, context)
  local spec = must(oracle.parse(args.oracle))
  local given = must(mappings(args, spec))
  if args.plain and (args.fixed or args.start or #args.uops > 0) then
    return nil, "--plain: the published algorithm takes no --fixed, --start or --uops; leave them or --plain out"
  end
  if args.pairs == "all" and spec.kind == "replay" then
    return nil, "--pairs all: a record is used as it is; leave --pairs out"
  end
  if not args.mpi then return run(args, context, spec, given) end
  if args.plain then return nil, "--mpi: the plain algorithm has no islands" end
  local others = must(processes.open())
  if others.rank > 0 then return follow(others) end
  given.processes = others
  local status, why, exit = run(args, context, spec, given)
  if not others.done then others.give_up() end -- it ended before the evolution
  others.close()
  return status, why, exit
end

return strategy
