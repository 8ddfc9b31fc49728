--- Reads the options that strategies of `portolan infer` share.
-- @module portolan.cli.infer.options
local duration = require "portolan.support.duration"
local file = require "portolan.support.file"
local json = require "portolan.support.json"
local mapping = require "portolan.mapping"
local number = require "portolan.cli.number"
local scheme_options = require "portolan.cli.scheme_options"

local options = {}

--- `90`, `90s`, `10m`, `2h` -> seconds; nil and a message.
options.duration = duration.seconds

--- A converter for argparse: a number of that range; its message names the option.
options.number = number.of

--- Names of schemes, one a line; empty lines and those that begin with # are skipped.
options.names = scheme_options.file

local function positive(value) return math.type(value) == "integer" and value >= 1 and value <= 64 end

local function numbers_of_file(path, option, into)
  local text, message = file.read(path)
  if not text then return nil, message end
  local value, trouble = json.decode(text, path)
  if type(value) ~= "table" then return nil, trouble or path .. ": not an object of numbers by the names of schemes" end
  for name, n in pairs(value) do
    if type(name) ~= "string" or not positive(n) then
      return nil, ("%s: '%s' must have a whole number from 1 to 64 (%s)"):format(path, tostring(name), option)
    end
    into[name] = n
  end
  return true
end

--- `SCHEME=N` or a JSON file of such numbers, any number of times -> `{ [name] = N }`; nil if there is none; nil and a message.
function options.numbers(words, option)
  if #words == 0 then return nil end
  local result = {}
  for _, word in ipairs(words) do
    local name, n = word:match("^(.+)=(%d+)$")
    if name then
      if not positive(tonumber(n)) then return nil, ("%s %s: a number from 1 to 64 is expected"):format(option, word) end
      result[name] = math.tointeger(n)
    else
      local ok, message = numbers_of_file(word, option .. " SCHEME=N or FILE", result)
      if not ok then return nil, message end
    end
  end
  return result
end

--- `SCHEME=OTHER;OTHER...`, any number of times: one uop of the scheme is that of one of the others.
function options.same_uop(words)
  if #words == 0 then return nil end
  local list = {}
  for k, word in ipairs(words) do
    local scheme, rest = word:match("^([^=]+)=(.+)$")
    if not scheme then return nil, ("--same-uop %s: write SCHEME=OTHER or SCHEME='OTHER;OTHER'"):format(word) end
    list[k] = { scheme = scheme, among = {} }
    for name in rest:gmatch("[^;]+") do table.insert(list[k].among, name:match("^%s*(.-)%s*$")) end
  end
  return list
end

--- A mapping file as given ports: name -> uops, of the schemes that it explains by ports. Issue slots come along.
function options.fixed(path)
  local m, message = mapping.load(path)
  if not m then return nil, message end
  local given, any = {}, false
  for _, name in ipairs(mapping.schemes(m, true)) do
    local uops = m.schemes[name].uops
    if #uops > 0 then given[name], any = uops, true end
  end
  if not any then return nil, path .. ": it explains no scheme by ports" end
  return given
end

return options
