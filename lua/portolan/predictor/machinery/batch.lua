--- Many questions to a program that takes them together, so that one which it refuses, or crashes or hangs on, costs only itself.
--
-- A run that fails is repeated without the items that the program complains of, and without those that it had answered by then; if there
-- are none, each half of them is run on its own, down to the item that is at fault.
-- @module portolan.predictor.machinery.batch
local core = require "portolan.core"
local lists = require "portolan.support.lists"

local batch = {}

local most = 1000 -- items in one run, unless told otherwise
local few = 16 -- items that are run one by one if they hang or crash together: halving would wait for the same end again and again

-- A fault: an answer, or the message of one.
local function as_answer(fault) return type(fault) == "table" and fault or { error = fault } end

local function pick(items, indices) return lists.map(indices, function(i) return items[i] end) end

-- The indices that a failed run left without an answer.
local function remaining(indices, faults, partial, answers)
  local rest = {}
  for k, i in ipairs(indices) do
    if faults[k] then
      answers[i] = as_answer(faults[k])
    elseif partial[k] then
      answers[i] = partial[k]
    else
      rest[#rest + 1] = i
    end
  end
  return rest
end

-- Tells where to cut a list whose run failed: the fault of a program that writes as it goes is among the next few items.
local function cut(count, window) return window and count > window and window or count // 2 end

local function hung(answer) return type(answer) == "table" and answer.late end

local function died(answer) return type(answer) == "table" and answer.crash end

-- Runs items alone up to the first whose answer is such an end, or so many; then the others.
local function one_by_one(work, indices, count, ended, solve)
  local k = 0
  repeat
    k = k + 1
    solve(work, { indices[k] })
  until k == #indices or k == count or ended(work.answers[indices[k]])
  return solve(work, table.move(indices, k + 1, #indices, 1, {}))
end

local function solve(work, indices)
  if #indices == 0 or core.base.interrupted() then return end
  local found, failure, faults, partial = work.attempt(pick(work.items, indices))
  if found then
    for k, i in ipairs(indices) do work.answers[i] = found[k] end
    return
  end
  if core.base.interrupted() then return end -- it may be why the run failed
  local rest = remaining(indices, faults or {}, partial or {}, work.answers)
  if #indices == 1 and #rest == 1 then
    work.answers[indices[1]] = as_answer(failure)
    return
  end
  if #rest > 0 and work.window and hung(failure) then return one_by_one(work, rest, work.window, hung, solve) end
  if #rest > 0 and not work.window and #rest <= few and died(failure) then return one_by_one(work, rest, few, died, solve) end
  if #rest < #indices then return solve(work, rest) end
  local size = cut(#indices, work.window)
  solve(work, table.move(indices, 1, size, 1, {}))
  return solve(work, table.move(indices, size + 1, #indices, 1, {}))
end

--- Answers all items.
-- @param items list
-- @param attempt function(items) -> list of answers, one per item; or nil, failure, faults, partial. `failure` is what is wrong if there
-- is but one item: a message, or an answer (`late = true` if the program hung); `faults` maps the index of items that are known to be at
-- fault to the same; `partial` maps indices to answers that came before the failure
-- @tparam[opt] table options
-- @tparam[opt=1000] int options.most items in one run
-- @tparam[opt] func options.alone function(item) -> whether it gets a run of its own
-- @tparam[opt] int options.window the item at fault is mostly among so many behind the last answer
-- @return list of answers; `{ error = message }` for items that got none
function batch.answer(items, attempt, options)
  options = options or {}
  local work = { items = items, attempt = attempt, answers = {}, window = options.window }
  local group = {}
  local function flush()
    solve(work, group)
    group = {}
  end
  for i, item in ipairs(items) do
    if options.alone and options.alone(item) then
      solve(work, { i })
    else
      group[#group + 1] = i
      if #group == (options.most or most) then flush() end
    end
  end
  flush()
  for i = 1, #items do work.answers[i] = work.answers[i] or { error = "interrupted", interrupted = true } end
  return work.answers
end

return batch
