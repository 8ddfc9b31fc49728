--- This module finds which schemes of a mapping the words of a command line choose: names in full, parts of names, /Lua patterns/.
-- @module portolan.cli.choose
local distance = require "portolan.support.distance"
local file = require "portolan.support.file"
local isa = require "portolan.scheme.isa"
local lists = require "portolan.support.lists"
local mapping = require "portolan.mapping"
local printable = require "portolan.support.printable"

local choose = {}

local function tidy(text) return (text:gsub("%s+", " "):gsub(" ?, ?", ", "):gsub("^ ", ""):gsub(" $", "")) end

local function quoted(names, most)
  local parts = {}
  for i = 1, math.min(#names, most) do parts[i] = "'" .. names[i] .. "'" end
  return table.concat(parts, ", ")
end

-- The mnemonic of the mapping that is nearest to a word; nil if none is near.
local function nearest(names, word)
  local best, best_distance, seen = nil, math.max(1, #word // 3) + 1, {}
  for _, name in ipairs(names) do
    local mnemonic = name:match("^%S+")
    local d = mnemonic and not seen[mnemonic] and distance(word, mnemonic)
    seen[mnemonic or ""] = true
    if d and d < best_distance then best, best_distance = mnemonic, d end
  end
  return best
end

-- Schemes that may have been meant: like-sounding ones of the mapping, or those of the nearest mnemonic.
local function unknown(m, text, where)
  local here, elsewhere = {}, {}
  for _, name in ipairs(isa.similar(text)) do table.insert(m.schemes[name] and here or elsewhere, name) end
  local names = mapping.schemes(m)
  local mnemonic = nearest(names, text:lower():match("^%s*(%S+)") or "")
  for _, name in ipairs(#here == 0 and names or {}) do
    if name:match("^%S+") == mnemonic then here[#here + 1] = name end
  end
  local message = ("%s has no scheme '%s'"):format(where, text)
  if #here > 0 then return ("%s; did you mean %s?"):format(message, quoted(here, 6)) end
  if isa.scheme(text) then return message .. ", though there is such an instruction: it was not charted" end
  if #elsewhere > 0 then return ("%s; there are %s, but they were not charted"):format(message, quoted(elsewhere, 3)) end
  return message .. "; give a part of its name to see what there is, or a Lua pattern, '/^vp.*ymm/'"
end

-- Names that contain the text (in lower case), or match /its pattern/.
local function matching(names, text)
  local pattern, found = text:match("^/(.+)/$"), {}
  for _, name in ipairs(names) do
    local ok, place = pcall(string.find, pattern and name or name:lower(), pattern or text:lower(), 1, not pattern)
    if not ok then return nil, ("%s is not a Lua pattern: %s"):format(text, (tostring(place):gsub("^.-:%d+: ", ""))) end
    if place then found[#found + 1] = name end
  end
  return found
end

--- The mapping that commands take if none is named: that of the latest chart, as `portolan chart` and scripts/quickstart write it.
choose.default = "charts/latest/mapping.json"

--- Reads the mapping that a command is about.
-- @param path of the file
-- @return mapping | nil, message
function choose.mapping(path)
  local m, message = mapping.load(path)
  if m or path ~= choose.default or file.kind(path) then return m, message end
  return nil, message .. "; 'portolan chart' writes it, and scripts/quickstart in its own tree; or give another with --mapping"
end

--- Schemes that words choose.
-- @param m mapping table
-- @param words list of names, parts of names, or Lua patterns between slashes
-- @param where name of the mapping, for messages
-- @return list of names, each once; whether every word was a name in full; or nil, message
function choose.schemes(m, words, where)
  local all, chosen, in_full = mapping.schemes(m), {}, true
  for _, word in ipairs(words) do
    local name = m.schemes[word] and word or tidy(word)
    local found = { name }
    if not m.schemes[name] then
      local message
      found, message = matching(all, name)
      in_full = false
      if not found then return nil, printable(message) end
      if #found == 0 then return nil, printable(unknown(m, name, where)) end
    end
    table.move(found, 1, #found, #chosen + 1, chosen)
  end
  return lists.distinct(chosen), in_full
end

return choose
