--- `portolan predict`: what a model says about experiments or code.
-- @module portolan.cli.predict
local bhive = require "portolan.format.bhive"
local block = require "portolan.block"
local code = require "portolan.code"
local core = require "portolan.core"
local experiment = require "portolan.experiment"
local experiments = require "portolan.experiment.list"
local file = require "portolan.support.file"
local isa = require "portolan.scheme.isa"
local lists = require "portolan.support.lists"
local loop_chart = require "portolan.cli.loop_chart"
local mapping = require "portolan.mapping"
local mapping_fill = require "portolan.mapping.fill"
local model = require "portolan.prediction.model"
local must = require("portolan.support.failure").check
local named = require "portolan.predictor.named"
local number = require "portolan.cli.number"
local on_demand = require "portolan.loop.on_demand"
local predict_blocks = require "portolan.cli.predict_blocks"
local predict_code = require "portolan.cli.predict_code"
local prediction = require "portolan.prediction"
local prediction_text = require "portolan.report.prediction_text"
local terminal = require "portolan.support.terminal"

local charting = 600 -- seconds that --here may take

local command = { summary = "predict throughput and port load with a mapping" }

function command.configure(parser)
  parser:description("Predicts the inverse throughput, in cycles per experiment, that a port mapping gives for experiments: "
    .. "independent instructions, bound by nothing but ports, issue slots, and units that the mapping says to be busy for longer. "
    .. "Of code it predicts cycles per run or iteration; dependencies count, too, if the mapping has latencies, and are ignored if it has none.")
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
  parser:option("--code", "predict the marked regions, or else the loops, of an assembler file (AT&T, Intel or A64, as compilers "
    .. "write it), an object file or a program; - reads standard input"):argname("FILE")
  parser:option("--fill", "of --code: what the mapping does not know of its instructions is as this one's model says, llvm-mca-19:znver3; each is "
    .. "marked"):argname("NAME")
  parser:flag("--here", "of --code: first chart on this CPU what no chart of it knows of its instructions, as 'portolan loop' does; it is kept")
  parser:option("--function", "of --code: only this function; may be repeated"):argname("NAME"):count("*")
  parser:option("--report", "of code: also write a page with pictures: bounds, ports of each instruction, critical cycle, iterations as simulated")
    :argname("FILE")
  parser:option("--pictures", "of code: also write DIR/NAME.svg, a picture of each piece"):argname("DIR")
  parser:flag("--json", "print JSON")
end

-- The first scheme of an experiment that neither the mapping nor the instruction set has, or nil.
local function unknown_of(m, e)
  return lists.first(experiment.schemes(e), function(name) return not m.schemes[name] and not core.isa.scheme(name) end)
end

local function from_assembler(text, m)
  local decoded, message = core.isa.assemble(text, m.mapping and mapping.architecture(m.mapping))
  if not decoded then return nil, message end
  if #decoded.instructions == 0 then return nil, "there is no instruction" end
  return prediction.experiment(decoded.instructions), decoded
end

-- Machine code in hexadecimal: experiment, code as of `core.isa.decode`, with its `bytes`; or nil and what is wrong.
local function from_hex(m, hex)
  local bytes, message = block.from_hex(hex)
  local decoded
  if bytes then decoded, message = core.isa.decode(bytes, m.mapping and mapping.architecture(m.mapping)) end
  if decoded and #decoded.instructions == 0 then decoded, message = nil, "there is no instruction" end
  if not decoded then return nil, "--hex: " .. message end
  decoded.bytes = bytes
  return prediction.experiment(decoded.instructions), decoded
end

local function quote(text)
  text = text:gsub("%s+", " ")
  return "'" .. (#text > 60 and text:sub(1, 57) .. "..." or text) .. "'"
end

-- Reads what an argument asks about, an experiment or assembler text. Returns the experiment, and its code as of `core.isa.assemble`, false if it
-- is none; or nil and what is wrong. Schemes that the mapping lacks, but the instruction set has, are let through.
local function read(m, text)
  local e, why = experiment.parse(text)
  local unknown = e and unknown_of(m, e)
  if e and not unknown then return e, false end
  local found, trouble = from_assembler(text, m)
  if found then return found, trouble end
  if not e and not text:find("*", 1, true) then return nil, ("%s: %s"):format(quote(text), trouble or why) end
  if not e then return nil, why end
  return nil, ("%s: %s; nor is it assembler text: %s"):format(quote(text), prediction.no_scheme(m, unknown), trouble)
end

-- The prediction for an argument (of --hex: it is machine code), and its code if it is some; or nil and a message.
local function predict(m, models, text, args, is_hex)
  local e, decoded = must((is_hex and from_hex or read)(m, text))
  if not decoded then
    if predict_code.is_drawn(args) then return nil, ("'%s' is an experiment: --report and --pictures are of code"):format(text) end
    return prediction.of(m, e, { schedule = args.schedule })
  end
  local p, message = predict_code.predict(models, decoded, args)
  return p, p and { title = text, bytes = decoded.bytes, instructions = decoded.instructions } or message
end

local function predict_arguments(m, args, context)
  local predictions, pieces = {}, {}
  local models = predict_code.models(m, args)
  local texts = lists.joined(args.experiment, args.hex)
  for i, text in ipairs(texts) do
    local p, piece = must(predict(m, models, text, args, i > #args.experiment))
    predictions[i], pieces[i] = p, piece
  end
  if context.json then
    context.write_json(prediction.as_json(predictions))
  else
    for i, p in ipairs(predictions) do
      if i > 1 then context.out("\n") end
      p.title = p.instructions and texts[i]
      if p.instructions then predict_code.show(p, models.experiments, context) else prediction_text.show(p, m, context) end
    end
  end
  must(predict_code.draw(models, pieces, predictions, args, context))
  return 0
end

-- Records of a file, whether they are of code, and a note about it if there is something to say; or nil and a message.
local function load_records(path)
  if not bhive.is(path) then
    local records, message = must(experiments.load(path))
    return records, false, message
  end
  local records, strange = must(bhive.experiments(path))
  local note = bhive.undecoded(strange, #records, path)
  if note and #records == 0 then return nil, note end
  return records, true, note
end

-- The predictions of a file, and whether dependencies are ignored; or nil, false and a message.
local function predict_records(m, records, of_code, args)
  local blocks, message
  if of_code then blocks, message = predict_code.models(m, args).blocks() end
  if message then return nil, false, message end
  if not blocks then return lists.map(records, function(record) return prediction.of_record(m, record) end), of_code end
  local list
  list, message = prediction.list(blocks, records)
  return list, not blocks.latencies, message
end

local function predict_file(m, args, context)
  local records, of_code, note = load_records(args.file)
  if not records then return nil, of_code end
  if note then terminal.say("portolan predict: " .. note) end
  local list, ignored, message = predict_records(m, records, of_code, args)
  if not list then return nil, message end
  local predicted = lists.count(list, function(p) return not p.trouble end)
  if #list > 0 and predicted == 0 then
    return nil, ("none of the %d experiments of %s can be predicted; the first: %s"):format(#list, args.file, list[1].trouble)
  end
  if context.json then
    local result = { method = m.method, ignores = ignored and prediction.ignores or nil, predictions = prediction.as_json(list) }
    context.write_json(result)
  else
    prediction_text.list(list, m, context, ignored)
  end
  return 0
end

-- Can the code be read more than once? What is not there will be said by whoever reads it.
local function is_lasting(args) return args.code ~= "-" and (file.kind(args.code) or "file") == "file" end

-- The schemes of code that can be read again. Or nil, message, status.
local function schemes_of(args, architecture)
  local pieces, message, status = code.open(args.code, args["function"], architecture)
  if not pieces then return nil, message, status end
  local names = {}
  for _, piece in ipairs(pieces) do
    for _, instruction in ipairs(piece.instructions) do names[#names + 1] = instruction.scheme end
  end
  return names
end

local of_llvm = "llvm-mca:native" -- this processor's model

-- The model of a mapping, with its gaps in the code filled by what is called `fill`; or nil, message, status.
local function filled(m, fill, args)
  if not m.mapping then return nil, ("%s: a conjunctive mapping has no ports to fill gaps with; leave out --fill"):format(args.mapping) end
  local predictor, fault = named.open(fill)
  if not predictor then return nil, ("--fill %s: %s"):format(fill, fault) end
  local names, message, status = schemes_of(args, mapping.architecture(m.mapping))
  if not names then return nil, message, status end
  local gaps = mapping_fill.gaps(m.mapping, names)
  if #gaps == 0 then return m end
  local other, source = named.mapping(fill, lists.distinct(lists.joined(mapping_fill.telling(m.mapping), gaps)))
  local whole, why = nil, source
  if other then whole, why = mapping_fill.of(m.mapping, other, source) end
  if whole then return model.of(whole, args.method) end
  return nil, ("--fill %s: %s"):format(fill, why)
end

-- Says why code cannot be charted here; nil if it can.
local function chart_fault(names)
  if core.isa.host ~= "x86_64" or isa.architecture(names) ~= core.isa.host then
    return "code is charted on x86-64 only, and on the processor that it is of; leave it out"
  end
  return on_demand.is_mixed(names) and "the code has AVX and legacy SSE, which are charted apart; choose with --function" or nil
end

-- Charts on this CPU what no chart of it knows of the code, and keeps it. Returns true, or a mapping; or nil, message, status.
local function chart_here(args)
  local names, message, status = schemes_of(args)
  if not names then return nil, message, status end
  core.base.catch_interrupts()
  local chart <close>, why, kind = loop_chart.open { budget = charting, command = "portolan predict" }
  if not chart then return nil, why, kind end
  if chart:known(names) then return true end
  local fault = chart_fault(names)
  if fault then return nil, "--here: " .. fault end
  return chart:mapping_of(names, {})
end

-- The model for code that nobody names a mapping for: the chart of this processor that knows most of it, with its gaps filled by LLVM's model, if
-- they can be. Or LLVM's model alone. Or nil, message, status.
local function usual_model(args)
  local names, path, what, lacking
  if is_lasting(args) then
    local message, status
    names, message, status = schemes_of(args)
    if not names then return nil, message, status end
  end
  if names and #names > 0 then path, what, lacking = loop_chart.nearest(names) end
  if path then
    args.mapping = path
    local hint = lacking > 0 and not chart_fault(names) and "; --here charts what it does not know of the code" or ""
    terminal.say(("portolan predict: by %s%s"):format(what, hint))
    local m, trouble = model.load(path, args.method)
    if not m or args.fill or args.method or args.schedule then return m, trouble end
    local whole, why = filled(m, of_llvm, args)
    if not whole then terminal.say("portolan predict: what it does not know stays unknown: " .. why) end
    return whole or m
  end
  args.mapping = of_llvm
  local charted = names and "there is no chart of it" .. (chart_fault(names) and "" or "; --here charts what it needs")
  terminal.say(("portolan predict: by LLVM's model of this processor, as %s"):format(
    charted or "what can be read but once is not looked through for a chart"))
  return model.load(of_llvm, args.method)
end

-- Options for predictors and for a mapping; or nil and a message.
local function check_model(args)
  if args.here and not (args.code and is_lasting(args)) then return nil, "--here is of a file of --code: give that with it" end
  if #args["function"] > 0 and not args.code then return nil, "--function is of --code: give the file with it" end
  if #args.predictor == 0 then
    if not args.mapping and not args.code then return nil, "which model? give --mapping FILE, or --predictor NAME" end
    return true
  end
  for _, name in ipairs { "mapping", "method", "schedule", "fill", "here" } do
    if args[name] then return nil, ("--%s does not go with --predictor; a mapping is --predictor mapping:FILE"):format(name) end
  end
  return true
end

local function check_options(args)
  local any = #args.experiment + #args.hex > 0
  if args.file and any then return nil, "give either experiments or --file, not both" end
  if args.code and args.code:find "%.c[cpx]*$" then
    return nil, ("--code %s: this is source; 'portolan loop' compiles it, or give what the compiler made of it"):format(args.code)
  end
  if args.code and (args.file or any) then return nil, "give either --code, or experiments, or --file" end
  if args.fill and not (args.code and is_lasting(args)) then return nil, "--fill is of a file of --code: give that with it" end
  if args.here and args.mapping then return nil, "--here charts this processor: leave out --mapping, or --here" end
  if args.fill and (args.method or args.schedule) then return nil, "--fill marks what it fills, which --method and --schedule do not show" end
  if args.file and args.schedule then return nil, "--schedule is for experiments on the command line, not for --file" end
  if not (args.file or args.code or any) then
    return nil, "which experiment? write one, '2*add r64, r64 + imul r64, r64', or give a file of them with --file, or of code with --code"
  end
  return true
end

function command.run(args, context)
  must(predict_code.check_drawn(args))
  must(check_model(args))
  if #args.predictor > 0 then return predict_blocks.run(args, context) end
  must(check_options(args))
  local ok, message, status = true, nil, nil
  if args.here then ok, message, status = chart_here(args) end
  if not ok and core.base.interrupted() then
    terminal.say("portolan predict: " .. message)
    return 130
  end
  if not ok then return nil, message, status end
  local m
  if args.mapping then m, message = model.load(args.mapping, args.method) else m, message, status = usual_model(args) end
  if m and args.fill then m, message, status = filled(m, args.fill, args) end
  if not m then return nil, message, status end
  if args.schedule and not m.mapping then
    return nil, ("%s: a conjunctive mapping has no ports, so there is no schedule; leave out --schedule"):format(args.mapping)
  end
  if args.code then return predict_code.run(m, args, context) end
  if args.file then return predict_file(m, args, context) end
  return predict_arguments(m, args, context)
end

return command
