--- Predictions of experiments and of blocks of code: what a model says, of which part of the question, and what it leaves out. Terminal, JSON, page
-- and pictures show these.
-- @module portolan.prediction
local best_known = require "portolan.mapping.best_known"
local block_doubt = require "portolan.block.doubt"
local experiment = require "portolan.experiment"
local json = require "portolan.support.json"
local lists = require "portolan.support.lists"
local mapping = require "portolan.mapping"
local models = require "portolan.prediction.model"
local stand_ins = require "portolan.mapping.stand_ins"

local prediction = {}

--- No port mapping knows this of code.
prediction.ignores = "dependencies"

-- Ports that were chosen, not determined, of schemes that are the keys of a table: scheme -> list; nil if there are none.
local function assumed_of(m, names)
  local list = {}
  for name in pairs(names) do
    local ports = m.schemes[name].assumed
    if type(ports) == "table" and #ports > 0 then list[name] = ports end
  end
  return next(list) and list or nil
end

-- Lists who says what is known of such schemes, where that is not the mapping (portolan.mapping.fill): { source =, schemes = sorted names }; nil if
-- there are none.
local function sources_of(m, names)
  local by_source, list = {}, {}
  for _, name in ipairs(lists.keys(names)) do
    if m.schemes[name].source then lists.into(by_source, m.schemes[name].source, name) end
  end
  for _, source in ipairs(lists.keys(by_source)) do list[#list + 1] = { source = source, schemes = by_source[source] } end
  return #list > 0 and list or nil
end

-- Ports without uops leave cycles empty: objects all the same.
local function marked(schedule)
  for _, row in ipairs(schedule.table) do json.object(row) end
  return schedule
end

--- The model for code as it is: without the issue slots of zeroing idioms that only experiments have.
function prediction.model_of_code(m)
  local of_code = m.mapping and mapping.of_code(m.mapping)
  return of_code and of_code ~= m.mapping and assert(models.of(of_code, m.method)) or m
end

-- Returns what the model knows of an experiment; the names that it does not know; and branches that were taken as others, name -> name.
local function known_part(m, e)
  local known, unknown = m:split(e)
  local left, taken_as = {}, {}
  local function explains(name) return m:explains(name) end
  for _, name in ipairs(unknown) do
    local other = stand_ins.of(name, explains)
    local parts, joined = stand_ins.parts(name, explains)
    for _, one in ipairs(parts or { other }) do known[one] = (known[one] or 0) + e[name] end
    if joined or other then taken_as[name] = joined or other else left[#left + 1] = name end
  end
  return known, left, next(taken_as) and taken_as or nil
end

--- Says that a model lacks a scheme, and which of the same mnemonic it has.
-- @param m model
-- @param name of a scheme that it lacks
-- @return text
function prediction.no_scheme(m, name)
  local mnemonic, text, found = name:match("^%S+") or name, ("the mapping has no scheme '%s'"):format(name), {}
  for known in pairs(m.schemes) do
    if known:match("^%S+") == mnemonic then found[#found + 1] = "'" .. known .. "'" end
  end
  if #found == 0 then return text end
  table.sort(found)
  local more = #found > 3 and (" and %d more"):format(#found - 3) or ""
  return text .. "; it has " .. table.concat(found, ", ", 1, math.min(3, #found)) .. more
end

--- The schemes of decoded code.
-- @param instructions as of `core.isa.decode`
-- @return experiment
function prediction.experiment(instructions)
  return experiment.of_list(lists.map(instructions, function(instruction) return instruction.scheme end))
end

--- Says why nothing can be said of an experiment.
-- @param m model
-- @param e experiment
-- @param name the first of its schemes
function prediction.nothing_known(m, e, name)
  local why = m.schemes[name] and ("the mapping does not explain '%s' (%s)"):format(name, m.schemes[name].status or "no uops")
    or prediction.no_scheme(m, name)
  return ("'%s': %s"):format(experiment.format(e), why)
end

--- Predicts an experiment. Where the model does not know all of its schemes the result is a bound: what the others take.
-- @param m model
-- @param e experiment
-- @tparam[opt] table options
-- @tparam[opt] boolean options.is_code it is of code
-- @tparam[opt] int options.schedule iterations of an optimal schedule to show
-- @treturn table|nil the fields of `model:predict`, and `experiment` (what was predicted), `text` (what was asked), `method`, `assumed`,
--   `ignores` (of code), `schedule`; `taken_as`, of branches that count as those of the opposite condition, name -> name; of a bound
--   `unknown`, the sorted names of what `cycles` leaves out
-- @treturn[opt] string what is wrong
function prediction.of(m, e, options)
  local known, unknown, taken_as = known_part(m, e)
  if not next(known) and #unknown > 0 then return nil, prediction.nothing_known(m, e, unknown[1]) end
  local p, message = m:predict(known)
  if not p then return nil, message end
  p.sources = m.mapping and sources_of(m.mapping, known) or nil
  p.experiment, p.text, p.method, p.assumed = known, experiment.format(e), m.method, m.mapping and assumed_of(m, known) or nil
  p.ignores = options.is_code and prediction.ignores or nil
  if options.schedule then
    p.schedule, message = m.compiled:schedule(known, options.schedule)
    if not p.schedule then return nil, message end
    marked(p.schedule)
  end
  p.unknown, p.taken_as = #unknown > 0 and unknown or nil, taken_as
  return p
end

--- Predicts a record of an experiment.
-- @param m model
-- @param record `e`; `cycles`, if it was measured
-- @return `{ experiment =, text =, cycles =, cpi =, ipc =, rests_on =, measured = }`, with `unknown` in place of `cpi` where `cycles` is a bound, or
-- `trouble` in place of both
function prediction.of_record(m, record)
  local length = experiment.length(record.e)
  local p = { experiment = record.e, text = experiment.format(record.e), measured = record.cycles }
  local known, unknown = m:split(record.e)
  local cycles, message = m:throughput(next(known) and known or record.e)
  if not cycles then
    p.trouble = message
    return p
  end
  p.rests_on = m.mapping and best_known.rests_on(m, known) or nil
  if #unknown > 0 then
    p.cycles, p.unknown = cycles, unknown
    return p
  end
  p.cycles, p.cpi, p.ipc = cycles, cycles / length, cycles > 0 and length / cycles or nil
  return p
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
    fused = item.fused or nil, with_next = item.with_next or nil, without = without, source = scheme.source }
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

--- Predicts a block.
-- @param model of blocks
-- @tparam table piece `bytes`, `instructions` (as of `core.isa.decode`), `kind` ("loop" of a loop)
-- @treturn table|nil `{ cycles =, cpi =, ipc =, limit =, bounds =, load =, bottleneck =, unit =, slots =, uops =, instructions = list,
--   critical = list, changes = { port =, slot = }, experiment =, text =, loop =, taken_as =, lacking_latency = names; unknown = names, of a bound;
--   sources = list of `{ source =, schemes = names }`, of what another mapping said (portolan.mapping.fill);
--   between = as of portolan.block.doubt; assumed, rests_on, ignores = as of `of` }`
-- @treturn[opt] string what is wrong, or the name of a scheme if the mapping knows none of them
function prediction.of_block(model, piece)
  local options = { loop = piece.kind == "loop", simulate = true }
  local p, message = model:explain(piece.bytes, options)
  if not p then return nil, message end
  if #p.items > 0 and not lists.any(p.items, function(item) return item.known end) then return nil, nil, p.items[1].scheme end
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
    sources = sources_of(model.mapping, known_as), unknown = unknown, lacking_latency = lacking, taken_as = taken_as,
    assumed = assumed_of(model.mapping, known_as),
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
function prediction.list(model, records)
  local list = {}
  local all, message = model:bounds(lists.map(records, function(record) return record.code end))
  if not all then return nil, message end
  for i, record in ipairs(records) do
    local unknown = not all.error[i] and all.unknown[i] > 0 and model:unknown(record.code) or nil
    list[i] = all.error[i] and { experiment = record.e, text = experiment.format(record.e), trouble = all.error[i] }
      or row(model, record, all.cycles[i], unknown)
  end
  return list
end

--- Adds to a prediction what else is said of its piece of code.
-- @tparam table piece of `portolan.code`
-- @tparam table p gets its fields, but for the code itself
-- @return p
function prediction.about(piece, p)
  for key, value in pairs(piece) do
    if key ~= "bytes" and key ~= "instructions" then p[key] = value end
  end
  return p
end

--- Predictions as JSON shows them: what leaves out instructions or latencies is a bound, and not called `cycles`, which programs would take for a
-- prediction, but `least_cycles`.
-- @param list of predictions, with `trouble` in place of all else where there is none
-- @return list for `json.encode`
function prediction.as_json(list)
  local result = {}
  for i, p in ipairs(list) do
    result[i] = p
    if p.unknown or p.lacking_latency then
      local bound = lists.copy(p)
      bound.cycles, bound.cpi, bound.ipc, bound.least_cycles = nil, nil, nil, p.cycles
      result[i] = bound
    end
  end
  return json.array(result)
end

return prediction
