--- `portolan measure`: answers to the experiments of files, by a processor or a predictor, appended to a file as they come.
-- @module portolan.cli.measure
local core = require "portolan.core"
local eval_set = require "portolan.cli.eval_set"
local experiments = require "portolan.experiment.list"
local file = require "portolan.support.file"
local listing = require "portolan.cli.listing"
local lists = require "portolan.support.lists"
local loop_body = require "portolan.experiment.loop_body"
local must = require("portolan.support.failure").check
local named = require "portolan.predictor.named"
local number = require "portolan.cli.number"
local open_processor = require "portolan.cli.open_processor"
local oracle = require "portolan.processor.oracle"
local plural = require "portolan.support.plural"
local predicted = require "portolan.predictor.records"
local printable = require "portolan.support.printable"
local progress = require "portolan.progress.line"
local recording = require "portolan.experiment.recording"
local sequences = require "portolan.processor.sequences"
local terminal = require "portolan.support.terminal"

local command = { summary = "measure or predict the experiments of files, and record the answers", interruptible = true }

function command.configure(parser)
  parser:description("Asks a processor or a predictor for the cycles of experiments, as 'portolan sample' makes them, and appends the answers to "
    .. "a file. The same command goes on where it was ended. 'portolan eval' and '--oracle replay:FILE' take the file.")
  parser:argument("experiments", "experiments (experiments.jsonl, ExperimentList)"):args("+"):argname("FILE")
  parser:option("--oracle", "what answers: " .. oracle.usage):argname("ORACLE")
  parser:option("--predictor", "instead: a predictor, as llvm-mca-19:skylake (docs/predictors.md); for blocks of code also hw"):argname("PRED")
  parser:option("--others", "a predictor whose cycles stand beside the answers, for eval; may be repeated"):argname("PRED"):count("*")
  parser:option("--out", "file to append to"):argname("FILE"):count(1)
  parser:option("--seed", "of the order of samples, of a simulated processor's noise", "1"):convert(number.whole("--seed", 0, 2 ^ 53))
  parser:flag("--listing", "print the code that was measured, or that a predictor is given")
end

-- The records of one file; or nil and a message.
local function load_one(path, args)
  if path == args.out or file.same(path, args.out) then
    return nil, ("--out %s would be both read and written; give it another name"):format(args.out)
  end
  local records, note = must(experiments.load(path))
  if note then terminal.say("portolan measure: " .. note) end
  for i, record in ipairs(records) do
    local refusal = args.oracle and sequences.refusal(record)
    if refusal then return nil, ("%s: experiment %d: %s"):format(path, i, refusal) end
  end
  return records
end

-- The records of all files, in order; or nil and a message.
local function load(args)
  must(eval_set.check_different(args.experiments))
  local all = {}
  for _, path in ipairs(args.experiments) do
    local records = must(load_one(path, args))
    table.move(records, 1, #records, #all + 1, all)
  end
  if #all == 0 then return nil, eval_set.title(args.experiments) .. ": there is no experiment in it" end
  return all
end

-- Opens a predictor that an option names; or nil, message, status.
local function open_predictor(option, name)
  local p, message, status = named.open(name)
  if p then return p end
  return nil, ("%s: %s"):format(option, message), status
end

-- Opens what answers: `{ name =, object =, ask = function(records) }`; or nil, message, status.
local function source_of(args, declared)
  if args.predictor then
    local p, message, status = open_predictor("--predictor", args.predictor)
    return p and { name = args.predictor, object = p, ask = function(list) return predicted.predict(p, list, declared) end }, message, status
  end
  local spec, message = oracle.parse(args.oracle)
  if not spec then return nil, message end
  local processor, trouble, status = open_processor.open(spec, "measure", { seed = args.seed })
  if not processor then return nil, trouble, status end
  return { name = args.oracle, object = processor, ask = function(list) return sequences.measure(processor, list) end }
end

-- The predictors of --others; or nil, message, status.
local function open_others(names)
  local list = {}
  for i, name in ipairs(names) do
    local p = must(open_predictor("--others", name))
    list[i] = { name = name, predictor = p }
  end
  return list
end

-- Adds what others say to the results.
local function add_others(results, others, records, declared)
  for _, other in ipairs(others) do
    for i, theirs in ipairs(predicted.predict(other.predictor, records, declared)) do
      local all = lists.copy(results[i].others or records[i].others or {})
      all[other.name] = theirs.cycles
      results[i].others = next(all) and all or nil
    end
  end
end

local function tally(counts)
  local words = lists.of_fields(counts, function(status, n) return ("%d %s"):format(n, status) end)
  return #words > 0 and printable.line(table.concat(words, ", ")) or "none"
end

local function show(one, declared, context)
  context.out("%s  %s\n", one.cycles and ("%9.3f cycles"):format(one.cycles) or ("%16s"):format(printable.line(one.status)), listing.name(one))
  listing.show(context, one, declared, one.unroll or declared.unroll[1], one.layout)
end

-- Asks for all that is missing; what to return from `run`.
local function record(args, context, all, given)
  local into, message, status = recording.open(args.out, given.source.name, "portolan measure")
  if not into then return nil, message, status end
  local line, counts = progress.new { title = "measure", total = #all }, {}
  local missing = #into:missing(all)
  local finished, trouble, kind = into:run(all, function(list)
    local results, why, what = given.source.ask(list)
    if not results then return nil, why, what end
    add_others(results, given.others, list, given.declared)
    return results
  end, function(answers, done)
    for _, one in ipairs(answers) do
      counts[one.status] = (counts[one.status] or 0) + 1
      if args.listing then show(one, given.declared, context) end
    end
    line:update(done)
  end)
  line:finish(false)
  into:close()
  if finished == nil then return nil, trouble, kind end
  context.out("%s: %s, %d of them before; now %s\n", args.out, plural(#all, "experiment"), #all - missing, tally(counts))
  if not finished then return 130 end
  return missing > 0 and not counts.ok and 1 or 0
end

function command.run(args, context)
  if (args.oracle ~= nil) == (args.predictor ~= nil) then return nil, "what is to answer? give either --oracle or --predictor" end
  local all = must(load(args))
  local declared = must(loop_body.declared())
  local others, why, status = open_others(args.others)
  if not others then return nil, why, status end
  local source
  source, why, status = source_of(args, declared)
  if not source then return core.base.interrupted() and 130 or nil, why, status end
  local result, fault, kind = record(args, context, all, { source = source, others = others, declared = declared })
  if source.object.close then source.object:close() end
  return result, fault, kind
end

return command
