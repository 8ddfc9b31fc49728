--- The evolution that is the default: islands of a few local optima each, ruined and recreated (engine/evo/island.h).
-- @module portolan.infer.pmevo.islands
local core = require "portolan.core"

local islands = { name = "islands" }

local epoch_steps = 8 -- of each island between two migrations
local epochs_least = 16 -- without progress before it ends; as many as it took to get there, if that is more
local progress_least = 5e-3 -- of the value: what gets better by less does not count
local pause = 0.5 -- seconds between two words on the progress
local volume_price = 0.02 -- of a unit of volume, in relative error of one experiment

-- The state for a checkpoint; `whole`: at the end of an epoch, before the islands exchange mappings.
local function state_of(entries, epoch, improved, value, whole)
  local saved = { epoch = epoch, improved = improved, value = value < math.huge and value or nil, whole = whole, islands = {} }
  for i, entry in ipairs(entries) do saved.islands[i] = { mappings = entry.mappings, steps = entry.steps } end
  return saved
end

-- The best mapping and the state of every island, here and elsewhere, in the order of the islands; whether all did their steps.
local function gather(list, whole, exchange)
  local entries = {}
  for i = 1, #list do
    local text, d_avg, volume, value = list:best(i)
    local mappings, steps = list:save(i)
    entries[i] = { text = text, error = d_avg, volume = volume, value = value, mappings = mappings, steps = steps }
  end
  if exchange then return exchange(entries, whole) end
  return entries, whole
end

local function best_of(entries)
  local best = entries[1]
  for _, b in ipairs(entries) do
    if b.value < best.value then best = b end
  end
  return best
end

-- Runs to that number of steps, with a word and a checkpoint now and then. Returns whether they are done: not after Ctrl-C or the deadline;
-- nil and a message if no checkpoint can be written.
local function run(list, steps, o, save)
  while true do
    if list:run(steps, core.base.now() + pause, o.deadline) then return true end
    if core.base.interrupted() or o.deadline and core.base.now() >= o.deadline then return false end
    local entries = gather(list)
    local best = best_of(entries)
    o.progress { error = best.error, volume = best.volume, steps = steps // epoch_steps - 1 }
    if not o.exchange then
      local ok, message = o.checkpoint:write(function() return save(entries, false) end)
      if not ok then return nil, message end
    end
  end
end

-- Every island's best mapping visits the next one.
local function migrate(list, entries, first)
  for i = 1, #list do
    local from = entries[(first + i - 2) % #entries + 1]
    if #entries > 1 then list:admit(i, from.text) end
  end
end

--- Evolves a mapping.
-- @param problem core.evo.problem
-- @param o as of plain.evolve; `population` is that of an island (8); also `islands` (4), `experiments` (their number),
-- `given`, `hint` (texts of what is known: for good, to begin with), `totals` (numbers of uops, 0: not known), and, where islands are
-- processes, `first` (number of the first island here) and `exchange` = function(what gather makes of the islands
-- here, whole) -> that of all islands, whether all are whole
-- @return as plain.evolve; `steps` are epochs
function islands.evolve(problem, o)
  local first = o.first or 0
  local list, message = problem:islands { count = o.islands or 4, first = first, size = o.population or 8, seed = o.seed,
    threads = o.threads, given = o.given, hint = o.hint, totals = o.totals, price = (o.price or volume_price) / o.experiments,
    uop_price = (o.uop_price or 0) / o.experiments, crossing = o.crossing, beam = o.beam or 1 }
  if not list then return nil, message end
  local epoch, improved, value, status, best = 0, 0, math.huge
  local function save(entries, whole) return state_of(entries, epoch, improved, value, whole) end
  local function ending()
    return epoch - improved >= math.max(epochs_least, improved) and "converged" or o.generations and epoch >= o.generations and "limit" or nil
  end
  local saved = o.checkpoint:read()
  if saved then
    epoch, improved, value = saved.epoch, saved.improved, saved.value or math.huge
    for i = 1, #list do list:restore(i, saved.islands[first + i].mappings, saved.islands[first + i].steps) end
    if saved.whole then
      local entries = gather(list, true, o.exchange)
      best, status = best_of(entries), ending()
      if not status then migrate(list, entries, first) end
    end
  end
  while not status do
    local whole, entries
    whole, message = run(list, (epoch + 1) * epoch_steps, o, save)
    if whole == nil then return nil, message end
    entries, whole = gather(list, whole, o.exchange)
    best = best_of(entries)
    if whole then
      epoch = epoch + 1
      if best.value < value * (1 - progress_least) - 1e-9 then value, improved = best.value, epoch end
    end
    o.progress { error = best.error, volume = best.volume, steps = epoch, limit = o.generations or improved + math.max(epochs_least, improved) }
    status = not whole and (core.base.interrupted() and "interrupted" or "time") or ending()
    local ok, trouble = o.checkpoint:write(function() return save(entries, whole) end, status)
    if not ok then return nil, trouble end
    if whole then migrate(list, entries, first) end
  end
  return { text = best.text, error = best.error, volume = best.volume, value = best.value, status = status, steps = epoch }
end

return islands
