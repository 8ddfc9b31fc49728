--- What foreign Lua files may see and do: files that declare domains (portolan.anica.feature), say.
--
-- They get the same answers in every run: no addresses (`tostring` and `string.format` of a table say "table", `%p` is an error),
-- `pairs` and `next` go through keys in order, `table.sort` keeps the order of what is equal, there are no random numbers. They see no
-- files, no clock, no environment, no way to load code, to reach metatables or the collector.
-- @module portolan.sandbox
local sandbox = {}

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

local function format(text, ...)
  if type(text) == "string" and text:gsub("%%%%", ""):find "%%[^%a]*p" then error("'%p' would print another address in every run", 2) end
  local values = table.pack(...)
  for i = 1, values.n do
    local kind = type(values[i])
    if kind ~= "number" and kind ~= "string" and kind ~= "boolean" and kind ~= "nil" then values[i] = plain(values[i]) end
  end
  return string.format(text, table.unpack(values, 1, values.n))
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

local strings = copy(string)
strings.dump, strings.format = nil, format

local basic = { "assert", "error", "ipairs", "pcall", "rawequal", "rawlen", "select", "tonumber", "type" }

--- An environment of its own, so that no file changes another's library.
-- @return table
function sandbox.environment()
  local env = { string = copy(strings), table = copy(table), math = copy(math), tostring = plain, pairs = ordered_pairs, next = ordered_next }
  for _, name in ipairs(basic) do env[name] = _G[name] end
  env.math.random, env.math.randomseed = nil, nil
  env.table.sort = sort
  return env
end

--- Calls a function of a foreign file. Methods of strings are the sandbox's meanwhile: `("%p"):format(t)`.
-- @return what pcall returns
function sandbox.call(f, ...)
  local meta = getmetatable ""
  local before_call = meta.__index
  meta.__index = strings
  local results = table.pack(pcall(f, ...))
  meta.__index = before_call
  return table.unpack(results, 1, results.n)
end

--- A message that foreign code raised, as one line without addresses.
function sandbox.message(trouble) return (plain(trouble):gsub("%s*\n%s*", " ")) end

--- A copy that shares nothing with the original: what is handed to foreign code, it may change.
-- @param value anything; tables hold no cycles
function sandbox.copy(value)
  if type(value) ~= "table" then return value end
  local c = {}
  for key, inner in next, value do c[key] = sandbox.copy(inner) end
  return c
end

return sandbox
