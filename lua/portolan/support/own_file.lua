--- Files that go by their names, Portolan's own and the user's: strategies, predictors, processors, report sections, domains, sets, universes,
-- campaigns.
--
-- A file is named by its path (with a slash, or ending in ".lua"), or without both by its name: in Portolan's folder of that kind, then in a folder
-- of those of `PORTOLAN_PATH`. Whatever lies in these folders is there: nothing has to be registered. Portolan's names come first, so that no
-- folder changes what they mean.
--
-- Programs of the user's own run with all of Lua's library, and with Portolan's as the global `portolan` (`own_file.load`). Domains, sets and
-- universes are data (portolan.support.lua_file).
-- @module portolan.support.own_file
local architectures = require "portolan.support.architectures"
local file = require "portolan.support.file"
local own_coroutines = require "portolan.support.own_coroutines"
local paths = require "portolan.support.paths"
local printable = require "portolan.support.printable"

local own_file = {}

--- Is this a path of a file, rather than a name?
function own_file.is_path(name) return name:find "%.lua$" ~= nil or name:find("/", 1, true) ~= nil end

-- Portolan's folders of files that are run as the user's are; each architecture has its own domains, sets and universes.
local folders = { campaigns = "scripts/campaigns", sections = "lua/portolan/report/sections" }
local by_architecture = { domains = true, sets = true, universes = true }

-- Portolan's folders of modules.
local modules = { strategies = "cli.infer", predictors = "predictor.adapters", processors = "processor.oracle" }

-- The folders of a kind, in the order in which they are searched, as `{ path =, architecture = }`.
local function searched(kind, architecture)
  local list = { folders[kind] and { path = paths.project(folders[kind]) } }
  for _, name in ipairs(by_architecture[kind] and (architecture and { architecture } or architectures.from()) or {}) do
    list[#list + 1] = { path = paths.arch(name, kind), architecture = name }
  end
  for _, folder in ipairs(paths.own()) do
    list[#list + 1] = { path = folder .. "/" .. kind }
    if kind == "domains" then list[#list + 1] = { path = folder .. "/features" } end -- a domain is a list of features
  end
  return list
end

--- Finds where a file is.
-- @param kind the folder: "strategies", "predictors", "oracles", "processors", "interesting", "sections", "domains", "sets", "universes", "campaigns"
-- @param name its name, or its path
-- @param[opt] architecture whose domains, sets and universes are meant; by default the host's come first, then the others'
-- @return path; nil if there is no file of this name. Modules of Portolan's (`own_file.modules`) are not looked for
-- @return the architecture whose folder has it; nil if it is the user's
function own_file.find(kind, name, architecture)
  if own_file.is_path(name) then return name end
  if not name:find "^[%w_-][%w_.-]*$" then return nil end
  for _, folder in ipairs(searched(kind, architecture)) do
    local path = ("%s/%s.lua"):format(folder.path, name)
    if file.kind(path) == "file" then return path, folder.architecture end
  end
end

--- Tells where a domain, set or universe is, or would be.
-- @param kind "domains", "sets", "universes"
-- @param name its name, or a path, which has a slash or a dot
-- @param[opt] architecture as of `find`
-- @return path, there or not
-- @return the architecture whose folder has it; nil if it is the user's
function own_file.locate(kind, name, architecture)
  if name:find "[/.]" then return name end
  local path, of = own_file.find(kind, name, architecture)
  if path then return path, of end
  return paths.arch(architecture or architectures.default(), ("%s/%s.lua"):format(kind, name))
end

--- The architecture of a domain, set or universe: what its field `architecture` says, or else that of the folder that has it, or else the wanted
-- one, or else the host's.
-- @param value what the file returns
-- @param path of it
-- @param[opt] of the architecture whose folder has it
-- @param[opt] wanted the one that it must be of
-- @return name; or nil and a message
function own_file.architecture(value, path, of, wanted)
  local name, message = architectures.check(value.architecture or of or wanted or architectures.default())
  if not name then return nil, ("%s: 'architecture': %s"):format(path, message) end
  if wanted and name ~= wanted then return nil, ("%s is of %s, not of %s"):format(path, name, wanted) end
  return name
end

--- The names that `find` knows.
-- @param kind folder
-- @param[opt] architecture as of `find`
-- @return sorted list
function own_file.names(kind, architecture)
  local list, seen = {}, {}
  for _, folder in ipairs(searched(kind, architecture)) do
    for _, entry in ipairs(file.names(folder.path) or {}) do
      local name = entry:match "^([%w_-][%w_.-]*)%.lua$"
      if name and not seen[name] and file.kind(folder.path .. "/" .. entry) == "file" then list[#list + 1], seen[name] = name, true end
    end
  end
  table.sort(list)
  return list
end

--- The names that `find` knows as words of a message: "; there are: a, b"; empty if there are none.
function own_file.listed(kind)
  local names = own_file.names(kind)
  return #names > 0 and "; there are: " .. table.concat(names, ", ") or ""
end

--- Portolan's modules of a kind, which are the files of its folder.
-- @param kind "strategies", "predictors", "processors"
-- @return table: name, as it is written on a command line (with dashes), to the module's name
function own_file.modules(kind)
  local found = {}
  local folder = paths.project("lua/portolan/" .. modules[kind]:gsub("%.", "/"))
  for _, entry in ipairs(file.names(folder) or {}) do
    local name = entry:match "^([%w_]+)%.lua$"
    if name and name ~= "init" then found[name:gsub("_", "-")] = ("portolan.%s.%s"):format(modules[kind], name) end
  end
  return found
end

--- Returns what a value says as text, on one line: of the user's, whose `__tostring` may raise an error itself.
-- @param value any
-- @treturn string
function own_file.words(value)
  local ok, text = pcall(tostring, value)
  if not ok or text:find("^" .. type(value) .. ": ") then return "a " .. type(value) end -- an address would differ each time
  return printable.line(text)
end

-- The message of an error, on one line, with the file in front.
local function said(path, trouble)
  local text = own_file.words(trouble)
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
  local chunk, trouble = load(text, "@" .. path, "t", setmetatable({ portolan = require "portolan", coroutine = own_coroutines() }, { __index = _G }))
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
  if own_file.words(result[2]):find "interrupted!$" then error(result[2], 0) end
  return nil, said(path, result[2]), true
end

return own_file
