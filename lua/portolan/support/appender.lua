--- A file that grows: what was appended stays, whole or not at all.
-- @module portolan.support.appender
local uv = require "luv"
local failure = require "portolan.support.failure"
local temporary = require "portolan.support.temporary"

local appender = {}
appender.__index = appender

local function refusal(path, message, code) return nil, ("cannot write %s: %s"):format(path, failure.reason(message)), failure.status(code) end

--- Opens a file, made if there is none. A symbolic link is not followed.
-- @param path string
-- @param[opt] size the file is cut to so many bytes
-- @return appender; or nil, message, status
function appender.open(path, size)
  local fd, message, code = temporary.appender(path)
  if not fd then return refusal(path, code == "ELOOP" and "it is a symbolic link; remove it" or message, code) end
  local self, ok = setmetatable({ path = path, fd = fd }, appender), true
  if size then ok, message, code = uv.fs_ftruncate(fd, size) end
  if ok then return self end
  self:close()
  return refusal(path, message, code)
end

--- Appends a text. If that fails half-way, as on a full disk, the file is cut to what it was.
-- @return true; or nil, message, status
function appender:write(text)
  local stat = uv.fs_fstat(self.fd)
  local ok, message, code = temporary.put(self.fd, text)
  if ok then return true end
  if stat then uv.fs_ftruncate(self.fd, stat.size) end
  return refusal(self.path, message, code)
end

--- Waits until all that was appended would outlive a power cut.
-- @return true; or nil, message, status
function appender:sync()
  local ok, message, code = uv.fs_fdatasync(self.fd)
  if not ok then return refusal(self.path, message, code) end
  return true
end

--- Closes the file.
function appender:close()
  if self.fd then uv.fs_close(self.fd) end
  self.fd = nil
end

return appender
