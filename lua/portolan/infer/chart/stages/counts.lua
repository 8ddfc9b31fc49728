--- Stage: numbers of uops, from the best source that the processor has, and issue slots.
--
-- Slots by padding with the filler (docs/measuring.md), as often as it takes to come near a whole number (portolan.measuring.slots).
-- @module portolan.infer.chart.stages.counts
local constants = require "portolan.infer.chart.constants"
local core = require "portolan.core"
local lacking = require "portolan.infer.chart.lacking"
local lists = require "portolan.support.lists"
local memory_uops = require "portolan.mapping.memory_uops"
local relatives = require "portolan.infer.chart.blocking.relatives"
local slots = require "portolan.measuring.slots"
local uop_sources = require "portolan.infer.uop_sources"

local whole, of_many = constants.flood_short, constants.slots_of_many

-- NOPs beside some x87 schemes are decoded anew in every iteration, four a cycle on Golden Cove: the slots that are lost count as theirs. So do
-- those that are lost where a call and a jump, both taken, go with a return.
local function is_x87(name)
  local scheme = core.isa.scheme(name)
  return scheme ~= nil and (scheme.category == "X87_ALU" or scheme.category == "FCMOV")
end

-- Reads what padding shows of the slots of schemes, name -> number: those that have relatives come after these, and are expected to have as many.
local function padded(survey, names)
  local first, others, relative = relatives.split(survey, names)
  local found, least = {}, (survey.noise or 0) > constants.noisy and constants.slots_readings or 1
  local function read(open, again)
    local list = lists.map(open, function(name)
      local known = found[relative[name]]
      return { name = name, cycles = survey.facts[name].single.cycles, expected = known and slots.nearest(known) }
    end)
    local options = { again = again, noise = survey.noise, progress = survey:list() }
    local counts, message = survey.processor:issue_slots(list, survey.measured_width, options)
    return counts or survey:fail(message)
  end
  for _, some in ipairs { first, others } do
    for name, count in pairs(slots.count(some, read, least, constants.flood_near)) do found[name] = count end
  end
  return found
end

-- Slots of schemes that noise or their distance from a whole number leaves in doubt are `doubtful_slots`, or `vague_slots`.
local function count_slots(survey, names)
  local counts, noise = padded(survey, names), survey.noise or 0
  for _, name in ipairs(names) do
    local f, count = survey.facts[name], counts[name]
    f.padded, f.slots = count, count and slots.nearest(count)
    f.loses_slots = (f.slots or 0) > 1 and (is_x87(name) or f.taken and f.companions ~= nil) or nil
    if f.loses_slots then f.slots = math.min(f.slots, 1 + #(f.companions or {})) end
    f.issued = f.slots and f.slots + (f.breakers or 0)
    f.counted_slots = f.loses_slots and slots.nearest(count) or nil
    f.vague_slots = count and not slots.is_near(count, math.max(whole, of_many * count))
    local probe = count and count + constants.slots_padding * f.single.cycles * survey.width
    f.doubtful_slots = count and (noise * probe > constants.flood_near or f.vague_slots)
  end
end

-- Bits that one uop loads, if vectors are loaded in parts: the widest that a load of a single slot has, where wider ones take more.
local function bits_of_loads(survey, names)
  local whole_bits, split = 0, false
  for _, name in ipairs(names) do
    local f = survey.facts[name]
    local bits = f.slots and memory_uops.only_loads(name) and f.memory.widths[1]
    if bits and f.slots == 1 then whole_bits = math.max(whole_bits, bits) end
  end
  for _, name in ipairs(names) do
    local f = survey.facts[name]
    split = split or f.slots and f.slots > 1 and memory_uops.only_loads(name) and f.memory.widths[1] > whole_bits
  end
  return split and whole_bits > 0 and whole_bits or nil
end

-- Does the core issue what has more than a few uops in whole groups, as wide as it is? Then no scheme takes a number of slots between these few and
-- its width.
local function issues_groups(survey, names)
  local function with(least, most)
    return lists.count(names, function(name)
      local n = survey.facts[name].slots or 0
      return n >= least and n <= most
    end)
  end
  local between = with(survey.width // 2, survey.width - 1)
  return survey.width > 2 and between < constants.groups_between * with(survey.width, math.huge)
end

-- Counts the uops of schemes. A counter decides, if there is one; otherwise slots do, and the uops that may share them by micro-fusion. Where a
-- sequencer issues the uops, and not the decoders, slots are lost when it begins and when it ends, where it issues whole groups, and beside x87: then
-- they may bound the number from above only (blocking/verdict).
local function count_uops(survey, names)
  local source, message = uop_sources.choose(survey.processor)
  if not source then survey:fail(message) end
  survey.counting = { source = source.name, says = source.says }
  local counts = {}
  if source.name ~= "issue slots" then
    counts, message = source.count(names, { progress = survey:list() })
    if not counts then survey:fail(message) end
  end
  local bits = source.name == "issue slots" and bits_of_loads(survey, names) or nil
  local decoded = issues_groups(survey, names) and survey.width - 1 or constants.sequenced_slots * survey.width -- slots, at most
  for i, name in ipairs(names) do
    survey.facts[name].pieces = memory_uops.pieces(name, bits)
    local f, n = survey.facts[name], counts[i] and counts[i].uops
    if n and f.slots then
      f.total = { least = n, most = n }
    elseif f.slots and not counts[i] then
      local most = f.counted_slots or f.slots
      local off, sequenced = math.floor(of_many * f.slots), f.loses_slots or f.slots > decoded
      f.total = { least = f.slots - off, most = most + off + memory_uops.beyond_slots(name, bits), second_unit = f.slots == 1 or nil,
        sequenced = sequenced or nil, doubtful = f.doubtful_slots, vague = f.vague_slots, inexact = f.doubtful_slots or off > 0 }
    elseif f.vague_slots then
      f.slots = nil
    end
    if not f.total and survey.processor.experiments and not survey.processor.counted then
      lacking.open(survey, name, "the record does not tell how many uops it has; give their number: --uops")
    end
    f.single_uop = f.total and f.total.most == 1 and not f.total.vague and not f.breakers and not f.companions
      and not (f.memory.writes and memory_uops.beyond_slots(name) > 0)
  end
end

-- Ports are not asked of those that a set names (`alone`): they hold up what is beside them, so that a flood would say nothing of ports.
local function settle_alone(survey)
  for _, name in ipairs(survey:unsettled(function(_, f) return f.alone end)) do
    local f = survey.facts[name]
    survey:settle(name, "slower than ports", ("%.2f cycles alone; its ports were not asked: %s"):format(f.single.cycles, f.alone))
    survey:witness(name, { [name] = 1 }, f.single.cycles, nil, "alone", "bounds")
  end
end

return function(survey)
  survey:stage("uop counts")
  local width, message = survey.processor:issue_width()
  if not width then survey:fail(message) end
  survey.width, survey.measured_width = math.floor(width + 0.5), width
  survey.rmax = math.abs(width - survey.width) < constants.rate_whole * survey.width and survey.width or width
  local names = survey:unsettled()
  count_slots(survey, names)
  count_uops(survey, names)
  settle_alone(survey)
end
