--- JSON: stable bytes out, `name:line:column` messages in.
--
-- Reading is dkjson's, behind a pass of cjson, which is strict (dkjson takes comments and sloppy numbers) and tells
-- where an error is. Writing is our own: neither sorts keys, nor writes a number so that it reads back as the same.
--
-- Values: tables with keys 1..n are arrays, tables with string keys objects. An empty table is an array, `[]`, unless
-- it says otherwise (`json.object{}`). What was read remembers which it was, so empty ones survive a round trip.
-- A `null` is `json.null`, in and out.
-- @module portolan.support.json
local byte_order_mark = require "portolan.support.byte_order_mark"
local cjson = require "cjson"
local dkjson = require "dkjson"
local limits = require "portolan.support.limits"
local printable = require "portolan.support.printable"

local json = {}

--- Deepest nesting that is read or written.
json.max_depth = limits.json.depth

--- The value of JSON's `null`. It is no table, so that a reader that asks for a table notices.
json.null = cjson.null

local array_meta, object_meta = { __jsontype = "array" }, { __jsontype = "object" }

--- Marks a table (without a metatable) as an array, for the sake of empty ones.
-- @param t table
-- @return t
function json.array(t) return setmetatable(t, array_meta) end

--- Marks a table (without a metatable) as an object, for the sake of empty ones.
-- @param t table
-- @return t
function json.object(t) return setmetatable(t, object_meta) end

--- Tells whether a value is a list, not an object: for readers, as Lua's `#` sees an object as an empty list.
-- @param value anything
-- @return boolean; an empty table is a list unless it is marked as an object, as `decode` does
function json.is_list(value)
  if type(value) ~= "table" then return false end
  if #value > 0 then return true end
  local meta = getmetatable(value)
  return next(value) == nil and not (meta and meta.__jsontype == "object")
end

-- Writing -------------------------------------------------------------------------------------------------------------

local escapes = { ['"'] = '\\"', ["\\"] = "\\\\", ["\n"] = "\\n", ["\t"] = "\\t", ["\r"] = "\\r" }

-- Characters beyond ASCII that portolan.support.printable would replace are escaped, too: so JSON is harmless on a terminal, and loses nothing.
local function escape(c) return ("\\u%04x"):format(utf8.codepoint(c)) end

local function quote(s)
  s = s:gsub('[%c"\\]', function(c) return escapes[c] or escape(c) end)
  if s:find "[\x80-\xFF]" then
    for _, pattern in ipairs(printable.beyond) do s = s:gsub(pattern, escape) end
  end
  return '"' .. s .. '"'
end

local function number(n)
  if math.type(n) == "integer" then return tostring(n) end
  if n == 0 and 1 / n < 0 then return "-0.0" end
  if n == math.floor(n) and math.abs(n) < 2 ^ 53 then return ("%d"):format(n) end
  for digits = 15, 17 do
    local text = ("%." .. digits .. "g"):format(n)
    if tonumber(text) == n then return text end
  end
end

-- The place of a value, for messages: schemes."add r64, r64".uops[2]
local function place(path)
  local parts = {}
  for i, key in ipairs(path) do
    if math.type(key) == "integer" then
      parts[i] = ("[%d]"):format(key)
    else
      parts[i] = (i > 1 and "." or "") .. (key:match("^[%a_][%w_]*$") or quote(key))
    end
  end
  return #parts > 0 and table.concat(parts) or "the value itself"
end

local function refuse(path, ...) error({ refused = place(path) .. ": " .. string.format(...) }, 0) end

-- "array" with its length, or "object" with its sorted keys.
local function shape(t, path)
  local meta = getmetatable(t)
  local mark = meta and meta.__jsontype
  local length, keys = #t, {}
  for key in pairs(t) do
    if type(key) == "string" then
      keys[#keys + 1] = key
    elseif math.type(key) ~= "integer" or key < 1 or key > length then
      refuse(path, "key %s is neither text nor part of a list without holes", tostring(key))
    end
  end
  if length > 0 and #keys > 0 then refuse(path, "has both list items and named fields (%s)", keys[1]) end
  if length > 0 or (#keys == 0 and mark ~= "object") then return "array", length end
  table.sort(keys)
  return "object", keys
end

local width = 110 -- pretty: what fits on a line of this many characters stays on one

local encode

local function members(t, path, options, indent)
  local kind, extent = shape(t, path)
  local list, depth = {}, #path + 1
  if depth > json.max_depth then refuse(path, "nested more than %d deep (or within itself)", json.max_depth) end
  local function add(key, prefix)
    path[depth] = key
    list[#list + 1] = prefix .. encode(t[key], path, options, indent)
    path[depth] = nil
  end
  if kind == "array" then
    for i = 1, extent do add(i, "") end
    return list, "[", "]"
  end
  for _, key in ipairs(extent) do
    if not utf8.len(key) then refuse(path, "the key %q is not UTF-8 text", key) end
    add(key, quote(key) .. (options.pretty and ": " or ":"))
  end
  return list, "{", "}"
end

local function encode_table(t, path, options, indent)
  local inner = indent .. "  "
  local list, open, close = members(t, path, options, inner)
  if not options.pretty then return open .. table.concat(list, ",") .. close end
  local line = open .. table.concat(list, ", ") .. close
  if #indent + #line <= width and not line:find("\n", 1, true) then return line end
  return open .. "\n" .. inner .. table.concat(list, ",\n" .. inner) .. "\n" .. indent .. close
end

function encode(value, path, options, indent)
  local kind = type(value)
  if kind == "string" then
    if not utf8.len(value) then refuse(path, "is not UTF-8 text") end
    return quote(value)
  elseif kind == "number" then
    if value - value == 0 then return number(value) end
    if options.shown then return "null" end
    refuse(path, "%s is no number that JSON has", value)
  elseif kind == "boolean" then
    return tostring(value)
  elseif value == json.null then
    return "null"
  elseif kind == "table" then
    return encode_table(value, path, options, indent)
  end
  refuse(path, "a %s cannot be written as JSON", kind)
end

--- Writes a value as JSON. Keys are sorted and numbers are the shortest text that reads back as the same number, so the
-- same value gives the same bytes.
-- @param value string, number, boolean, `json.null`, or a table of these
-- @tparam[opt] table options
-- @tparam[opt] boolean options.pretty indented, with one line for what fits on one; ends with a newline
-- @tparam[opt] boolean options.shown as of `shown`
-- @return text; or nil and a message that says where the value is that JSON has no way to write (NaN, infinity, functions,
-- keys that are neither text nor 1..n, nesting beyond `max_depth`)
function json.encode(value, options)
  options = options or {}
  local ok, text = pcall(encode, value, {}, options, "")
  if ok then return options.pretty and text .. "\n" or text end
  if type(text) == "table" and text.refused then return nil, text.refused end
  error(text, 0)
end

--- Writes a value for other programs to read, as commands do with `--json`, and never to be read back: what is not known, or beyond all numbers, is
-- `null`, as JSON has neither NaN nor infinities.
-- @param value as of `encode`
-- @return text, indented
function json.shown(value) return assert(json.encode(value, { pretty = true, shown = true })) end

-- Reading -------------------------------------------------------------------------------------------------------------

local strict = cjson.new()
strict.decode_invalid_numbers(false)
strict.decode_max_depth(json.max_depth)

local function position(text, offset)
  local line, start = 1, 1
  for newline in text:sub(1, offset - 1):gmatch("()\n") do line, start = line + 1, newline + 1 end
  return line, offset - start + 1
end

local tokens = {
  T_END = "the end of the text", T_OBJ_BEGIN = "{", T_OBJ_END = "}", T_ARR_BEGIN = "[", T_ARR_END = "]",
  T_STRING = "text", T_NUMBER = "a number", T_BOOLEAN = "true or false", T_NULL = "null", T_COLON = ":", T_COMMA = ",",
  value = "a value", ["object key string"] = "a key in quotes", comma = ",", ["array end"] = "]", ["object end"] = "}",
  colon = ":", ["the end"] = "the end of the text", ["invalid token"] = "something that is not JSON",
}

-- Returns what cjson says, in words for people, and at which character.
local function plain(message)
  if message:find("nested", 1, true) then
    return ("nested more than %d deep"):format(json.max_depth), tonumber(message:match("at character (%d+)"))
  end
  local expected, found, offset = message:match("^Expected (.-) but found (.-) at character (%d+)")
  if not expected then return message, 1 end
  if not tokens[found] then return found, tonumber(offset) end
  local words = {}
  for word in (expected .. " or "):gmatch("(.-) or ") do words[#words + 1] = tokens[word] or word end
  return ("expected %s, found %s"):format(table.concat(words, " or "), tokens[found]), tonumber(offset)
end

-- A number too large to be one ("1e999") reads as infinity: find it, so that nothing later trips over it.
local function finite(value, path)
  if type(value) == "number" then return value - value == 0 end
  if type(value) ~= "table" then return true end
  for key, item in pairs(value) do
    path[#path + 1] = key
    if not finite(item, path) then return false end
    path[#path] = nil
  end
  return true
end

-- The same check without finding the place: twice as fast, for texts that are nearly always right.
local function all_finite(value)
  local kind = type(value)
  if kind == "number" then return value - value == 0 end
  if kind ~= "table" then return true end
  for _, item in next, value do
    if type(item) ~= "string" and not all_finite(item) then return false end
  end
  return true
end

-- Returns what a text has too much of, and where that begins; nil if it keeps the limits.
local function excess(text, most)
  if #text > most.bytes then return ("more than %d MiB"):format(most.bytes >> 20), most.bytes end
  if #text <= most.values or select(2, text:gsub("[,%[{]", "", most.values + 1)) <= most.values then return nil end
  local at = 0
  for _ = 1, most.values do at = text:find("[,%[{]", at + 1) end
  return ("more than %d values"):format(most.values), at
end

-- Checks and reads with cjson: value; or nil, message, offset of the fault.
local function strictly(text, most)
  local too_much, where = excess(text, most)
  if too_much then return nil, too_much .. "; split the file", where end
  local length, bad = utf8.len(text)
  if not length then return nil, "this is not UTF-8 text", bad end
  local ok, value = pcall(strict.decode, text)
  if ok then return value end
  local what, offset = plain(value)
  return nil, what, math.min(offset or 1, #text + 1)
end

--- Reads a large file of numbers and names some ten times as fast as `decode`. The difference: every number is a float, and
-- empty lists and objects are not told apart.
-- @param text string, UTF-8
-- @param[opt="JSON"] name of the file, for messages
-- @return value; or nil and `name:line:column: what`
function json.decode_plain(text, name)
  name, text = name or "JSON", byte_order_mark(text)
  local value, what, offset = strictly(text, limits.json.plain)
  if what then
    local line, column = position(text, offset or 1)
    return nil, ("%s:%d:%d: %s"):format(name, line, column, what)
  end
  local path = {}
  if not all_finite(value) and not finite(value, path) then
    return nil, ("%s: %s: the number is too large"):format(name, place(path))
  end
  return value
end

--- Reads JSON.
-- @param text string, UTF-8; a whole document, nothing after it
-- @param[opt="JSON"] name of the file, for messages
-- @return value (whole numbers as Lua integers, `null` as `json.null`); or nil and `name:line:column: what`
function json.decode(text, name)
  name, text = name or "JSON", byte_order_mark(text)
  local function failure(offset, what)
    local line, column = position(text, offset or 1)
    return nil, ("%s:%d:%d: %s"):format(name, line, column, what)
  end
  local _, what, offset = strictly(text, limits.json)
  if what then return failure(offset, what) end
  local value, stop, trouble = dkjson.decode(text, 1, json.null, object_meta, array_meta)
  if trouble then return failure(tonumber(stop), (trouble:gsub(" at line.*", ""))) end
  local path = {}
  if not finite(value, path) then return nil, ("%s: %s: the number is too large"):format(name, place(path)) end
  return value
end

return json
