--- The oracle `replay`: what was measured before, `replay:experiments.jsonl`.
-- @module portolan.processor.oracle.replay
local processor = require "portolan.processor.replay"

local replay = { usage = "replay:EXPERIMENTS", takes = "file", options = {} }

--- Opens a record.
-- @param path of the experiments
-- @return processor, names of the schemes that occur; or nil and a message
function replay.open(path)
  local opened, message = processor.new { path = path }
  if not opened then return nil, message end
  return opened, opened:schemes()
end

return replay
