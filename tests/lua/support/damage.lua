-- For tests: every way to put a value of a wrong kind into a document, one at a time.
local json = require "portolan.support.json"

local damage = {}

local function wrong_values()
  return { false, true, 0, -1, 1.5, 1e308, -1e308, math.mininteger, "", "x\27[31m\n", "5", json.null, json.array {}, json.object {}, json.array { 1 },
    json.array { json.array { json.array {} } }, json.object { x = json.null }, json.array { json.object {} } }
end

-- Lists: the first and the last item stand for all.
local function keys_of(t)
  local keys = {}
  for key in pairs(t) do
    if type(key) ~= "number" or key == 1 or key == #t then keys[#keys + 1] = key end
  end
  table.sort(keys, function(a, b) return tostring(a) < tostring(b) end)
  return keys
end

local function copy(value)
  if type(value) ~= "table" then return value end
  local c = {}
  for key, item in pairs(value) do c[key] = copy(item) end
  return setmetatable(c, getmetatable(value))
end

-- Calls f(document, path) with every damaged one; it may keep and change none of them.
local function each(root, at, path, f)
  for _, key in ipairs(keys_of(at)) do
    local kept, place = at[key], path .. "." .. tostring(key)
    for _, wrong in ipairs(wrong_values()) do
      at[key] = wrong
      f(copy(root), place)
    end
    at[key] = kept
    if type(kept) == "table" then each(root, kept, place, f) end
  end
end

-- Reads every damaged document: it is read, or refused with nil and one line; an error that is thrown fails the test.
-- Returns how many there were, and how many of them were refused.
function damage.all(document, read)
  local count, refused = 0, 0
  each(document, document, "", function(damaged, path)
    count = count + 1
    local ok, value, message = pcall(read, damaged)
    if not ok then error(("%s = %s: %s"):format(path, (json.encode(damaged) or "?"):sub(1, 300), tostring(value)), 0) end
    if not value then
      refused = refused + 1
      if type(message) ~= "string" or message == "" or message:find("\n", 1, true) then error(path .. ": no line: " .. tostring(message), 0) end
    end
  end)
  return count, refused
end

return damage
