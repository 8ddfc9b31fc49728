--- Opens files for reading, whatever they are: regular files, pipes, terminals. Nothing here waits for a writer that does not come.
-- @module portolan.support.input
local uv = require "luv"
local failure = require "portolan.support.failure"
local limits = require "portolan.support.limits"

local input = {}

local constants = uv.constants
local mode = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY
local standard = 0 -- the descriptor of standard input
local pause = 5 -- ms between two looks at a pipe

-- Nil, the message, and the status of what the system refused (portolan.support.failure).
local function refusal(path, why, code)
  return nil, ("cannot read %s: %s"):format(path == "" and "''" or path, why), failure.status(code)
end

local function interrupted()
  local core = package.loaded["portolan.core"]
  return core and core.base.interrupted()
end

local Input = {}
Input.__index = Input

-- Is there reason to wait for more? An empty reading means the end of a pipe, but not before somebody has written to it.
local function may_come(self, piece, code)
  if code == "EAGAIN" then return true end
  return piece == "" and self.kind == "fifo" and not self.begun
end

-- Waits a moment; nil and why not.
local function wait(self, silent_since, code)
  if interrupted() then return nil, "interrupted" end
  local patient = code == "EAGAIN" and (self.kind == "fifo" or self.kind == "socket" or self.terminal)
  if not patient and uv.hrtime() - silent_since > limits.silence * 1e9 then
    return nil, self.kind == "fifo" and "nobody writes to this pipe" or "nothing comes from this device"
  end
  uv.sleep(pause)
  return true
end

--- The next bytes.
-- @param most how many
-- @return string, empty at the end; or nil, `cannot read PATH: why`, status (portolan.support.failure)
function Input:read(most)
  local since = uv.hrtime()
  while true do
    local piece, message, code = uv.fs_read(self.fd, most)
    if not may_come(self, piece, code) then
      if not piece then return refusal(self.path, failure.reason(message), code) end
      self.begun = true
      return piece
    end
    local ok, why = wait(self, since, code)
    if not ok then return refusal(self.path, why) end
  end
end

--- Closes the file.
function Input:close()
  if self.fd and self.fd ~= standard then uv.fs_close(self.fd) end
  self.fd = nil
end

Input.__close, Input.__gc = Input.close, Input.close

--- Opens a file.
-- @param path string
-- @return input, with `size` if it is a regular file; or nil, `cannot read PATH: why`, status (portolan.support.failure)
function input.open(path)
  if path:find("\0", 1, true) then return refusal(path:gsub("%c", "?"), "a path cannot have a NUL character") end
  local fd, message, code = uv.fs_open(path, mode, 0)
  if code == "ENXIO" and path == "/dev/stdin" then fd = standard end -- a socket, which cannot be opened again
  if not fd then return refusal(path, failure.reason(message), code) end
  local stat = uv.fs_fstat(fd)
  local self = setmetatable({ path = path, fd = fd, kind = stat.type, terminal = uv.guess_handle(fd) == "tty",
    size = stat.type == "file" and stat.size or nil }, Input)
  if stat.type == "directory" then
    self:close()
    return refusal(path, "is a directory")
  end
  return self
end

--- The beginning of a regular file, which tells what it is. Other files can be read only once.
-- @param path string
-- @param most bytes
-- @return string; or nil if it is no regular file, or cannot be read
function input.beginning(path, most)
  local stat = not path:find("\0", 1, true) and uv.fs_stat(path)
  if not stat or stat.type ~= "file" then return nil end
  local handle <close> = input.open(path)
  return handle and handle:read(most)
end

--- Reads a whole file.
-- @param path string
-- @param[opt=limits.bytes] most bytes
-- @return its bytes; or nil, `cannot read PATH: why`, status (portolan.support.failure)
function input.all(path, most)
  most = most or limits.bytes
  local handle <close>, message, status = input.open(path)
  if not handle then return nil, message, status end
  local parts, total = {}, 0
  repeat
    if total > most or (handle.size or 0) > most then
      return refusal(path, ("it is larger than %s"):format(most % (1 << 20) == 0 and ("%d MiB"):format(most >> 20) or most .. " bytes"))
    end
    local piece, trouble, why = handle:read(math.max((handle.size or 0) - total, 0) + (64 << 10))
    if not piece then return nil, trouble, why end
    parts[#parts + 1], total = piece, total + #piece
  until piece == ""
  return #parts <= 2 and parts[1] or table.concat(parts)
end

return input
