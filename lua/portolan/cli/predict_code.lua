--- `portolan predict --code`: the regions, loops and functions of a file, by a mapping or by predictors.
-- @module portolan.cli.predict_code
local block_prediction = require "portolan.cli.block_prediction"
local block_text = require "portolan.report.block_text"
local code = require "portolan.code"
local isa = require "portolan.isa"
local lists = require "portolan.support.lists"
local mapping = require "portolan.mapping"
local predict_argument = require "portolan.cli.predict_argument"
local predict_report = require "portolan.cli.predict_report"
local prediction = require "portolan.cli.prediction"
local prediction_text = require "portolan.report.prediction_text"
local terminal = require "portolan.support.terminal"
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
  local e = predict_argument.of_instructions(piece.instructions)
  local blocks, message = models.blocks()
  if message then return nil, message end
  if not blocks or foreign then return prediction.of(models.experiments, e, { is_code = true, schedule = args.schedule }) end
  local p, trouble, nothing = block_prediction.of(blocks, piece)
  return p, nothing and prediction.nothing_known(models.experiments, e, nothing) or trouble
end

--- The models of code.
-- @param m model
-- @param args of the command line
-- @return `{ experiments = model of the mapping as it is for code, blocks = function() -> model of blocks, made when it is first asked for, or nil
-- (portolan.cli.block_prediction); or nil and a message }`
function predict_code.models(m, args)
  local made, blocks, message = false, nil, nil
  return { experiments = prediction.model_of_code(m), blocks = function()
    if not made then made, blocks, message = true, block_prediction.model(m, args) end
    return blocks, message
  end }
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

--- Runs the command for a mapping.
-- @param m model
-- @param args of the command line: `code` (a path), `function` (names), `schedule`, `report`, `pictures`
-- @param context of the subcommand
-- @return exit status: 1 if there is no prediction of any piece; or nil, message, status
function predict_code.run(m, args, context)
  local of = m.mapping and mapping.architecture(m.mapping) or isa.architecture(lists.keys(m.schemes))
  local pieces, message, status = predict_code.pieces(args, of)
  if not pieces then return nil, message, status end
  local list, predicted, models = {}, 0, predict_code.models(m, args)
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
  local written, trouble, kind = predict_report.write(models, pieces, list, args, context)
  if not written then return nil, trouble, kind end
  return predicted > 0 and 0 or 1
end

return predict_code
