--- Calls of a progress line's methods as lines of JSON through a pipe, and their other end.
-- @module portolan.progress.messages
local uv = require "luv"
local json = require "portolan.support.json"
local progress = require "portolan.progress.line"
local terminal = require "portolan.support.terminal"

local messages = {}

local wake_up = 100 -- milliseconds

local function write(descriptor, message) uv.fs_write(descriptor, assert(json.encode(message)) .. "\n") end

--- Sends the options that the line starts with. The terminal is asked here: libuv cannot be asked from within its loop.
-- @param descriptor of the pipe's end to write to
-- @param options as of `whole.new`, plain data
function messages.start(descriptor, options)
  local screen = progress.screen(nil, options.live)
  write(descriptor, { title = options.title, stages = options.stages, budget = options.budget, live = screen.live,
    columns = screen.live and terminal.width(io.stderr) or nil })
end

--- Sends a call.
-- @param descriptor of the pipe's end to write to
-- @param method name
-- @param ... texts, numbers, booleans or nil
function messages.send(descriptor, method, ...)
  local arguments = table.pack(...)
  for i = 1, arguments.n do
    if arguments[i] == nil then arguments[i] = json.null end
  end
  arguments.n = nil
  write(descriptor, { method = method, arguments = arguments })
end

-- Starts the line with the first message; the others call its methods.
local function obey(line, message)
  if not line then return require("portolan.progress.whole").new(message) end
  local arguments = { n = 0 }
  for i, value in ipairs(message.arguments) do
    arguments.n = i
    if value ~= json.null then arguments[i] = value end
  end
  line[message.method](line, table.unpack(arguments, 1, arguments.n))
  return line
end

--- Keeps a line going until the pipe is closed.
-- @param descriptor of the pipe's end to read from
function messages.serve(descriptor)
  local pipe, timer, line, rest = uv.new_pipe(false), uv.new_timer(), nil, ""
  local function stop()
    if line then line:finish() end
    timer:close()
    pipe:close()
  end
  pipe:open(descriptor)
  pipe:read_start(function(_, chunk)
    if not chunk then return stop() end
    rest = rest .. chunk
    rest = rest:gsub("([^\n]*)\n", function(text)
      line = obey(line, assert(json.decode(text)))
      return ""
    end)
  end)
  timer:start(wake_up, wake_up, function()
    if line then line:tick() end
  end)
  uv.run()
end

return messages
