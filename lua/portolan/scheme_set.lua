--- Sets of instruction schemes: what to chart, in the groups and the order of the report (`arch/x86_64/sets`).
--
-- A set is a Lua file that returns a list. Its entries are groups of named schemes, groups of all usable schemes that a filter
-- lets through (portolan.scheme_filter; usable: arch/x86_64/exclusions.lua), or the names of other sets:
--
--    return {
--      { name = "Mine", schemes = { "add r64, r64" } },
--      { name = "Shifts", filter = 'category == "SHIFT"' },
--      "avx2",
--    }
--
-- A scheme belongs to the first group that names it.
-- @module portolan.scheme_set
local file = require "portolan.file"
local isa = require "portolan.isa"
local paths = require "portolan.paths"
local sandbox = require "portolan.sandbox"

local scheme_set = {}

local deepest = 8 -- sets within sets

local function read(name)
  local path = name:find("[/.]") and name or paths.arch("x86_64/sets/" .. name .. ".lua")
  local text, message = file.read(path)
  if not text then return nil, ("no instruction set '%s' (%s); give a Lua file, or one of arch/x86_64/sets"):format(name, message) end
  local loaded, trouble = load(text, "@" .. path, "t", {})
  if not loaded then return nil, trouble end
  local ok, set = pcall(loaded)
  if not ok then return nil, tostring(set) end
  if type(set) ~= "table" then return nil, path .. ": not a list of groups { name =, schemes = }" end
  if #set == 0 then return nil, path .. ": the set has no groups of schemes" end
  return set, path
end

-- A filter of a set as isa.select takes it; nil if it is none.
local function foreign(filter)
  if type(filter) == "string" then return filter end
  if type(filter) ~= "function" then return nil end
  return function(scheme)
    local ok, passes = sandbox.call(filter, sandbox.copy(scheme))
    if not ok then return nil, "the filter fails: " .. sandbox.message(passes) end
    return not not passes
  end
end

-- The names of the schemes of one group.
local function members(group, where, usable)
  if type(group) ~= "table" or not group.filter and not group.schemes then
    return nil, where .. ": a group is { name =, schemes = { ... } } or { name =, filter = EXPR }, or the name of another set"
  end
  if not group.filter then
    for _, name in ipairs(group.schemes) do
      local known, why = isa.scheme(name)
      if not known then return nil, ("%s: %s"):format(where, why) end
    end
    return group.schemes
  end
  local filter = foreign(group.filter)
  if not filter then return nil, where .. ": 'filter' must be an expression (portolan isa list --filter), or a function of a scheme" end
  local list, message = usable(group.evex)
  if list then list, message = isa.select(list, filter) end
  if not list then return nil, ("%s: %s"):format(where, message) end
  local names = {}
  for i, scheme in ipairs(list) do names[i] = scheme.name end
  return names
end

-- Appends the groups of a set to `groups`.
local function collect(name, groups, seen, usable, depth)
  if depth > deepest then return nil, ("instruction set '%s': sets within sets go too deep; does it contain itself?"):format(name) end
  local set, path = read(name)
  if not set then return nil, path end
  for i, entry in ipairs(set) do
    if type(entry) == "string" then
      local ok, message = collect(entry, groups, seen, usable, depth + 1)
      if not ok then return nil, message end
    else
      local names, message = members(entry, ("%s: group %d"):format(path, i), usable)
      if not names then return nil, message end
      local group = { name = entry.name, schemes = {} }
      for _, scheme in ipairs(names) do
        if not seen[scheme] then group.schemes[#group.schemes + 1] = scheme end
        seen[scheme] = true
      end
      if #group.schemes > 0 then groups[#groups + 1] = group end
    end
  end
  return groups
end

--- Loads a set.
-- @param name of a file in arch/x86_64/sets, or the path of a Lua file
-- @return list of groups `{ name =, schemes = { names } }`; or nil and a message
function scheme_set.load(name)
  local lists = {}
  local function usable(evex)
    local key = evex and "evex" or "plain"
    if not lists[key] then
      local list, message = isa.schemes { legacy = true, vex = true, evex = evex }
      if list then list, message = isa.usable(list) end
      if not list then return nil, message end
      lists[key] = list
    end
    return lists[key]
  end
  local groups, message = collect(name, {}, {}, usable, 1)
  if not groups then return nil, message end
  if #groups == 0 then return nil, ("instruction set '%s': no usable scheme"):format(name) end
  return groups
end

--- The number of schemes of a set.
-- @param groups list of `{ schemes = }`
function scheme_set.count(groups)
  local n = 0
  for _, group in ipairs(groups) do n = n + #group.schemes end
  return n
end

return scheme_set
