--- `portolan predict --predictor`: what other tools, or this processor, say of blocks of code.
-- @module portolan.cli.predict_blocks
local bhive = require "portolan.format.bhive"
local block = require "portolan.block"
local core = require "portolan.core"
local file = require "portolan.support.file"
local json = require "portolan.support.json"
local lists = require "portolan.support.lists"
local named = require "portolan.predictor.named"
local predict_code = require "portolan.cli.predict_code"
local prediction = require "portolan.prediction"
local prediction_text = require "portolan.report.prediction_text"
local printable = require "portolan.support.printable"
local protocol = require "portolan.predictor.machinery.protocol"
local several = require "portolan.predictor.machinery.several"
local terminal = require "portolan.support.terminal"

local predict_blocks = {}

local widest = 48 -- characters of a block's text

local function one_line(text)
  local short = printable((text:gsub("%s*\n%s*", "; "):gsub("%s+", " ")))
  return #short > widest and short:sub(1, widest - 3) .. "..." or short
end

-- The blocks of the command line: { title =, block = }; or nil and a message.
local function of_words(args)
  local list = {}
  for _, text in ipairs(args.experiment) do list[#list + 1] = { title = one_line(text), block = { text = text } } end
  for _, hex in ipairs(args.hex) do
    local bytes, message = block.from_hex(hex)
    if not bytes then return nil, "--hex: " .. message end
    list[#list + 1] = { title = one_line(hex), block = bytes }
  end
  if #list == 0 then
    return nil, "which block? write assembler text, statements separated by ';', or --hex HEX, or give a file of blocks with --file"
  end
  return list
end

-- The blocks of a table of BHive's, `{ title =, block =, line =, hex =, frequency = }`, and a note if there is something to say; or nil and
-- a message.
local function of_file(path)
  if not bhive.is(path) then
    local text, message = file.read(path)
    if not text then return nil, message end
    return nil, ("--file %s: with --predictor a table of blocks is expected, machine code in hexadecimal and a number a line: 4801d8,12"):format(path)
  end
  local blocks, message = bhive.open(path)
  if not blocks then return nil, message end
  local list, empty = {}, 0
  while true do
    local b, fault = blocks()
    if fault then return nil, fault end
    if not b then break end
    local hex = block.to_hex(b.code)
    if hex == "" then
      empty = empty + 1
    else
      list[#list + 1] = { title = one_line(hex), block = b.code, line = b.line, hex = hex, frequency = b.frequency }
    end
  end
  if #list == 0 then return nil, path .. ": there is no block of code in it" end
  return list, empty > 0 and ("%s: %d of %d rows have no code"):format(path, empty, empty + #list) or nil
end

-- The pieces of a file of code.
local function of_code(args, architecture)
  local pieces, notes, status = predict_code.pieces(args, architecture)
  if not pieces then return nil, notes, status end
  return lists.map(pieces, function(piece)
    local b = prediction.about(piece, { block = piece.bytes })
    b.title = one_line(b.title)
    return b
  end)
end

local function collect(args, architecture)
  if args.code and (args.file or #args.experiment > 0 or #args.hex > 0) then return nil, "give either blocks, or --file, or --code" end
  if args.code then return of_code(args, architecture) end
  if not args.file then return of_words(args) end
  if #args.experiment > 0 or #args.hex > 0 then return nil, "give either blocks or --file, not both" end
  return of_file(args.file)
end

local function close_all(predictors)
  for _, p in ipairs(predictors) do
    if p.close then p:close() end
  end
end

-- The predictors, and their architecture; or nil, message, status.
local function open_all(args)
  local list = {}
  for i, name in ipairs(args.predictor) do
    local p, message, status = named.open(name, { real_blocks = (args.code or args.file) ~= nil })
    if not p then return nil, "--predictor: " .. message, status == "limit reached" and 1 or nil end
    list[i] = p
  end
  local of, mixed = protocol.architecture(list)
  if not of then
    close_all(list)
    return nil, "--predictor: " .. mixed
  end
  return list, of
end

local function show(context, blocks, predictors, answers)
  for _, p in ipairs(predictors) do
    if p.ignores then context.out("%s: %s between instructions are ignored\n", p.name, p.ignores) end
  end
  local first, widths, faults = 5, {}, {}
  for _, b in ipairs(blocks) do first = math.max(first, #b.title) end
  context.out("%s", "block" .. (" "):rep(first - 5))
  for k, p in ipairs(predictors) do
    widths[k] = math.max(8, #p.name)
    context.out("  %" .. widths[k] .. "s", p.name)
  end
  context.out("\n")
  for i, b in ipairs(blocks) do
    context.out("%s", b.title .. (" "):rep(first - #b.title))
    for k, p in ipairs(predictors) do
      local answer = answers[k][i]
      context.out("  %" .. widths[k] .. "s", answer.cycles and ("%.3f"):format(answer.cycles) or "-")
      local place = b.line and ("line %d: "):format(b.line) or ""
      if answer.error then faults[#faults + 1] = ("%s: %s%s: %s\n"):format(p.name, place, b.title, printable(answer.error)) end
    end
    context.out("\n")
  end
  for _, fault in ipairs(faults) do context.out("%s", fault) end
  for _, b in ipairs(blocks) do
    for _, words in ipairs(prediction_text.path_words(b)) do context.out("%s: %s\n", b.title, words) end
  end
end

-- Prints how many blocks of a file each predictor has an answer for.
local function show_shares(context, blocks, predictors, counts)
  for k, p in ipairs(predictors) do
    local missing = #blocks - counts[k]
    context.out("%s: %d of %d blocks predicted%s\n", p.name, counts[k], #blocks,
      missing > 0 and (", %d (%.2f%%) not"):format(missing, 100 * missing / #blocks) or "")
  end
end

local function show_json(context, blocks, predictors, answers)
  local rows = {}
  for i, b in ipairs(blocks) do
    local row = { block = b.hex or b.title, line = b.line, frequency = b.frequency, predictions = json.array {} }
    for k, p in ipairs(predictors) do
      local a = answers[k][i]
      row.predictions[k] = { predictor = p.name, version = p.version, cycles = a.cycles, error = a.error, crash = a.crash,
        unsupported = a.unsupported, ignores = p.ignores }
    end
    rows[i] = row
  end
  context.write_json(json.array(rows))
end

-- Counts how many blocks each predictor has an answer for.
local function count_answers(answers)
  local counts = {}
  for k, list in ipairs(answers) do counts[k] = lists.count(list, function(answer) return not answer.error end) end
  return counts
end

-- Of blocks that were named each must have a prediction; of a file, or of its pieces, each predictor must have one, as no tool knows all
-- that programs consist of.
local function failed(args, blocks, counts)
  return lists.any(counts, function(n) return n < ((args.file or args.code) and 1 or #blocks) end)
end

--- Runs `portolan predict` with predictors.
-- @param args of the command line: `predictor`, `experiment` (assembler texts), `hex`, `file` (a table of blocks)
-- @param context of the subcommand
-- @return exit status: 1 if there is a block without a prediction, of a file if there is a predictor without any; or nil, message, status
function predict_blocks.run(args, context)
  core.base.catch_interrupts()
  local predictors, of, status = open_all(args)
  if not predictors then return nil, of, status end
  local blocks, message, kind = collect(args, of)
  if not blocks then
    close_all(predictors)
    return nil, message, kind
  end
  if message then terminal.say("portolan predict: " .. message) end
  local answers = several.predict(predictors, lists.map(blocks, function(b) return b.block end))
  local counts = count_answers(answers)
  close_all(predictors)
  if context.json then show_json(context, blocks, predictors, answers) else show(context, blocks, predictors, answers) end
  if args.file and not context.json then show_shares(context, blocks, predictors, counts) end
  return core.base.interrupted() and 130 or failed(args, blocks, counts) and 1 or 0
end

return predict_blocks
