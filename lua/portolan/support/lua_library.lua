--- This module holds what Lua files of data (sets, domains, ...) and filters see of Lua's library: nothing that tells one run from another, and
-- nothing that a hook cannot end (portolan.support.lua_file), as no hook runs within a call of C code.
--
-- They get the same answers in every run: no addresses (`tostring` and `string.format` of a table say "table", `%p` is an error),
-- `pairs` and `next` go through keys in order, `table.sort` keeps the order of what is equal, there are no random numbers. They see no
-- files, no clock, no environment, no way to load code, to reach metatables or the collector.
-- @module portolan.support.lua_library
local lua_library = {}

-- The methods of strings are those below while such code runs.
local find, format, gsub, sub = string.find, string.format, string.gsub, string.sub

local most_steps = 1e9 -- of one call; some seconds

local function copy(t)
  local c = {}
  for key, value in pairs(t) do c[key] = value end
  return c
end

-- A value without its address.
local function plain(value)
  local kind = type(value)
  if kind == "string" or kind == "number" or kind == "boolean" or kind == "nil" then return tostring(value) end
  local meta = getmetatable(value)
  if type(meta) == "table" and rawget(meta, "__tostring") or type(meta) == "string" then return tostring(value) end
  return kind
end

-- Estimates how often a pattern may be tried at most: every repetition may begin and end at any place.
local function steps(text, pattern)
  local simple = gsub(gsub(pattern, "%%.", "x"), "%[%^?%]?[^%]]*%]", "x")
  local _, repetitions = gsub(simple, "[*+-]", "")
  local _, options = gsub(simple, "%?", "")
  return (#text + 1) ^ (repetitions + (sub(simple, 1, 1) == "^" and 0 or 1)) * 2 ^ options
end

local function guarded(name)
  local original = string[name]
  return function(text, pattern, ...)
    if type(text) == "number" then text = tostring(text) end
    if type(text) == "string" and type(pattern) == "string" and steps(text, pattern) > most_steps then
      error(format("the pattern %q may take too long on a text of %d characters; use fewer repetitions", sub(pattern, 1, 60), #text), 2)
    end
    return original(text, pattern, ...)
  end
end

local text = copy(string)
for _, name in ipairs { "find", "match", "gmatch", "gsub" } do text[name] = guarded(name) end
text.dump = nil

function text.rep(s, n, separator)
  if type(n) == "number" and n > most_steps then error("so many repetitions may take too long", 2) end
  return string.rep(s, n, separator)
end

function text.format(form, ...)
  if type(form) == "string" and find(gsub(form, "%%%%", ""), "%%[^%a]*p") then error("'%p' would print another address in every run", 2) end
  local values = table.pack(...)
  for i = 1, values.n do
    local kind = type(values[i])
    if kind ~= "number" and kind ~= "string" and kind ~= "boolean" and kind ~= "nil" then values[i] = plain(values[i]) end
  end
  return format(form, table.unpack(values, 1, values.n))
end

local rank = { boolean = 1, number = 2, string = 3 }

local function before(a, b)
  local of_a, of_b = rank[type(a)], rank[type(b)]
  if of_a ~= of_b then return of_a < of_b end
  if of_a == 1 then return not a and b end
  return a < b
end

-- The keys of a table, in order.
local function keys_of(t)
  local keys = {}
  for key in next, t do
    if not rank[type(key)] then error(("a table with a %s as key has no order"):format(type(key)), 3) end
    keys[#keys + 1] = key
  end
  table.sort(keys, before)
  return keys
end

local function check_table(t, name)
  if type(t) ~= "table" then error(("bad argument #1 to '%s' (table expected, got %s)"):format(name, type(t)), 3) end
end

local function ordered_pairs(t)
  check_table(t, "pairs")
  local keys, i = keys_of(t), 0
  return function()
    local key, value
    repeat
      i = i + 1
      key, value = keys[i], nil
      if key ~= nil then value = rawget(t, key) end
    until key == nil or value ~= nil -- the loop may have removed it
    return key, value
  end, t, nil
end

local function ordered_next(t, last)
  check_table(t, "next")
  if last == nil and next(t) == nil then return nil end
  for _, key in ipairs(keys_of(t)) do
    if last == nil or before(last, key) then return key, rawget(t, key) end
  end
  return nil
end

-- Sorts list[from ... to] by merging: what is equal keeps its order.
local function merge_sort(list, less, from, to)
  if from >= to then return end
  local middle = (from + to) // 2
  merge_sort(list, less, from, middle)
  merge_sort(list, less, middle + 1, to)
  local left, right = table.move(list, from, middle, 1, {}), middle + 1
  local i, n, at = 1, middle - from + 1, from
  while i <= n do
    if right <= to and less(list[right], left[i]) then
      list[at], right = list[right], right + 1
    else
      list[at], i = left[i], i + 1
    end
    at = at + 1
  end
end

local function sort(list, less)
  check_table(list, "sort")
  merge_sort(list, less or function(a, b) return a < b end, 1, #list)
end

local lists = copy(table)
lists.sort = sort

function lists.move(from, first, last, at, to)
  if type(first) == "number" and type(last) == "number" and last - first > most_steps then error("so many items may take too long", 2) end
  return table.move(from, first, last, at, to)
end

local numbers = copy(math)
numbers.random, numbers.randomseed = nil, nil

--- The methods of strings: what `("x"):find` is while such code runs.
lua_library.string = text

--- Everything, for one file: no file changes another's.
-- @return table for `load`
function lua_library.environment()
  local env = { string = copy(text), table = copy(lists), math = copy(numbers), tostring = plain, pairs = ordered_pairs, next = ordered_next }
  for _, name in ipairs { "assert", "error", "ipairs", "pcall", "rawequal", "rawlen", "select", "tonumber", "type" } do
    env[name] = _G[name]
  end
  return env
end

--- A message that such code raised, as one line without addresses.
function lua_library.message(trouble) return (plain(trouble):gsub("%s*\n%s*", " ")) end

--- A copy that shares nothing with the original, as such code may change what it is given.
-- @param value anything; tables hold no cycles
function lua_library.copy(value)
  if type(value) ~= "table" then return value end
  local c = {}
  for key, inner in next, value do c[key] = lua_library.copy(inner) end
  return c
end

return lua_library
