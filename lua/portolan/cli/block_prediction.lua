--- Predictions of blocks of code for `portolan predict`, where a mapping has latencies.
-- @module portolan.cli.block_prediction
local block_model = require "portolan.block_model"
local experiment = require "portolan.experiment"
local lists = require "portolan.support.lists"
local mapping = require "portolan.mapping"

local block_prediction = {}

--- The model for code, if the mapping tells how long results take. Without latencies a prediction is one of experiments (portolan.cli.prediction).
-- @param m model
-- @param args of the command line: whoever asks for a `method` or a `schedule` wants the ports alone
-- @return model of blocks; nil if there is none; or nil and a message
function block_prediction.model(m, args)
  if not m.mapping or args.method or args.schedule then return nil end
  local any = false
  for _, scheme in pairs(m.mapping.schemes) do any = any or type(scheme.latencies) == "table" and #scheme.latencies > 0 end
  if not any then return nil end
  return block_model.of(m.mapping)
end

local function sorted(set)
  local list = lists.keys(set)
  return #list > 0 and list or nil
end

-- Names of schemes by what is not known of them; branches that count as others.
local function gaps(items)
  local unknown, lacking, taken_as = {}, {}, {}
  for _, item in ipairs(items) do
    if not item.known then unknown[item.scheme] = true end
    if item.lacks_latency then lacking[item.scheme] = true end
    if item.known and item.known_as ~= item.scheme then taken_as[item.scheme] = item.known_as end
  end
  return sorted(unknown), sorted(lacking), next(taken_as) and taken_as or nil
end

-- The text of an instruction; a loop's jump back, wherever that is, is one to its first instruction.
local function text_of(p, decoded, i)
  if not (p.loop and i == #p.items and decoded.scheme:find " rel%d+$") then return decoded.text end
  return decoded.text:match "^%S+" .. " to 1"
end

local function instruction_of(item, text, without)
  return { text = text, scheme = item.scheme, slots = item.slots, uops = item.uops, ports = item.uops and mapping.usage(item),
    fused = item.fused or nil, without = without }
end

-- Steps of the critical cycle by instruction: what it waits for, from which of its places to which.
local function critical_of(steps)
  local list = {}
  for i, step in ipairs(steps) do
    list[i] = { instruction = step.to, waits_for = step.from, through = step.through, from = step.at, to = step.result, cycles = step.latency,
      iterations = step.distance }
  end
  return list
end

local function first_unknown(items)
  for _, item in ipairs(items) do
    if item.known then return nil end
  end
  return items[1] and items[1].scheme
end

--- Predicts a block.
-- @param model of blocks
-- @tparam table piece `bytes`, `instructions` (as of `core.isa.decode`), `kind` ("loop" of a loop)
-- @treturn table|nil `{ cycles =, cpi =, ipc =, limit =, bounds =, load =, bottleneck =, unit =, slots =, uops =, instructions = list,
--   critical = list, changes = { port =, slot = }, experiment =, text =, loop =, taken_as =, lacking_latency = names; unknown = names, of a bound }`
-- @treturn[opt] string what is wrong, or the name of a scheme if the mapping knows none of them
function block_prediction.of(model, piece)
  local options = { loop = piece.kind == "loop", simulate = true }
  local p, message = model:explain(piece.bytes, options)
  if not p then return nil, message end
  local nothing = first_unknown(p.items)
  if nothing then return nil, nil, nothing end
  local changes = model:what_if(piece.bytes, options)
  if not changes then return nil, "there is no memory" end
  local names, instructions = {}, {}
  for i, item in ipairs(p.items) do
    names[i] = item.scheme
    instructions[i] = instruction_of(item, text_of(p, piece.instructions[i], i), changes.without and changes.without[i])
  end
  local e = experiment.of_list(names)
  local unknown, lacking, taken_as = gaps(p.items)
  return { cycles = p.cycles, cpi = p.cycles / #names, ipc = p.cycles > 0 and #names / p.cycles or nil, limit = p.limit, bounds = p.bounds,
    simulated_cycles = p.simulated_cycles, load = p.load, bottleneck = p.bottleneck, unit = p.unit, slots = p.slots, uops = p.uops,
    loop = p.loop, instructions = instructions,
    critical = critical_of(p.critical), changes = { port = changes.port, slot = changes.slot }, experiment = e, text = experiment.format(e),
    unknown = unknown, lacking_latency = lacking, taken_as = taken_as }
end

-- One row of `list`: a bound if there are names of what is unknown.
local function row(record, cycles, unknown)
  local p = { experiment = record.e, text = experiment.format(record.e), cycles = cycles, unknown = unknown }
  if unknown then return p end
  local length = experiment.length(record.e)
  p.cpi, p.ipc = cycles / length, cycles > 0 and length / cycles or nil
  return p
end

--- Predicts many blocks, by the bounds.
-- @param model of blocks
-- @tparam table records list of `{ e = experiment, code = machine code }`
-- @return list of predictions `{ experiment =, text =, cycles =, cpi =, ipc = }`, with `unknown` in place of `cpi` where `cycles` is a bound, or
-- `{ experiment =, text =, trouble = }`; or nil and a message
function block_prediction.list(model, records)
  local blocks, list = {}, {}
  for i, record in ipairs(records) do blocks[i] = record.code end
  local all, message = model:bounds(blocks)
  if not all then return nil, message end
  for i, record in ipairs(records) do
    local unknown = not all.error[i] and all.unknown[i] > 0 and model:unknown(record.code) or nil
    list[i] = all.error[i] and { experiment = record.e, text = experiment.format(record.e), trouble = all.error[i] }
      or row(record, all.cycles[i], unknown)
  end
  return list
end

return block_prediction
