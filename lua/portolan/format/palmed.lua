--- Palmed's resource mappings, in the JSON into which pmtestbench extracts them (docs/formats.md): instructions belong to classes,
-- classes use resources.
--
-- `{ "instr_to_class": { INSTRUCTION: CLASS }, "class_to_resources": { CLASS: { "resource_use": [[LOAD, RESOURCE], ...] } } }`
--
-- pmtestbench's description of a Palmed predictor, `{ "processor_kind": "palmed", "spm_path": ..., "palmed_insnmap_path": ... }`, names
-- such a file and one that translates names, `{ SCHEME: [INSTRUCTION] }`.
-- @module portolan.format.palmed
local conjunctive = require "portolan.mapping.conjunctive"
local json = require "portolan.support.json"
local printable = require "portolan.support.printable"

local palmed = {}

--- Tells whether a decoded JSON value is such a mapping.
function palmed.is_mapping(value)
  return type(value) == "table" and type(value.instr_to_class) == "table" and value.class_to_resources ~= nil
end

--- Tells whether a decoded JSON value describes a Palmed predictor.
function palmed.is_processor(value) return type(value) == "table" and value.processor_kind == "palmed" end

-- nil and a message of one line, whatever the names hold.
local function fault(...) return nil, printable(string.format(...)) end

-- { resource = load } of one class; resources that occur go to seen. A resource that is named twice gets both loads.
local function loads_of(use, seen, where)
  if not json.is_list(use) then return fault("a class needs a list of resources (%s)", where) end
  local loads = {}
  for i, pair in ipairs(use) do
    local load, resource = nil, nil
    if json.is_list(pair) then load, resource = pair[1], pair[2] end
    if type(load) ~= "number" or type(resource) ~= "string" then
      return fault("a use must be a pair of load and resource (%s[%d])", where, i)
    end
    loads[resource], seen[resource] = (loads[resource] or 0) + load, true
  end
  return loads
end

-- R2 before R10, and those without a number last.
local function before(a, b)
  local x, y = tonumber(a:match("^R(%d+)$")), tonumber(b:match("^R(%d+)$"))
  if x and y and x ~= y then return x < y end
  if (x == nil) ~= (y == nil) then return x ~= nil end
  return a < b
end

local function classes(value, seen)
  if type(value) ~= "table" then return nil, "classes must be an object (class_to_resources)" end
  local by_name = {}
  for name, class in pairs(value) do
    local where = ("class_to_resources.\"%s\""):format(name)
    if type(class) ~= "table" then return fault("a class must be an object (%s)", where) end
    local message
    by_name[name], message = loads_of(class.resource_use, seen, where .. ".resource_use")
    if not by_name[name] then return nil, message end
  end
  return by_name
end

--- Turns a decoded mapping of theirs into ours. Schemes keep their names, such as `ADD_GPR64i64_GPR64i64`.
-- @param value table
-- @return conjunctive mapping table | nil, message with the path to the field
function palmed.mapping(value)
  local seen, resources, schemes = {}, {}, {}
  local by_name, message = classes(value.class_to_resources, seen)
  if not by_name then return nil, message end
  for instruction, class in pairs(value.instr_to_class) do
    if type(class) ~= "string" then return fault("the class of an instruction must be a name (instr_to_class.\"%s\")", instruction) end
    if not by_name[class] then return fault("there is no class '%s' (instr_to_class.\"%s\")", class, instruction) end
    schemes[instruction] = by_name[class]
  end
  for name in pairs(seen) do resources[#resources + 1] = name end
  table.sort(resources, before)
  local t = { format = conjunctive.format, version = conjunctive.version, resources = resources, schemes = schemes,
    provenance = { converted = { from = "Palmed" } } }
  local ok
  ok, message = conjunctive.validate(t)
  if not ok then return nil, message end
  return t
end

--- Translates the names of a mapping's schemes.
-- @param t conjunctive mapping table
-- @param names scheme -> list with the one instruction of Palmed that it is; those that it lacks are left out
-- @return conjunctive mapping table | nil, message
function palmed.rename(t, names)
  if type(names) ~= "table" then return nil, "a translation of names must be an object" end
  local schemes, copy = {}, {}
  for scheme, instructions in pairs(names) do
    if not json.is_list(instructions) or #instructions ~= 1 or type(instructions[1]) ~= "string" then
      return fault("a scheme must have a list of one instruction (\"%s\")", scheme)
    end
    schemes[scheme] = t.schemes[instructions[1]]
  end
  for key, value in pairs(t) do copy[key] = value end
  copy.schemes = schemes
  return copy
end

-- The path of a file that another one names.
local function beside(path, name)
  if name:sub(1, 1) == "/" then return name end
  return (path:match("^(.*/)[^/]*$") or "") .. name
end

--- Reads what a description of a Palmed predictor names.
-- @param value decoded description
-- @param path of its file: the others are found relative to it
-- @param read function(path) -> decoded JSON | nil, message
-- @return conjunctive mapping table | nil, "file: message"
function palmed.processor(value, path, read)
  local parts = {}
  for i, field in ipairs { "spm_path", "palmed_insnmap_path" } do
    if type(value[field]) ~= "string" then return fault("%s: the path of a file is missing (%s)", path, field) end
    local message
    parts[i], message = read(beside(path, value[field]))
    if parts[i] == nil then return nil, message end
  end
  local function at(field, message) return fault("%s: %s", beside(path, value[field]), message) end
  if not palmed.is_mapping(parts[1]) then return at("spm_path", "this is not Palmed's mapping (instr_to_class)") end
  local t, message = palmed.mapping(parts[1])
  if not t then return at("spm_path", message) end
  t, message = palmed.rename(t, parts[2])
  if not t then return at("palmed_insnmap_path", message) end
  return t
end

return palmed
