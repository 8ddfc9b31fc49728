--- Files: read whole, written whole or not at all.
-- @module portolan.support.file
local uv = require "luv"
local failure = require "portolan.support.failure"
local input = require "portolan.support.input"
local temporary = require "portolan.support.temporary"

local file = {}

-- The message and status of a call that the system refused.
local function refusal(verb, path, message, code)
  return nil, ("cannot %s %s: %s"):format(verb, path == "" and "''" or path, failure.reason(message)), failure.status(code)
end

--- Reads a whole file. It may be a pipe, if somebody writes to it.
-- @param path string
-- @param[opt=limits.bytes] most bytes
-- @return its bytes; or nil and `cannot read PATH: why`
file.read = input.all

--- Tells what is at a path.
-- @param path string
-- @return "file", "directory", ... ; or nil if there is nothing
function file.kind(path)
  local stat = uv.fs_stat(path)
  return stat and stat.type
end

--- The names of what is in a directory, sorted; nil if there is none that can be read.
function file.names(path)
  local entries, list = uv.fs_scandir(path), {}
  if not entries then return nil end
  for name in function() return uv.fs_scandir_next(entries) end do list[#list + 1] = name end
  table.sort(list)
  return list
end

--- Tells why no file can be written there, as far as that can be told ahead of it.
-- @return nil if one can; or a message, one line
function file.fault(path)
  local kind, folder = file.kind(path), path:match "^(.*)/[^/]*$"
  if kind and kind ~= "file" and kind ~= "directory" then return nil end -- written through: a terminal, a pipe
  folder = folder == "" and "/" or folder or "."
  if file.kind(folder) ~= "directory" then return ("%s: there is no folder %s"):format(path, folder) end
  if kind == "directory" then return ("%s: this is a folder"):format(path) end
  if not uv.fs_access(folder, "W") then return ("%s: nothing may be written in %s"):format(path, folder) end
end

--- Tells whether two paths lead to the same file.
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
    local ok, message, status = file.make_directory(above)
    if not ok then return nil, message, status end
  end
  local ok, message, code = uv.fs_mkdir(path, 511) -- rwxrwxrwx, less the umask
  if ok or (code == "EEXIST" and file.kind(path) == "directory") then return true end
  return refusal("make the directory", path, message, code)
end

-- A new file, and its name in the directory, are safe once the directory is; some file systems do not offer this.
local function sync_directory(directory)
  local fd = uv.fs_open(directory, "r", 0)
  if not fd then return true end
  local ok, message, code = uv.fs_fsync(fd)
  uv.fs_close(fd)
  if ok or code ~= "EIO" then return true end
  return nil, message, code
end

-- Writes, syncs and closes.
local function fill(fd, text, mode)
  local ok, message, code = true, nil, nil
  if mode then ok, message, code = uv.fs_fchmod(fd, mode) end
  if ok then ok, message, code = temporary.put(fd, text) end
  if ok then ok, message, code = uv.fs_fsync(fd) end
  local closed, trouble, why = uv.fs_close(fd)
  if not ok then return nil, message, code end
  return closed, trouble, why
end

-- Puts a file in the place of the target, in one step; removes what it made if that failed.
local function replace(target, directory, base, text, mode)
  temporary.sweep(directory, base)
  local fd, path, code = temporary.file(directory, base, mode or 438) -- rw-rw-rw-, less the umask
  if not fd then return nil, path, code end
  local ok, message
  ok, message, code = fill(fd, text, mode)
  if ok then ok, message, code = uv.fs_rename(path, target) end
  if ok then return sync_directory(directory) end
  uv.fs_unlink(path)
  return nil, message, code
end

-- Devices and pipes have nothing to replace.
local function write_through(path, text)
  local fd, message, code = uv.fs_open(path, "a", 0)
  if not fd then return refusal("write", path, message, code) end
  local ok
  ok, message, code = temporary.put(fd, text)
  uv.fs_close(fd)
  if not ok then return refusal("write", path, message, code) end
  return true
end

--- Tells whether a path may be written through: a symbolic link that another user has made may lead anywhere.
-- @return true; or nil and a message
function file.trusted(path)
  local link = uv.fs_lstat(path)
  if not link or link.type ~= "link" or link.uid == 0 or link.uid == uv.getuid() then return true end
  return refusal("write", path, "it is a symbolic link of another user; remove it or give what it leads to")
end

--- Writes a whole file so that at any moment, even after `kill -9` or a power cut, the path holds either its old
-- contents or the new ones: temporary file in the same directory, fsync, rename. An existing file keeps its permissions; a
-- symbolic link is followed, unless another user has made it.
-- @param path string
-- @param text string, any bytes
-- @return true; or nil, `cannot write PATH: why` and a status (`failure.system` if it is the machine's fault)
function file.write(path, text)
  local ok, message, code = file.trusted(path)
  if not ok then return nil, message, code end
  local stat = uv.fs_stat(path)
  if stat and stat.type == "directory" then return refusal("write", path, "it is a directory") end
  if stat and stat.type ~= "file" then return write_through(path, text) end
  local target = stat and uv.fs_realpath(path) or path
  local directory, base = target:match("^(.*/)([^/]*)$")
  directory, base = directory or "./", base or target
  if base == "" then return refusal("write", path, "that is not the name of a file") end
  ok, message, code = replace(target, directory, base, text, stat and stat.mode & 511)
  if not ok then return refusal("write", path, message, code) end
  return true
end

return file
