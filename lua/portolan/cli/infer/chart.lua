--- `portolan infer chart`: the explainable inference of a whole instruction set from the command line, for any oracle.
-- @module portolan.cli.infer.chart
local architectures = require "portolan.support.architectures"
local arch_option = require "portolan.cli.arch_option"
local blocking = require "portolan.cli.blocking"
local chart_progress = require "portolan.cli.chart_progress"
local chart = require "portolan.infer.chart"
local experiments = require "portolan.experiment.list"
local file = require "portolan.support.file"
local isa = require "portolan.scheme.isa"
local lists = require "portolan.support.lists"
local mapping = require "portolan.mapping"
local open = require "portolan.cli.infer.open"
local options = require "portolan.cli.infer.options"
local oracle = require "portolan.processor.oracle"
local plural = require "portolan.support.plural"
local printable = require "portolan.support.printable"
local recorded = require "portolan.processor.recorded"
local report = require "portolan.report"
local scheme_set = require "portolan.scheme.set"
local statuses = require "portolan.mapping.statuses"
local summary_text = require "portolan.report.summary_text"
local terminal = require "portolan.support.terminal"

local strategy = { summary = "a whole instruction set, with a witness for every claim (section 6.2)", former = "explain" }

function strategy.configure(parser)
  parser:description("Finds blocking instructions, their ports by counter-examples, and the uops of all other schemes by blocking; with one "
    .. "counter (uops or macro-ops) or none. `portolan chart` does the same on this machine, and writes a report.")
  parser:option("--oracle", "what is measured: hw (this machine), sim:MAPPING or replay:EXPERIMENTS, with options behind commas "
    .. "(docs/command-line.md)")
    :argname("ORACLE"):count(1)
  arch_option.add(parser, "the set")
  parser:option("--set", "schemes to infer: the name of a set, or a Lua file; by default all that the oracle knows, of a chart's record "
    .. "the same set, and on this machine the starter set"):argname("SET")
  parser:option("--rmax", "of a record: instructions per cycle"):convert(options.number("--rmax", 0.01, 1000))
  parser:option("--epsilon", "of a record: what it resolves, in cycles per instruction (0.02)"):convert(options.number("--epsilon", 0, 0.5))
  parser:option("--uops", "of a record that does not count them: uops of a scheme (SCHEME=N), or a JSON file of them"):argname("SCHEME=N|FILE")
    :count("*")
  parser:option("--record", "write all that was measured, as a record for --oracle replay:FILE"):argname("FILE")
  blocking.configure(parser)
  parser:option("--out", "write the mapping"):argname("FILE")
  parser:option("--report", "write a report (HTML)"):argname("FILE")
  parser:option("--evaluate", "fresh random experiments to test the mapping with", "200"):convert(options.number("--evaluate", 0, 1e6, true))
  parser:option("--seed", "of every random choice", "1"):convert(options.number("--seed", 0, 2 ^ 53, true))
end

local most_open = 20

-- Prints what is open, and an experiment of each that the record lacks.
local function show_open(list, context)
  if #list == 0 then return end
  context.out("\n%s open, as the record lacks what would decide:\n", list[2] and #list .. " schemes are" or "1 scheme is")
  for i = 1, math.min(most_open, #list) do
    local lacks = list[i].experiments
    context.out("  %s%s\n", printable(list[i].scheme), #lacks > 0 and (": %s, such as %s"):format(plural(#lacks, "experiment"),
      printable(lacks[1])) or "")
  end
  if #list > most_open then context.out("  and %d more: the mapping's notes (--out) have all\n", #list - most_open) end
end

local function show(result, context)
  local list, e = {}, result.evaluation
  for _, scheme in pairs(result.mapping.schemes) do list[#list + 1] = scheme.status end
  summary_text.ending(context, result)
  context.out("%s\n", statuses.tally(list))
  if #result.mapping.ports > 0 then
    context.out("%s, at most %s instructions a cycle; uops counted by %s\n\n", plural(#result.mapping.ports, "port"), tostring(result.rmax or "?"),
      result.counting and result.counting.source or "nothing")
  end
  summary_text.port_sets(context, result.port_sets, "assumed")
  blocking.show(result.blocking, context)
  show_open(result.open or {}, context)
  if e and e.mape then
    context.out("\n%d %s: MAPE %.1f%%, Pearson %.3f, Kendall tau-b %.3f\n", #e.list,
      e.recorded and "recorded experiments, which it was inferred from" or "fresh random experiments", 100 * e.mape, e.pearson or 0, e.kendall or 0)
  end
end

local function write(result, record, args)
  local ok, message, status = true, nil, nil
  if args.record then ok, message, status = experiments.save(record, args.record) end
  if not ok then return nil, message, status end
  if args.out and #result.mapping.ports > 0 then ok, message, status = mapping.save(result.mapping, args.out) end
  if ok and args.report then ok, message, status = file.write(args.report, report.chart(result)) end
  return ok, message, status
end

-- The schemes of a record that are to be charted: all but those that were measured only to fill the front end beside others.
local function without_filler(processor, known)
  local fillers = lists.set((processor:fillers()))
  return lists.where(known, function(name) return not fillers[name] or processor.uops[name] ~= nil end)
end

-- A record as a processor that can be charted; or nil and a message.
local function as_recorded(replay, args)
  local uops, message = options.numbers(args.uops, "--uops")
  if message then return nil, message end
  return recorded.new(replay, { rmax = args.rmax, uops = uops })
end

-- Are the schemes of the set and of the oracle of one architecture, the one that was asked for? True; or nil and a message.
local function fits(args, set, known)
  local of_set, of_known = isa.architecture(scheme_set.names(set)), isa.architecture(known)
  if of_set and of_known and of_set ~= of_known then
    return nil, ("--set: the schemes are of %s, the oracle's of %s; give --arch %s"):format(of_set, of_known, of_known)
  end
  return arch_option.check(args, known)
end

-- Charts the oracle. Returns the chart, and what was measured; or nil and what the strategy is to return.
local function run(args, spec, set)
  local known_set = set ~= true and set
  local processor, known, trouble, status = open.processor(spec, args.seed)
  if not processor then return nil, known, trouble, status end
  if spec.kind == "replay" then
    if #known == 0 then return nil, nil, ("%s: a record without experiments; there is nothing to chart"):format(spec.path) end
    processor, trouble = as_recorded(processor, args)
    if not processor then return nil, nil, trouble end
    known = without_filler(processor, known)
  end
  if not processor.chain_latency then
    return nil, nil, "--oracle: this one has no answer to questions of this strategy about chains; give hw or sim:MAPPING"
  end
  local groups = known_set or processor.set and processor:set() or { { name = "All", schemes = known } }
  if scheme_set.count(groups) == 0 then return nil, nil, ("%s: no scheme to chart: the set is empty"):format(spec.path or "--oracle") end
  local fine, fault = fits(args, groups, known)
  if fine then fine, fault = blocking.check(args.by_hand, groups) end
  if not fine then return nil, nil, fault end
  local line <close> = chart_progress.new(scheme_set.count(groups))
  line:follow(processor)
  local result, record = chart.run(processor, groups, { seed = args.seed, evaluate = args.evaluate, blocking = args.by_hand, epsilon = args.epsilon,
    record = args.record ~= nil, progress = line.update })
  if processor.close then processor:close() end
  return result, record
end

function strategy.run(args, context)
  local spec, message = oracle.parse(args.oracle)
  if not spec then return nil, "--oracle: " .. message end
  if spec.kind ~= "replay" and (args.rmax or args.epsilon or #args.uops > 0) then
    return nil, "--rmax, --epsilon and --uops are about records (--oracle replay:FILE)"
  end
  args.by_hand, message = blocking.names(args.blocking)
  if message then return nil, message end
  local set
  set, message = open.writable(args.out, args.report, args.record)
  if set and spec.kind == "hw" then set, message = arch_option.check_measured(args) end
  local of = args.arch or spec.kind == "hw" and architectures.default() or nil
  if set and (args.set or spec.measures) then set, message = scheme_set.load(args.set or "starter", of) end
  if not set then return nil, message end
  local result, record, trouble, kind = run(args, spec, set)
  if not result then return record, trouble, kind end
  local ok
  ok, trouble, kind = write(result, record, args)
  show(result, context)
  if not ok then return nil, trouble, kind end
  if result.failure then
    terminal.say(("portolan infer chart: %s"):format(result.failure))
    return 1
  end
  return result.partial and 130 or 0
end

return strategy
