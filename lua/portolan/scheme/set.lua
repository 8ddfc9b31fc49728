--- Sets of instruction schemes: what to chart, in the groups and the order of the report (`arch/ARCHITECTURE/sets`).
--
-- A set is a Lua file that returns a list. Its entries are groups of named schemes, groups of all usable schemes that a filter
-- lets through (portolan.scheme.filter; usable: arch/ARCHITECTURE/exclusions.lua), or the names of other sets:
--
--    return {
--      architecture = "x86_64",
--      { name = "Mine", schemes = { "add r64, r64" } },
--      { name = "Shifts", filter = 'category == "SHIFT"' },
--      "avx2",
--    }
--
-- `architecture` says whose schemes the filters see and whose sets the names are. Without it: for Portolan's sets, that of the folder that they
-- lie in; for others what `--arch` says, or this machine's.
--
-- A scheme belongs to the first group that names it. A group with `apart = "sse"` takes what the exclusions leave out only beside other schemes
-- (rules with the same `apart`). Of a group with `alone = "why"` only the times alone, and issue slots, are asked: its schemes hold up what is beside
-- them, so that floods say nothing of ports.
-- @module portolan.scheme.set
local isa = require "portolan.scheme.isa"
local lists = require "portolan.support.lists"
local lua_file = require "portolan.support.lua_file"
local lua_library = require "portolan.support.lua_library"
local own_file = require "portolan.support.own_file"

local scheme_set = {}

local deepest = 8 -- sets within sets
local most_files = 100

-- The set, its path, its architecture; or nil, message.
local function read(name, wanted)
  local path, architecture = own_file.locate("sets", name, wanted)
  local set, message = lua_file.run(path, nil, "a list of groups { name =, schemes = }")
  if not set and message:find("^cannot read ") then
    return nil, ("no instruction set '%s' (%s); give a Lua file, or one of: %s"):format(name, message,
      table.concat(own_file.names("sets", wanted), ", "))
  end
  if not set then return nil, message end
  if #set == 0 then return nil, path .. ": the set has no groups of schemes" end
  architecture, message = own_file.architecture(set, path, architecture, wanted)
  if not architecture then return nil, message end
  return set, path, architecture
end

-- The names of a group that lists them.
local function listed(names, where)
  if type(names) ~= "table" then return nil, where .. ": 'schemes' must be a list of names, { \"add r64, r64\" }" end
  for i, name in ipairs(names) do
    if type(name) ~= "string" then return nil, ("%s: schemes[%d] must be the name of a scheme, not a %s"):format(where, i, type(name)) end
    local known, why = isa.scheme(name)
    if not known then return nil, ("%s: %s"):format(where, why) end
  end
  return names
end

-- A filter of a set as isa.select takes it; nil if it is none.
local function foreign(filter)
  if type(filter) == "string" then return filter end
  if type(filter) ~= "function" then return nil end
  local call = lua_file.calls()
  return function(scheme)
    local ok, passes = call(filter, lua_library.copy(scheme))
    if not ok then return nil, "the filter fails: " .. passes end
    return not not passes
  end
end

-- The names of the schemes of one group.
local function members(group, where, usable, architecture)
  if type(group) ~= "table" or not group.filter and not group.schemes then
    return nil, where .. ": a group is { name =, schemes = { ... } } or { name =, filter = EXPR }, or the name of another set"
  end
  if group.name ~= nil and type(group.name) ~= "string" then return nil, where .. ": 'name' must be a text" end
  if not group.filter then return listed(group.schemes, where) end
  if group.alone ~= nil and type(group.alone) ~= "string" then return nil, where .. ": 'alone' must be a text" end
  local filter = foreign(group.filter)
  if not filter then return nil, where .. ": 'filter' must be an expression (portolan isa list --filter), or a function of a scheme" end
  if group.apart ~= nil and type(group.apart) ~= "string" then return nil, where .. ": 'apart' must be a text" end
  local list, message = usable(architecture, group.evex, group.apart)
  if list then list, message = isa.select(list, filter) end
  if not list then return nil, ("%s: %s"):format(where, message) end
  return lists.map(list, function(scheme) return scheme.name end)
end

local function add(names, entry, into)
  local group = { name = entry.name, alone = entry.alone, schemes = {} }
  for _, scheme in ipairs(names) do
    if not into.seen[scheme] then group.schemes[#group.schemes + 1] = scheme end
    into.seen[scheme] = true
  end
  if #group.schemes > 0 then table.insert(into.groups, group) end
end

-- The names, if they are of the architecture that the file says it is of, where it says one; or nil and a message.
local function of_declared(set, path, names)
  local of = isa.architecture(names)
  if not set.architecture or not of or of == set.architecture then return names end
  return nil, ("%s: 'architecture' is %s, and its schemes are of %s"):format(path, set.architecture, of)
end

-- Appends the groups of a set to `into.groups`.
local function collect(name, architecture, into, depth)
  if depth > deepest then return nil, ("instruction set '%s': sets within sets go too deep; does it contain itself?"):format(name) end
  into.files = into.files + 1
  if into.files > most_files then return nil, ("instruction set '%s': more than %d sets within sets"):format(name, most_files) end
  local set, path, own = read(name, architecture)
  if not set then return nil, path end
  for i, entry in ipairs(set) do
    local ok, message
    if type(entry) == "string" then
      ok, message = collect(entry, own, into, depth + 1)
    else
      ok, message = members(entry, ("%s: group %d"):format(path, i), into.usable, own)
      if ok then ok, message = of_declared(set, path, ok) end
      if ok then add(ok, entry, into) end
    end
    if not ok then return nil, message end
  end
  return into.groups
end

--- Loads a set.
-- @param name of a file in arch/ARCHITECTURE/sets or in a folder `sets` of the user's (portolan.support.own_file), or the path of a Lua file
-- @tparam[opt] string architecture that the set must be of
-- @return list of groups `{ name =, schemes = { names } }`; or nil and a message
function scheme_set.load(name, architecture)
  local known = {}
  local function usable(of, evex, apart)
    local key = ("%s %s %s"):format(of, evex and "evex" or "plain", apart or "")
    if not known[key] then
      local list, message = isa.schemes { architecture = of, legacy = true, vex = true, evex = evex }
      local exclusions
      if list then exclusions, message = isa.exclusions(nil, apart, of) end
      if exclusions then list, message = isa.usable(list, exclusions) end
      if not exclusions or not list then return nil, message end
      known[key] = list
    end
    return known[key]
  end
  local groups, message = collect(name, architecture, { groups = {}, seen = {}, files = 0, usable = usable }, 1)
  if not groups then return nil, message end
  if #groups == 0 then return nil, ("instruction set '%s': no usable scheme"):format(name) end
  local mixed
  mixed, message = isa.architecture(scheme_set.names(groups))
  if message then return nil, ("instruction set '%s': %s"):format(name, message) end
  if architecture and mixed ~= architecture then
    return nil, ("instruction set '%s' is of %s, not of %s"):format(name, mixed, architecture)
  end
  return groups
end

--- The names of all schemes of a set.
-- @param groups list of `{ schemes = }`
-- @return list
function scheme_set.names(groups)
  local list = {}
  for _, group in ipairs(groups) do table.move(group.schemes, 1, #group.schemes, #list + 1, list) end
  return list
end

--- The number of schemes of a set.
-- @param groups list of `{ schemes = }`
function scheme_set.count(groups) return lists.sum(groups, function(group) return #group.schemes end) end

return scheme_set
