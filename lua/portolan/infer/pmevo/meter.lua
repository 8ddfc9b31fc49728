--- Measures PMEvo's experiments: each once, in batches that are stored as they come, so that a run that ended goes on.
-- @module portolan.infer.pmevo.meter
local core = require "portolan.core"
local experiment = require "portolan.experiment"
local failure = require "portolan.support.failure"
local json = require "portolan.support.json"
local statuses = require "portolan.mapping.statuses"
local store = require "portolan.experiment.store"

local per_batch = 256 -- experiments measured, and then stored, at once

local meter = {}
meter.__index = meter

-- Returns the key that the readings of a processor are filed under.
local function key_of(processor) return processor.key or json.encode(processor:describe()) end

-- Loads what was measured before, by earlier runs.
local function recall(self)
  local stored, message = failure.of_machine(store.open(self.path))
  if not stored then return nil, message end
  self.store, self.key = stored, key_of(self.processor)
  local each, trouble = failure.of_machine(stored:each(self.key))
  if not each then return nil, trouble end
  for key, result in each do
    self.results[key], self.recalled = result, self.recalled + 1
  end
  return self
end

--- A meter.
-- @param processor any processor
-- @tparam[opt] table options
-- @tparam[opt] string options.path of a store (portolan.experiment.store)
-- @tparam[opt] func options.progress function(measured so far)
-- @return meter; or nil and a message
function meter.new(processor, options)
  options = options or {}
  local self = setmetatable({ processor = processor, path = options.path, progress = options.progress or function() end, results = {},
    recalled = 0, measured = 0, failed = 0, list = {} }, meter)
  if options.path and not processor.answers then return recall(self) end -- a record needs no second one
  return self
end

local function measure_batch(self, batch, keys)
  local results, message = failure.of_machine(self.processor:measure(batch,
    { progress = function(done) self.progress(self.measured + done) end }))
  if not results then return nil, message end
  local entries = {}
  for i, result in ipairs(results) do
    if result.status ~= "interrupted" then
      self.results[keys[i]] = result
      self.measured = self.measured + 1
      if result.status ~= "ok" then self.failed = self.failed + 1 end
      if result.status == "ok" then entries[#entries + 1] = { key = keys[i], result = result } end -- the next run tries others again
    end
  end
  self.progress(self.measured)
  if self.store and #entries > 0 then return failure.of_machine(self.store:put(self.key, entries)) end
  return true
end

--- The class (portolan.mapping.statuses) of a scheme whose experiment could not be measured.
function meter:class(e)
  local result = self.results[experiment.key(e)]
  return result and result.status ~= "ok" and (statuses.of_result(result)) or "unstable"
end

--- Measures what is not known yet.
-- @param list experiments
-- @return list of cycles, false for those without; or nil and a message; the message is "interrupted" after Ctrl-C
function meter:measure(list)
  local batch, keys, seen, all = {}, {}, {}, {}
  local function flush()
    if #batch == 0 then return true end
    local ok, message = measure_batch(self, batch, keys)
    batch, keys = {}, {}
    return ok, message
  end
  for i, e in ipairs(list) do
    local key = experiment.key(e)
    all[i] = key
    if not self.results[key] and not seen[key] then
      seen[key] = true
      batch[#batch + 1], keys[#keys + 1] = e, key
    end
    if #batch == per_batch then
      local ok, message = flush()
      if not ok then return nil, message end
    end
  end
  local ok, message = flush()
  if not ok then return nil, message end
  local cycles = {}
  for i, key in ipairs(all) do
    local result = self.results[key]
    if not result and core.base.interrupted() then return nil, "interrupted" end
    cycles[i] = result and result.status == "ok" and result.cycles or false
  end
  return cycles
end

--- Measures schemes alone.
-- @tparam {string,...} names
-- @return those that have a time, in their order; name -> cycles; name -> the class of those that have none; or nil and a message, as of `measure`
function meter:alone(names)
  local list, usable, alone, failed = {}, {}, {}, {}
  for i, name in ipairs(names) do list[i] = { [name] = 1 } end
  local cycles, message = self:measure(list)
  if not cycles then return nil, message end
  for i, name in ipairs(names) do
    if cycles[i] and cycles[i] > 0 then
      usable[#usable + 1], alone[name] = name, cycles[i]
    else
      failed[name] = self:class(list[i])
    end
  end
  return usable, alone, failed
end

--- Closes the store.
function meter:close()
  if self.store then self.store:close() end
  self.store = nil
end

return meter
