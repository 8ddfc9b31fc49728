--- Charts that ship with Portolan, of cores that it met (docs/cores.md): `arch/ARCHITECTURE/mappings/NAME.json.gz`, packed by gzip.
--
-- Wherever a mapping is loaded `core:NAME` stands for one, `core:native` for that of this processor's core, if it was met.
-- @module portolan.predictor.met_cores
local architectures = require "portolan.support.architectures"
local cpu = require "portolan.machine.cpu"
local file = require "portolan.support.file"
local json = require "portolan.support.json"
local lists = require "portolan.support.lists"
local paths = require "portolan.support.paths"
local printable = require "portolan.support.printable"
local program = require "portolan.predictor.machinery.program"

local met_cores = {}

local folder, ending = "mappings", "%.json%.gz$"
local unpacking = 60 -- seconds that it may take; some hundredths are usual

local loaded = {} -- by path

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

-- Makes whole numbers integers, as `json.decode` does.
local function with_integers(value)
  for key, item in next, value do
    if type(item) == "table" then
      with_integers(item)
    elseif type(item) == "number" then
      value[key] = math.tointeger(item) or item
    end
  end
  return value
end

-- The mapping in a packed file; or nil and a message. More than its head is not checked, which would take four times as long: the tests compare those
-- that ship with what portolan.mapping reads and checks.
local function read(path)
  local gzip = program.find "gzip"
  if not gzip then return nil, ("%s is packed, and there is no gzip to unpack it"):format(path) end
  local result, message = program.run(gzip, { "-dc", path }, { seconds = unpacking })
  if not result then return nil, message end
  if result.status ~= 0 then return nil, ("%s: %s"):format(path, program.failure("gzip", result) or "gzip cannot unpack it") end
  local m, fault = json.decode_plain(result.out, path)
  if fault then return nil, fault end
  local fine = type(m) == "table" and m.format == "portolan-mapping" and m.version == 1 and type(m.ports) == "table" and type(m.schemes) == "table"
  if not fine then return nil, path .. ": this is no port mapping of this version" end
  return with_integers(m)
end

--- The mapping of a core. All who ask get the same table: it is not to be changed.
-- @param text `core:NAME`, or `core:native`
-- @return mapping; or nil and a message
function met_cores.mapping(text)
  local name = text:match "^core:(.*)$"
  local path = all()[name == "native" and met_cores.here() or name]
  if path then
    local message
    if not loaded[path] then loaded[path], message = read(path) end
    return loaded[path], message
  end
  local known = table.concat(met_cores.names(), ", ")
  if name == "native" then return nil, ("core:native: this processor's core was not met before; those that were are %s"):format(known) end
  return nil, ("there is no chart of a core '%s'; those that ship are %s, and native"):format(printable(name or text), known)
end

return met_cores
