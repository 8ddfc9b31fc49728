--- Lattices of one's own for a feature, written in Lua and compiled to a graph, so that they cost nothing afterwards.
--
-- A lattice is a table of functions over elements, which are strings, numbers, booleans or tables of such:
--
--    represent(value)            the element that describes a value best (beta); nil for top
--    leq(a, b)                   whether a is below b or equal
--    expansions(a)               list of a's immediate successors; none, or { top }, if only top is above
--    concretize(a, value)        whether a represents schemes of this value (gamma)
--    join(a, b)                  optional: the least upper bound; for checks only
--    text(a)                     optional: how to write it, different for every element
--
-- `top` is above all others and needs no description: the functions never get it.
-- @module portolan.anica.lattice
local lists = require "portolan.support.lists"
local lua_file = require "portolan.support.lua_file"

local lattice = {}

--- The most elements of a lattice of one's own.
lattice.most = 4096

--- The top element of every lattice.
lattice.top = setmetatable({}, { __tostring = function() return "top" end, __metatable = "top" })

local needed = { "represent", "leq", "expansions", "concretize" }
local optional = { "join", "text" }

--- Tells whether a table has the functions of a lattice.
-- @param l table
-- @return true; or nil, message
function lattice.check_shape(l)
  for _, name in ipairs(needed) do
    if type(l[name]) ~= "function" then return nil, ("its lattice has no function '%s'; see docs/abstract-domain.md"):format(name) end
  end
  for _, name in ipairs(optional) do
    if l[name] ~= nil and type(l[name]) ~= "function" then return nil, ("'%s' of its lattice must be a function"):format(name) end
  end
  return true
end

local function sorted_keys(t)
  return lists.keys(t, function(a, b)
    if math.type(a) and math.type(b) then return a < b end
    if type(a) ~= type(b) then return type(a) < type(b) end
    return tostring(a) < tostring(b)
  end)
end

local function key_of(element, depth)
  local kind = type(element)
  if element == lattice.top then return "top" end
  if kind == "string" then return ("%q"):format(element) end
  if kind == "number" then return tostring(math.tointeger(element) or element) end -- 1 and 1.0 are one element
  if kind == "boolean" then return tostring(element) end
  if kind ~= "table" then error(("an element of a lattice holds a %s"):format(kind), 0) end
  if depth > 20 then error("an element of a lattice goes too deep", 0) end
  local parts = lists.map(sorted_keys(element), function(key)
    return ("[%s]=%s"):format(key_of(key, depth + 1), key_of(element[key], depth + 1))
  end)
  return "{" .. table.concat(parts, ",") .. "}"
end

--- The same string for the same element, another one for any other.
-- @param element string, number, boolean or table of such
-- @return string; an error if it holds anything else
function lattice.key(element) return key_of(element, 0) end

--- An element as text.
-- @param l lattice
-- @param element of it
function lattice.text(l, element)
  if element == lattice.top then return "top" end
  if l.text then
    local text = l.text(element)
    if type(text) ~= "string" and type(text) ~= "number" then error(("text(element) gives a %s, not a string"):format(type(text)), 0) end
    return tostring(text)
  end
  if type(element) ~= "table" then return tostring(element) end
  local list = #element > 0
  for key in pairs(element) do list = list and math.type(key) == "integer" end
  if not list then return lattice.key(element) end
  local parts = lists.map(element, function(part) return type(part) == "table" and lattice.key(part) or tostring(part) end)
  return "{" .. table.concat(parts, ", ") .. "}"
end

-- The successors of an element without top; an error if it gives something else.
function lattice.successors(l, element)
  local list = l.expansions(element)
  if type(list) ~= "table" then error(("expansions(%s) gives a %s, not a list"):format(lattice.text(l, element), type(list)), 0) end
  local others, count, all = {}, 0, 0
  for _, next_element in ipairs(list) do
    count = count + 1
    if next_element ~= lattice.top then others[#others + 1] = next_element end
  end
  for _ in pairs(list) do all = all + 1 end
  if all > count then error(("expansions(%s) gives a list with a gap"):format(lattice.text(l, element)), 0) end
  return others, #others < count
end

--- Everything above some elements, by breadth first search.
-- @param l lattice
-- @param start list of elements
-- @return list of elements, and key -> its position; an error if there are too many
function lattice.explore(l, start)
  local elements, positions = {}, {}
  local function visit(element)
    local key = lattice.key(element)
    if positions[key] then return end
    if #elements == lattice.most then
      error(("more than %d elements are above the values of the schemes, such as %s; make it coarser, or bound it")
        :format(lattice.most, lattice.text(l, element)), 0)
    end
    elements[#elements + 1] = element
    positions[key] = #elements
  end
  for _, element in ipairs(start) do visit(element) end
  local done = 0
  while done < #elements do
    done = done + 1
    for _, element in ipairs((lattice.successors(l, elements[done]))) do visit(element) end
  end
  return elements, positions
end

-- Distinct values and the positions of the schemes that have each.
local function by_value(values)
  local distinct, position = {}, {}
  for i, value in ipairs(values) do
    if value then
      local key = lattice.key(value[1])
      if not position[key] then
        distinct[#distinct + 1] = { value = value[1], schemes = {} }
        position[key] = #distinct
      end
      table.insert(distinct[position[key]].schemes, i)
    end
  end
  return distinct
end

--- Distinct values of schemes, with their representations.
-- @param l lattice
-- @param values list of `{ value }` or false, by scheme
-- @return list of `{ value =, schemes = positions, element = }`; element is nil for top
function lattice.represented(l, values)
  local distinct = by_value(values)
  for _, one in ipairs(distinct) do
    local element = l.represent(one.value)
    if element ~= nil and element ~= lattice.top then one.element = element end
  end
  return distinct
end

local function compile(l, values)
  local distinct, start = lattice.represented(l, values), {}
  for _, one in ipairs(distinct) do
    if one.element ~= nil then start[#start + 1] = one.element end
  end
  local elements, positions = lattice.explore(l, start)
  local graph = { kind = "graph", labels = {}, successors = {}, members = {}, representations = {} }
  for k, element in ipairs(elements) do
    graph.labels[k] = lattice.text(l, element)
    local successors, to_top = lattice.successors(l, element)
    graph.successors[k], graph.members[k] = {}, {}
    for j, above in ipairs(successors) do graph.successors[k][j] = positions[lattice.key(above)] end
    if to_top then table.insert(graph.successors[k], 0) end
    for _, one in ipairs(distinct) do
      if l.concretize(element, one.value) then table.move(one.schemes, 1, #one.schemes, #graph.members[k] + 1, graph.members[k]) end
    end
  end
  for i = 1, #values do graph.representations[i] = 0 end
  for _, one in ipairs(distinct) do
    for _, i in ipairs(one.schemes) do
      graph.representations[i] = one.element ~= nil and positions[lattice.key(one.element)] or 0
    end
  end
  return graph
end

--- Compiles a lattice over the values of schemes to a graph (`core.anica.domain`).
-- @param l lattice
-- @param values list of `{ value }` or false, by scheme
-- @return graph; or nil, message
function lattice.compile(l, values)
  local ok, graph = lua_file.call(nil, compile, l, values)
  if not ok then return nil, graph end
  return graph
end

return lattice
