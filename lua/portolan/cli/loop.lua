--- `portolan loop`: a loop of the user's, charted as far as it takes, measured, predicted, explained.
-- @module portolan.cli.loop
local code = require "portolan.code"
local core = require "portolan.core"
local duration = require "portolan.support.duration"
local isa = require "portolan.scheme.isa"
local lists = require "portolan.support.lists"
local loop_chart = require "portolan.cli.loop_chart"
local loop_text = require "portolan.report.loop_text"
local loop_times = require "portolan.loop.times"
local mapping = require "portolan.mapping"
local mapping_part = require "portolan.mapping.part"
local model = require "portolan.prediction.model"
local must = require("portolan.support.failure").check
local number = require "portolan.cli.number"
local predict_code = require "portolan.cli.predict_code"
local prediction = require "portolan.prediction"
local rewrites = require "portolan.loop.rewrites"
local source = require "portolan.code.source"
local terminal = require "portolan.support.terminal"

local command = { summary = "your loop on this CPU: charted on demand, measured, predicted, explained", interruptible = true }

local most_loops = 8 -- that are looked at unless functions are named

function command.configure(parser)
  parser:description("Finds the loops of a file, charts the instructions that they consist of as far as that is not done, measures the loops on "
    .. "this CPU, predicts them, and says what limits them. A chart in the user's cache grows with every loop.")
  parser:argument("file", "C or C++ source (.c, .cc, .cpp), assembler text, an object file or a program; - reads assembler text or an object "
    .. "file from standard input"):argname("FILE")
  parser:argument("flags", "of source, behind --: flags for the compiler (default: -O2)"):argname("FLAG"):args("*")
  parser:option("--function", "only this function; may be repeated"):argname("NAME"):count("*")
  parser:option("--compiler", "of source: name or path of the compiler; by default $CC or $CXX, or what is installed"):argname("NAME")
  parser:option("--mapping", "predict with this mapping (mapping.json), and chart nothing"):argname("FILE")
  parser:option("--with", "also predict with this mapping, of another processor: a file, or llvm-mca:CPU; may be repeated"):argname("FILE"):count("*")
  parser:option("--chart", "folder of the chart that grows (default: in the user's cache, one for each model of CPU)"):argname("DIR")
  parser:option("--budget", "time that it may take in all: 90s, 10m", "10m"):argname("DURATION"):convert(duration.converter "--budget")
  parser:option("--cpu", "number of the processor to measure on; by default the quieter ones"):convert(number.whole("--cpu", 0, 1023))
  parser:flag("--no-measure", "predict only; with --mapping nothing runs on this CPU")
  parser:flag("--again", "measure everything anew, even what was measured before")
  parser:option("--report", "also write a page with pictures"):argname("FILE")
  parser:option("--pictures", "also write DIR/NAME.svg, a picture of each loop"):argname("DIR")
  parser:flag("--json", "print JSON")
end

-- The pieces of the file, and how it was compiled; or nil, message, status.
local function pieces_of(args, architecture)
  if not source.is(args.file) then
    if #args.flags > 0 then return nil, ("%s is no source, so there is nothing to compile with %s"):format(args.file, args.flags[1]) end
    return code.open(args.file, args["function"], architecture)
  end
  local bytes, how = must(source.compile(args.file, { compiler = args.compiler, flags = args.flags }))
  local pieces, notes, kind = code.of(bytes, args.file, args["function"], architecture)
  if pieces then table.insert(notes, 1, "compiled: " .. how) end
  return pieces, notes, kind
end

-- The loops, and marked regions, of the file, and what there is to say of it; or nil, message, status.
local function loops_of(args, architecture)
  local pieces, notes = must(pieces_of(args, architecture))
  local loops = lists.where(pieces, function(piece) return piece.kind ~= "function" end)
  if #loops == 0 then
    return nil, ("%s: there is no loop in %s; give a function with one, or mark a region"):format(args.file,
      #args["function"] > 0 and table.concat(args["function"], ", ") or "it")
  end
  if #loops > most_loops and #args["function"] == 0 then
    local titles = lists.map({ table.unpack(loops, 1, most_loops) }, function(piece) return piece.title end)
    return nil, ("%s: there are %d loops in it, which is more than %d; choose some with --function NAME: %s, ..."):format(args.file, #loops,
      most_loops, table.concat(titles, "; "))
  end
  return loops, notes
end

-- Models of what a mapping knows of some loops, and of what may stand in their place.
local function models_of(m, loops)
  local names = predict_code.schemes(loops)
  local architecture = isa.architecture(names)
  for _, piece in ipairs(architecture == "x86_64" and loops or {}) do names = lists.joined(names, rewrites.schemes(piece)) end
  return predict_code.models(assert(model.of(mapping_part.of(m, architecture, names))), {})
end

-- Predicts a loop; `{ trouble = }` if that cannot be done.
local function predict(models, piece)
  local p, message = predict_code.predict(models, piece, {})
  return prediction.about(piece, p or { trouble = message })
end

-- The mappings beside: list of `{ name =, architecture =, mapping = }`; or nil, message, status.
local function mappings_beside(names)
  local list = {}
  for i, name in ipairs(names) do
    local m = must(mapping.load(name))
    list[i] = { name = name:match "[^/]+$" or name, architecture = mapping.architecture(m), mapping = m }
  end
  return list
end

-- Says what is wrong with the architectures of loops and of what they are to be predicted by; nil if nothing is.
local function architecture_fault(args, given, beside, loops)
  local names = predict_code.schemes(loops)
  local of = isa.architecture(names)
  if of and not given and of ~= isa.host then
    return ("these loops are of %s, which is measured there alone; give --mapping FILE --no-measure"):format(of)
  end
  for i, other in ipairs(beside) do
    if of and other.architecture ~= of then return ("--with %s: it is of %s, the loops are of %s"):format(args.with[i], other.architecture, of) end
  end
end

-- Returns what they say of a loop: for each of `beside` its name and its prediction.
local function predict_elsewhere(beside, piece)
  return lists.map(beside, function(other)
    return { name = other.name, prediction = predict(models_of(other.mapping, { piece }), piece) }
  end)
end

-- LLVM's model of this processor, for a loop that could not be charted; or nil, that reason, its status.
local function model_instead(reason, status)
  local m = status == "limit reached" and mapping.load "llvm-mca:native"
  if not m then return nil, reason, status end
  terminal.say(("portolan loop: %s; predicted by LLVM's model of this processor"):format(reason))
  return m
end

-- The mapping for each loop; or nil, message, status.
local function mappings_for(given, chart, loops)
  if given then return lists.map(loops, function() return given end) end
  local list, instead = {}, nil
  for i, piece in ipairs(loops) do
    local message, status
    if not instead then list[i], message, status = chart:mapping_of(predict_code.schemes { piece }, rewrites.schemes(piece)) end
    if not instead and not list[i] then instead, message, status = model_instead(message, status) end
    list[i] = list[i] or instead
    if not list[i] then return nil, message, status end
  end
  return list
end

-- Measures the loops; a machine that is too noisy leaves them without times. Returns their predictions, with `measured`; or nil, message, status.
local function measure(chart, loops, list)
  local processor, why, kind = chart:open_processor()
  if not processor and kind ~= "limit reached" then return nil, why, kind end
  for i, piece in ipairs(loops) do
    local measured, message, status = { status = "unstable", message = why, changes = {} }, nil, nil
    if processor then measured, message, status = loop_times.of(processor, piece, list[i]) end
    if not measured then return nil, message, status end
    list[i].measured = measured
  end
  return list
end

-- All that is said of the loops, in their order; or nil, message, status.
local function look_at(args, given, beside, chart, loops)
  local found, message, status = mappings_for(given, chart, loops)
  if not found then return nil, message, status end
  local list = {}
  for i, piece in ipairs(loops) do
    local models = models_of(found[i], { piece })
    list[i] = predict(models, piece)
    list[i].mapping, list[i].model, list[i].elsewhere = found[i], models.blocks(), predict_elsewhere(beside, piece)
  end
  if args.no_measure then return list end
  return measure(chart, loops, list)
end

-- Writes what was asked for beside the terminal's text.
local function write(args, context, loops, list)
  if not predict_code.is_drawn(args) then return true end
  local m = list[1].mapping
  if lists.any(list, function(p) return p.mapping ~= m end) then
    return nil, "--report and --pictures: some of these loops are charted apart (legacy SSE, AVX, vectors of 64 bytes); choose with --function"
  end
  return predict_code.draw(models_of(m, loops), loops, list,
    { report = args.report, pictures = args.pictures, code = args.file, mapping = args.mapping or "of this processor" }, context)
end

local function show(context, list)
  for i, p in ipairs(list) do
    if i > 1 then context.out("\n") end
    loop_text.show(p, context)
  end
end

local function as_json(list)
  return prediction.as_json(lists.map(list, function(p)
    local copy = lists.copy(p)
    copy.mapping, copy.model, copy.timeline = nil, nil, nil
    copy.elsewhere = #p.elsewhere > 0 and lists.map(p.elsewhere, function(other)
      return { name = other.name, prediction = prediction.as_json({ other.prediction })[1] }
    end) or nil
    return copy
  end))
end

-- The chart; false if none is needed; or nil, message, status.
local function open_chart(args)
  if args.mapping and args.no_measure then return false end
  if core.isa.host ~= "x86_64" then return nil, "loops are measured on x86-64 only; elsewhere give --mapping FILE --no-measure" end
  return loop_chart.open { chart = args.chart, budget = args.budget, cpu = args.cpu, again = args.again, command = "portolan loop" }
end

function command.run(args, context)
  local asked = { report = args.report, pictures = args.pictures, predictor = {}, code = args.file, mapping = args.mapping }
  must(predict_code.check_drawn(asked))
  local given, wrong
  if args.mapping then given, wrong = mapping.load(args.mapping) end
  if wrong then return nil, wrong end
  local beside = must(mappings_beside(args.with))
  local loops, notes = must(loops_of(args, given and mapping.architecture(given)))
  local strange = architecture_fault(args, given, beside, loops)
  if strange then return nil, strange end
  local chart <close>, why, kind = open_chart(args)
  if why then return nil, why, kind end
  for _, note in ipairs(notes) do terminal.say("portolan loop: " .. note) end
  local list, message, status = look_at(args, given, beside, chart, loops)
  if not list and (status == "interrupted" or core.base.interrupted()) then
    terminal.say("portolan loop: " .. message)
    return 130
  end
  if not list then return nil, message, status end
  if context.json then context.write_json(as_json(list)) else show(context, list) end
  must(write(args, context, loops, list))
  if core.base.interrupted() then return 130 end
  return lists.any(list, function(p) return not p.trouble or p.measured and p.measured.cycles end) and 0 or 1
end

return command
