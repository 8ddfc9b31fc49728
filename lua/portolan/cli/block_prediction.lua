--- Predictions of blocks of code for `portolan predict`, by all that a mapping knows. Terminal, JSON, page and pictures show these.
-- @module portolan.cli.block_prediction
local best_known = require "portolan.best_known"
local block_doubt = require "portolan.block_doubt"
local block_model = require "portolan.block_model"
local experiment = require "portolan.experiment"
local lists = require "portolan.support.lists"
local mapping = require "portolan.mapping"
local prediction = require "portolan.cli.prediction"

local block_prediction = {}

--- The model for code. Whoever asks for a method or a schedule wants the ports alone, and resources have no place for code: then a prediction is one
-- of experiments (portolan.cli.prediction).
-- @param m model
-- @param args of the command line
-- @return model of blocks; nil if there is none; or nil and a message
function block_prediction.model(m, args)
  if not m.mapping or args.method or args.schedule then return nil end
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

local function instruction_of(model, item, text, without)
  local scheme = item.known and model.mapping.schemes[item.known_as] or {}
  local alone = scheme.alone
  local uops = not alone and item.uops or nil
  return { text = text, scheme = item.scheme, slots = item.slots, uops = uops, ports = uops and mapping.usage { uops = uops },
    fused = item.fused or nil, without = without, source = scheme.source }
end

-- Without latencies nothing is known of what waits for what, and a simulation would tell no more than the bounds.
local function without_latencies(p)
  p.ignores, p.critical, p.simulated_cycles, p.lacking_latency = prediction.ignores, {}, nil, nil
  if p.bounds.dependencies == 0 then p.bounds.dependencies = nil end
  return p
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
--   critical = list, changes = { port =, slot = }, experiment =, text =, loop =, taken_as =, lacking_latency = names; unknown = names, of a bound;
--   sources = list of `{ source =, schemes = names }`, of what another mapping said (portolan.mapping_fill);
--   between = as of portolan.block_doubt; assumed, rests_on, ignores = as of portolan.cli.prediction }`
-- @treturn[opt] string what is wrong, or the name of a scheme if the mapping knows none of them
function block_prediction.of(model, piece)
  local options = { loop = piece.kind == "loop", simulate = true }
  local p, message = model:explain(piece.bytes, options)
  if not p then return nil, message end
  local nothing = first_unknown(p.items)
  if nothing then return nil, nil, nothing end
  local changes = model:what_if(piece.bytes, options)
  if not changes then return nil, "there is no memory" end
  local names, known_as, instructions = {}, {}, {}
  for i, item in ipairs(p.items) do
    names[i] = item.scheme
    if item.known then known_as[item.known_as] = true end
    instructions[i] = instruction_of(model, item, text_of(p, piece.instructions[i], i), changes.without and changes.without[i])
  end
  local e = experiment.of_list(names)
  local unknown, lacking, taken_as = gaps(p.items)
  local result = { cycles = p.cycles, cpi = p.cycles / #names, ipc = p.cycles > 0 and #names / p.cycles or nil, limit = p.limit, bounds = p.bounds,
    simulated_cycles = p.simulated_cycles, load = p.load, bottleneck = p.bottleneck, unit = p.unit, slots = p.slots, uops = p.uops,
    loop = p.loop, instructions = instructions,
    critical = critical_of(p.critical), changes = { port = changes.port, slot = changes.slot }, experiment = e, text = experiment.format(e),
    sources = prediction.sources(model.mapping, known_as), unknown = unknown, lacking_latency = lacking, taken_as = taken_as,
    assumed = prediction.assumed(model.mapping, known_as),
    rests_on = best_known.rests_on(model.mapping, known_as), between = block_doubt.of(model, piece, options, p) }
  return model.latencies and result or without_latencies(result)
end

-- One row of `list`: a bound if there are names of what is unknown, and no prediction if that is all.
local function row(model, record, cycles, unknown)
  local p = { experiment = record.e, text = experiment.format(record.e), cycles = cycles, unknown = unknown, measured = record.cycles }
  p.rests_on = best_known.rests_on(model.mapping, record.e)
  if unknown and #unknown == lists.size(record.e) then
    p.cycles, p.unknown, p.trouble = nil, nil, ("the mapping does not explain '%s'"):format(unknown[1])
  end
  if unknown then return p end
  local length = experiment.length(record.e)
  p.cpi, p.ipc = cycles / length, cycles > 0 and length / cycles or nil
  return p
end

--- Predicts many blocks, by the bounds.
-- @param model of blocks
-- @tparam table records list of `{ e = experiment, code = machine code }`
-- @return list of predictions `{ experiment =, text =, cycles =, cpi =, ipc =, rests_on = }`, with `unknown` in place of `cpi` where `cycles` is
-- a bound, or `{ experiment =, text =, trouble = }`; or nil and a message
function block_prediction.list(model, records)
  local blocks, list = {}, {}
  for i, record in ipairs(records) do blocks[i] = record.code end
  local all, message = model:bounds(blocks)
  if not all then return nil, message end
  for i, record in ipairs(records) do
    local unknown = not all.error[i] and all.unknown[i] > 0 and model:unknown(record.code) or nil
    list[i] = all.error[i] and { experiment = record.e, text = experiment.format(record.e), trouble = all.error[i] }
      or row(model, record, all.cycles[i], unknown)
  end
  return list
end

return block_prediction
