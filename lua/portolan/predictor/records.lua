--- Records (portolan.experiment.list) as questions to a predictor, which knows blocks of code.
--
-- A block of code (`hex`) is asked as it is. Of an experiment a predictor that knows experiments (`throughput`) is asked for the multiset; any other
-- one, and every one if the record has an order or a variant, for a loop body of some 40 instructions, whose cycles are those of its copies.
-- @module portolan.predictor.records
local block = require "portolan.block"
local core = require "portolan.core"
local experiment = require "portolan.experiment"
local lists = require "portolan.support.lists"
local loop_body = require "portolan.experiment.loop_body"

local records = {}

local target = 40 -- instructions of a loop body: no chain of updated registers is longer than its copies

--- The machine code of a record, and how many copies of the experiment it holds; or nil and a message.
-- @param record with `hex`, or an experiment
-- @param declared register policy (portolan.experiment.loop_body)
function records.code(record, declared)
  if not record.hex then
    local body, message = loop_body.of(record, declared, target)
    if not body then return nil, message end
    return body.bytes, body.copies
  end
  local bytes = assert(block.from_hex(record.hex))
  local code, message = core.isa.decode(bytes)
  if not code then return nil, message end
  local names = lists.map(code.instructions, function(instruction) return instruction.scheme end)
  if not experiment.equal(experiment.of_list(names), record.e) then return nil, "field 'hex' is code of other schemes than 'e'" end
  return bytes, 1
end

local function result_of(a, copies)
  if a.interrupted then return { status = "interrupted" } end
  if a.cycles then return { status = "ok", cycles = a.cycles / copies, spread = a.spread, n = a.n } end
  local status = a.crash and "crash" or a.unsupported and "unsupported" or "no prediction"
  return { status = status, message = a.error }
end

-- Asks for blocks of code.
local function ask_blocks(predictor, list, declared, results)
  local blocks, copies, places = {}, {}, lists.keys(list)
  local asked = {}
  for _, i in ipairs(places) do
    local bytes, n = records.code(list[i], declared)
    if bytes then
      blocks[#blocks + 1], copies[#copies + 1], asked[#asked + 1] = bytes, n, i
    else
      results[i] = { status = "unsupported", message = n }
    end
  end
  if #blocks == 0 then return end
  for k, a in ipairs(predictor:predict(blocks)) do results[asked[k]] = result_of(a, copies[k]) end
end

-- Asks for multisets.
local function ask_experiments(predictor, list, results)
  local experiments, places = {}, lists.keys(list)
  for k, i in ipairs(places) do experiments[k] = list[i].e end
  if #experiments == 0 then return end
  for k, a in ipairs(predictor:throughput(experiments)) do results[places[k]] = result_of(a, 1) end
end

--- Asks a predictor.
-- @param predictor of `portolan.predictor.named`
-- @param list of records
-- @param declared register policy (portolan.experiment.loop_body)
-- @return list of results `{ status =, cycles = }`
function records.predict(predictor, list, declared)
  local blocks, experiments, results = {}, {}, {}
  for i, record in ipairs(list) do
    local whole = predictor.throughput and not record.hex and not record.order and not record.variant
    local into = whole and experiments or blocks
    into[i] = record
  end
  ask_experiments(predictor, experiments, results)
  ask_blocks(predictor, blocks, declared, results)
  return results
end

return records
