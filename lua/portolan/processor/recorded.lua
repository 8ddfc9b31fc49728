--- A record as a processor that can be charted: beside what was measured it says what the record tells of uops, issue slots and chains, and how many
-- instructions a cycle the core issues, if one of them was recorded as a filler or that is given. What it does not tell is not known; nothing is made
-- up.
-- @module portolan.processor.recorded
local experiment = require "portolan.experiment"
local foreign = require("portolan.measuring.policy").foreign
local filler = require "portolan.processor.filler"
local isa = require "portolan.scheme.isa"
local lists = require "portolan.support.lists"
local recorded_filler = require "portolan.processor.recorded_filler"
local scheme_set = require "portolan.scheme.set"

local recorded = {}
recorded.__index = recorded

local other_width = 0.5 -- issue slots a cycle, by which one that is given differs from what was recorded

-- Returns what was recorded of a scheme alone; an empty table if nothing was.
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

-- Returns what fills issue slots: what the test of fillers takes (portolan.processor.filler), if that was recorded, or else what experiments with
-- candidates say (portolan.processor.recorded_filler); nil if nothing is known to.
local function filling_of(replay)
  local observations, singles = {}, {}
  for _, e in ipairs(replay:experiments()) do
    local record = replay:record(e)
    if (record.status or "ok") == "ok" and record.cycles then
      observations[#observations + 1] = { e = e, cycles = record.cycles }
      if experiment.length(e) == 1 then singles[next(e)] = record.cycles end
    end
  end
  local candidates = recorded_filler.candidates(observations, singles)
  local names, schemes = filler.among(lists.set(replay:schemes()))
  local tested = filler.choose(names, schemes, function(list) return replay:measure(list) end)
  local name = tested and tested.sure and tested.per_slot == 1 and tested.name or candidates[1] and candidates[1].serves and candidates[1].name
  return lists.first(candidates, function(candidate) return candidate.name == name end)
end

--- Makes one.
-- @param replay a portolan.processor.replay
-- @tparam table options
-- @tparam[opt] number options.rmax instructions that the core issues a cycle, where nothing that fills issue slots was recorded
-- @tparam[opt] table options.uops scheme -> number of uops, where that is given; otherwise what the record counts
-- @return processor; or nil and a message
function recorded.new(replay, options)
  local filling = filling_of(replay)
  if not options.rmax and not filling then
    return nil, "the record does not say how many instructions the core issues a cycle; give it: --rmax N"
  end
  if options.rmax and filling and math.abs(options.rmax - filling.rmax) > other_width then
    return nil, ("--rmax %.14g: '%s' fills %d issue slots a cycle in this record; leave --rmax out"):format(options.rmax, filling.name, filling.rmax)
  end
  local uops, message = replay:uops()
  if not uops and not options.uops then return nil, message .. "; give the numbers of uops: --uops" end
  uops = uops or {}
  for name, n in pairs(options.uops or {}) do uops[name] = n end
  local self = setmetatable({ name = replay.name, replay = replay, rmax = options.rmax or filling.rmax, uops = uops, filling = filling },
    recorded)
  for _, name in ipairs(scheme_set.names(self:set() or {})) do
    local known, why = isa.scheme(name)
    if not known and not replay:answers { [name] = 1 } then return nil, ("%s: field 'set': %s"):format(replay.name, why) end
  end
  self.resolution = not said(self, "counted") and foreign.resolution or nil
  self.counted = said(self, "counted") or filling and not next(uops) and "issue slots" or nil
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

--- The schemes that were recorded beside many others, at least half as many as any: they may stand for others. Not those that may fill issue slots,
-- which stand beside all.
-- @return names, sorted; nil where nobody compared schemes so
function recorded:compared()
  local beside, most = {}, 0
  if not self.filling or said(self, "counted") then return nil end
  for _, e in ipairs(self.replay:experiments()) do
    local pair = experiment.schemes(e)
    for i, name in ipairs(#pair == 2 and pair or {}) do
      beside[name] = beside[name] or {}
      beside[name][pair[3 - i]] = true
    end
  end
  for _, others in pairs(beside) do most = math.max(most, lists.size(others)) end
  local is_filler = lists.set((filler.among(beside)))
  return lists.where(lists.keys(beside), function(name) return not is_filler[name] and 2 * lists.size(beside[name]) >= most end)
end

-- Cycles of each scheme beside several of each other one: name -> words for the rest -> cycles.
local function beside_of(self)
  local beside = {}
  for _, e in ipairs(self.replay:experiments()) do
    local cycles = self.replay:record(e).cycles
    for name, n in pairs(cycles and e or {}) do
      beside[name] = beside[name] or {}
      beside[name][n .. " beside " .. experiment.key(experiment.without(e, name))] = cycles
    end
  end
  return beside
end

--- Do two schemes take as long as each other wherever the same was recorded of both?
-- @param a scheme
-- @param b scheme
-- @tparam number share of the cycles by which they may differ
-- @treturn boolean false, too, where there is less than half of that of both
function recorded:alike(a, b, share)
  self.beside = self.beside or beside_of(self)
  local own, other, both = self.beside[a] or {}, self.beside[b] or {}, 0
  for rest, cycles in pairs(own) do
    if other[rest] and math.abs(cycles - other[rest]) > share * cycles then return false end
    both = both + (other[rest] and 1 or 0)
  end
  return 2 * both >= math.max(lists.size(own), lists.size(other))
end

-- Floods of each scheme beside each other one: an instance of a scheme beside several of another one, with fillers or without, where the same without
-- the instance was recorded, too.
local function floods_of(self)
  local by, filling = {}, self.filling and self.filling.name
  for _, e in ipairs(self.replay:experiments()) do
    for name in pairs(e[filling] and experiment.without(e, filling) or e) do
      local rest = e[name] == 1 and experiment.without(e, name)
      local others = rest and lists.where(experiment.schemes(rest), function(other) return other ~= filling end)
      if rest and #others == 1 and rest[others[1]] > 1 and self.replay:answers(rest) then
        by[others[1]] = by[others[1]] or {}
        lists.into(by[others[1]], name, { e = e, alone = rest, copies = rest[others[1]], fillers = rest[filling] or 0 })
      end
    end
  end
  return by
end

--- Recorded floods.
-- @param blocker the scheme that floods
-- @param name the scheme of which one instance stands beside it
-- @param copies of the former, at least
-- @return list of `{ e =, alone = (experiment without the instance), copies =, fillers = }`, most fillers first
function recorded:floods(blocker, name, copies)
  self.flooded = self.flooded or floods_of(self)
  local list = lists.where((self.flooded[blocker] or {})[name] or {}, function(flood) return flood.copies >= copies end)
  table.sort(list, lists.most_first("fillers", "copies"))
  return list
end

--- Issue slots a cycle, as given, or as a filler tells.
function recorded:issue_width() return self.rmax end

--- Lists what may fill its front end, of what occurs in the record.
-- @return names; schemes to test them beside
function recorded:fillers()
  if self.filling and not said(self, "counted") then return { self.filling.name }, {} end
  return filler.among(lists.set(self.replay:schemes()))
end

--- Issue slots of schemes: what the record of a chart says that padding came to, or what experiments with a filler say, false where neither does.
-- Other records say whole numbers; where they do not, it is one, as R_max counts instructions then.
function recorded:issue_slots(list)
  if not self.counted then return self.replay:issue_slots(list) end
  return lists.map(list, function(entry)
    local count = self.filling and self.filling.counts[entry.name]
    return alone(self, entry.name).padded or count and (count.slots or count.least) or false
  end)
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
