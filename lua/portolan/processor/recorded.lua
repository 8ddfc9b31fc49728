--- A record as a processor that can be charted: beside what was measured it says how many instructions a cycle the core issues, and what the
-- record tells of uops, issue slots and chains. What it does not tell is not known; nothing is made up.
-- @module portolan.processor.recorded
local filler = require "portolan.processor.filler"
local isa = require "portolan.isa"
local lists = require "portolan.support.lists"
local scheme_set = require "portolan.scheme_set"

local recorded = {}
recorded.__index = recorded

-- What was recorded of a scheme alone; an empty table if nothing was.
local function alone(self, name) return self.replay:record { [name] = 1 } or {} end

-- Answers of schemes alone with other values in the registers. Only records that have some have this method.
local function measure_other_inputs(self, list)
  return lists.map(list, function(e)
    local cycles = (self.replay:record(e) or {}).other_inputs
    return cycles and { status = "ok", cycles = cycles } or { status = "not recorded" }
  end)
end

-- The field of the first record that has it; nil if none does.
local function said(self, field)
  local e = lists.first(self:experiments(), function(one) return self.replay:record(one)[field] ~= nil end)
  return e and self.replay:record(e)[field]
end

--- Makes one.
-- @param replay a portolan.processor.replay
-- @tparam table options
-- @tparam number options.rmax instructions that the core issues a cycle
-- @tparam[opt] table options.uops scheme -> number of uops, where that is given; otherwise what the record counts
-- @return processor; or nil and a message
function recorded.new(replay, options)
  if not options.rmax then return nil, "a record does not say how many instructions the core issues a cycle; give it: --rmax N" end
  local uops, message = replay:uops()
  if not uops and not options.uops then return nil, message .. "; give the numbers of uops: --uops" end
  uops = uops or {}
  for name, n in pairs(options.uops or {}) do uops[name] = n end
  local self = setmetatable({ name = replay.name, replay = replay, rmax = options.rmax, uops = uops }, recorded)
  for _, name in ipairs(scheme_set.names(self:set() or {})) do
    local known, why = isa.scheme(name)
    if not known and not replay:answers { [name] = 1 } then return nil, ("%s: field 'set': %s"):format(replay.name, why) end
  end
  self.counted = said(self, "counted")
  self.events = (self.counted ~= "issue slots" or next(options.uops or {})) and { "uops" } or {}
  local has_other = said(self, "other_inputs") ~= nil
  self.measure_other_inputs = has_other and measure_other_inputs or nil
  return self
end

--- Facts for the provenance of results.
function recorded:describe() return self.replay:describe() end

--- The experiments that it can answer.
function recorded:experiments() return self.replay:experiments() end

--- The set of schemes that was charted, if one of the records says it (`set`).
-- @return list of groups `{ name =, schemes =, alone = }`; nil if none does
function recorded:set() return said(self, "set") end

--- Was it measured?
function recorded:answers(e) return self.replay:answers(e) end

--- Answers experiments: what was recorded, or the status "not recorded".
function recorded:measure(list, options) return self.replay:measure(list, options) end

--- Issue slots a cycle, as given.
function recorded:issue_width() return self.rmax end

--- What may fill its front end: of what occurs in the record.
-- @return names; schemes to test them beside
function recorded:fillers()
  local known = {}
  for _, e in ipairs(self.replay:experiments()) do
    for name in pairs(e) do known[name] = true end
  end
  return filler.among(known)
end

--- Issue slots of schemes: what the record of a chart says that padding came to, false where it could not be read. Other records say whole numbers;
-- where they do not, it is one, as R_max counts instructions then.
function recorded:issue_slots(list)
  if not self.counted then return self.replay:issue_slots(list) end
  return lists.map(list, function(entry) return alone(self, entry.name).padded or false end)
end

--- Issue slots of a scheme, a whole number; nil if the record does not say them.
function recorded:recorded_slots(name) return self.replay:slots(name) end

--- Cycles for each link of a chain: what the record says of each scheme alone (`latency`).
-- @param names list
-- @return list of numbers, false where it says nothing
function recorded:chain_latency(names)
  local list = {}
  for i, name in ipairs(names) do list[i] = alone(self, name).latency or false end
  return list
end

--- The events that it has counts of: none where a chart took its numbers of uops from issue slots, which tell them again, with what they leave open.
function recorded:counters() return self.events end

--- Counts uops of single schemes, as the record tells or as was given.
-- @param list experiments of one instance
-- @return list of `{ status = "ok"|"not recorded", count = }`
function recorded:count(list)
  local results = {}
  for i, e in ipairs(list) do
    local n = self.uops[next(e)]
    results[i] = n and { status = "ok", count = n, n = math.huge } or { status = "not recorded" }
  end
  return results
end

return recorded
