--- Keeps a progress line going while its caller computes: in a thread of its own, which all messages go to and which alone writes.
--
-- The solver, a calibration or a large batch return to Lua only when they are done; nobody should look at a line that stands still
-- meanwhile. The thread sleeps but for a few wake-ups a second.
-- @module portolan.progress.ticker
local uv = require "luv"
local messages = require "portolan.progress.messages"
local room = require "portolan.support.room"
local whole = require "portolan.progress.whole"

local ticker = {}
ticker.__index = ticker
ticker.__close = function(self) self:finish() end
ticker.__gc = ticker.__close -- the thread must have ended when the state is closed, whatever went wrong: its libraries are unloaded

local least_pause = 0.05 -- seconds between two messages on the same stage

-- Runs in the thread, in a Lua state of its own: upvalues do not get there. Where memory or descriptors are short there is no line; an error
-- that left the thread would end the process.
local function body(descriptor, path, cpath)
  pcall(function()
    package.path, package.cpath = path, cpath
    require("portolan.progress.messages").serve(descriptor)
  end)
end

local needed = 17 -- descriptors that an event loop and its modules take, and one to spare; luv aborts over too few
local memory = 8 << 20 -- bytes that the thread's Lua state may take; luv does not look whether there is one

-- Tells whether memory is limited (ulimit -v, ulimit -d): a thread that runs out of it ends the process, as nobody catches errors within luv.
local function is_limited()
  local file <close> = io.open "/proc/self/limits"
  local limits = file and file:read "a" or ""
  return not (limits:find "Max address space +unlimited" and limits:find "Max data size +unlimited")
end

--- Starts.
-- @param options as of `whole.new`, but `stream` and `clock`: it writes to standard error
-- @return an object with the methods of `whole`; one of these, where no thread can be started
function ticker.new(options)
  local ends = room(needed) and not is_limited() and pcall(string.rep, "\0", memory) and uv.pipe({ nonblock = true }, {})
  if not ends then return whole.new(options) end
  -- A second end to read from: should the thread end before its time, messages are lost, but writing them raises no SIGPIPE.
  local spare = uv.fs_open("/proc/self/fd/" .. ends.read, "r", 0)
  local self = setmetatable({ thread = false, descriptor = ends.write, spare = spare, stage = nil, sent = 0 }, ticker)
  self.thread = uv.new_thread(body, ends.read, package.path, package.cpath) or nil
  if not self.thread then
    for _, fd in pairs { ends.read, ends.write, spare } do uv.fs_close(fd) end
    return whole.new(options)
  end
  local ok, trouble = pcall(messages.start, self.descriptor, options)
  if not ok then
    self:finish()
    error(trouble, 0)
  end
  return self
end

--- As of `whole`.
function ticker:update(name, done, total, note, samples)
  local now = uv.hrtime() / 1e9
  local last = done == total or not done
  if not self.thread or name == self.stage and not last and now - self.sent < least_pause then return end
  self.stage, self.sent = name, now
  messages.send(self.descriptor, "update", name, done, total, note, samples)
end

--- As of `whole`.
function ticker:weather(noisy)
  if self.thread then messages.send(self.descriptor, "weather", noisy) end
end

--- As of `whole`.
function ticker:say(text)
  if self.thread then messages.send(self.descriptor, "say", text) end
end

--- Ends, as of `whole`; waits until the line is gone.
function ticker:finish()
  if not self.thread then return end
  uv.fs_close(self.descriptor)
  self.thread:join()
  self.thread = nil
  if self.spare then uv.fs_close(self.spare) end
end

return ticker
