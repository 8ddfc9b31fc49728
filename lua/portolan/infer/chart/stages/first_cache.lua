--- Stage: where the first data cache is narrower than the ports of loads and stores.
--
-- Loads of one bank and stores to different lines may come less often than their ports would let them. Loads count as held up by their bank only
-- if those of one address and those of one bank in many lines take the same time, longer than those of many banks. Loads of both halves of
-- eight bytes tell whether these are one bank or two. Updates in place tell which loads get what was just stored without the cache.
-- docs/inference.md says what time does not tell.
-- @module portolan.infer.chart.stages.first_cache
local bodies = require "portolan.infer.chart.bodies"
local constants = require "portolan.infer.chart.constants"
local probes = require "portolan.processor.first_cache_probes"

local function alike(a, b) return math.abs(a - b) <= constants.cache_alike * math.max(a, b) end
local function slower(a, b) return a > b * (1 + constants.cache_slower) end

return function(survey)
  if not survey.processor.measure_bodies then return end
  survey:stage("first cache")
  local jobs, names = {}, { "loads_of_banks", "loads_of_one", "loads_of_lines", "stores_to_line", "stores_to_lines", "blocked",
    "loads_of_halves", "in_place_moved", "in_place_indexed", "held_up" }
  for i, name in ipairs(names) do jobs[i] = { key = "probe: " .. name:gsub("_", " "), kernels = probes[name] } end
  local banks, one, lines, line, many, blocked, halves, moved, indexed, held_up =
    table.unpack(bodies.cycles(survey, jobs, "first cache", bodies.middle), 1, #names)
  local found = { blocked = blocked or nil, in_place_moved = moved or nil, in_place_indexed = indexed or nil,
    held_up = held_up or nil }
  if banks and one and lines and slower(one, banks) and alike(one, lines) then found.bank_loads = 1 / one end
  if found.bank_loads and halves then found.bank_bytes = slower(halves, banks) and 8 or 4 end
  if line and many and slower(many, line) then found.stored_lines = 1 / many end
  survey.first_cache = found
end
