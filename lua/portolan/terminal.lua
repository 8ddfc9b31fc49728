--- What the terminal can do.
-- @module portolan.terminal
local uv = require "luv"

local terminal = {}

local function descriptor(stream)
  return stream == io.stdin and 0 or stream == io.stdout and 1 or stream == io.stderr and 2 or nil
end

--- Is this stream a terminal?
-- @param stream io.stdin, io.stdout or io.stderr; anything else is not one
function terminal.is(stream)
  local fd = descriptor(stream)
  return fd ~= nil and uv.guess_handle(fd) == "tty"
end

--- Columns of a terminal. libuv could tell them, too, but makes the stream one that does not wait: a large output would fail.
-- @param stream as for `is`
-- @return number of columns; 80 where there is no telling
function terminal.width(stream)
  local width = tonumber(os.getenv("COLUMNS"))
  if not width and terminal.is(stream) then -- only here: what never writes to a terminal does without the engine
    width = require("portolan.core").base.terminal_columns(descriptor(stream))
  end
  return width and width >= 20 and math.floor(width) or 80
end

--- May colours be used? Not if NO_COLOR is set (https://no-color.org), nor on a dumb terminal or a file.
-- @param stream as for `is`
function terminal.color(stream)
  local no, term = os.getenv("NO_COLOR"), os.getenv("TERM")
  return (no == nil or no == "") and term ~= "dumb" and terminal.is(stream)
end

--- Does the locale say that output is read as UTF-8?
function terminal.utf8()
  for _, name in ipairs { "LC_ALL", "LC_CTYPE", "LANG" } do
    local value = os.getenv(name)
    if value and value ~= "" then return value:lower():find("utf%-?8") ~= nil end
  end
  return false
end

local styles = { bold = 1, dim = 2, red = 31, green = 32, yellow = 33, blue = 34, magenta = 35, cyan = 36 }

--- Text in a style.
-- @param text string
-- @param name bold, dim, red, green, yellow, blue, magenta or cyan
-- @param on boolean: false gives the text as it is
function terminal.style(text, name, on)
  if not on then return text end
  return ("\27[%dm%s\27[0m"):format(assert(styles[name], "no such style"), text)
end

return terminal
