--- One way to look at the lattice of a feature, whether the engine's or written in Lua: for checks.
--
--    { lattice = text, values = how many distinct values, top = the top element,
--      represent(v) -> element of value v (1 ... values); has(element, v) -> whether it represents value v;
--      leq(a, b); successors(a) -> list of { step = , element = }; key(element); text(element); value_text(v); join or nil }
-- @module portolan.anica.view
local core = require "portolan.core"
local feature = require "portolan.anica.feature"
local lattice = require "portolan.anica.lattice"
local abstract = require "portolan.anica.abstract"
local lists = require "portolan.support.lists"

local view = {}

-- The positions of the first scheme of each distinct value.
local function representatives(values)
  local first, seen = {}, {}
  for i, value in ipairs(values) do
    local key = value and lattice.key(value) or "unknown"
    if not seen[key] then
      seen[key] = true
      first[#first + 1] = i
    end
  end
  return first
end

local function members(values)
  local set = {}
  for _, value in ipairs(values) do
    for _, member in ipairs(value or {}) do set[member] = true end
  end
  return lists.keys(set)
end

--- A feature over schemes as core.anica.domain takes it.
-- @param one feature (portolan.anica.feature)
-- @param schemes list (portolan.scheme.isa)
-- @return table; or nil, message
function view.compile(one, schemes)
  local values, message = feature.values(one, schemes)
  if not values then return nil, message end
  if type(one.lattice) ~= "table" then
    return { kind = one.lattice, bound = one.bound, values = values, atoms = one.lattice == "subset" and members(values) or nil }
  end
  local graph, trouble = lattice.compile(one.lattice, values)
  if not graph then return nil, ("%s: %s"):format(one.where, trouble) end
  return graph
end

local function of_engine(one, schemes, names)
  local compiled, message = view.compile(one, schemes)
  if not compiled then return nil, message end
  local d
  d, message = core.anica.domain(names, { compiled })
  if not d then return nil, message end
  local first = representatives(compiled.values)
  return {
    lattice = one.bound > 0 and ("%s %d"):format(one.lattice, one.bound) or one.lattice,
    values = #first, top = 0,
    represent = function(v) return d:node(1, first[v]) end,
    has = function(a, v) return d:node_has(1, a, first[v]) end,
    leq = function(a, b) return d:node_leq(1, a, b) end,
    successors = function(a)
      local list, steps = d:node_successors(1, a)
      for k, element in ipairs(list) do list[k] = { step = steps[k], element = element } end
      return list
    end,
    key = function(a) return a end,
    text = function(a) return abstract.value_text(d:node_value(1, a)) end,
    value_text = function(v) return schemes[first[v]].name end,
  }
end

local function of_lua(one, schemes)
  local values, message = feature.values(one, schemes)
  if not values then return nil, message end
  local l = one.lattice
  local distinct = lattice.represented(l, values)
  return {
    lattice = "own", values = #distinct, top = lattice.top,
    represent = function(v)
      local element = distinct[v].element
      if element == nil then return lattice.top end
      return element
    end,
    has = function(a, v) return a == lattice.top or not not l.concretize(a, distinct[v].value) end,
    leq = function(a, b)
      if b == lattice.top then return true end
      return a ~= lattice.top and not not l.leq(a, b)
    end,
    successors = function(a)
      local list = {}
      if a == lattice.top then return list end
      local others, to_top = lattice.successors(l, a)
      for k, element in ipairs(others) do list[k] = { step = lattice.key(element), element = element } end
      if to_top or #others == 0 then list[#list + 1] = { step = "top", element = lattice.top } end
      return list
    end,
    key = lattice.key,
    text = function(a) return lattice.text(l, a) end,
    value_text = function(v) return schemes[distinct[v].schemes[1]].name end,
    join = l.join,
  }
end

--- The view of a feature.
-- @param one feature (portolan.anica.feature)
-- @param schemes list (portolan.scheme.isa)
-- @param names of the schemes
-- @return view; or nil, message; an error if a function of the file fails
function view.of(one, schemes, names)
  if type(one.lattice) == "table" then return of_lua(one, schemes) end
  return of_engine(one, schemes, names)
end

return view
