--- This module tells where things are: the project's data, and the user's.
-- @module portolan.support.paths
local failure = require "portolan.support.failure"
local lists = require "portolan.support.lists"

local paths = {}

local function variable(name)
  local value = os.getenv(name)
  return value ~= "" and value or nil
end

-- This file is ROOT/lua/portolan/support/paths.lua, in a source tree as well as installed; arch/ lies next to lua/.
local root = debug.getinfo(1, "S").source:match("^@(.*)/lua/portolan/support/paths%.lua$") or "."

--- Locates what belongs to an architecture (instruction sets, policies, processors, domains): `arch/ARCHITECTURE/NAME`.
-- @param[opt] architecture its name; without it, the folder of all
-- @param[opt] name of a file or folder, e.g. "exclusions.lua"; without it, the architecture's folder
-- @return its path; `PORTOLAN_ARCH` overrides the directory
function paths.arch(architecture, name)
  return table.concat({ variable("PORTOLAN_ARCH") or root .. "/arch", architecture, name }, "/")
end

--- Returns what a file of `arch/ARCHITECTURE` returns.
-- @param architecture its name
-- @param name of a Lua file, e.g. "landmarks.lua"
-- @return its value; what keeps the machine from reading it is thrown (portolan.support.failure)
function paths.data(architecture, name)
  local chunk, message = loadfile(paths.arch(architecture, name))
  return failure.check(chunk, message, failure.system)()
end

--- A file or folder of the project, beside lua/ and arch/: of scripts/, what is installed are the campaigns.
-- @param name string, e.g. "scripts/campaigns"
function paths.project(name) return root .. "/" .. name end

local function home(environment, default, name)
  local base = variable(environment)
  if not base then
    local user = variable("HOME")
    base = user and user .. default or "."
  end
  return base .. "/portolan" .. (name and "/" .. name or "")
end

--- A file of the user's state: measurements, histories.
-- @param name string
-- @return `$XDG_STATE_HOME/portolan/NAME`, by default under `~/.local/state`
function paths.state(name) return home("XDG_STATE_HOME", "/.local/state", name) end

--- A file that may be deleted at any time and is made again.
-- @param name string
-- @return `$XDG_CACHE_HOME/portolan/NAME`, by default under `~/.cache`
function paths.cache(name) return home("XDG_CACHE_HOME", "/.cache", name) end

--- The user's folders, in which there are folders of files of each kind (portolan.support.own_file).
-- @return list: those of `PORTOLAN_PATH`, with colons between, then `$XDG_CONFIG_HOME/portolan`, by default `~/.config/portolan`
function paths.own()
  local list = lists.found(variable("PORTOLAN_PATH") or "", "[^:]+")
  list[#list + 1] = home("XDG_CONFIG_HOME", "/.config")
  return list
end

return paths
