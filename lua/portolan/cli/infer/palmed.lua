--- `portolan infer palmed`: a conjunctive resource mapping, by linear programs, from the command line.
-- @module portolan.cli.infer.palmed
local conjunctive = require "portolan.mapping.conjunctive"
local core = require "portolan.core"
local duration = require "portolan.support.duration"
local evaluate = require "portolan.infer.palmed.evaluate"
local file = require "portolan.support.file"
local json = require "portolan.support.json"
local lists = require "portolan.support.lists"
local must = require("portolan.support.failure").check
local open = require "portolan.cli.infer.open"
local options = require "portolan.cli.infer.options"
local oracle = require "portolan.processor.oracle"
local palmed = require "portolan.infer.palmed"
local plural = require "portolan.support.plural"
local printable = require "portolan.support.printable"
local progress = require "portolan.progress.line"

local strategy = { summary = "resources in the place of ports, by linear programs (Palmed)" }

function strategy.configure(parser)
  parser:description("Measures schemes alone, in pairs and in kernels that saturate one resource each, and infers what each scheme puts on "
    .. "abstract resources, as Palmed does. Needs neither counters nor a number of ports nor R_max. The result is a conjunctive mapping, which "
    .. "predicts, but names no ports.")
  open.declare(parser, "write the mapping", "FILE")
  parser:option("--epsilon", "relative difference up to which times are equal", tostring(palmed.defaults.epsilon))
    :convert(options.number("--epsilon", 0.0001, 0.2))
  parser:option("--basic", "most basic instructions, whose resources are found together", tostring(palmed.defaults.basic))
    :convert(options.number("--basic", 1, 64, true))
  parser:option("--time", "how long to go on: 90s, 10m, 2h"):convert(options.duration)
  parser:option("--experiments", "how many experiments to measure at most"):convert(options.number("--experiments", 1, 1e9, true))
  parser:option("--evaluate", "random experiments to test the mapping with", "2000"):convert(options.number("--evaluate", 0, 1e6, true))
  parser:option("--seed", "of every random choice", "1"):convert(options.number("--seed", 0, 2 ^ 53, true))
  parser:flag("--json", "print JSON")
end

local endings = { complete = "complete", limit = "the limit was reached: only some schemes are mapped",
  interrupted = "interrupted: only some schemes are mapped" }

-- Says how many schemes are not mapped, by the reason.
local function tally(failed)
  local counts, list = {}, {}
  for _, class in pairs(failed) do counts[class] = (counts[class] or 0) + 1 end
  for class, n in pairs(counts) do list[#list + 1] = ("%d %s"):format(n, class) end
  table.sort(list)
  return table.concat(list, ", ")
end

-- A figure that may be undefined.
local function number(format, value) return value and value == value and format:format(value) or "undefined" end

-- Each resource with the basic instructions that use it, those that use it most first.
local function show_resources(outcome, context)
  for _, resource in ipairs(outcome.mapping.resources) do
    local users, parts = {}, {}
    for _, name in ipairs(outcome.basics) do
      local loads = outcome.mapping.schemes[name]
      if loads and loads[resource] then users[#users + 1] = { name = name, load = loads[resource] } end
    end
    table.sort(users, lists.most_first("load", "name"))
    for i, user in ipairs(users) do parts[i] = ("%.3g %s"):format(user.load, user.name) end
    context.out("%s\n", printable(("  %-4s %s"):format(resource, #parts > 0 and table.concat(parts, "; ") or "no basic instruction")))
  end
end

local function show(outcome, args, context)
  local failed = tally(outcome.failed)
  context.out("%s; %s, %s\n", endings[outcome.status], plural(outcome.experiments, "experiment"), duration.text(outcome.seconds))
  context.out("%s mapped, in %s%s\n", plural(#lists.keys(outcome.mapping.schemes), "scheme"), plural(outcome.classes, "class", "classes"),
    failed ~= "" and "; not mapped: " .. failed or "")
  context.out("%s of %s, from %s, %d of them not explained; %s of other schemes\n\n", plural(outcome.resources, "resource"),
    plural(#outcome.basics, "basic instruction"), plural(outcome.kernels, "kernel"), outcome.unexplained, plural(outcome.private, "resource"))
  show_resources(outcome, context)
  if outcome.unanswered > 0 then
    context.out("\n%d of the experiments that it asked for have no answer: loads that would rest on them are guesses; predictions may be far off\n",
      outcome.unanswered)
  end
  local e = outcome.evaluation
  if e then
    context.out("\n%d random experiments: MAPE %s, Pearson %s, Kendall tau-b %s\n", e.n, number("%.2f%%", e.mape and 100 * e.mape),
      number("%.3f", e.pearson), number("%.3f", e.kendall))
  end
  if args.out then context.out("\n%s: the mapping\n", args.out) end
end

local function show_json(outcome, context)
  local o = lists.copy(outcome)
  o.failed, o.mapping = json.object(o.failed), json.decode(assert(conjunctive.encode(o.mapping)))
  local e = outcome.evaluation
  o.evaluation = e and { n = e.n, mape = e.mape, pearson = e.pearson, kendall = e.kendall }
  context.write_json(o)
end

local function write(outcome, args, processor)
  local m = outcome.mapping
  m.processor = processor.describe and processor:describe()
  m.provenance = { method = "palmed", version = core.version, oracle = args.oracle, seed = args.seed, epsilon = args.epsilon,
    basics = outcome.basics, experiments = outcome.experiments, unanswered = outcome.unanswered, failed = json.object(outcome.failed),
    partial = outcome.status ~= "complete" or nil }
  if not args.out then return true end
  local text, message = conjunctive.encode(m)
  if not text then return nil, message end
  return file.write(args.out, text)
end

-- Infers, tests and writes; the outcome, or nil, message, exit status.
local function work(processor, names, args, update)
  local outcome, message = palmed.infer(processor, names, { epsilon = args.epsilon, basic = args.basic, seed = args.seed, time_limit = args.time,
    experiment_limit = args.experiments, progress = update })
  if message == "interrupted" then return nil, "interrupted before there was a mapping", 130 end
  if message == "limit" then return nil, "the limit of --time or --experiments was reached before there was a mapping; allow more", 1 end
  if not outcome then return nil, message end
  if args.evaluate > 0 and not processor.experiments and outcome.status ~= "interrupted" then
    outcome.evaluation, message = evaluate.run(processor, outcome.mapping, { count = args.evaluate, seed = args.seed,
      progress = function(done, total) update("random experiments", done, total) end })
    if message then return nil, message end
  end
  local ok, trouble, kind = write(outcome, args, processor)
  if not ok then return nil, trouble, kind end
  return outcome
end

local exit = { complete = 0, limit = 1, interrupted = 130 }

function strategy.run(args, context)
  local spec, message = oracle.parse(args.oracle)
  if not spec then return nil, message end
  must(open.writable(args.out))
  local update, finish = progress.by_stage()
  local processor, known, trouble, status = open.processor(spec, args.seed, update, finish)
  if not processor then return known, trouble, status end
  local names, outcome
  names, message = open.schemes(args, spec, known)
  if names then outcome, message, status = work(processor, names, args, update) end
  finish()
  if processor.close then processor:close() end
  if not outcome then return nil, message, status end
  if context.json then show_json(outcome, context) else show(outcome, args, context) end
  return exit[outcome.status]
end

return strategy
