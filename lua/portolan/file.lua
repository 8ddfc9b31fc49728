--- Files: read whole, written whole or not at all.
-- @module portolan.file
local uv = require "luv"
local input = require "portolan.input"

local file = {}

-- "ENOENT: no such file or directory: x" -> "no such file or directory"
local function reason(message)
  return (tostring(message):gsub("^%u[%u%d]*: ", ""):gsub(": .*$", ""):gsub("^%u", string.lower))
end

local function failure(verb, path, message)
  return nil, ("cannot %s %s: %s"):format(verb, path == "" and "''" or path, reason(message))
end

--- Reads a whole file. It may be a pipe, if somebody writes to it.
-- @param path string
-- @param[opt=limits.bytes] most bytes
-- @return its bytes; or nil and `cannot read PATH: why`
file.read = input.all

--- What is at a path.
-- @param path string
-- @return "file", "directory", ... ; or nil if there is nothing
function file.kind(path)
  local stat = uv.fs_stat(path)
  return stat and stat.type
end

--- Whether two paths lead to the same file.
function file.same(a, b)
  local x, y = uv.fs_stat(a), uv.fs_stat(b)
  return x ~= nil and y ~= nil and x.dev == y.dev and x.ino == y.ino
end

--- Makes a directory and those above it.
-- @param path string
-- @return true; or nil and a message
function file.make_directory(path)
  if file.kind(path) == "directory" then return true end
  local above = path:match("^(.+)/[^/]+/*$")
  if above then
    local ok, message = file.make_directory(above)
    if not ok then return nil, message end
  end
  local ok, message, code = uv.fs_mkdir(path, 511) -- rwxrwxrwx, less the umask
  if ok or (code == "EEXIST" and file.kind(path) == "directory") then return true end
  return failure("make the directory", path, message)
end

local function write_all(fd, text)
  local done = 0
  while done < #text do
    local n, message = uv.fs_write(fd, done == 0 and text or text:sub(done + 1))
    if not n then return nil, message end
    done = done + n
  end
  return true
end

-- Temporary files are named after target and process, so that those of processes that were killed can be told.
local function sweep(directory, base)
  local scan = uv.fs_scandir(directory)
  while scan do
    local name = uv.fs_scandir_next(scan)
    if not name then return end
    local stem, pid = name:match("^%.(.+)%.(%d+)%.tmp$")
    if stem == base and select(3, uv.kill(tonumber(pid), 0)) == "ESRCH" then uv.fs_unlink(directory .. "/" .. name) end
  end
end

local function sync_directory(directory)
  local fd = uv.fs_open(directory, "r", 0)
  if not fd then return end -- the file itself is safe; some file systems do not offer this
  uv.fs_fsync(fd)
  uv.fs_close(fd)
end

-- Writes, syncs and closes; removes the file again if any of that failed.
local function write_temporary(path, text, mode)
  local fd, message = uv.fs_open(path, "w", mode)
  if not fd then return nil, message end
  local ok
  ok, message = write_all(fd, text)
  if ok then ok, message = uv.fs_fsync(fd) end
  local closed, close_message = uv.fs_close(fd)
  if ok and closed then return true end
  uv.fs_unlink(path)
  return nil, message or close_message
end

-- Devices and pipes have nothing to replace.
local function write_through(path, text)
  local fd, message = uv.fs_open(path, "a", 0)
  if not fd then return failure("write", path, message) end
  local ok
  ok, message = write_all(fd, text)
  uv.fs_close(fd)
  if not ok then return failure("write", path, message) end
  return true
end

--- Writes a whole file so that at any moment, even after `kill -9` or a power cut, the path holds either its old
-- contents or the new ones: temporary file in the same directory, fsync, rename. An existing file keeps its permissions; a
-- symbolic link is followed.
-- @param path string
-- @param text string, any bytes
-- @return true; or nil and `cannot write PATH: why`
function file.write(path, text)
  local stat = uv.fs_stat(path)
  if stat and stat.type == "directory" then return failure("write", path, "it is a directory") end
  if stat and stat.type ~= "file" then return write_through(path, text) end
  local target = stat and uv.fs_realpath(path) or path
  local directory, base = target:match("^(.*/)([^/]*)$")
  directory, base = directory or "./", base or target
  if base == "" then return failure("write", path, "that is not the name of a file") end
  sweep(directory, base)
  local temporary = ("%s.%s.%d.tmp"):format(directory, base, uv.os_getpid())
  local mode = stat and stat.mode & 511 or 438 -- rw-rw-rw-, less the umask
  local ok, message = write_temporary(temporary, text, mode)
  if ok then
    ok, message = uv.fs_rename(temporary, target)
    if not ok then uv.fs_unlink(temporary) end
  end
  if not ok then return failure("write", path, message) end
  sync_directory(directory)
  return true
end

return file
