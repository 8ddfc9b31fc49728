--- A processor that answers only experiments that were measured before. In a steady state so many times as much takes so many times as long: an
-- experiment is also answered by what was recorded of a multiple or a part of it.
-- @module portolan.processor.replay
local experiment = require "portolan.experiment"
local experiments = require "portolan.experiment.list"
local lists = require "portolan.support.lists"
local recorded_uops = require "portolan.processor.recorded_uops"

local replay = {}

local most_slots = 1000 -- as in certificates

local Replay = {}
Replay.__index = Replay

-- A later record replaces an earlier one, unless that one is good and the later one is not.
local function remember(known, record)
  local key = experiment.key(record.e)
  local before = known[key]
  if before and before.status == "ok" and record.status ~= "ok" then return end
  known[key] = record
end

-- Returns what was recorded of each experiment, by what its counts have in common.
local function by_reduced(known)
  local list = {}
  for _, key in ipairs(lists.keys(known)) do
    local record = known[key]
    local smaller, divisor = experiment.reduced(record.e)
    local short = experiment.key(smaller)
    if record.cycles and not list[short] then list[short] = { record = record, divisor = divisor } end
  end
  return list
end

--- Makes a processor from records.
-- @tparam table options
-- @tparam[opt] string options.path of an experiments file
-- @tparam[opt] table options.records in place of a path: a list of `{ e =, cycles =, status =, ... }`
-- @tparam[opt] string options.name
-- @return processor, with `note` where the file is not quite what it should be; or nil and a message
function replay.new(options)
  local records, note = options.records, nil
  if not records then
    records, note = experiments.load(options.path)
    if not records then return nil, note end
  end
  local self = setmetatable({ name = options.name or options.path or "replay", note = note, known = {}, count = 0 }, Replay)
  for i, record in ipairs(records) do
    local ok, fault = experiment.check(record.e)
    if not ok then return nil, ("record %d: %s"):format(i, fault) end
    remember(self.known, record)
  end
  for _ in pairs(self.known) do self.count = self.count + 1 end
  self.reduced = by_reduced(self.known)
  return self
end

--- Facts for the provenance of results.
function Replay:describe() return { kind = "replay", name = self.name, experiments = self.count } end

--- The experiments that it can answer.
-- @return list, in the order of their texts
function Replay:experiments()
  return lists.map(lists.keys(self.known), function(key) return self.known[key].e end)
end

--- The schemes that occur in them.
-- @return names, sorted
function Replay:schemes()
  local set = {}
  for _, record in pairs(self.known) do
    for name in pairs(record.e) do set[name] = true end
  end
  return lists.keys(set)
end

--- Returns what was recorded of an experiment, or what follows from what was recorded of a multiple or a part; nil if nothing does.
function Replay:record(e)
  local exact = self.known[experiment.key(e)]
  if exact then return exact end
  local smaller, divisor = experiment.reduced(e)
  local other = self.reduced[experiment.key(smaller)]
  if not other then return nil end
  local record = other.record
  return { e = e, status = record.status, cycles = record.cycles * divisor / other.divisor, spread = record.spread, n = record.n }
end

--- Numbers of uops that follow from what was counted beside the cycles.
-- @return `{ [scheme] = number }`; or nil and a message (portolan.processor.recorded_uops)
function Replay:uops()
  local records = lists.map(self:experiments(), function(e) return self.known[experiment.key(e)] end)
  return recorded_uops.of(records)
end

--- Issue slots of a scheme, as was recorded of it alone (`slots`).
-- @return whole number from 1 to 1000; nil where the record does not say one
function Replay:slots(name)
  local slots = (self:record { [name] = 1 } or {}).slots
  return slots and slots <= most_slots and math.max(1, math.floor(slots + 0.5)) or nil
end

--- Issue slots: what the record says, otherwise one, as R_max counts instructions then.
-- @param list of `{ name = }`
-- @return list of numbers
function Replay:issue_slots(list) return lists.map(list, function(entry) return self:slots(entry.name) or 1 end) end

--- Was it measured? Others get the status "not recorded".
function Replay:answers(e) return self:record(e) ~= nil end

-- The record without its experiment, so that no caller changes what is remembered.
local function result_of(record)
  local result = {}
  for field, value in pairs(record) do
    if field ~= "e" then result[field] = value end
  end
  result.status = result.status or "ok"
  return result
end

--- Answers experiments: what was recorded, or the status "not recorded".
-- @param list experiments
-- @param options `progress` = function(done, total), optional
-- @return list of results in the same order
function Replay:measure(list, options)
  local results, progress = {}, options and options.progress
  for i, e in ipairs(list) do
    local record = self:record(e)
    results[i] = record and result_of(record) or { status = "not recorded" }
    if progress then progress(i, #list) end
  end
  return results
end

return replay
