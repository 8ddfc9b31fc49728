-- For tests: documents damaged in every way, one at a time, and at random.
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

-- At random ---------------------------------------------------------------------------------------------------------------

-- A linear congruential generator: random(n) from 1 to n, the same numbers every time, without touching Lua's.
function damage.generator(seed)
  return function(n)
    seed = (seed * 6364136223846793005 + 1442695040888963407) & math.maxinteger
    return (seed >> 33) % n + 1
  end
end

local pieces = { "", "'", '"', "<", ">", "&", "{", "}", "[", "]", ":", ",", "\n", "\0", "\255", "-", "*", "~", "1e999", "p", "0", "\\u0000", "null" }
local numbers = { "0", "-1", "0.5", "3", "33", "64", "65", "1000000", "9223372036854775807", "1e308", "1e-308", "5e-324", "1e30", "1e-30", "nan" }

-- The text with another number in the place of one that it has.
local function renumbered(text, random)
  local places = {}
  for from, to in text:gmatch "()%f[%d]%d+%.?%d*()" do places[#places + 1] = { from, to } end
  local place = places[#places > 0 and random(#places)] or { 1, 1 }
  return text:sub(1, place[1] - 1) .. numbers[random(#numbers)] .. text:sub(place[2])
end

-- A text in which one to three places are deleted, doubled or replaced.
function damage.text(text, random)
  for _ = 1, random(3) do
    local from = random(#text)
    local to = math.min(#text, from + random(12) - 1)
    local way = random(4)
    local middle = way == 1 and "" or way == 2 and text:sub(from, to):rep(2) or pieces[random(#pieces)]
    text = way == 4 and renumbered(text, random) or text:sub(1, from - 1) .. middle .. text:sub(to + 1)
  end
  return text
end

-- A text in which one or two whole lines, statements or operands are deleted, doubled or put in the place of others.
local function rearranged(text, random)
  for _ = 1, random(2) do
    local places, way = {}, random(3)
    for from, after in text:gmatch(random(3) > 1 and "()[^\n;]+()" or "()[^\n;,]+()") do places[#places + 1] = { from, after } end
    if #places == 0 then return text end
    local place, other = places[random(#places)], places[random(#places)]
    local from, after = place[1], place[2]
    local new = way == 1 and "" or way == 2 and text:sub(from, after) .. text:sub(from, after - 1) or text:sub(other[1], other[2] - 1)
    text = text:sub(1, from - 1) .. new .. text:sub(way == 1 and after + 1 or after)
  end
  return text
end

-- All places of a document: list of { table, key }, in an order that does not change from run to run.
local function places_of(value, list)
  local keys = {}
  for key in pairs(value) do keys[#keys + 1] = key end
  table.sort(keys, function(a, b) return tostring(a) < tostring(b) end)
  for _, key in ipairs(keys) do
    list[#list + 1] = { value, key }
    if type(value[key]) == "table" then places_of(value[key], list) end
  end
  return list
end

local hostile_keys = { "", "a\0b", "x\n", "0", "a", "e", "uops", ("k"):rep(300) }
local hostile_values = { 1, 2, 3, 64, 65, 1000, 100000, 0.5, -0.0, 1e15, 1e30, 1e-30, 1e-308, math.maxinteger, "a\0b" }

-- One place of a document is renamed, deleted, doubled, put elsewhere, or gets a wrong value.
local function disturb(document, random)
  local places = places_of(document, {})
  if #places == 0 then return end
  local place, way, wrong = places[random(#places)], random(6), wrong_values()
  local t, key = place[1], place[2]
  local is_item = type(key) == "number"
  if way == 1 and not is_item then
    t[key], t[hostile_keys[random(#hostile_keys)]] = nil, t[key]
  elseif way == 2 then
    if is_item then table.remove(t, key) else t[key] = nil end
  elseif way == 3 and is_item then
    table.insert(t, key, copy(t[key]))
  elseif way == 4 then
    local other = places[random(#places)]
    t[key] = copy(other[1][other[2]])
  else
    table.move(hostile_values, 1, #hostile_values, #wrong + 1, wrong)
    t[key] = wrong[random(#wrong)]
  end
end

-- A damaged text: two of three of JSON's are still JSON, and of others consist of whole lines and operands still. Of texts of several lines each of
-- which is a document, one line is damaged.
function damage.random(text, random)
  local lines = {}
  for line in text:gmatch "[^\n]+" do lines[#lines + 1] = line end
  local at = random(#lines)
  local whole, line = json.decode(text), json.decode(lines[at])
  local document = type(whole) == "table" and whole or type(line) == "table" and line
  if random(3) == 1 then return damage.text(text, random) end
  if not document then return rearranged(text, random) end
  for _ = 1, random(3) do disturb(document, random) end
  local damaged = json.encode(document)
  if not damaged then return damage.text(text, random) end
  if document == whole then return damaged end
  lines[at] = damaged
  return table.concat(lines, "\n") .. "\n"
end

return damage
