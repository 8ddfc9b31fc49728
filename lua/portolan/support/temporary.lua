--- Files and directories under names that nobody can guess, made anew or not at all: who planted something there, a symbolic link to
-- another file say, gets nothing written through it.
-- @module portolan.support.temporary
local uv = require "luv"
local failure = require "portolan.support.failure"

local temporary = {}

local constants = uv.constants
local no_follow = uv.os_uname().machine == "aarch64" and 32768 or 131072 -- Linux's O_NOFOLLOW; luv has no name for it
local exclusive = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | no_follow
local appending = constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND | no_follow
local longest = 160 -- bytes of a name that the temporary one keeps; 255 is the most that there is

local function random_word()
  return (uv.random(10):gsub(".", function(c) return ("%02x"):format(c:byte()) end))
end

-- Named after target and process, so that those of processes that were killed can be told.
local function stem(base) return base:sub(1, longest) end

--- Removes what processes that were killed have left of a target.
-- @param directory with a slash at its end
-- @param base name of the target in it
function temporary.sweep(directory, base)
  local scan, wanted = uv.fs_scandir(directory), stem(base)
  while scan do
    local name = uv.fs_scandir_next(scan)
    if not name then return end
    local found, pid = name:match "^%.(.+)%.(%d+)%.%x+%.tmp$"
    if found == wanted and select(3, uv.kill(tonumber(pid), 0)) == "ESRCH" then uv.fs_unlink(directory .. name) end
  end
end

--- Makes a file beside a target.
-- @param directory with a slash at its end
-- @param base name of the target in it
-- @param mode permissions, less the umask
-- @return descriptor, path; or nil, message, code of uv
function temporary.file(directory, base, mode)
  local path = ("%s.%s.%d.%s.tmp"):format(directory, stem(base), uv.os_getpid(), random_word())
  local fd, message, code = uv.fs_open(path, exclusive, mode)
  if not fd then return nil, message, code end
  return fd, path
end

--- Writes all of a text to a descriptor.
-- @return true; or nil, message, code of uv
function temporary.put(fd, text)
  local done = 0
  while done < #text do
    local n, message, code = uv.fs_write(fd, done == 0 and text or text:sub(done + 1))
    if not n then return nil, message, code end
    done = done + n
  end
  return true
end

--- Opens a file for appending; one that is a symbolic link is not opened.
-- @param path of the file, made if there is none
-- @return descriptor; or nil, message, code of uv
function temporary.appender(path) return uv.fs_open(path, appending, 438) end -- rw-rw-rw-, less the umask

--- Writes a file of a temporary directory, which nobody else needs and which need not outlive a power cut. Throws what goes wrong.
-- @param path string
-- @param text string
function temporary.write(path, text)
  local fd, message, code = uv.fs_open(path, constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | no_follow, 438)
  local ok
  if fd then
    ok, message, code = temporary.put(fd, text)
    uv.fs_close(fd)
  end
  if not ok then failure.raise(("cannot write %s: %s"):format(path, failure.reason(message)), failure.status(code)) end
end

--- Calls f with a directory of its own, which is removed afterwards with the files in it. Throws if none can be made.
-- @param f function(directory)
-- @return what f returns
function temporary.directory(f)
  local above = os.getenv "TMPDIR"
  if not above or above == "" then above = "/tmp" end
  local directory, message, code = uv.fs_mkdtemp(above .. "/portolan-XXXXXX")
  if not directory then
    failure.raise(("cannot make a temporary directory in %s: %s; set TMPDIR to a directory that can be written"):format(above,
      failure.reason(message)), failure.status(code))
  end
  local result = table.pack(pcall(f, directory))
  local scan = uv.fs_scandir(directory) -- nil where descriptors are short
  for name in function() return scan and uv.fs_scandir_next(scan) end do uv.fs_unlink(directory .. "/" .. name) end
  uv.fs_rmdir(directory)
  if not result[1] then error(result[2], 0) end
  return table.unpack(result, 2, result.n)
end

return temporary
