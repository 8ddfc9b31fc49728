--- Numbers of uops per instance come from the best source that a processor has.
--
-- 1. The counter "uops": uops executed.
-- 2. The counter "macro-ops", plus what Postulate 6.5 of the dissertation adds for memory operands.
-- 3. Issue slots, found by padding (docs/measuring.md), plus the uops that share a slot by micro-fusion, a postulate in the
--    manner of the other. What is eliminated at rename takes slots, too, and is not told from what is executed.
--
-- Not to be confused with portolan.infer.cegis.uop_counts, which infers numbers of uops from the experiments on ports themselves.
-- @module portolan.infer.uop_sources
local lists = require "portolan.support.lists"
local memory_uops = require "portolan.mapping.memory_uops"
local counting = require "portolan.measuring.counting"

local uop_sources = {}

local slots_whole = 0.4 -- a number of slots is believed if it is this close to a whole one; hardware is slower now and then

local function alone(names) return lists.map(names, function(name) return { [name] = 1 } end) end

-- Issue slots by padding, where the processor can: list of numbers, false where they are not known; or nil and a message.
local function padded_slots(processor, names, options)
  if not (processor.issue_width and processor.issue_slots) then return nil, "this processor cannot be padded" end
  local width, message = processor:issue_width()
  if not width then return nil, message end
  local singles
  singles, message = processor:measure(alone(names), options)
  if not singles then return nil, message end
  local list, of = {}, {}
  for i, single in ipairs(singles) do
    if single.status == "ok" then list[#list + 1], of[#of + 1] = { name = names[i], cycles = single.cycles }, i end
  end
  local measured
  measured, message = processor:issue_slots(list, width, options)
  if not measured then return nil, message end
  local slots = {}
  for i in ipairs(names) do slots[i] = false end
  for k, i in ipairs(of) do slots[i] = measured[k] end
  return slots
end

-- A measured number of slots as a whole one, or nil.
local function whole_slots(slots)
  local nearest = slots and math.floor(slots + 0.5)
  if not slots or slots > 1 and math.abs(slots - nearest) > slots_whole then return nil end
  return math.max(1, nearest)
end

-- A source that counts an event; uops_of(name, count) says how many uops that is, why, and perhaps how many slots, where padding
-- does not show it.
local function counter(processor, event, says, uops_of)
  local function count(names, options)
    local counts, message = counting.whole(processor, alone(names), event, options)
    if not counts then return nil, message end
    local list, slots = {}, padded_slots(processor, names, options) or {}
    for i, name in ipairs(names) do
      local c = counts[i]
      local evidence = c.count and ("%.2f %s counted%s"):format(c.count, event, c.whole and "" or ", no whole number")
      list[i] = c.whole and uops_of(name, c.whole) or {}
      list[i].evidence = evidence and evidence .. (list[i].evidence or "") or "not counted: " .. c.status
      list[i].slots = whole_slots(slots[i]) or list[i].slots
    end
    return list
  end
  return { name = event, says = says, count = count }
end

local function by_uops(processor)
  return counter(processor, "uops", "uops executed, by a performance counter", function(_, n) return { uops = n } end)
end

-- Postulate 6.5. A macro-op takes one slot.
local function by_macro_ops(processor)
  local bits = processor.counter_facts and processor:counter_facts().memory_bits
  if not bits then return nil end
  return counter(processor, "macro-ops",
    ("macro-ops retired, by a performance counter, and a uop more for each %d bits of a memory operand (Postulate 6.5)"):format(bits),
    function(name, n)
      local more = memory_uops.beyond_macro_ops(name, bits)
      return { uops = n + more, slots = math.max(1, n), evidence = more > 0 and (", and %d more by Postulate 6.5"):format(more) or nil }
    end)
end

local function by_slots(processor)
  local function count(names, options)
    local slots, message = padded_slots(processor, names, options)
    if not slots then return nil, message end
    local list = {}
    for i, name in ipairs(names) do
      local n, more = whole_slots(slots[i]), memory_uops.beyond_slots(name)
      local evidence = slots[i] and ("%.2f issue slots"):format(slots[i]) or "its issue slots could not be measured"
      if n and more > 0 then evidence = ("%s, and %d more by micro-fusion"):format(evidence, more) end
      if slots[i] and not n then evidence = evidence .. ", no whole number" end
      list[i] = { uops = n and n + more, slots = n, evidence = evidence }
    end
    return list
  end
  return { name = "issue slots", count = count,
    says = "issue slots, by padding with what fills them, and uops that share a slot by micro-fusion (a postulate)" }
end

--- The best source that a processor has.
-- @param processor any; `counters` and `count`, or `issue_width` and `issue_slots` are asked
-- @return `{ name = "uops"|"macro-ops"|"issue slots", says = text, count = function }`; `count(names[, options])` -> list of `{ uops =,
-- slots =, evidence = text }` (numbers only where they are certain), or nil and a message; options: `progress`, `again`. Or nil and
-- a message if there is no source
function uop_sources.choose(processor)
  local has = lists.set(processor.counters and processor.count and processor:counters() or {})
  local source = has.uops and by_uops(processor) or has["macro-ops"] and by_macro_ops(processor)
  if source then return source end
  if processor.issue_slots and processor.issue_width then return by_slots(processor) end
  return nil, "numbers of uops need a counter of uops or macro-ops, or a processor that can be padded"
end

return uop_sources
