--- Charts that ship with Portolan, of cores that it met (docs/cores.md): `arch/ARCHITECTURE/mappings/NAME.json`.
--
-- Wherever a mapping is loaded `core:NAME` stands for one, `core:native` for that of this processor's core, if it was met.
-- @module portolan.met_cores
local architectures = require "portolan.support.architectures"
local cpu = require "portolan.cpu"
local file = require "portolan.support.file"
local lists = require "portolan.support.lists"
local mapping = require "portolan.mapping"
local paths = require "portolan.support.paths"
local printable = require "portolan.support.printable"

local met_cores = {}

local folder, ending = "mappings", "%.json$"

-- Name -> path.
local function all()
  local found = {}
  for _, architecture in ipairs(architectures.names()) do
    local directory = paths.arch(architecture, folder)
    for _, name in ipairs(file.kind(directory) == "directory" and file.names(directory) or {}) do
      if name:find(ending) then found[name:gsub(ending, "")] = directory .. "/" .. name end
    end
  end
  return found
end

--- The names of all, sorted.
function met_cores.names() return lists.keys(all()) end

--- The name of this processor's core; nil if it was not met.
function met_cores.here()
  local facts = cpu.facts()
  return facts and facts.chart and all()[facts.chart] and facts.chart or nil
end

--- The mapping of a core.
-- @param text `core:NAME`, or `core:native`
-- @return mapping; or nil and a message
function met_cores.mapping(text)
  local name = text:match "^core:(.*)$"
  local path = all()[name == "native" and met_cores.here() or name]
  if path then return mapping.load(path) end
  local known = table.concat(met_cores.names(), ", ")
  if name == "native" then return nil, ("core:native: this processor's core was not met before; those that were are %s"):format(known) end
  return nil, ("there is no chart of a core '%s'; those that ship are %s, and native"):format(printable(name or text), known)
end

return met_cores
