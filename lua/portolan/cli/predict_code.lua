--- `portolan predict --code`: the regions, loops and functions of a file, by a mapping or by predictors; `--report` and `--pictures`: these
-- predictions as a page, and as pictures in files of their own.
-- @module portolan.cli.predict_code
local block_model = require "portolan.block.model"
local block_text = require "portolan.report.block_text"
local code = require "portolan.code"
local core = require "portolan.core"
local figure = require "portolan.report.prediction.figure"
local file = require "portolan.support.file"
local isa = require "portolan.scheme.isa"
local lists = require "portolan.support.lists"
local mapping = require "portolan.mapping"
local mapping_part = require "portolan.mapping.part"
local must = require("portolan.support.failure").check
local page = require "portolan.report.prediction.page"
local prediction = require "portolan.prediction"
local prediction_text = require "portolan.report.prediction_text"
local terminal = require "portolan.support.terminal"
local timeline = require "portolan.report.prediction.timeline"
local undecoded = require "portolan.code.undecoded"

local predict_code = {}

--- The pieces of the file that the command line names.
-- @param args of the command line
-- @param architecture of the model that is to predict them
-- @return list as of `portolan.code`; or nil, message, status
function predict_code.pieces(args, architecture)
  local pieces, notes, status = code.open(args.code, args["function"], architecture)
  if not pieces then return nil, notes, status end
  for _, note in ipairs(notes) do terminal.say("portolan predict: left out: " .. note) end
  return pieces
end

--- Predicts a block of code.
-- @param models of `predict_code.models`
-- @tparam table piece `bytes`, `instructions`, `kind`
-- @param args of the command line
-- @return prediction, with `instructions` if it is one of blocks, which code with instructions that are not decoded is not; or nil and a message
function predict_code.predict(models, piece, args)
  local foreign = undecoded.resolve(piece.instructions, models.experiments.schemes)
  local e = prediction.experiment(piece.instructions)
  local blocks, message = models.blocks()
  if message then return nil, message end
  if not blocks or foreign then return prediction.of(models.experiments, e, { is_code = true, schedule = args.schedule }) end
  local p, trouble, nothing = prediction.of_block(blocks, piece)
  return p, nothing and prediction.nothing_known(models.experiments, e, nothing) or trouble
end

--- The models of code. Whoever asks for a method or a schedule wants the ports alone, and resources have no place for code: then a prediction is one
-- of experiments, and there is no model of blocks.
-- @param m model
-- @param args of the command line
-- @tparam[opt] {string,...} names schemes that the code consists of, where the model of blocks needs to know no others
-- @return `{ experiments = model of the mapping as it is for code, blocks = function() -> model of blocks, made when it is first asked for; nil if
-- there is none; or nil and a message }`
function predict_code.models(m, args, names)
  local made, blocks, message = not m.mapping or args.method or args.schedule, nil, nil
  local function make() return block_model.of(names and mapping_part.of(m.mapping, isa.architecture(names), names) or m.mapping) end
  return { experiments = prediction.model_of_code(m), blocks = function()
    if not made then made, blocks, message = true, make() end
    return blocks, message
  end }
end

--- The schemes of pieces of code.
-- @param pieces list of `{ instructions = }`
-- @return list of names
function predict_code.schemes(pieces)
  local names = {}
  for _, piece in ipairs(pieces) do
    for _, instruction in ipairs(piece.instructions) do names[instruction.scheme or false] = true end
  end
  names[false] = nil
  return lists.keys(names)
end

-- The prediction of a piece, or one that says why there is none.
local function of_piece(models, piece, args)
  local p, trouble = predict_code.predict(models, piece, args)
  return prediction.about(piece, p or { trouble = trouble })
end

--- Prints the prediction of a piece of code, or why there is none.
-- @param p prediction of `predict`, or `{ title =, trouble = }`
-- @param m model of experiments
-- @param context of the command
function predict_code.show(p, m, context)
  if not p.instructions then return prediction_text.piece(p, m, context) end
  block_text.show(p, m.mapping.ports, context)
  prediction_text.path(p, context)
end

--- Is a page or a picture asked for?
-- @param args of the command line
function predict_code.is_drawn(args) return args.report ~= nil or args.pictures ~= nil end

--- Checks that the command line asks for nothing that does not go with these.
-- @param args of the command line
-- @return true; or nil and a message
function predict_code.check_drawn(args)
  if not predict_code.is_drawn(args) then return true end
  local option = args.report and "--report" or "--pictures"
  if #args.predictor > 0 then return nil, option .. " shows what a mapping says: give --mapping FILE in place of --predictor" end
  for _, name in ipairs { "file", "method", "schedule" } do
    if args[name] then return nil, ("%s shows the bounds of code: leave out --%s"):format(option, name) end
  end
  for _, source in ipairs { args.mapping, args.code ~= "-" and args.code or nil } do
    if args.report and file.same(args.report, source) then
      return nil, ("--report %s would overwrite what it is about; give it another name"):format(args.report)
    end
  end
  local fault = args.report and file.fault(args.report)
  if fault then return nil, "--report " .. fault end
  local kind = args.pictures and file.kind(args.pictures)
  if kind and kind ~= "directory" then return nil, ("--pictures %s: this is no folder"):format(args.pictures) end
  return true
end

-- The rows of its first iterations; nil if there is no room for them, or nothing to see.
local function timeline_of(model, p, piece)
  local iterations = p.simulated_cycles and timeline.iterations(#p.instructions)
  return iterations and model:timeline(piece.bytes, { loop = piece.kind == "loop", iterations = iterations }) or nil
end

-- The predictions as pictures show them.
local function shown(model, pieces, predictions)
  local list = {}
  for i, piece in ipairs(pieces) do
    local p = predictions[i]
    if not p.trouble and not p.instructions then
      p = { trouble = ("some of it is not decoded, which no picture shows; by ports it takes at least %.3f cycles"):format(p.cycles) }
    end
    prediction.about(piece, p)
    p.timeline = not p.trouble and timeline_of(model, p, piece) or nil
    list[i] = p
  end
  return list
end

-- "dot" of "dot: loop at 0x6", as a name that no file system minds and that is not taken.
local function file_name(title, taken)
  local word = title:match "^[^:]*":gsub("[^%w_.-]+", "-"):gsub("^[.-]+", ""):sub(1, 80)
  return lists.free_name(word ~= "" and word or "block", taken, "-") .. ".svg"
end

local function write_pictures(list, ports, directory, context)
  must(file.make_directory(directory))
  local taken = {}
  for _, p in ipairs(list) do
    if not p.trouble then
      local path = directory .. "/" .. file_name(p.title, taken)
      must(file.write(path, figure.render(p, ports)))
      if not context.json then context.out("picture: %s\n", path) end
    end
  end
end

--- Writes the page and the pictures that were asked for.
-- @param models of `predict_code.models`
-- @param pieces list of `{ title =, bytes =, instructions =, kind = }`
-- @param predictions list of their predictions, or of `{ trouble = }`
-- @param args of the command line: `report`, `pictures`, `mapping`, `code`
-- @param context of the command
-- @return true; or nil, message, status
function predict_code.draw(models, pieces, predictions, args, context)
  if not predict_code.is_drawn(args) then return true end
  local m = models.experiments
  if not m.mapping then return nil, ("%s: a conjunctive mapping has no ports to show; leave out --report and --pictures"):format(args.mapping) end
  local model = must(models.blocks())
  local list, ports = shown(model, pieces, predictions), m.mapping.ports
  if not context.json then context.out("\n") end
  if args.pictures then write_pictures(list, ports, args.pictures, context) end
  if not args.report then return true end
  local title = args.code == "-" and "standard input" or args.code and args.code:match "[^/]*$" or pieces[1].title
  must(file.write(args.report, page.render { predictions = list, ports = ports, title = title,
    mapping = args.mapping:match "[^/]*$", version = core.version }))
  if not context.json then context.out("report: %s\n", args.report) end
  return true
end

--- Runs the command for a mapping.
-- @param m model
-- @param args of the command line: `code` (a path), `function` (names), `schedule`, `report`, `pictures`
-- @param context of the subcommand
-- @return exit status: 1 if there is no prediction of any piece; or nil, message, status
function predict_code.run(m, args, context)
  local of = m.mapping and mapping.architecture(m.mapping) or isa.architecture(lists.keys(m.schemes))
  local pieces = must(predict_code.pieces(args, of))
  local list, predicted, models = {}, 0, predict_code.models(m, args, predict_code.schemes(pieces))
  for i, piece in ipairs(pieces) do
    list[i] = of_piece(models, piece, args)
    predicted = predicted + (list[i].trouble and 0 or 1)
  end
  if context.json then
    context.write_json(prediction.as_json(list))
  else
    for i, p in ipairs(list) do
      if i > 1 then context.out("\n") end
      predict_code.show(p, models.experiments, context)
    end
  end
  must(predict_code.draw(models, pieces, list, args, context))
  return predicted > 0 and 0 or 1
end

return predict_code
