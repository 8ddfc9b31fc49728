--- One writer per folder: whoever writes into a folder over time locks it, and the next one is told who that is.
--
-- The kernel holds the lock (engine/base/lock.h), so it ends with its process, however that ends: nothing stale is left, and no number of
-- a process has to be trusted. What the file says of its owner is for the message alone.
-- @module portolan.support.lock
local core = require "portolan.core"
local json = require "portolan.support.json"
local uv = require "luv"

local lock = {}

--- The name of the file in a locked folder; gone when nobody writes there.
lock.file = ".lock"

local utc = "!%Y-%m-%dT%H:%M:%SZ"
local ticks = 100 -- a second, on all machines

-- The time at which this process began; nil where there is no telling.
local function start_time()
  local stat, all = io.open "/proc/self/stat", io.open "/proc/stat"
  local own, whole = stat and stat:read "a", all and all:read "a"
  if stat then stat:close() end
  if all then all:close() end
  local began = own and own:match("^.*%) " .. ("%S+ "):rep(19) .. "(%d+)")
  local boot = whole and whole:match "\nbtime (%d+)"
  return began and boot and os.date(utc, tonumber(boot) + tonumber(began) // ticks) or nil
end

local function owner(title)
  return assert(json.encode { pid = uv.os_getpid(), host = uv.os_gethostname(), command = title, start = start_time(), since = os.date(utc) })
end

-- "process 12 (portolan chart, since 2026-01-02T03:04:05Z)"
local function holder(pid, text)
  local said = json.decode(text, "lock")
  if type(said) ~= "table" then said = {} end
  local elsewhere = type(said.host) == "string" and said.host ~= uv.os_gethostname() and said.host
  if not elsewhere and said.pid ~= pid then said = {} end -- it is just being written
  local words = {}
  words[#words + 1] = type(said.command) == "string" and said.command or nil
  words[#words + 1] = elsewhere and "on " .. elsewhere or nil
  words[#words + 1] = type(said.since) == "string" and "since " .. said.since or nil
  if not elsewhere and pid == uv.os_getpid() then return "this very process" end
  local number = elsewhere and math.tointeger(said.pid) or pid ~= 0 and pid
  return ("%s%s"):format(number and "process " .. number or "another process", #words > 0 and (" (%s)"):format(table.concat(words, ", ")) or "")
end

local function take(path, title, what, other)
  local held, message, status, pid, text = core.base.lock(path, owner(title))
  if held then return held end
  if status ~= "busy" then return nil, message, status end
  return nil, ("%s: %s is writing there; wait until it has ended, or give another %s"):format(what, holder(pid, text), other)
end

--- Locks a folder, at once or not at all.
-- @param directory that is there
-- @param title of what is going to write, such as "portolan chart"
-- @return lock, with `release()`; or nil, message, status
function lock.folder(directory, title) return take(directory .. "/" .. lock.file, title, directory, "directory") end

--- Locks one file, by a file beside it: `FILE.lock`.
-- @param path of a file that need not be there
-- @param title as of `folder`
-- @return lock, with `release()`; or nil, message, status
function lock.beside(path, title) return take(path .. lock.file, title, path, "file") end

return lock
