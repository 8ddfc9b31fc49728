--- Lines typed by a person, with editing and a history where readline is there.
-- @module portolan.support.prompt
local lists = require "portolan.support.lists"
local uv = require "luv"
local file = require "portolan.support.file"
local terminal = require "portolan.support.terminal"
local core = require "portolan.core"

local prompt = {}
prompt.__index = prompt

local max_history = 1000

-- The module reads a history of its own when it is loaded, and dies over a missing HOME: `pcall`.
local function load_readline()
  if not (terminal.is(io.stdin) and terminal.is(io.stdout)) then return nil end
  local ok, readline = pcall(require, "readline")
  return ok and readline.handler_install and readline or nil
end

local function load_history(readline, path)
  -- No completion: this module's crashes (unaligned chunk in malloc, lua-readline 3.2).
  readline.set_options { histfile = "/dev/null", auto_add = false, completion = false }
  local lines = lists.found(file.read(path) or "", "[^\n]+")
  if #lines > max_history then
    lines = table.move(lines, #lines - max_history + 1, #lines, 1, {})
    file.write(path, table.concat(lines, "\n") .. "\n")
  end
  for _, line in ipairs(lines) do readline.add_history(line) end
  return lines[#lines]
end

--- Prepares the terminal.
-- @param history path of the history file
-- @return prompt
function prompt.new(history)
  local self = setmetatable({ readline = load_readline(), history = history }, prompt)
  if self.readline then
    self.last = load_history(self.readline, self.history)
  end
  return self
end

-- One line by readline's callbacks. The event loop waits, so that Ctrl-C can end the line (readline alone would go on with it).
-- After Ctrl-C the handler stays: the next call puts another in its place. Removing it in mid-line would have this module
-- write to a stream that it has just closed (lua-readline 3.2); in its own callback it is safe.
local function edit_line(readline, text)
  local line, state
  readline.handler_install(text, function(typed)
    line, state = typed, typed and "line" or "end"
    readline.handler_remove()
  end)
  local input, int, term = uv.new_poll(0), uv.new_signal(), uv.new_signal()
  core.base.terminal_waits(0) -- the poll has it not wait, and with it standard output: the same terminal
  int:start("sigint", function() state = state or "interrupted" end)
  term:start("sigterm", function() state = state or "terminated" end)
  input:start("r", function() readline.read_char() end)
  while not state do uv.run("once") end
  for _, handle in ipairs { input, int, term } do handle:close() end
  uv.run("nowait")
  core.base.catch_interrupts() -- the event loop has put the default action back
  if state == "interrupted" then io.stdout:write("^C\n"):flush() end
  if state == "terminated" then os.execute("stty sane 2>/dev/null") end
  return line, state
end

local function plain_line(text)
  io.stdout:write(text):flush()
  local line = io.stdin:read("L")
  if core.base.interrupted() then
    core.base.set_interrupted(false)
    io.stdout:write("\n")
    return nil, "interrupted"
  end
  return line and line:gsub("\n$", "") or nil, line and "line" or "end"
end

--- Asks for a line.
-- @param text string, what is shown before it
-- @return the line; or nil and "end" (Ctrl-D), "interrupted" (Ctrl-C) or "terminated" (SIGTERM)
function prompt:read(text)
  local line, state
  if self.readline then line, state = edit_line(self.readline, text) else line, state = plain_line(text) end
  if not line then return nil, state end
  return line
end

--- Adds a line to the history.
-- @param line string
function prompt:remember(line)
  if not self.readline or not line:find("%S") or line == self.last then return end
  self.last = line
  self.readline.add_history(line)
  file.make_directory(self.history:match("^(.*)/") or ".")
  local handle = io.open(self.history, "a") -- a history that cannot be written is no reason to stop
  if not handle then return end
  handle:write(line, "\n")
  handle:close()
end

return prompt
