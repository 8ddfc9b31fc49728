--- The oracle `hw`: this machine, `hw,store=m.db,patience=20`.
-- @module portolan.processor.oracle.hw
local hardware = require "portolan.processor.hardware"
local store = require "portolan.experiment.store"

local hw = { usage = "hw", takes = "nothing", measures = true }

local function whole(text) return math.tointeger(tonumber(text)) end

--- Each of these functions turns the text of an option into its value.
hw.options = { store = tostring, patience = tonumber, wait = tonumber, cpu = whole, seed = whole, core_kind = tostring }

--- Opens this machine's processor; on a disturbed machine it tries for some time.
-- @param _ what stands behind the name: nothing
-- @param o options of the oracle's text
-- @tparam table about
-- @tparam int about.seed where the text gives none
-- @tparam[opt] func about.waiting function(seconds left, message), called meanwhile
-- @return processor, no names of schemes; or nil, message, status
function hw.open(_, o, about)
  local measurements, message, status
  if o.store then
    measurements, message, status = store.open(o.store)
    if not measurements then return nil, message, status end
  end
  local wait = o.wait or 300
  local processor, why, kind = hardware.open_within(wait, { store = measurements, seed = about.seed, patience = o.patience or 20, wait = wait,
    cpu = o.cpu, core_kind = o.core_kind }, about.waiting)
  if not processor then return nil, why, kind end
  return processor, {}
end

return hw
