--- `portolan predict --predictor`: what other tools, or this processor, say of blocks of code.
-- @module portolan.cli.predict_blocks
local block = require "portolan.block"
local core = require "portolan.core"
local json = require "portolan.json"
local named = require "portolan.predictor.named"
local printable = require "portolan.printable"
local several = require "portolan.predictor.several"

local predict_blocks = {}

local widest = 48 -- characters of a block's text

local function one_line(text)
  local short = printable((text:gsub("%s*\n%s*", "; "):gsub("%s+", " ")))
  return #short > widest and short:sub(1, widest - 3) .. "..." or short
end

-- The blocks of the command line: { title =, block = }; or nil and a message.
local function collect(args)
  local list = {}
  for _, text in ipairs(args.experiment) do list[#list + 1] = { title = one_line(text), block = { text = text } } end
  for _, hex in ipairs(args.hex) do
    local bytes, message = block.from_hex(hex)
    if not bytes then return nil, "--hex: " .. message end
    list[#list + 1] = { title = one_line(hex), block = bytes }
  end
  if #list == 0 then return nil, "which block? write assembler text, statements separated by ';', or --hex HEX" end
  return list
end

local function open_all(names)
  local list = {}
  for i, name in ipairs(names) do
    local p, message, status = named.open(name)
    if not p then return nil, "--predictor: " .. message, status == "limit reached" and 1 or nil end
    list[i] = p
  end
  return list
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
      if answer.error then faults[#faults + 1] = ("%s: %s: %s\n"):format(p.name, b.title, printable(answer.error)) end
    end
    context.out("\n")
  end
  for _, fault in ipairs(faults) do context.out("%s", fault) end
end

local function show_json(context, blocks, predictors, answers)
  local rows = {}
  for i, b in ipairs(blocks) do
    local row = { block = b.title, predictions = json.array {} }
    for k, p in ipairs(predictors) do
      local a = answers[k][i]
      row.predictions[k] = { predictor = p.name, version = p.version, cycles = a.cycles, error = a.error, crash = a.crash,
        unsupported = a.unsupported, ignores = p.ignores }
    end
    rows[i] = row
  end
  context.out("%s\n", assert(json.encode(json.array(rows), { pretty = true })))
end

--- Runs `portolan predict` with predictors.
-- @param args of the command line: `predictor`, `experiment` (assembler texts), `hex`
-- @param context of the subcommand
-- @return exit status: 1 if there is a block without a prediction; or nil, message, status
function predict_blocks.run(args, context)
  local blocks, message = collect(args)
  if not blocks then return nil, message end
  core.base.catch_interrupts()
  local predictors, trouble, status = open_all(args.predictor)
  if not predictors then return nil, trouble, status end
  local code = {}
  for i, b in ipairs(blocks) do code[i] = b.block end
  local answers, failed = several.predict(predictors, code), false
  for _, list in ipairs(answers) do
    for _, answer in ipairs(list) do failed = failed or answer.error ~= nil end
  end
  for _, p in ipairs(predictors) do
    if p.close then p:close() end
  end
  if context.json then show_json(context, blocks, predictors, answers) else show(context, blocks, predictors, answers) end
  return core.base.interrupted() and 130 or failed and 1 or 0
end

return predict_blocks
