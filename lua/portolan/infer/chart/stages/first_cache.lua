--- Stage: finds where the first data cache is narrower than the ports of loads and stores.
--
-- Loads of one bank and stores to different lines may come less often than their ports would let them. Loads count as held up by their bank only
-- if those of one address and those of one bank in many lines take the same time, longer than those of many banks. Loads of both halves of
-- eight bytes tell whether these are one bank or two. Updates in place tell which loads get what was just stored without the cache.
-- docs/inference.md says what time does not tell.
-- @module portolan.infer.chart.stages.first_cache
local bodies = require "portolan.infer.chart.bodies"
local cache_facts = require "portolan.mapping.first_cache"
local constants = require "portolan.infer.chart.constants"
local lists = require "portolan.support.lists"
local probes = require "portolan.processor.first_cache_probes"

local function alike(a, b) return math.abs(a - b) <= constants.times_differ * math.max(a, b) end
local function slower(a, b) return a > constants.consistent_slower * b end

-- Notes whether narrow stores hold up those that come back to their lines, as told by rounds of a byte and wide stores beside wide stores alone.
local function add_narrow(found, cycles)
  if not cycles.stores_to_lines or not found.stored_lines then return end
  for _, count in ipairs(probes.narrow_rounds) do
    local time = cycles["narrow_" .. count]
    local stall = time and time - count * cycles.stores_to_lines
    if not stall or stall < constants.times_differ * time then return end
    found.narrow_stall, found.narrow_lines = found.narrow_stall or stall, count
    found.narrow_bytes = slower(cycles.narrow_word or 0, 2 * cycles.stores_to_lines) and 2 or 1
  end
end

-- Cycles of each probe, false where there are none.
local function times(survey)
  local names, jobs, cycles = lists.where(lists.keys(probes), function(name) return type(probes[name]) == "function" end), {}, {}
  for i, name in ipairs(names) do jobs[i] = { key = "probe: " .. name:gsub("_", " "), kernels = probes[name] } end
  for i, time in ipairs(bodies.cycles(survey, jobs, bodies.middle)) do cycles[names[i]] = time end
  return cycles
end

return function(survey)
  if not survey.processor.measure_bodies then return end
  survey:stage("first cache")
  local cycles = times(survey)
  local banks, one, lines, line, many, halves = cycles.loads_of_banks, cycles.loads_of_one, cycles.loads_of_lines, cycles.stores_to_line,
    cycles.stores_to_lines, cycles.loads_of_halves
  local found = {}
  for _, field in ipairs(cache_facts.fields) do found[field] = cycles[field] or nil end
  found.handed = nil
  if not slower(cycles.held_up_from_start or 0, 2 * (cycles.handed or math.huge)) then found.held_up_from_start = nil end
  if banks and one and lines and slower(one, banks) and alike(one, lines) then found.bank_loads = 1 / one end
  if found.bank_loads and halves then found.bank_bytes = slower(halves, banks) and 8 or 4 end
  local within, across = cycles.loads_within_lines, cycles.loads_across_lines
  if within and across and slower(across, within) then found.crossing_loads = 2 * (across / within - 1) end
  if line and many and slower(many, line) then found.stored_lines = 1 / many end
  if found.stored_lines and cycles.stores_to_halves and slower(cycles.stores_to_halves, line) then found.stored_bytes = 32 end
  if found.stored_lines and cycles.stores_in_threes and not slower(cycles.stores_in_threes, 2 * many) then found.stored_at_once = 4 end
  if line and cycles.stores_to_many_lines and slower(cycles.stores_to_many_lines, line) then
    found.scattered_lines = 1 / cycles.stores_to_many_lines
  end
  add_narrow(found, cycles)
  if slower(cycles.handed or 0, cycles.not_handed or math.huge) then found.handed = 1 / cycles.handed end
  for _, code in ipairs { "", "straight_" } do
    local with, without = cycles[code .. "chained"] or 0, cycles[code .. "unchained"] or math.huge
    found[code .. "chained"] = slower(with, without) and with - without or nil
  end
  survey.first_cache = found
end
