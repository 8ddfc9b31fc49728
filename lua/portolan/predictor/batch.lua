--- Many questions to a program that takes them together, so that one which it refuses, or crashes or hangs on, costs only itself.
--
-- A run that fails is repeated without the items that the program complains of; if it names none, each half of them is run on its
-- own, down to the item that is at fault.
-- @module portolan.predictor.batch
local core = require "portolan.core"

local batch = {}

local most = 1000 -- items in one run, unless told otherwise

local function pick(items, indices)
  local list = {}
  for k, i in ipairs(indices) do list[k] = items[i] end
  return list
end

-- The indices without those at fault, which get their answers.
local function without(indices, faults, answers)
  local rest = {}
  for k, i in ipairs(indices) do
    if faults[k] then answers[i] = { error = faults[k] } else rest[#rest + 1] = i end
  end
  return rest
end

local function solve(items, indices, attempt, answers)
  if core.base.interrupted() then return end
  local found, message, faults = attempt(pick(items, indices))
  if found then
    for k, i in ipairs(indices) do answers[i] = found[k] end
  elseif faults and next(faults) then
    local rest = without(indices, faults, answers)
    if #rest > 0 then solve(items, rest, attempt, answers) end
  elseif #indices == 1 then
    answers[indices[1]] = { error = message }
  else
    local half = #indices // 2
    solve(items, table.move(indices, 1, half, 1, {}), attempt, answers)
    solve(items, table.move(indices, half + 1, #indices, 1, {}), attempt, answers)
  end
end

--- Answers all items.
-- @param items list
-- @param attempt function(items) -> list of answers, one per item; or nil, message, faults (index -> message of the items that are
-- known to be at fault; the message counts if there is but one item)
-- @param[opt] options `most` (items in one run; 1000), `alone` (function(item): whether it gets a run of its own)
-- @return list of answers; `{ error = message }` for items that got none
function batch.answer(items, attempt, options)
  options = options or {}
  local answers, group = {}, {}
  local function flush()
    if #group > 0 then solve(items, group, attempt, answers) end
    group = {}
  end
  for i, item in ipairs(items) do
    if options.alone and options.alone(item) then
      solve(items, { i }, attempt, answers)
    else
      group[#group + 1] = i
      if #group == (options.most or most) then flush() end
    end
  end
  flush()
  for i = 1, #items do answers[i] = answers[i] or { error = "interrupted" } end
  return answers
end

return batch
