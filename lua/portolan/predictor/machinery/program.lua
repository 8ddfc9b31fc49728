--- Other programs: found in the search path, run with text in and text out, and a time limit.
-- @module portolan.predictor.machinery.program
local lists = require "portolan.support.lists"
local uv = require "luv"
local core = require "portolan.core"
local failure = require "portolan.support.failure"
local file = require "portolan.support.file"
local task = require "portolan.predictor.machinery.task"

local program = {}

local function directories() return lists.found(os.getenv "PATH" or "", "[^:]+") end

--- The path of a program.
-- @param name its name, or a path
-- @return path; nil if there is no such program
function program.find(name)
  if name:find("/", 1, true) then return file.kind(name) == "file" and name or nil end
  for _, directory in ipairs(directories()) do
    local path = directory .. "/" .. name
    if uv.fs_access(path, "X") and file.kind(path) == "file" then return path end
  end
end

--- The programs whose names match a Lua pattern.
-- @param pattern of the whole name
-- @return names, sorted, each once
function program.names(pattern)
  local names, seen = {}, {}
  for _, directory in ipairs(directories()) do
    local entries = uv.fs_scandir(directory)
    local name = entries and uv.fs_scandir_next(entries)
    while name do
      if not seen[name] and name:find("^" .. pattern .. "$") and program.find(name) then names[#names + 1] = name end
      seen[name] = true
      name = uv.fs_scandir_next(entries)
    end
  end
  table.sort(names)
  return names
end

-- The environment of a child. Without LD_PRELOAD: a runtime that this process needs may not suit another. LLVM's programs would spend more than a
-- second on the names of the functions that they crashed in.
local function environment()
  local list = { "LLVM_DISABLE_SYMBOLIZATION=1" }
  for name, value in pairs(uv.os_environ()) do
    if name ~= "LD_PRELOAD" then list[#list + 1] = name .. "=" .. value end
  end
  return list
end

local most_output = 256 << 20 -- bytes: a program that writes more is out of its mind

-- Gathers what comes out of a pipe; `excess` is called if it is too much. The result learns that there was something.
local function collect(pipe, result, excess)
  local parts, size = {}, 0
  pipe:read_start(function(_, chunk)
    if not chunk then
      if not pipe:is_closing() then pipe:close() end
      return
    end
    size, result.heard = size + #chunk, true
    if size > most_output then return excess() end
    parts[#parts + 1] = chunk
  end)
  return parts
end

local function feed(pipe, text)
  if text and text ~= "" then pipe:write(text) end
  pipe:shutdown(function() if not pipe:is_closing() then pipe:close() end end)
end

local patience = 20 -- how much longer than its processor time a program may take, on a busy machine
local look = 100 -- ms between looks at the clock and at Ctrl-C
local grace = 1 -- s for which the pipes of an ended program may stay open: it may have left others behind

-- The signal that ends a program that exceeds its processor time. A program that ignores it is killed a little later.
local out_of_time, killed, mercy = 24, 9, 2 -- SIGXCPU, SIGKILL, seconds

-- Signals that a program brings upon itself; any other signal came from outside.
local crashes = {}
for _, name in ipairs { "SIGABRT", "SIGBUS", "SIGFPE", "SIGILL", "SIGSEGV", "SIGSYS", "SIGTRAP" } do
  if uv.constants[name] then crashes[uv.constants[name]] = true end
end
local last_signal = 64

-- 9 -> "SIGKILL"; nil for those without a name; of several names the first by alphabet
local function signal_name(number)
  local found
  for name, value in pairs(uv.constants) do
    if value == number and name:find "^SIG%u" and (not found or name < found) then found = name end
  end
  return found
end

--- Tells how a program was ended that did not end by itself.
-- @param name of the program
-- @param result of `program.run`
-- @return answer, and the signal of a program that crashed; nil if it ended by itself (its exit status is another matter)
function program.failure(name, result)
  if result.interrupted then return { error = "interrupted", interrupted = true } end
  if result.excess then return { error = name .. " wrote without end", crash = true } end
  local shells = result.status > 128 and result.status <= 128 + last_signal -- how a shell tells of its child's end
  local signal = result.signal ~= 0 and result.signal or shells and result.status - 128
  if result.late or signal == out_of_time then
    return { error = name .. " did not end within its time", crash = true, late = true }
  end
  if not signal then return nil end
  if crashes[signal] then return { error = ("%s crashed (signal %d)"):format(name, signal), crash = true }, signal end
  local word = signal_name(signal)
  return { error = ("%s was killed (signal %d%s)"):format(name, signal, word and ", " .. word or ""), killed = true, transient = true }
end

-- The shell sets the limits and becomes the program: `ulimit` is the only way to them from here.
local function limited(path, arguments, seconds)
  local script = 'ulimit -c 0 && ulimit -S -t "$0" && ulimit -H -t "$1" && shift && exec "$@"'
  local words = { "-c", script, ("%d"):format(seconds), ("%d"):format(seconds + mercy), path }
  return table.move(arguments, 1, #arguments, #words + 1, words)
end

-- Starts a program in a group of its own, so that what it started can be ended with it.
local function spawn(path, arguments, seconds, options, pipes, result)
  return uv.spawn("/bin/sh", {
    args = limited(path, arguments, seconds), stdio = pipes, env = environment(), cwd = options.cwd, detached = true,
  }, function(status, signal)
    result.status, result.signal = status, signal
    local exhausted = signal == out_of_time or signal == killed and result.worked >= seconds
    result.late = result.late or not result.excess and not result.interrupted and exhausted
    result.end_time = uv.hrtime()
  end)
end

-- Processor seconds that a process has taken; nil if it is gone.
local function processor_time(pid)
  local stat = io.open(("/proc/%d/stat"):format(pid))
  local line = stat and stat:read "a"
  if stat then stat:close() end
  local user, system = (line or ""):match "^.*%) %S %S+ %S+ %S+ %S+ %S+ %S+ %S+ %S+ %S+ %S+ (%d+) (%d+)"
  return user and (user + system) / 100 -- Linux counts in 1/100 s here, on all machines
end

-- Tells whether a program has worked for too long since it last wrote.
local function stalled(result, pid, stall)
  local now = processor_time(pid)
  result.worked = now or result.worked
  if not (now and stall) then return false end
  if result.heard then result.heard, result.heard_at = nil, now end
  return now - (result.heard_at or 0) > stall
end

-- Looks now and then whether the program has to be ended: calls `kill`.
local function watch(result, pipes, pid, seconds, stall, kill)
  local timer, start = uv.new_timer(), uv.hrtime()
  timer:start(look, look, function()
    local now = uv.hrtime()
    if result.end_time then
      if now - result.end_time < grace * 1e9 then return end
      kill()
      for _, pipe in ipairs(pipes) do if not pipe:is_closing() then pipe:close() end end
    elseif core.base.interrupted() then
      result.interrupted = true
      kill()
    elseif stalled(result, pid, stall) or now - start > seconds * patience * 1e9 then
      result.late = true
      kill()
    end
  end)
  return timer
end

-- Closes handles and waits until the event loop has forgotten them.
local function close(handles)
  local open = #handles
  for _, handle in ipairs(handles) do handle:close(function() open = open - 1 end) end
  task.wait(function() return open == 0 end)
end

--- Runs a program to its end. One that exceeds its processor time, or takes very much longer, is killed, and so it is after Ctrl-C.
-- Within a task (`portolan.predictor.machinery.task`) others go on meanwhile.
-- @param path of the program
-- @param arguments list of strings
-- @tparam[opt] table options
-- @tparam[opt] string options.input text for its standard input
-- @tparam[opt=60] number options.seconds of processor time, rounded up
-- @tparam[opt] string options.cwd its directory
-- @tparam[opt] number options.stall seconds of processor time without output after which it counts as hanging
-- @return `{ status =, signal =, out =, err =, late = whether it was killed for its time, interrupted = ... by Ctrl-C, excess = ... for
-- the size of its output }`; or nil and a message. A machine without room for another process is an error that is thrown
-- (portolan.support.failure).
function program.run(path, arguments, options)
  options = options or {}
  local seconds = math.max(1, math.ceil(options.seconds or 60))
  if options.cwd and path:sub(1, 1) ~= "/" then path = uv.cwd() .. "/" .. path end
  local pipes, result = { uv.new_pipe(false), uv.new_pipe(false), uv.new_pipe(false) }, { late = false, worked = 0 }
  local input, out, err = table.unpack(pipes)
  local child, pid, code = spawn(path, arguments, seconds, options, pipes, result)
  if not child then
    close(pipes) -- luv's end of the process crashes over what was not started, unless its loop has run
    return failure.of_machine(nil, ("%s cannot be started: %s"):format(path, failure.reason(pid)), failure.status(code))
  end
  local function kill() uv.kill(-pid, "sigkill") end
  local function excess()
    result.excess = true
    kill()
  end
  local guard = uv.new_signal() -- of a program that ends before it has read all
  guard:start("sigpipe", function() end)
  local out_parts, err_parts = collect(out, result, excess), collect(err, result, excess)
  feed(input, options.input)
  local timer = watch(result, pipes, pid, seconds, options.stall, kill)
  task.wait(function() return result.status ~= nil and out:is_closing() and err:is_closing() end)
  if not input:is_closing() then input:close() end
  close { timer, child, guard }
  result.out, result.err = table.concat(out_parts), table.concat(err_parts)
  return result
end

return program
