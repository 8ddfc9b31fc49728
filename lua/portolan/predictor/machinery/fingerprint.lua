--- Short names of what answers depend on.
-- @module portolan.predictor.machinery.fingerprint
local hash = require "portolan.support.hash"
local uv = require "luv"

local fingerprint = {}

--- A hash of strings.
-- @param ... strings
-- @return 16 hexadecimal digits
function fingerprint.of(...) return hash.hex(table.concat({ ... }, "\n")) end

--- Returns what tells a file from another version of it, for programs that do not say their version.
-- @param path of a file
-- @param[opt] whole true: by its place and to the nanosecond, for data that may come in many versions of one size
-- @return text; "missing" if there is none
function fingerprint.file(path, whole)
  local facts = uv.fs_stat(path)
  if not facts then return "missing" end
  if whole then return ("%s, %d bytes of %d.%09d"):format(uv.fs_realpath(path) or path, facts.size, facts.mtime.sec, facts.mtime.nsec) end
  return ("%d bytes of %s"):format(facts.size, os.date("!%Y-%m-%dT%H:%M:%SZ", facts.mtime.sec))
end

return fingerprint
