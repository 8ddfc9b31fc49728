--- `portolan predict --code`: the regions, loops and functions of a file, by a mapping or by predictors.
-- @module portolan.cli.predict_code
local code = require "portolan.code"
local json = require "portolan.support.json"
local predict_argument = require "portolan.cli.predict_argument"
local prediction = require "portolan.cli.prediction"
local prediction_text = require "portolan.report.prediction_text"
local terminal = require "portolan.support.terminal"

local predict_code = {}

--- The pieces of the file that the command line names.
-- @return list as of `portolan.code`; or nil, message, status
function predict_code.pieces(args)
  local pieces, notes, status = code.open(args.code, args["function"])
  if not pieces then return nil, notes, status end
  for _, note in ipairs(notes) do terminal.say("portolan predict: left out: " .. note) end
  return pieces
end

-- The prediction of a piece, or one that says why there is none.
local function predict(m, piece, args)
  local p, trouble = prediction.of(m, predict_argument.of_instructions(piece.instructions), { is_code = true, schedule = args.schedule })
  if not p then p = { trouble = trouble } end
  p.title, p.kind, p.address, p.branches = piece.title, piece.kind, piece.address, piece.branches
  return p
end

--- Runs the command for a mapping.
-- @param m model
-- @param args of the command line: `code` (a path), `function` (names), `schedule`
-- @param context of the subcommand
-- @return exit status: 1 if there is no prediction of any piece; or nil, message, status
function predict_code.run(m, args, context)
  local pieces, message, status = predict_code.pieces(args)
  if not pieces then return nil, message, status end
  local list, predicted = {}, 0
  m = prediction.model_of_code(m)
  for i, piece in ipairs(pieces) do
    list[i] = predict(m, piece, args)
    predicted = predicted + (list[i].trouble and 0 or 1)
  end
  if context.json then
    context.out("%s", assert(json.encode(prediction.as_json(list), { pretty = true })))
  else
    for i, p in ipairs(list) do
      if i > 1 then context.out("\n") end
      prediction_text.piece(p, m, context)
    end
  end
  return predicted > 0 and 0 or 1
end

return predict_code
