--- Conjunctive resource mappings as tables and files (docs/formats.md): what each scheme puts on abstract resources, in cycles.
--
-- `{ format = "portolan-conjunctive", version = 1, resources = {"R1", "R12", "issue"},
--    schemes = { ["add r64, r64"] = { R12 = 0.5, issue = 0.25 } }, processor = {...}, provenance = {...} }`
-- @module portolan.mapping.conjunctive
local busy_units = require "portolan.mapping.busy_units"
local core = require "portolan.core"
local json = require "portolan.support.json"
local lists = require "portolan.support.lists"
local printable = require "portolan.support.printable"

local conjunctive = {}

conjunctive.format = "portolan-conjunctive"
conjunctive.version = 1

--- Tells whether a decoded JSON value says that it is a conjunctive mapping.
function conjunctive.is_mapping(value) return type(value) == "table" and value.format == conjunctive.format end

--- Makes the engine's form, which answers queries (throughput, predict).
-- @param t table; only `resources` and `schemes` matter
-- @return object | nil, message with the path to the field
function conjunctive.compile(t) return core.model.conjunctive(t) end

--- Checks everything that the format prescribes.
-- @return true | nil, message with the path to the field
function conjunctive.validate(t)
  if type(t) ~= "table" then return nil, "a conjunctive mapping must be a JSON object" end
  if t.format ~= conjunctive.format then return nil, ("field 'format' is not '%s' (format)"):format(conjunctive.format) end
  if t.version ~= conjunctive.version then
    return nil, ("field 'version' is %s, this program reads %d (version); use a newer Portolan")
      :format(printable(tostring(t.version)), conjunctive.version)
  end
  for _, field in ipairs { "processor", "provenance" } do
    if t[field] ~= nil and type(t[field]) ~= "table" then return nil, ("field '%s' must be an object (%s)"):format(field, field) end
  end
  if not json.is_list(t.resources) then return nil, "'resources' must be a list of names (resources)" end
  local compiled, message = conjunctive.compile(t)
  if not compiled then return nil, message end
  return true
end

--- The exact equivalent of a port mapping (engine/algebra/conjunctive.h): a resource for each set of ports that can be a
-- bottleneck, one for issue if there is an R_max, and one for each unit that stays busy. Schemes that the mapping does not explain are left out.
-- @param m mapping table
-- @return conjunctive mapping table | nil, message
function conjunctive.of(m)
  local compiled, message = core.model.mapping(m)
  if compiled then compiled, message = busy_units.enter(m, compiled):conjunctive() end
  if not compiled then return nil, message end
  return {
    format = conjunctive.format, version = conjunctive.version, processor = m.processor,
    resources = compiled:resources(), schemes = compiled:loads(),
    provenance = { converted = { from = m.format, ports = m.ports, rmax = m.rmax } },
  }
end

--- Checks a decoded value.
-- @param value what `json.decode` gave
-- @param name of the file, for messages
-- @return conjunctive mapping table | nil, "name: message"
function conjunctive.decode(value, name)
  local ok, message = conjunctive.validate(value)
  if not ok then return nil, ("%s: %s"):format(name or "conjunctive mapping", message) end
  return value
end

-- Empty lists and objects must be told apart in JSON.
local function object_of(t) return next(t) == nil and json.object({}) or t end

--- The JSON text of a conjunctive mapping: sorted keys, the same bytes for the same mapping.
-- @param t table
-- @return text | nil, message
function conjunctive.encode(t)
  local ok, message = conjunctive.validate(t)
  if not ok then return nil, message end
  local copy, schemes = lists.copy(t), {}
  for name, loads in pairs(t.schemes) do schemes[name] = object_of(loads) end
  copy.schemes = object_of(schemes)
  for _, field in ipairs { "processor", "provenance" } do copy[field] = copy[field] and object_of(copy[field]) end
  return json.encode(copy, { pretty = true })
end

return conjunctive
