--- `portolan eval`: how well models agree with measured experiments.
-- @module portolan.cli.eval
local accuracy = require "portolan.prediction.accuracy"
local core = require "portolan.core"
local eval_blocks = require "portolan.cli.eval_blocks"
local eval_set = require "portolan.cli.eval_set"
local experiment = require "portolan.experiment"
local file = require "portolan.support.file"
local format = require "portolan.report.format"
local heatmap_text = require "portolan.report.heatmap_text"
local json = require "portolan.support.json"
local lists = require "portolan.support.lists"
local mapping = require "portolan.mapping"
local must = require("portolan.support.failure").check
local number = require "portolan.cli.number"
local orders = require "portolan.experiment.orders"
local plural = require "portolan.support.plural"
local predictors = require "portolan.prediction.compared"
local printable = require "portolan.support.printable"
local report = require "portolan.report"
local terminal = require "portolan.support.terminal"
local text = require "portolan.report.accuracy_text"

local command = { summary = "how well models agree with measured experiments, or with real code" }

function command.configure(parser)
  parser:description("Compares models with measured experiments: mean absolute percentage error (MAPE), Pearson's and Kendall's "
    .. "coefficients, bias, and the largest error. Predictions of other tools that the files carry are compared as well.")
  parser:argument("experiments", "measured experiments (experiments.jsonl, ExperimentList); several files count as one"):args("*")
  parser:flag("--bhive", "the experiments are a table of BHive: machine code in hex and the cycles of 100 runs, per line")
  parser:option("--mapping", "model to evaluate; give it several times to compare"):argname("[NAME=]FILE"):count("*")
  parser:option("--method", "how mappings predict; give it several times to compare"):choices(predictors.methods):count("*")
  parser:option("--rmax", "issue slots per cycle, in the place of what port mappings say"):argname("SLOTS")
    :convert(number.any("--rmax", 1e-3, 1e6))
  parser:option("--unit", "cycles per experiment, per instruction, or instructions per cycle"):choices(accuracy.units)
    :default("cycles")
  parser:flag("--common", "only the experiments that every model covers")
  parser:flag("--by-length", "metrics per number of instructions")
  parser:flag("--orders", "how much the order of the instructions matters, where the file has several")
  parser:option("--worst", "list the N experiments with the largest relative errors of each model"):argname("N")
    :convert(number.whole("--worst", 1, 1000))
  parser:flag("--heatmap", "draw measured against modelled")
  parser:option("--blocks", "basic blocks of a program instead, a table of BHive's: measure them, and compare predictors of code"):argname("FILE")
  parser:option("--oracle", "of --blocks: hw, this processor; or blocks:FILE, a table of measured blocks"):argname("ORACLE")
  parser:option("--predictor", "of --blocks: llvm-mca-19:native, mapping:FILE, osaca:SKX, ...; give it several times to compare"):argname("NAME")
    :count("*")
  parser:option("--store", "of --blocks: keep measurements and predictions here; what it has is not asked again"):argname("FILE")
  parser:option("--sample", "of --blocks: only so many, drawn at random"):argname("N"):convert(number.whole("--sample", 1, 10000000))
  parser:option("--seed", "of --sample", "1"):convert(number.whole "--seed")
  parser:option("--measured", "of --blocks: write what was measured as a table, for --oracle blocks:FILE"):argname("FILE")
  parser:option("--report", "write a report with pictures"):argname("FILE.html")
  parser:flag("--json", "print JSON")
end

-- Is the report to be written over a file that it is made from? Such a slip would cost the measurements.
local function check_report(args)
  local inputs = table.move(args.experiments, 1, #args.experiments, 1, {})
  for _, word in ipairs(args.mapping) do inputs[#inputs + 1] = mapping.file_of((predictors.split(word))) end
  for _, path in ipairs(inputs) do
    if args.report and file.same(args.report, path) then
      return nil, ("--report %s would overwrite %s; give the report another name"):format(args.report, path)
    end
  end
  return true
end

-- --rmax is for port mappings: says which models it leaves as they are. True; or nil and a message, if it leaves all.
local function check_rmax(rmax, list)
  local resources = lists.where(list, function(p) return p.model and not p.model.mapping end)
  if rmax and not lists.any(list, function(p) return p.model and p.model.mapping end) then
    return nil, "--rmax: no model is a port mapping, so that there is no R_max to replace; leave it out"
  end
  for _, p in ipairs(rmax and resources or {}) do
    terminal.say(("portolan eval: %s: a conjunctive mapping, which has resources for it; --rmax leaves it as it is"):format(printable(p.file)))
  end
  return true
end

local function load_predictors(args, set)
  local list = {}
  for _, name in ipairs(args.mapping) do
    local loaded = must(predictors.load(name, args.method, args.rmax))
    table.move(loaded, 1, #loaded, #list + 1, list)
  end
  must(check_rmax(args.rmax, list))
  local recorded = predictors.all_recorded(set.records)
  table.move(recorded, 1, #recorded, #list + 1, list)
  if #list == 0 and not args.orders then
    return nil, eval_set.title(args.experiments) .. ": it carries no predictions; give a model to evaluate: --mapping FILE"
  end
  predictors.distinguish(list)
  return list
end

-- The files without their directories.
local function title(args)
  local names = lists.map(args.experiments, function(path) return path:match("[^/]*$") end)
  return eval_set.title(names)
end

-- No model has anything to say: why. nil if one has.
local function nothing_covered(result, set, args)
  local first
  for _, m in ipairs(result.models) do
    if #m.index > 0 then return nil end
    first = first or m
  end
  if not first then return nil end
  if args.common and #result.models > 1 then
    return "no experiment is covered by every model; leave out --common, or the model that covers none"
  end
  local why = first.left_out[1]
  local scheme = why.scheme and (", e.g. '%s'"):format(why.scheme) or ""
  return ("no model covers any of the %d experiments of %s: %s: %s%s; are the schemes named alike?"):format(#set.records,
    eval_set.title(args.experiments), first.name, why.reason, scheme)
end

local function worst_json(set, m, count)
  local list = json.array {}
  for i, w in ipairs(accuracy.worst(set, m, count)) do
    list[i] = { experiment = experiment.format(w.record.e), measured = w.measured, modelled = w.modelled, error = w.error,
      limit = accuracy.limit(m, w.record) }
  end
  return list
end

local function summary_json(s)
  local o = { n = s.n, mape = s.mape, pearson = s.pearson, kendall = s.kendall, bias = s.bias, over = s.over, under = s.under }
  if s.n > 0 then
    o.quantiles = { probabilities = accuracy.probabilities, relative_error = s.quantiles, absolute_relative_error = s.absolute }
  end
  return o
end

local function model_json(m, set, args)
  local o = summary_json(m.summary)
  local p = m.predictor
  o.name, o.file, o.method, o.recorded = m.name, p.file, p.method, p.recorded or false
  o.largest_cpi_error, o.left_out = m.largest_cpi, json.array(m.left_out)
  o.by_trust = m.by_trust and { rough = summary_json(m.by_trust.rough), others = summary_json(m.by_trust.others) }
  if args.by_length then
    o.by_length = {}
    for k, part in ipairs(m.by_length) do
      o.by_length[k] = summary_json(part.summary)
      o.by_length[k].length = part.label
    end
  end
  if args.worst then o.worst = worst_json(set, m, args.worst) end
  return o
end

local function spread_json(spread)
  if not spread then return json.null end
  local function row(r)
    return { length = r.label, n = r.n, mean_cpi = r.mean, max_cpi = r.max, above = r.above, widest = experiment.format(r.widest) }
  end
  local rows = lists.map(spread.rows, row)
  return { threshold_cpi = orders.threshold, lengths = rows, all = row(spread.all) }
end

local function show_json(result, set, spread, args, context)
  local o = { experiments = { file = not args.experiments[2] and args.experiments[1] or nil, files = args.experiments,
    total = set.total, measured = #set.records,
    unmeasured = json.object(set.unmeasured) }, unit = result.unit, covered_by_all = result.common, only_common = result.only_common,
    models = json.array {} }
  for i, m in ipairs(result.models) do o.models[i] = model_json(m, set, args) end
  if args.orders then o.orders = spread_json(spread) end
  context.write_json(o)
end


local function heading(result, set, args)
  local first, last = result.classes[1], result.classes[#result.classes]
  local range = #result.classes == 1 and first.label or ("%d to %s"):format(first.least, last.label:match("%d+%+?$"))
  local parts = { ("%s: %s of %s, in %s"):format(printable(title(args)), plural(#set.records, "experiment"),
    range == "1" and "1 instruction" or range .. " instructions", text.unit_names[result.unit]) }
  local statuses = lists.keys(set.unmeasured)
  for i, status in ipairs(statuses) do statuses[i] = ("%d %s"):format(set.unmeasured[status], printable(status)) end
  if #statuses > 0 then parts[2] = "not measured: " .. table.concat(statuses, ", ") end
  if result.only_common then parts[#parts + 1] = ("only the %d that every model covers"):format(result.common) end
  return parts
end

local function show(result, set, spread, args, context)
  local unicode = terminal.utf8()
  local function lines(list) for _, line in ipairs(list) do context.out("%s\n", line) end end
  lines(heading(result, set, args))
  if #result.models > 0 then
    context.out("\n")
    lines(text.models(result, context.style, unicode))
    local out = text.left_out(result, set)
    if #out > 0 then context.out("\n") end
    lines(out)
  end
  if args.by_length then lines(text.by_length(result, context.style)) end
  if args.worst then lines(text.worst(result, set, args.worst, context.style)) end
  if spread then
    lines(text.orders(spread, context.style))
  elseif args.orders then
    context.out("\nno experiment was measured in several orders\n")
  end
  if args.heatmap then
    local drawing = heatmap_text.render(result.models, result.unit, unicode)
    if drawing ~= "" then context.out("\n%s", drawing) end
  end
end

-- The command line again, for the report.
local function command_line(args)
  local words, dashed = { "portolan", "eval" }, false
  for _, path in ipairs(args.experiments) do dashed = dashed or path:sub(1, 1) == "-" end
  local function add(word) words[#words + 1] = format.word(word) end
  local function option(name, value)
    if value:sub(1, 1) == "-" then return add(name .. "=" .. value) end
    add(name)
    add(value)
  end
  local function add_files()
    for _, path in ipairs(args.experiments) do add(path) end
  end
  if not dashed then add_files() end
  if args.bhive then add "--bhive" end
  for _, name in ipairs(args.mapping) do option("--mapping", name) end
  for _, method in ipairs(args.method) do option("--method", method) end
  if args.rmax then option("--rmax", ("%.14g"):format(args.rmax)) end
  option("--unit", args.unit)
  for _, flag in ipairs { "common", "by_length", "orders", "heatmap" } do
    if args[flag] then add("--" .. flag:gsub("_", "-")) end
  end
  if args.worst then option("--worst", tostring(args.worst)) end
  option("--report", args.report)
  if dashed then
    add "--"
    add_files()
  end
  return table.concat(words, " ")
end

local function write_report(result, set, spread, args)
  local page = report.accuracy {
    title = title(args), result = result, set = set, spread = spread or nil, worst = args.worst,
    version = core.version, command = command_line(args),
  }
  return file.write(args.report, page)
end

-- Options of --blocks that stand without it; nil and a message.
local function check_without_blocks(args)
  for _, option in ipairs { "oracle", "store", "sample", "measured" } do
    if args[option] then return nil, ("--%s is of --blocks FILE; add that"):format(option) end
  end
  if #args.predictor > 0 then return nil, "--predictor is of --blocks FILE; models of experiments are given with --mapping FILE" end
  if #args.experiments == 0 then return nil, "what is to be evaluated? give files of measured experiments, or --blocks FILE" end
  return true
end

function command.run(args, context)
  if args.blocks then return eval_blocks.run(args, context) end
  must(check_without_blocks(args))
  must(check_report(args))
  local set, notes = must(eval_set.load(args.experiments, args.bhive))
  for _, note in ipairs(notes) do terminal.say("portolan eval: " .. note) end
  local list, spread = must(load_predictors(args, set)), nil
  local result = accuracy.evaluate(set, list, { unit = args.unit, common = args.common,
    by_length = args.by_length or args.report ~= nil })
  local message = nothing_covered(result, set, args)
  if message then return nil, message end
  if args.orders or args.report then
    spread, message = orders.spread(set)
    if spread == nil then return nil, eval_set.title(args.experiments) .. ": " .. message end
  end
  if args.report then must(write_report(result, set, spread, args)) end
  if context.json then show_json(result, set, spread, args, context) else show(result, set, spread, args, context) end
  return 0
end

return command
