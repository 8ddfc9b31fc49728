--- Short names of what answers depend on.
-- @module portolan.predictor.fingerprint
local uv = require "luv"

local fingerprint = {}

--- A hash of strings (FNV-1a, 64 bits).
-- @param ... strings
-- @return 16 hexadecimal digits
function fingerprint.of(...)
  local text, h = table.concat({ ... }, "\n"), 0xcbf29ce484222325
  for i = 1, #text do h = (h ~ text:byte(i)) * 0x100000001b3 end
  return ("%016x"):format(h)
end

--- What tells a file from another version of it, for programs that do not say their version.
-- @param path of a file
-- @return text; "missing" if there is none
function fingerprint.file(path)
  local facts = uv.fs_stat(path)
  if not facts then return "missing" end
  return ("%d bytes of %s"):format(facts.size, os.date("!%Y-%m-%dT%H:%M:%SZ", facts.mtime.sec))
end

return fingerprint
