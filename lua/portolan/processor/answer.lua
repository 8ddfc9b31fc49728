--- This module answers many questions to a processor that measures: from the store, or in batches that are stored as they come.
--
-- A job is `{ key =, kernels = function() -> list of variants | nil, why there is none }`; kernels are made batch by batch, so that
-- tens of thousands of jobs need no more memory than one batch.
-- @module portolan.processor.answer
local core = require "portolan.core"
local undecided = require "portolan.measuring.undecided"

local per_batch = 64 -- jobs measured, and then stored, at once

-- Statuses that the code causes by itself, and will cause again. A timeout may have been the machine's fault.
local lasting = { ok = true, ["illegal instruction"] = true, ["memory fault"] = true, ["arithmetic fault"] = true, trap = true,
  ["system call"] = true }

local function unsupported(reason) return { status = "unsupported", message = reason, n = 0, rejected = 0 } end

-- Measures the jobs of a batch that have kernels and files the results.
local function measure_once(processor, batch, results, progress)
  local lists, entries = {}, {}
  for i, job in ipairs(batch) do lists[i] = job.variants end
  local measured, state, fault = processor:run(lists, progress)
  if not measured then return nil, state, fault end
  for i, job in ipairs(batch) do
    local result = processor:complete(measured[i], job.variants)
    results[job.index] = result
    if lasting[result.status] or result.unsteady then entries[#entries + 1] = { key = job.key, result = result } end
  end
  if processor.store and #entries > 0 then
    local ok, message, status = processor.store:put(processor.key, entries)
    if not ok then return nil, message, status end
  end
  return state
end

-- The jobs of a batch for which there is code; the others get their answers here.
local function with_code(batch, results)
  local list = {}
  for _, job in ipairs(batch) do
    local variants, reason = job.kernels()
    job.variants = variants
    if variants then list[#list + 1] = job else results[job.index] = unsupported(reason) end
  end
  return list
end

-- The key of a job's next reading. Readings of one experiment are filed one by one, in the order in which they are asked for, so
-- that a run that is repeated meets them in that order.
local function next_reading(processor, key)
  local n = (processor.readings[key] or 1) + 1
  processor.readings[key] = n
  return ("%s #%d"):format(key, n)
end

-- Answers what the store knows; returns the jobs that are open.
local function look_up(processor, jobs, results, again)
  local open = {}
  for index, job in ipairs(jobs) do
    if again then job.key = next_reading(processor, job.key) end
    local known, message
    if processor.store and not processor.again then known, message = processor.store:get(processor.key, job.key) end
    if message then return nil, message end
    job.index, results[index] = index, known
    if not known then open[#open + 1] = job end
  end
  return open
end

--- Answers jobs.
-- @param processor with `run`, `complete`, `session`, `store`, `key`, `readings`, `patience` (of portolan.measuring.undecided), `again`
-- (portolan.processor.hardware)
-- @param jobs list
-- @tparam[opt] table options
-- @tparam[opt] func options.progress function(done, total[, note])
-- @tparam[opt] boolean options.again one more reading of each
-- @tparam[opt] number options.deadline time after which no batch begins
-- @tparam[opt] number options.settle_until time after which nothing undecided is asked again
-- @return list of results in the same order; those that are missing after Ctrl-C or the deadline have status "interrupted"; or nil and a
-- message
return function(processor, jobs, options)
  options = options or {}
  local progress, results = options.progress or function() end, {}
  local open, fault = look_up(processor, jobs, results, options.again)
  if not open then return nil, fault end
  local known = #jobs - #open
  for first = 1, #open, per_batch do
    if core.base.interrupted() or options.deadline and core.base.now() > options.deadline then break end
    local batch = table.move(open, first, math.min(#open, first + per_batch - 1), 1, {})
    local measurable = with_code(batch, results)
    if #measurable > 0 then
      local ok, message, status = undecided.settle(measurable, function(some)
        return measure_once(processor, some, results, function(done, note) progress(known + first - 1 + done, #jobs, note) end)
      end, function(job) return results[job.index] end, processor.patience, options.settle_until)
      if not ok then return nil, message, status end
    end
    for _, job in ipairs(batch) do job.variants = nil end
    progress(known + first - 1 + #batch, #jobs)
  end
  for index = 1, #jobs do
    results[index] = results[index] or { status = "interrupted", n = 0, rejected = 0 }
  end
  return results
end
