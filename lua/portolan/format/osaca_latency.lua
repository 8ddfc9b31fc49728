--- Latencies as OSACA's machine models have them: one number for each form, and what loads and forwarded stores add.
--
-- OSACA puts the number of a form on every edge of its graph that leaves the instruction, whatever operand the value came in by. So the number of an
-- instruction that also loads is that of its registers (`portolan.latency_number`): a sum in a loop waits for its sum, not for the load.
-- @module portolan.format.osaca_latency
local latency_number = require "portolan.latency_number"
local lists = require "portolan.support.lists"

local latency = {}

local function first(m, names)
  for _, name in ipairs(names) do
    local entry = m.schemes[name]
    local cycles = entry and latency_number.of(name, entry)
    if cycles then return cycles end
  end
end

--- What a load takes from its address, by OSACA's class of register; 0 where it is not known.
-- @param m mapping
-- @param dialect of `portolan.format.osaca_dialect`
-- @return list of `{ class, cycles }`
function latency.loads(m, dialect)
  return lists.map(dialect.load_classes, function(load) return { load[1], first(m, load[2]) or 0 } end)
end

-- The most from one side to another; and whether that is determined, not one of an interval.
local function most(m, name, start, target)
  local entry = m.schemes[name]
  if not entry then return nil end
  local cycles, found = latency_number.most(latency_number.pairs(name, entry), start, target)
  return cycles, cycles and not found.pair.low
end

--- How much longer a load takes whose value a store has just written: what OSACA adds to the numbers of both, of which the store's is 0. Cores may
-- hand values on faster from one instruction to another than the sum of intervals says: it is only known where both parts are determined.
-- @param m mapping
-- @param dialect of `portolan.format.osaca_dialect`
-- @return cycles, at least 0; nil if it is not known
function latency.forwarding(m, dialect)
  for _, pair in ipairs(dialect.forwards) do
    local stored, certain = most(m, pair[1], "register", "memory")
    local loaded, determined = most(m, pair[2], "memory", "register")
    local address = certain and determined and latency_number.of(pair[2], m.schemes[pair[2]])
    if address then return math.max(0, stored + loaded - address) end
  end
end

--- The number of a form. What changes memory has that of the value in memory, less the forwarding that OSACA adds.
-- @param m mapping
-- @param name scheme
-- @param forwarding of `latency.forwarding`
-- @return cycles; nil if it is not known
function latency.of(m, name, forwarding)
  local changed = most(m, name, "memory", "memory")
  if changed then return math.max(0, changed - (forwarding or 0)) end
  return (latency_number.of(name, m.schemes[name]))
end

return latency
