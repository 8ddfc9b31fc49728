--- How quiet are this machine's processors, and which of them share a core? Measured, not read from tables: in virtual machines
-- these are often wrong.
-- @module portolan.processor.quietness
local uv = require "luv"
local core = require "portolan.core"

local quietness = {}

local nops = "\x0f\x1f\x40\x00"

--- Share of quiet samples on one processor.
-- @param cpu its number
-- @param adders additions a cycle it is known for, or nil
-- @return share, 0 to 1; and the calibration (`sentinel`, `imul_latency`, `tsc_hz`, `frequency_hz`); or nil and a message
function quietness.quiet_share(cpu, adders)
  local session, message, status = core.bench.open { cpu = cpu, adders = adders, patience = 3 }
  if not session then return nil, message, status end
  local experiments = {}
  for i = 1, 60 do experiments[i] = { { bytes = nops:rep(100 + i), copies = 100 + i, vector_bits = 0, generated = true } } end
  local results = session:run(experiments)
  local facts = session:describe()
  session:close()
  for _, result in ipairs(results or {}) do facts.frequency_hz = facts.frequency_hz or result.frequency end
  local all = facts.accepted + facts.rejected
  return all > 0 and facts.accepted / all or 0, facts
end

-- Runs f while a busy loop keeps a processor busy; the loop ends by itself if nobody is left to end it.
local function with_busy(cpu, f)
  local loop = { "20", "taskset", "-c", tostring(cpu), "sh", "-c", "while :; do :; done" }
  local handle = uv.spawn("timeout", { args = loop, stdio = {} }, function() end)
  if not handle then uv.run "nowait" end -- so that luv forgets it
  if not handle then return nil, "timeout and taskset cannot be started" end
  uv.sleep(50)
  local result = table.pack(pcall(f))
  handle:kill("sigterm") -- which timeout passes on
  uv.run() -- reap it
  if not result[1] then error(result[2], 0) end
  return table.unpack(result, 2, result.n)
end

local quiet_enough, clearly_disturbed = 0.5, 0.2

--- Does a busy processor slow another one down, as hardware threads of one core do?
-- @param cpu the one measured
-- @param other the one kept busy
-- @param adders as above
-- @return boolean, share of quiet samples meanwhile; or nil and why it cannot be told
function quietness.shares_core(cpu, other, adders)
  local before = quietness.quiet_share(cpu, adders)
  if not before or before < quiet_enough then return nil, "it is too noisy to tell" end
  local share, message, status = with_busy(other, function() return quietness.quiet_share(cpu, adders) end)
  if not share and status ~= "limit reached" then return nil, message end
  return (share or 0) < clearly_disturbed, share or 0
end

return quietness
