--- Files of data that are Lua: sets, exclusions, policies, domains. They run with a library of their own
-- (portolan.support.lua_library), for a limited time and with limited memory (portolan.support.limits).
-- @module portolan.support.lua_file
local core = require "portolan.core"
local file = require "portolan.support.file"
local limits = require "portolan.support.limits"
local lua_library = require "portolan.support.lua_library"

local lua_file = {}

local strings = getmetatable ""

local function finish(before, ok, ...)
  strings.__index = before
  if ok then return true, ... end
  return false, lua_library.message((...))
end

--- Calls a function that comes from such a file.
-- @param seconds how long it may work, not counting what others have of the processor; nil: as limits.lua says
-- @param f function
-- @param ... its arguments
-- @return true and what it returns; or false and a message of one line
function lua_file.call(seconds, f, ...)
  local before = strings.__index
  strings.__index = lua_library.string
  return finish(before, core.base.limited(seconds or limits.lua.seconds, limits.lua.bytes, f, ...))
end

--- Makes a function that is `call`, all of whose calls together may take as long as one.
-- @return function(f, ...) as `call`
function lua_file.calls()
  local most = limits.lua.seconds
  -- To look at what the thread has worked takes longer than most calls, to look at the time does not, and no less of it passes.
  local left, clock, first, began = most, core.base.now, core.base.worked(), nil
  local function took(...)
    left = left - (clock() - began)
    if clock == core.base.now and left < most / 2 then
      left, clock = math.max(left, most - (core.base.worked() - first)), core.base.worked
    end
    return ...
  end
  return function(f, ...)
    began = clock()
    return took(lua_file.call(left > 0 and left or 0, f, ...))
  end
end

--- Runs a file.
-- @param path string
-- @param[opt] environment what it sees; nothing if left out
-- @param[opt="a table"] what it must return, for the message
-- @return the table that it returns, its text; or nil and a message of one line
function lua_file.run(path, environment, what)
  local text, message = file.read(path, limits.code_bytes)
  if not text then return nil, message end
  local chunk, trouble = load(text, "@" .. path, "t", environment or {})
  local ok, result = false, chunk == nil and lua_library.message(trouble)
  if chunk then ok, result = lua_file.call(nil, chunk) end
  if ok and type(result) == "table" then return result, text end
  if ok then result = "must return " .. (what or "a table") end
  if result:sub(1, #path + 1) ~= path .. ":" then result = path .. ": " .. result end
  return nil, result
end

return lua_file
