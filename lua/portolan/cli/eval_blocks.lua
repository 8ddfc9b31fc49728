--- `portolan eval --blocks`: how well predictors tell what the basic blocks of a program take.
-- @module portolan.cli.eval_blocks
local accuracy = require "portolan.prediction.accuracy"
local architectures = require "portolan.support.architectures"
local bhive = require "portolan.format.bhive"
local block = require "portolan.block"
local block_kinds = require "portolan.block.kinds"
local cached = require "portolan.predictor.machinery.cached"
local core = require "portolan.core"
local eval_blocks_output = require "portolan.cli.eval_blocks_output"
local experiment = require "portolan.experiment"
local file = require "portolan.support.file"
local lists = require "portolan.support.lists"
local measured_blocks = require "portolan.format.measured_blocks"
local must = require("portolan.support.failure").check
local named = require "portolan.predictor.named"
local open_processor = require "portolan.cli.open_processor"
local oracle = require "portolan.processor.oracle"
local predictors = require "portolan.prediction.compared"
local progress = require "portolan.progress.line"
local protocol = require "portolan.predictor.machinery.protocol"

local eval_blocks = {}

local recorded_prefix = "blocks:"
local patience = 5 -- seconds for a batch of 64 kernels, unless the oracle's text says otherwise: a few blocks of a program are never steady

-- These options belong to experiments alone.
local foreign = { bhive = "--bhive", rmax = "--rmax", orders = "--orders", by_length = "--by-length", common = "--common" }

-- Is what was asked for right together? True; or nil and a message.
local function check(args)
  if #args.experiments > 0 then return nil, "give either files of experiments or --blocks, not both" end
  for key, option in pairs(foreign) do
    if args[key] then return nil, ("%s is of experiments; leave it out with --blocks"):format(option) end
  end
  if #args.mapping > 0 or #args.method > 0 then return nil, "with --blocks, name mappings as predictors: --predictor mapping:FILE" end
  if not args.oracle then return nil, "which measurements? give --oracle hw, or --oracle blocks:FILE with a table of measured blocks" end
  if #args.predictor == 0 then return nil, "which predictors? give --predictor NAME, once or several times" end
  for _, output in ipairs { "report", "measured" } do
    for _, path in ipairs { args.blocks, args.oracle:match("^" .. recorded_prefix .. "(.*)$") } do
      if args[output] and file.same(args[output], path) then
        return nil, ("--%s %s would overwrite %s; give it another name"):format(output, args[output], path)
      end
    end
  end
  return true
end


-- A record of a block, not measured yet.
local function record_of(b)
  local code = core.isa.decode(b.code)
  local record = { code = b.code, hex = block.to_hex(b.code), line = b.line, frequency = b.frequency, status = "not decoded" }
  if not code then return record end
  local names, words = {}, {}
  for i, instruction in ipairs(code.instructions) do names[i], words[i] = instruction.scheme, instruction.text end
  record.e, record.text, record.kind = experiment.of_list(names), table.concat(words, "; "), block_kinds.of(b.code)
  return record
end

-- The different blocks of a file, and how many rows it has; or nil and a message.
local function read(path)
  local next_block = must(bhive.open(path))
  local records, seen, rows = {}, {}, 0
  while true do
    local b, fault = next_block()
    if fault then return nil, fault end
    if not b then break end
    if b.code ~= "" then
      rows = rows + 1
      if not seen[b.code] then
        seen[b.code] = true
        records[#records + 1] = b
      end
    end
  end
  if #records == 0 then return nil, path .. ": there is no block of code in it" end
  return records, rows
end

-- So many of them, drawn at random, in their order.
local function draw(records, args)
  if not args.sample or args.sample >= #records then return records end
  local numbers = {}
  for i = 1, #records do numbers[i] = i end
  numbers = table.move(core.base.rng(args.seed):shuffle(numbers), 1, args.sample, 1, {})
  table.sort(numbers)
  return lists.map(numbers, function(i) return records[i] end)
end

-- Opens what measures; or nil, message, status.
local function open_oracle(args)
  local path = args.oracle:match("^" .. recorded_prefix .. "(.*)$")
  if path then
    local known, message, status = measured_blocks.load(path)
    if not known then return nil, message, status end
    return { measure_blocks = function(_, codes)
      return lists.map(codes, function(code) return known[code] or { status = "not recorded" } end)
    end }
  end
  local spec, message = oracle.parse(args.oracle)
  if not spec then return nil, "--oracle: " .. message .. ", blocks:FILE" end
  if spec.kind == "hw" then
    spec.options.store = spec.options.store or args.store
    spec.options.patience = spec.options.patience or patience
  end
  local processor = must(open_processor.open(spec, "eval"))
  if processor.measure_blocks then return processor end
  if processor.close then processor:close() end
  return nil, ("--oracle %s measures experiments, not blocks of code; give hw, or blocks:FILE"):format(args.oracle)
end

-- Measures all records; nil, message, status.
local function measure(args, records)
  local processor = must(open_oracle(args))
  local line
  local results, trouble, kind = processor:measure_blocks(lists.map(records, function(r) return r.code end), function(done, total)
    line = line or progress.new { title = "measuring blocks", total = total }
    line:update(done)
  end)
  if line then line:finish() end
  if processor.close then processor:close() end
  if not results then return nil, trouble, kind end
  for i, record in ipairs(records) do
    local result = results[i]
    if result.status == "interrupted" then return nil, "interrupted; with the same --store the next run goes on here", "interrupted" end
    record.status, record.cycles, record.why, record.result = result.status, result.cycles, result.message, result
    if not record.text then record.status, record.cycles = "not decoded", nil end
  end
  return true
end

local function open_predictors(args)
  local list = {}
  for i, name in ipairs(args.predictor) do
    local p, message, status = named.open(name)
    if p and args.store and p.deterministic then p, message, status = cached.wrap(p, args.store) end
    if not p then return nil, "--predictor: " .. message, status == "limit reached" and 1 or status end
    list[i] = p
  end
  local of, mixed = protocol.architecture(list)
  if not of then return nil, "--predictor: " .. mixed end
  if of ~= architectures.default() then
    return nil, ("--predictor: %s is of %s; the blocks are read as code of %s"):format(list[1].name, of, architectures.default())
  end
  return list
end

-- Asks a predictor about the measured blocks: a predictor as `portolan.prediction.compared` has them, with `seconds` and `asked`, how many blocks it
-- was asked about (a store may know others).
local function ask(p, records)
  local began, known, of = core.base.now(), p.known or 0, {}
  local answers = p:predict(lists.map(records, function(r) return r.code end))
  for i, record in ipairs(records) do of[record] = answers[i] end
  return {
    name = p.name, file = p.spec or p.name, method = "asked about blocks", seconds = core.base.now() - began,
    asked = #records - ((p.known or 0) - known),
    predict = function(record)
      local answer = of[record]
      if answer.cycles then return answer.cycles end
      return nil, answer.unsupported and "instructions that it does not know" or answer.crash and "it crashes" or answer.error
    end,
  }
end

local function ask_all(opened, records)
  local list = {}
  for i, p in ipairs(opened) do
    list[i] = ask(p, records)
    if p.close then p:close() end
  end
  if core.base.interrupted() then return nil, "interrupted", "interrupted" end
  predictors.distinguish(list)
  return list
end

-- Writes the measurements: they are worth keeping, whatever becomes of the predictors.
local function write_measured(records, args)
  if not args.measured then return true end
  return measured_blocks.save(args.measured, lists.map(records, function(record)
    return { hex = record.hex, result = { status = record.status, cycles = record.cycles } }
  end))
end

local function evaluate(set, list, args, common)
  return accuracy.evaluate(set, list, { unit = args.unit, common = common, by_length = true, category = function(record) return record.kind end,
    categories = block_kinds.list })
end

-- The records of a command line, measured; how many blocks the file has; or nil, message, status.
local function measured_records(args)
  local blocks = must(read(args.blocks))
  local all = #blocks
  local records = lists.map(draw(blocks, args), record_of)
  must(measure(args, records))
  must(write_measured(records, args))
  return records, all
end

-- The set of portolan.prediction.accuracy; blocks that do not decode are no experiments, but count; or nil and a message.
local function set_of(records)
  local set = must(accuracy.set(lists.where(records, function(record) return record.text ~= nil end)))
  local strange = #records - set.total
  set.total = #records
  set.unmeasured["not decoded"] = strange > 0 and strange or nil
  return set
end

--- Runs `portolan eval --blocks`.
-- @param args of the command line
-- @param context of the subcommand
-- @return exit status; or nil, message, status
function eval_blocks.run(args, context)
  local ok, message = check(args)
  if not ok then return nil, message end
  core.base.catch_interrupts()
  local opened, why, status = open_predictors(args) -- before anything is measured: a name may be wrong
  if not opened then return nil, why, status end
  local state = {}
  state.records, state.rows, status = measured_records(args)
  if not state.records then return nil, state.rows, status end
  state.set, message = set_of(state.records)
  if not state.set then return nil, args.blocks .. ": " .. message end
  if #state.set.records == 0 then
    return nil, ("%s: none of its %d blocks was measured: %s"):format(args.blocks, state.set.total,
      table.concat(lists.keys(state.set.unmeasured), ", "))
  end
  state.predictors = must(ask_all(opened, state.set.records))
  state.common, state.alone = evaluate(state.set, state.predictors, args, true), evaluate(state.set, state.predictors, args, false)
  must(eval_blocks_output.write(state, args))
  eval_blocks_output.show(state, args, context)
  return 0
end

return eval_blocks
