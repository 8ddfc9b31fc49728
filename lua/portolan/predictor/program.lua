--- Other programs: found in the search path, run with text in and text out, and a time limit.
-- @module portolan.predictor.program
local uv = require "luv"
local file = require "portolan.file"

local program = {}

local function directories()
  local list = {}
  for directory in (os.getenv "PATH" or ""):gmatch "[^:]+" do list[#list + 1] = directory end
  return list
end

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

-- The environment of a child. Without LD_PRELOAD: a runtime that this process needs may not suit another.
local function environment()
  local list = {}
  for name, value in pairs(uv.os_environ()) do
    if name ~= "LD_PRELOAD" then list[#list + 1] = name .. "=" .. value end
  end
  return list
end

local function collect(pipe)
  local parts = {}
  pipe:read_start(function(_, chunk)
    if chunk then parts[#parts + 1] = chunk else pipe:close() end
  end)
  return parts
end

local function feed(pipe, text)
  pipe:write(text or "")
  pipe:shutdown(function() if not pipe:is_closing() then pipe:close() end end)
end

local patience = 20 -- how much longer than its processor time a program may take, on a busy machine
local out_of_time = { [9] = true, [24] = true } -- SIGKILL, SIGXCPU

-- The shell sets the limit and becomes the program: `ulimit` is the only way to it from here.
local function limited(path, arguments, seconds)
  local words = { "-c", 'ulimit -c 0 && ulimit -t "$0" && exec "$@"', ("%d"):format(seconds), path }
  return table.move(arguments, 1, #arguments, #words + 1, words)
end

--- Runs a program to its end. One that exceeds its processor time, or takes very much longer, is killed.
-- @param path of the program
-- @param arguments list of strings
-- @param[opt] options `input` (text for its standard input), `seconds` (of processor time, rounded up; 60)
-- @return `{ status =, signal =, out =, err =, late = whether it was killed for its time }`; or nil and a message
function program.run(path, arguments, options)
  options = options or {}
  local seconds = math.ceil(options.seconds or 60)
  local input, out, err = uv.new_pipe(false), uv.new_pipe(false), uv.new_pipe(false)
  local result = { late = false }
  local child, trouble = uv.spawn("/bin/sh", { args = limited(path, arguments, seconds), stdio = { input, out, err }, env = environment() },
    function(status, signal)
      result.status, result.signal = status, signal
      result.late = result.late or out_of_time[signal] or false
    end)
  if not child then
    for _, pipe in ipairs { input, out, err } do pipe:close() end
    return nil, ("%s cannot be started: %s"):format(path, tostring(trouble):gsub("^%u+: ", ""))
  end
  local guard = uv.new_signal() -- of a program that ends before it has read all
  guard:start("sigpipe", function() end)
  local out_parts, err_parts = collect(out), collect(err)
  feed(input, options.input)
  local limit = uv.new_timer()
  limit:start(seconds * patience * 1000, 0, function()
    result.late = true
    child:kill "sigkill"
  end)
  while not (result.status and out:is_closing() and err:is_closing()) do uv.run "once" end
  for _, handle in ipairs { limit, child, guard } do handle:close() end
  if not input:is_closing() then input:close() end
  uv.run "nowait"
  result.out, result.err = table.concat(out_parts), table.concat(err_parts)
  return result
end

return program
