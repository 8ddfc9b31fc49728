--- Programs of the user's own that Portolan takes up: predictors, oracles, strategies, written in Lua.
--
-- Such a file is a program, and not data: it runs with all of Lua's library, and with Portolan's as the global `portolan`. It is named by its path
-- (with a slash, or ending in ".lua"), or without both by its name in a folder `KIND` of those of `PORTOLAN_PATH`.
-- @module portolan.support.own_file
local file = require "portolan.support.file"
local paths = require "portolan.support.paths"
local printable = require "portolan.support.printable"

local own_file = {}

--- Is this a path of a file, rather than a name?
function own_file.is_path(name) return name:find "%.lua$" ~= nil or name:find("/", 1, true) ~= nil end

--- Where a file is.
-- @param kind "predictors", "oracles", "strategies": the folder
-- @param name its name, or its path
-- @return path; nil if there is no such file in the user's folders
function own_file.find(kind, name)
  if own_file.is_path(name) then return name end
  if not name:find "^[%w_-]+$" then return nil end
  for _, folder in ipairs(paths.own()) do
    local path = ("%s/%s/%s.lua"):format(folder, kind, name)
    if file.kind(path) == "file" then return path end
  end
end

--- The names of the user's files of a kind.
-- @param kind folder
-- @return sorted list
function own_file.names(kind)
  local list, seen = {}, {}
  for _, folder in ipairs(paths.own()) do
    for _, entry in ipairs(file.names(folder .. "/" .. kind) or {}) do
      local name = entry:match "^([%w_-]+)%.lua$"
      if name and not seen[name] then list[#list + 1], seen[name] = name, true end
    end
  end
  table.sort(list)
  return list
end

-- The message of an error, on one line, with the file in front.
local function said(path, trouble)
  local text = printable.line(tostring(trouble))
  return text:find(path, 1, true) and text or path .. ": " .. text
end

--- Runs a file.
-- @param path of it
-- @param what it must return, for the message: "a predictor (docs/extending.md)"
-- @param fits function(value) -> whether it is that
-- @return what it returns, its text; or nil and a message
function own_file.load(path, what, fits)
  local text, message = file.read(path)
  if not text then return nil, message end
  local chunk, trouble = load(text, "@" .. path, "t", setmetatable({ portolan = require "portolan" }, { __index = _G }))
  if not chunk then return nil, said(path, trouble) end
  local ok, value = pcall(chunk)
  if not ok then return nil, said(path, value) end
  if not fits(value) then return nil, ("%s: it must return %s"):format(path, what) end
  return value, text
end

--- Calls a function of such a file.
-- @param path of the file, for messages
-- @param f function
-- @param ... its arguments
-- @return what it returns; or nil, a message of one line, and true if it raises an error
function own_file.call(path, f, ...)
  local result = table.pack(pcall(f, ...))
  if result[1] then return table.unpack(result, 2, result.n) end
  if tostring(result[2]):find "interrupted!$" then error(result[2], 0) end
  return nil, said(path, result[2]), true
end

return own_file
