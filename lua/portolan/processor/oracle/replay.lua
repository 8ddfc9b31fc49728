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
  local list, seen = {}, {}
  for _, e in ipairs(opened:experiments()) do
    for name in pairs(e) do
      if not seen[name] then list[#list + 1] = name end
      seen[name] = true
    end
  end
  table.sort(list)
  return opened, list
end

return replay
