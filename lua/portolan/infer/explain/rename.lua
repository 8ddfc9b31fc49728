--- Stage: what the front end does with a scheme: issue slots per instance, and who is eliminated at rename.
--
-- Slots by padding with NOPs (docs/measuring.md). Eliminated is what needs no port: as fast as the rename width allows, and a
-- chain of dependent instances takes less than a cycle per link, which nothing that is executed can do.
-- @module portolan.infer.explain.rename
local totals = require "portolan.infer.explain.totals"

local at_width = 1.06      -- slower than the rename width by at most this factor
local whole = 0.4          -- a number of slots is believed if it is this close to a whole one
local below_a_cycle = 0.9  -- per link of a chain

local function count_slots(survey, names)
  local list = {}
  for i, name in ipairs(names) do list[i] = { name = name, cycles = survey.facts[name].single.cycles } end
  local options = { progress = function(...) survey.progress("issue slots", ...) end }
  local slots, message = survey.processor:issue_slots(list, survey.measured_width, options)
  if not slots then survey:fail(message) end
  for i, name in ipairs(names) do
    local f = survey.facts[name]
    f.measured_slots = slots[i] or nil
    local nearest = slots[i] and math.max(1, math.floor(slots[i] + 0.5))
    f.slots = nearest and (slots[i] < 1 or math.abs(slots[i] - nearest) < whole) and nearest or nil
    f.total = f.slots and totals.of_slots(f)
    local plain = not f.memory.writes and (f.memory.moves or not f.memory.reads)
    f.single_uop = f.slots == 1 and plain
  end
end

local function find_eliminated(survey, names)
  local fast = {}
  for _, name in ipairs(names) do
    if survey.facts[name].single.cycles < at_width / survey.width then fast[#fast + 1] = name end
  end
  local chains, message = survey.processor:chain_latency(fast)
  if not chains then survey:fail(message) end
  for i, name in ipairs(fast) do
    if chains[i] and chains[i] < below_a_cycle then
      survey.facts[name].slots = survey.facts[name].slots or 1
      survey:settle(name, "eliminated at rename",
        ("%.2f a cycle alone, and a chain of dependent instances takes %.2f cycles a link: no port executes it"):format(
          1 / survey.facts[name].single.cycles, chains[i]))
    end
  end
end

return function(survey)
  survey:stage("issue slots")
  local width, message = survey.processor:issue_width()
  if not width then survey:fail(message) end
  survey.width = math.floor(width + 0.5)
  survey.measured_width = width
  local names = survey:unsettled()
  count_slots(survey, names)
  find_eliminated(survey, names)
end
