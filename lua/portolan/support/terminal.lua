--- This module tells what the terminal can do.
-- @module portolan.support.terminal
local uv = require "luv"
local printable = require "portolan.support.printable"

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

-- This stands for ESC [ until the text leaves: no file can know it, so styles come from here alone.
local mark = "\27" .. uv.random(8):gsub(".", function(c) return ("%02x"):format(c:byte()) end) .. ":"

--- Text in a style, for `harmless`.
-- @param text string
-- @param name bold, dim, red, green, yellow, blue, magenta or cyan
-- @param on boolean: false gives the text as it is
function terminal.style(text, name, on)
  if not on then return text end
  return ("%s%dm%s%s0m"):format(mark, assert(styles[name], "no such style"), text, mark)
end

--- Text as it may go to a terminal: harmless but for styles of this module.
function terminal.harmless(text)
  text = printable.text(text)
  if not text:find(mark:sub(2), 1, true) then return text end
  return (text:gsub("%?" .. mark:sub(2) .. "(%d+m)", "\27[%1"))
end

--- A line for people, on standard error.
-- @param text anything; what has several lines becomes one
function terminal.say(text) io.stderr:write(printable.line(text), "\n") end

--- Several lines, on standard error: a trace.
function terminal.say_lines(text) io.stderr:write(printable.text(text), "\n") end

return terminal
