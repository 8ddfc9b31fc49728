--- This module writes and prints the results of `portolan infer pmevo`.
-- @module portolan.cli.infer.pmevo_output
local core = require "portolan.core"
local duration = require "portolan.support.duration"
local experiments = require "portolan.experiment.list"
local file = require "portolan.support.file"
local json = require "portolan.support.json"
local lists = require "portolan.support.lists"
local mapping = require "portolan.mapping"
local printable = require "portolan.support.printable"
local report = require "portolan.report"

local output = {}

local shown_most = 24 -- classes that are listed

-- A figure that may be undefined.
local function number(format, value) return value and value == value and format:format(value) or "undefined" end

local function provenance(outcome, args, processor)
  local c = outcome.counts
  return { method = "pmevo", version = core.version, oracle = args.oracle, processor = processor.describe and processor:describe(),
    algorithm = args.plain and "plain" or "islands", pairs = args.pairs == "all" and "all" or nil, seed = args.seed,
    epsilon = args.epsilon, ending = outcome.status, steps = outcome.steps,
    classes = c.classes, experiments = c.training, training_error = outcome.error, volume = outcome.volume, seconds = outcome.seconds }
end

local function write_evaluation(outcome, args)
  local e = outcome.evaluation
  if not e then return true end
  local ok, message, status = experiments.save(e.records, args.out .. "/held_out.jsonl")
  if not ok then return nil, message, status end
  if not e.result then return true end
  return file.write(args.out .. "/accuracy.html", report.accuracy { title = "PMEvo, held-out experiments", result = e.result, set = e.set,
    worst = 10, version = core.version,
    command = ("portolan eval %s/held_out.jsonl --mapping %s/mapping.json"):format(args.out, args.out) })
end

--- Writes mapping.json, experiments.jsonl (the training set), held_out.jsonl and accuracy.html to the directory.
-- @return true; or nil and a message
function output.write(outcome, args, processor)
  outcome.mapping.provenance = provenance(outcome, args, processor)
  local ok, message, status = mapping.save(outcome.mapping, args.out .. "/mapping.json")
  if not ok then return nil, message, status end
  local list = lists.map(outcome.experiments, function(x) return { e = x.e, cycles = x.cycles, status = "ok" } end)
  ok, message, status = experiments.save(list, args.out .. "/experiments.jsonl")
  if not ok then return nil, message, status end
  return write_evaluation(outcome, args)
end

local endings = { converged = "nothing better was found for a long time", time = "the time is up", limit = "the limit of generations",
  interrupted = "interrupted: the best so far" }

local function show_classes(outcome, context)
  local list, width, classes = {}, 0, outcome.classes
  for i, name in ipairs(classes.representatives) do list[i] = name end
  table.sort(list, function(a, b)
    if #classes.members[a] ~= #classes.members[b] then return #classes.members[a] > #classes.members[b] end
    return a < b
  end)
  for i = 1, math.min(#list, shown_most) do width = math.max(width, #(mapping.usage(outcome.mapping.schemes[list[i]]))) end
  for i = 1, math.min(#list, shown_most) do
    local more = #classes.members[list[i]] - 1
    context.out(("  %%-%ds  %%s%%s\n"):format(math.min(width, 50)), printable(mapping.usage(outcome.mapping.schemes[list[i]])), printable(list[i]),
      more > 0 and (" and %d more"):format(more) or "")
  end
  if #list > shown_most then context.out("  and %d more classes\n", #list - shown_most) end
end

local function show_evaluation(e, context)
  if not e.result then return context.out("\nnone of the random experiments could be measured\n") end
  local function line(m)
    local s = m.summary
    context.out("  %-10s MAPE %s, Pearson %s, Kendall tau-b %s\n", m.name .. ":", number("%.2f%%", s.mape and 100 * s.mape),
      number("%.3f", s.pearson), number("%.3f", s.kendall))
  end
  context.out("\n%d random experiments:\n", #e.set.records)
  local some = e.compared and e.compared.common < #e.set.records
  if not e.compared or some then line(e.result.models[1]) end
  if some then context.out("%d of them that the reference explains, too:\n", e.compared.common) end
  for _, m in ipairs(e.compared and e.compared.models or {}) do line(m) end
  if e.structure then
    context.out("  as in the reference, up to the names of ports: %d of %d schemes\n", e.structure.matching, e.structure.common)
  end
end

-- Says what of a record was used, and what not.
local function record_text(c)
  local reasons = lists.of_fields(c.left_out, function(reason, n) return ("%d %s"):format(n, reason) end)
  return ("%d schemes in %d classes; %d of %d recorded experiments used%s\n"):format(c.schemes, c.classes, c.used, c.recorded,
    #reasons > 0 and "; left out: " .. table.concat(reasons, ", ") or "")
end

local function show_text(outcome, args, context)
  local c = outcome.counts
  context.out("%s; %d %s, %s%s\n", endings[outcome.status], outcome.steps, args.plain and "generations" or "epochs",
    duration.text(outcome.seconds), outcome.resumed and ", after an earlier run" or "")
  if c.recorded then
    context.out("%s", record_text(c))
  else
    context.out("%d schemes in %d classes; measured %d experiments, %d were known; all pairs are %d\n", c.schemes, c.classes, c.measured,
      c.recalled, c.all)
  end
  context.out("training error %.2f%% on %d experiments, uop volume %d\n\n", 100 * outcome.error, c.training, outcome.volume)
  show_classes(outcome, context)
  if outcome.evaluation then show_evaluation(outcome.evaluation, context) end
  context.out("\n%s/mapping.json: the mapping\n", args.out)
  if c.recorded then context.out("test it with experiments of another record: portolan eval OTHER --mapping %s/mapping.json\n", args.out) end
end

local function counts_json(c)
  if c.left_out then json.object(c.left_out) end
  return c
end

local function show_json(outcome, args, context)
  local o = { status = outcome.status, steps = outcome.steps, seconds = outcome.seconds, training_error = outcome.error,
    volume = outcome.volume, counts = counts_json(outcome.counts),
    classes = json.object(outcome.classes.members), mapping = args.out .. "/mapping.json" }
  local e = outcome.evaluation
  if e and e.result then
    local s = e.result.models[1].summary
    local both = e.compared and json.object {}
    for _, m in ipairs(both and e.compared.models or {}) do
      both[m.name] = { n = m.summary.n, mape = m.summary.mape, pearson = m.summary.pearson, kendall = m.summary.kendall }
    end
    o.evaluation = { compared = both, n = s.n, mape = s.mape, pearson = s.pearson, kendall = s.kendall, structure = e.structure and
      { matching = e.structure.matching, common = e.structure.common } }
  end
  context.write_json(o)
end

--- Prints the outcome.
function output.show(outcome, args, context)
  if context.json then show_json(outcome, args, context) else show_text(outcome, args, context) end
end

return output
