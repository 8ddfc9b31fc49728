--- Reads plain data of a known shape: a field that is there must be of its kind, and any field may be missing.
--
-- A shape is a function (value, place) -> value. `shape.read` gives a copy that holds only what the shape names, without JSON's nulls, so
-- that whoever goes on with it need not look again; `shape.check` is for those who go on with the value itself.
local json = require "portolan.support.json"
local lists = require "portolan.support.lists"
local printable = require "portolan.support.printable"

local shape = {}

local function refuse(place, expected) error({ refused = ("%s must be %s"):format(place, expected) }, 0) end

--- A text.
function shape.text(value, place)
  if type(value) ~= "string" then refuse(place, "a text") end
  return value
end

--- A number; not NaN.
function shape.number(value, place)
  if type(value) ~= "number" or value ~= value then refuse(place, "a number") end
  return value
end

--- A time, a count, a share: a number of a size that pages can show.
function shape.amount(value, place)
  if type(value) ~= "number" or not (value >= 0 and value <= 1e15) then refuse(place, "a number from 0 to 1e15") end
  return value
end

--- The same, but not 0.
function shape.positive(value, place)
  if shape.amount(value, place) == 0 then refuse(place, "a number above 0 up to 1e15") end
  return value
end

--- A whole number that is at least 0.
function shape.whole(value, place)
  local n = math.tointeger(value)
  if not n or n < 0 or type(value) ~= "number" then refuse(place, "a whole number that is not negative") end
  return n
end

--- True or false.
function shape.boolean(value, place)
  if type(value) ~= "boolean" then refuse(place, "true or false") end
  return value
end

--- A text, a number or a boolean, as text.
function shape.plain(value, place)
  if type(value) == "table" or value == json.null then refuse(place, "a text or a number") end
  return math.type(value) == "float" and ("%.14g"):format(value) or tostring(value)
end

--- Anything, without nulls.
function shape.any(value, place)
  if type(value) ~= "table" then return value ~= json.null and value or nil end
  local copy = {}
  for key, item in pairs(value) do copy[key] = shape.any(item, place) end
  return copy
end

--- As the first of some shapes that fits says.
-- @tparam string expected what is expected, in words
function shape.either(expected, ...)
  local shapes = { ... }
  return function(value, place)
    for _, of in ipairs(shapes) do
      local ok, result = pcall(of, value, place)
      if ok then return result end
    end
    refuse(place, expected)
  end
end

--- False for null, else as `of` says.
function shape.maybe(of)
  return function(value, place)
    if value == json.null then return false end
    return of(value, place)
  end
end

--- A list.
function shape.list(of)
  return function(value, place)
    if not json.is_list(value) then refuse(place, "a list") end
    local list = {}
    for i = 1, #value do list[i] = of(value[i], ("%s[%d]"):format(place, i)) end
    return list
  end
end

--- As another shape, and a test holds for it.
-- @param of shape
-- @tparam string expected what is expected, in words
-- @tparam function test function(value) -> boolean
function shape.where(of, expected, test)
  return function(value, place)
    local read = of(value, place)
    if not test(read) then refuse(place, expected) end
    return read
  end
end

local function object_at(value, place)
  if type(value) ~= "table" or json.is_list(value) and #value > 0 then refuse(place, "an object") end
end

-- The path of a field: by its name, in quotation marks if that is no word.
local function within(place, name)
  name = tostring(name)
  return name:find "^[%w_]+$" and place .. "." .. name or ('%s."%s"'):format(place, printable(name))
end

--- An object with these fields, all optional; others are left out, or kept if `rest`.
function shape.object(fields, rest)
  local names = lists.keys(fields) -- in one order, so that of several faults always the same one is told
  return function(value, place)
    object_at(value, place)
    local object = rest and shape.any(value, place) or {}
    for _, name in ipairs(names) do
      if value[name] ~= nil and value[name] ~= json.null then object[name] = fields[name](value[name], within(place, name)) end
    end
    return object
  end
end

--- An object with some of these fields, and no others.
function shape.only(fields)
  local of, known = shape.object(fields), "left out: what is known is " .. table.concat(lists.keys(fields), ", ")
  return function(value, place)
    object_at(value, place)
    for _, name in ipairs(lists.keys(value)) do
      if not fields[name] then refuse(within(place, name), known) end
    end
    return of(value, place)
  end
end

--- An object with any fields of one kind.
function shape.map(of)
  return function(value, place)
    object_at(value, place)
    local object = {}
    for _, name in ipairs(lists.keys(value)) do
      if value[name] ~= json.null then object[tostring(name)] = of(value[name], within(place, name)) end
    end
    return object
  end
end

--- Reads.
-- @tparam function of shape
-- @param value anything
-- @tparam string place what messages call it
-- @return a copy; or nil and one line
function shape.read(of, value, place)
  local ok, result = pcall(of, value, place)
  if ok then return result end
  if type(result) == "table" and result.refused then return nil, result.refused end
  error(result, 0)
end

-- The path of a null in plain data.
local function null_in(value, place)
  if value == json.null then return place end
  for _, name in ipairs(type(value) == "table" and lists.keys(value) or {}) do
    local at = null_in(value[name], within(place, name))
    if at then return at end
  end
end

--- Checks a value that is used as it is: it may have no nulls.
-- @tparam function of shape
-- @param value anything
-- @tparam string place what messages call it
-- @return true; or nil and one line
function shape.check(of, value, place)
  local at = null_in(value, place)
  if at then return nil, at .. " is null; leave it out" end
  local copy, message = shape.read(of, value, place)
  return copy ~= nil or nil, message
end

return shape
