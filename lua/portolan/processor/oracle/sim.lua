--- The oracle `sim`: a processor that is simulated from a mapping, `sim:m.json,noise=0.01,seed=3`.
-- @module portolan.processor.oracle.sim
local lists = require "portolan.support.lists"
local mapping = require "portolan.mapping"
local simulated = require "portolan.processor.simulated"
local store = require "portolan.experiment.store"

local sim = { usage = "sim:MAPPING", takes = "file" }

local function whole(text) return math.tointeger(tonumber(text)) end

-- "uops+ports" -> { "uops", "ports" }
local function words(text)
  local list = lists.found(text, "[^+]+")
  return #list > 0 and list or nil
end

--- Each of these functions turns the text of an option into its value.
sim.options = { noise = tonumber, kind = tostring, unit = tostring, outliers = tonumber, binder = tostring, seed = whole, counters = words,
  bursts = tonumber, store = tostring, clock = tonumber, frequency = tonumber }

--- Opens a simulated processor.
-- @param path of the mapping
-- @param o options of the oracle's text
-- @tparam table about
-- @tparam int about.seed where the text gives none
-- @return processor, names of the schemes that the mapping explains; or nil, message, status
function sim.open(path, o, about)
  if o.frequency and not o.clock then return nil, "oracle sim: frequency is of a core beside a coarse clock; give clock, too" end
  local m, message = mapping.load(path)
  if not m then return nil, message end
  local measurements
  if o.store then
    local opened, trouble, status = store.open(o.store)
    if not opened then return nil, trouble, status end
    measurements = opened
  end
  local processor, why = simulated.new { mapping = m, name = "simulated " .. path:match("[^/]*$"), binder = o.binder, seed = about.seed,
    counters = o.counters, bursts = o.bursts, store = measurements,
    clock = o.clock and { hz = o.clock, frequency = o.frequency },
    noise = { kind = o.kind or (o.noise and "uniform" or "none"), width = o.noise or 0, unit = o.unit, outliers = o.outliers } }
  if not processor then return nil, "oracle sim: " .. why end
  return processor, mapping.schemes(m, true)
end

return sim
