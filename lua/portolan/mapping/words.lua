--- The difference of two mappings in words: `imul r64, r64: the second adds port 5 (p1 -> p15)`.
-- @module portolan.mapping.words
local lists = require "portolan.support.lists"
local mapping = require "portolan.mapping"
local plural = require "portolan.support.plural"

local mapping_words = {}

--- The first few of a list of names: `a; b; c; 14 more`.
-- @param names list
-- @param most how many of them
-- @param[opt] room characters; one name is there in any case
function mapping_words.some(names, most, room)
  local text, shown = names[1] or "", 1
  while shown < math.min(#names, most) and #text + 2 + #names[shown + 1] <= (room or math.huge) do
    shown = shown + 1
    text = text .. "; " .. names[shown]
  end
  return #names > shown and ("%s; %d more"):format(text, #names - shown) or text
end

local function usage(ports, count) return mapping.usage { uops = { { ports, count } } } end

local function port_list(ports) return plural(#ports, "port", nil, false) .. " " .. table.concat(ports, ", ") end

local function uops(count) return plural(count, "uop", nil, count == 1 and "one" or nil) end

local say = {}

function say.ports(change)
  local n = change.count
  local first, second = usage(change.first, n), usage(change.second, n)
  local function of_uops(word) return n > 1 and (" %s %s"):format(word, uops(n)) or "" end
  if #change.removed == 0 then
    return ("the second adds %s%s (%s -> %s)"):format(port_list(change.added), of_uops("to"), first, second)
  elseif #change.added == 0 then
    return ("the second drops %s%s (%s -> %s)"):format(port_list(change.removed), of_uops("from"), first, second)
  end
  return ("%s instead of %s"):format(second, first)
end

function say.usage(change)
  return ("%s instead of %s"):format(mapping.usage { uops = change.second }, mapping.usage { uops = change.first })
end

function say.more(change)
  if change.rest then return ("%s more on %s"):format(uops(change.count), usage(change.ports, 1)) end
  local instead = change.first > 0 and " instead of " .. usage(change.ports, change.first) or ""
  return ("%s more: %s%s"):format(uops(change.count), usage(change.ports, change.second), instead)
end

function say.fewer(change)
  if change.rest then return ("%s fewer on %s"):format(uops(change.count), usage(change.ports, 1)) end
  local first = usage(change.ports, change.first)
  local now = change.second > 0 and ("%s instead of %s"):format(usage(change.ports, change.second), first) or "no " .. first
  return ("%s fewer: %s"):format(uops(change.count), now)
end

function say.eliminated(change) return ("the second eliminates it at rename, the first executes %s"):format(mapping.usage(change)) end

function say.executed(change) return ("the second executes %s, the first eliminates it at rename"):format(mapping.usage(change)) end

function say.slots(change) return ("%s instead of %d"):format(plural(change.second, "issue slot"), change.first) end

--- The changes of one scheme, as one phrase.
function mapping_words.changes(changes)
  local parts = lists.map(changes, function(change) return say[change.kind](change) end)
  return table.concat(parts, "; ")
end

local function kind_line(kind, most_names, width)
  local what = mapping_words.changes(kind.changes)
  if #kind.schemes == 1 then return ("%s: %s"):format(kind.schemes[1], what) end
  local line = ("%s: %s: "):format(plural(#kind.schemes, "scheme"), what)
  return line .. mapping_words.some(kind.schemes, most_names, width and width - #line - #"; 99 more")
end

local function limit(rmax) return rmax and ("%g"):format(rmax) or "none" end

--- The lines for kinds of difference, and for what is not about single schemes.
-- @param diff table of `portolan.mapping.diff`
-- @tparam[opt] table options
-- @tparam[opt=30] int options.lines at most so many kinds of difference
-- @tparam[opt=3] int options.names at most so many schemes named in each
-- @tparam[opt] int options.width that lines should keep to
-- @return two lists of lines
function mapping_words.parts(diff, options)
  options = options or {}
  local most_lines, most_names, width = options.lines or 30, options.names or 3, options.width
  local kinds, rest = {}, {}
  for i, kind in ipairs(diff.kinds) do
    if i > most_lines then
      kinds[i] = ("and %s of difference"):format(plural(#diff.kinds - most_lines, "more kind"))
      break
    end
    kinds[i] = kind_line(kind, most_names, width)
  end
  local function add(format, ...) rest[#rest + 1] = format:format(...) end
  if diff.rmax then add("R_max: %s in the first, %s in the second", limit(diff.rmax.first), limit(diff.rmax.second)) end
  if diff.volume.first ~= diff.volume.second then
    add("uop volume of the common schemes: %d in the first, %d in the second", diff.volume.first, diff.volume.second)
  end
  for _, which in ipairs { "first", "second" } do
    local names = diff["only_" .. which]
    if #names > 0 then
      add("%s that only the %s explains: %s", plural(#names, "scheme"), which, mapping_words.some(names, most_names, width and width - 50))
    end
  end
  return kinds, rest
end

--- All lines.
function mapping_words.of(diff, options)
  local lines, rest = mapping_words.parts(diff, options)
  return table.move(rest, 1, #rest, #lines + 1, lines)
end

return mapping_words
