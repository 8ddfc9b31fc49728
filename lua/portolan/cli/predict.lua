--- `portolan predict`: what a model says about experiments or code.
-- @module portolan.cli.predict
local core = require "portolan.core"
local bhive = require "portolan.format.bhive"
local experiment = require "portolan.experiment"
local experiments = require "portolan.experiments"
local json = require "portolan.support.json"
local mapping = require "portolan.mapping"
local model = require "portolan.model"
local number = require "portolan.cli.number"
local predict_blocks = require "portolan.cli.predict_blocks"
local prediction_text = require "portolan.report.prediction_text"
local terminal = require "portolan.support.terminal"

local command = { summary = "predict throughput and port load with a mapping" }

function command.configure(parser)
  parser:description("Predicts the inverse throughput, in cycles per experiment, that a port mapping gives for experiments or code: "
    .. "independent instructions, bound by nothing but ports, issue slots, and units that the mapping says to be busy for longer. "
    .. "Dependencies between instructions are ignored.")
  parser:argument("experiment", "a sum of count*scheme, e.g. '2*add r64, r64 + imul r64, r64', or assembler text, statements "
    .. "separated by ';'"):args("*")
  parser:option("--mapping", "mapping file (mapping.json), or a conjunctive one"):argname("FILE")
  parser:option("--predictor", "ask this predictor about blocks of code instead: llvm-mca-19:native, hw, mapping:FILE, osaca:SKX, "
    .. "command:PROGRAM, ...; may be repeated"):argname("NAME"):count("*")
  parser:option("--hex", "a block as machine code in hexadecimal"):argname("HEX"):count("*")
  parser:option("--method", "bottleneck (if not given), lp, lp-exact: optimal scheduling, as the model assumes, by formula or by linear "
    .. "program; conjunctive: the same with resources in place of ports; facile: pairs of uops only, never slower; binder: ports "
    .. "chosen greedily at issue, as cores do, never faster"):choices(model.methods)
  parser:option("--schedule", "also show an optimal schedule for N iterations: what each port executes in each cycle"):argname("N")
    :convert(number.whole("--schedule", 1))
  parser:option("--file", "predict all experiments of a file (experiments.jsonl, ExperimentList, blocks of BHive), one line each; with "
    .. "--predictor all blocks of a table of BHive"):argname("FILE")
  parser:flag("--json", "print JSON")
end

-- Schemes of the model that a user may have meant: the same mnemonic.
local function suggestion(m, name)
  local mnemonic, found = name:match("^%S+") or name, {}
  for known in pairs(m.schemes) do
    if known:match("^%S+") == mnemonic then found[#found + 1] = "'" .. known .. "'" end
  end
  if #found == 0 then return "" end
  table.sort(found)
  local more = #found > 3 and (" and %d more"):format(#found - 3) or ""
  return "; it has " .. table.concat(found, ", ", 1, math.min(3, #found)) .. more
end

-- The first scheme of an experiment that the mapping lacks, or nil.
local function missing(m, e)
  for _, name in ipairs(experiment.schemes(e)) do
    if not m.schemes[name] then return name end
  end
end

local function from_assembler(text)
  local code, message = core.isa.assemble(text)
  if not code then return nil, message end
  local names = {}
  for i, instruction in ipairs(code.instructions) do names[i] = instruction.scheme end
  if #names == 0 then return nil, "there is no instruction" end
  return experiment.of_list(names)
end

local function quote(text)
  text = text:gsub("%s+", " ")
  return "'" .. (#text > 60 and text:sub(1, 57) .. "..." or text) .. "'"
end

-- An argument as an experiment over the mapping's schemes, and whether it is code; or nil and a message.
local function read(m, text)
  local e, why = experiment.parse(text)
  local unknown = e and missing(m, e)
  if e and not unknown then return e, false end
  local code, trouble = from_assembler(text)
  if code then
    local lacking = missing(m, code)
    if not lacking then return code, true end
    return nil, ("%s: the mapping has no scheme '%s'%s"):format(quote(text), lacking, suggestion(m, lacking))
  end
  if not e and not text:find("*", 1, true) then return nil, ("%s: %s"):format(quote(text), trouble or why) end
  if not e then return nil, why end
  return nil, ("%s: the mapping has no scheme '%s'%s; nor is it assembler text: %s")
    :format(quote(text), unknown, suggestion(m, unknown), trouble)
end

local ignores = "dependencies" -- what no port mapping knows of code

-- Ports that were chosen, not determined: scheme -> list; nil if there are none.
local function assumed(m, e)
  local list = {}
  for name in pairs(m.mapping and e or {}) do
    local ports = m.schemes[name].assumed
    if type(ports) == "table" and #ports > 0 then list[name] = ports end
  end
  return next(list) and list or nil
end

-- Ports without uops leave cycles empty: objects all the same.
local function marked(schedule)
  for _, row in ipairs(schedule.table) do json.object(row) end
  return schedule
end

-- The model without the issue slots of zeroing idioms that only experiments have.
local function model_of_code(m)
  local of_code = m.mapping and mapping.of_code(m.mapping)
  return of_code and of_code ~= m.mapping and assert(model.of(of_code, m.method)) or m
end

-- Prediction of one argument: the fields of the model's predict, and what was asked; or nil and a message.
local function predict(m, text, args)
  local e, is_code = read(m, text)
  if not e then return nil, is_code end
  if is_code then m = model_of_code(m) end
  local p, message
  p, message = m:predict(e)
  if not p then return nil, message end
  p.experiment, p.text, p.method, p.assumed = e, experiment.format(e), m.method, assumed(m, e)
  p.ignores = is_code and ignores or nil
  if args.schedule then
    p.schedule, message = m.compiled:schedule(e, args.schedule)
    if not p.schedule then return nil, message end
    marked(p.schedule)
  end
  return p
end

local function predict_arguments(m, args, context)
  local predictions = {}
  for i, text in ipairs(args.experiment) do
    local p, fault = predict(m, text, args)
    if not p then return nil, fault end
    predictions[i] = p
  end
  if context.json then
    context.out("%s", assert(json.encode(predictions, { pretty = true })))
    return 0
  end
  for i, p in ipairs(predictions) do
    if i > 1 then context.out("\n") end
    prediction_text.show(p, m, context)
  end
  return 0
end

local function predict_record(m, record)
  local length = experiment.length(record.e)
  local p = { experiment = record.e, text = experiment.format(record.e), measured = record.cycles }
  local cycles, message = m:throughput(record.e)
  if not cycles then
    p.trouble = message
    return p
  end
  p.cycles, p.cpi, p.ipc = cycles, cycles / length, cycles > 0 and length / cycles or nil
  return p
end

-- Records of a file, whether they are of code, and a note about it if there is something to say; or nil and a message.
local function load_records(path)
  if not bhive.is(path) then
    local records, message = experiments.load(path)
    if not records then return nil, message end
    return records, false, message
  end
  local records, strange = bhive.experiments(path)
  if not records then return nil, strange end
  local note = bhive.undecoded(strange, #records, path)
  if note and #records == 0 then return nil, note end
  return records, true, note
end

local function predict_file(m, args, context)
  local records, of_code, note = load_records(args.file)
  if not records then return nil, of_code end
  if note then terminal.say("portolan predict: " .. note) end
  local list, predicted = {}, 0
  for i, record in ipairs(records) do
    list[i] = predict_record(m, record)
    predicted = predicted + (list[i].trouble and 0 or 1)
  end
  if #list > 0 and predicted == 0 then
    return nil, ("none of the %d experiments of %s can be predicted; the first: %s"):format(#list, args.file, list[1].trouble)
  end
  if context.json then
    context.out("%s", assert(json.encode({ method = m.method, ignores = of_code and ignores or nil, predictions = json.array(list) },
      { pretty = true })))
  else
    prediction_text.list(list, m, context, of_code)
  end
  return 0
end

-- Options for predictors and for a mapping; or nil and a message.
local function check_model(args)
  if #args.predictor == 0 then
    if not args.mapping then return nil, "which model? give --mapping FILE, or --predictor NAME" end
    if #args.hex > 0 then return nil, "--hex is for --predictor; with --mapping write assembler text or an experiment" end
    return true
  end
  for _, name in ipairs { "mapping", "method", "schedule" } do
    if args[name] then return nil, ("--%s does not go with --predictor; a mapping is --predictor mapping:FILE"):format(name) end
  end
  return true
end

local function check_options(args)
  if args.file and #args.experiment > 0 then return nil, "give either experiments or --file, not both" end
  if args.file and args.schedule then return nil, "--schedule is for experiments on the command line, not for --file" end
  if not args.file and #args.experiment == 0 then
    return nil, "which experiment? write one, '2*add r64, r64 + imul r64, r64', or give a file of them with --file"
  end
  return true
end

function command.run(args, context)
  local ok, m, message
  ok, message = check_model(args)
  if not ok then return nil, message end
  if #args.predictor > 0 then return predict_blocks.run(args, context) end
  ok, message = check_options(args)
  if not ok then return nil, message end
  m, message = model.load(args.mapping, args.method)
  if not m then return nil, message end
  if args.schedule and not m.mapping then
    return nil, ("%s: a conjunctive mapping has no ports, so there is no schedule; leave out --schedule"):format(args.mapping)
  end
  if args.file then return predict_file(m, args, context) end
  return predict_arguments(m, args, context)
end

return command
