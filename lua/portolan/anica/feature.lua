--- Features of instruction schemes, as domain files declare them (dissertation §8.1.4, Table 8.1).
--
-- A domain file is Lua that returns a list. Its entries are features, or the names of other domain files, whose features it takes
-- over (`"default"`: arch/ARCHITECTURE/domains/default.lua, of the universe's architecture; other names: in folders `domains` and `features` of the
-- user's, portolan.support.own_file; with a `/` or `.`: a path, from where the file lies):
--
--    return {
--      "default",
--      { name = "encoding", lattice = "singleton", value = function(scheme) return scheme.encoding end },
--    }
--
-- `lattice` is "singleton", "edit" or "log" (both with a `bound`: "edit 3" is short for that), "subset", or a lattice of one's own
-- (portolan.anica.lattice).
-- `value` gets a scheme (portolan.scheme.isa) and returns f(scheme): a string, number or boolean (singleton, edit), a whole number
-- (log), a list of strings (subset), anything (a lattice of one's own), or nil where it is not known.
--
-- The file sees what portolan.support.lua_library has; `mapping`: a copy of the mapping that the domain was loaded with, or nil; `universe`: its
-- `name`, `architecture` and `immediates`, whether schemes are there once for each kind of immediate (then they have a field `immediate`);
-- `bytes(scheme)`: the machine code of a simple instance; `top`: the top element of every lattice. docs/abstract-domain.md.
-- @module portolan.anica.feature
local isa = require "portolan.scheme.isa"
local lattice = require "portolan.anica.lattice"
local lists = require "portolan.support.lists"
local lua_file = require "portolan.support.lua_file"
local lua_library = require "portolan.support.lua_library"
local own_file = require "portolan.support.own_file"

local feature = {}

--- The most features of a domain.
feature.most = 32

local deepest = 8 -- files within files
local default_bounds = { edit = 3, log = 5 }
local largest_bound = 30
local builtin = { singleton = true, edit = true, log = true, subset = true }

-- Makes the environment that a domain file sees.
local function environment(mapping, universe)
  local env = lua_library.environment()
  env.mapping, env.universe, env.top = lua_library.copy(mapping), lua_library.copy(universe), lattice.top
  env.bytes = function(scheme) return (assert(isa.sample(scheme.name))) end
  return env
end

-- The path that a name stands for in the file at `from`.
local function path_of(name, from, architecture)
  if not name:find("[/.]") then return (own_file.locate("domains", name, architecture)) end
  if name:sub(1, 1) == "/" or not from then return name end
  return (from:match("^.*/") or "") .. name
end

local returned = "a list of features { name =, lattice =, value = }"

local function run(path, mapping, universe)
  local list, message = lua_file.run(path, environment(mapping, universe), returned)
  if not list and message:find("^cannot read ") then
    message = ("%s; give a Lua file, or one of: %s"):format(message, table.concat(own_file.names "domains", ", "))
  end
  if not list then return nil, message end
  if #list == 0 then return nil, ("%s: must return %s"):format(path, returned) end
  return list
end

-- The lattice, and its bound if that is written behind it: "edit 3".
local function kind_of(lattice_name)
  if type(lattice_name) ~= "string" then return lattice_name end
  local kind, bound = lattice_name:match "^(%a+) (%d+)$"
  return kind or lattice_name, math.tointeger(tonumber(bound))
end

-- The bound of a lattice; nil, message.
local function bound_of(kind, bound, short, where)
  local default = default_bounds[kind]
  if not default then
    if bound == nil and short == nil then return 0 end
    return nil, where .. ": only edit and log lattices have a 'bound'"
  end
  if bound ~= nil and short then return nil, where .. ": 'lattice' and 'bound' both give a bound; keep one of them" end
  bound = math.tointeger(bound == nil and (short or default) or bound)
  if bound and bound >= 0 and bound <= largest_bound then return bound end
  return nil, ("%s: 'bound' must be a whole number in 0 ... %d"):format(where, largest_bound)
end

-- An entry of a file as a feature; nil, message.
local function checked(entry, where)
  if type(entry) ~= "table" then return nil, where .. ": a feature is { name =, lattice =, value = }" end
  local name = entry.name
  if type(name) ~= "string" or not name:find("^[%a][%w _-]*$") then
    return nil, where .. ": 'name' must be letters, digits, spaces, - and _, and begin with a letter"
  end
  where = ("%s (%s)"):format(where, name)
  if name == "aliasing" then return nil, where .. ": this name is taken; choose another" end
  if type(entry.value) ~= "function" then return nil, where .. ": 'value' must be a function of a scheme" end
  local kind, short = kind_of(entry.lattice)
  if type(kind) == "table" then
    local ok, message = lattice.check_shape(kind)
    if not ok then return nil, ("%s: %s"):format(where, message) end
  elseif not builtin[kind] then
    return nil, where .. ": 'lattice' must be singleton, edit, log, subset or a table of functions"
  end
  local bound, message = bound_of(kind, entry.bound, short, where)
  if not bound then return nil, message end
  return { name = name, lattice = kind, bound = bound, value = entry.value, where = where, known = {} }
end

-- Appends the features of a file.
local function collect(name, from, given, features, depth)
  local path = path_of(name, from, given.universe and given.universe.architecture)
  if depth > deepest then return nil, path .. ": files within files go too deep; does it name itself?" end
  local list, message = run(path, given.mapping, given.universe)
  if not list then return nil, message end
  if list.operands ~= nil and list.operands ~= "independent" and list.operands ~= "random" then
    return nil, ("%s: 'operands' is '%s'; write random or independent"):format(path, tostring(list.operands))
  end
  features.operands = features.operands or list.operands
  for k, entry in ipairs(list) do
    if type(entry) == "string" then
      local ok, trouble = collect(entry, path, given, features, depth + 1)
      if not ok then return nil, trouble end
    else
      local one, trouble = checked(entry, ("%s: feature %d"):format(path, k))
      if not one then return nil, trouble end
      features[#features + 1] = one
    end
  end
  return features
end

--- Reads a domain file.
-- @param path of the file, or its name; default: "default"
-- @param mapping table that the file sees as `mapping`, or nil
-- @param universe table that the file sees as `universe`, or nil
-- @return list of features `{ name =, lattice =, bound =, value =, where = }`, with `operands`, "random" or "independent", if the file says so; or
-- nil, message
function feature.load(path, mapping, universe)
  local features, message = collect(path or "default", nil, { mapping = mapping, universe = universe }, {}, 1)
  if not features then return nil, message end
  local seen, copies = {}, setmetatable({}, { __mode = "k" }) -- of schemes: the file may change them
  for _, one in ipairs(features) do
    one.copies = copies
    if seen[one.name] then return nil, one.where .. ": a feature of this name is there already; choose another" end
    seen[one.name] = true
  end
  if #features > feature.most then
    return nil, ("%s: %d features, at most %d are supported; leave some out"):format(path or "default", #features, feature.most)
  end
  return features
end

-- A list of strings, as long as it says it is.
local function is_set(value)
  if type(value) ~= "table" then return false end
  for _, member in pairs(value) do
    if type(member) ~= "string" then return false end
  end
  return lists.size(value) == #value
end

local yes_no = { [true] = "yes", [false] = "no" }

-- The value as the engine takes it, for each kind of lattice; nil, what it should have been.
local normal = {
  singleton = function(value)
    if type(value) == "boolean" then return yes_no[value] end
    if type(value) == "string" or type(value) == "number" then return tostring(value) end
    return nil, "a string, number or boolean"
  end,
  log = function(value)
    local size = math.tointeger(value)
    if size and size >= 0 then return size end
    return nil, "a whole number from 0 on"
  end,
  subset = function(value)
    if is_set(value) then return value end
    return nil, "a list of strings"
  end,
}
normal.edit = normal.singleton

--- The value of a feature for a scheme. Computed once.
-- @param one a feature
-- @param scheme (portolan.scheme.isa)
-- @return value, false if it is not known; or nil, message
function feature.value(one, scheme)
  local key = scheme.variant or scheme.name
  local value = one.known[key]
  if value ~= nil then return value end
  one.call = one.call or lua_file.calls()
  local ok, result = one.call(one.value, lua_library.copy(scheme))
  if not ok then return nil, ("%s: 'value' fails for '%s': %s"):format(one.where, key, result) end
  local convert = normal[one.lattice]
  local expected
  if result == nil then
    value = false
  elseif convert then
    value, expected = convert(result)
  else
    value = { result } -- anything, even false
  end
  if value == nil then
    return nil, ("%s: 'value' for '%s' is a %s; it must be %s, or nil if it is not known")
      :format(one.where, key, type(result), expected)
  end
  one.known[key] = value
  return value
end

--- The values of a feature for schemes.
-- @param one a feature
-- @param schemes list (portolan.scheme.isa)
-- @return list of values; or nil, message
function feature.values(one, schemes)
  local values = {}
  for i, scheme in ipairs(schemes) do
    local value, message = feature.value(one, scheme)
    if value == nil then return nil, message end
    values[i] = value
  end
  return values
end

return feature
