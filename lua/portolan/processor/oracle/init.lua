--- The processor that a word of the command line names: `hw`, `sim:FILE`, `replay:FILE`, each with options, `sim:m.json,noise=0.01,seed=3`;
-- `lua:FILE`, and the names of the user's own files.
--
-- Each kind is one of portolan.predictor.measuring_tool, or a file of this folder or of a folder `processors` of the user's
-- (portolan.processor.own), that returns
--
--    { open = function(rest, options, about) -> processor, names of schemes; or nil, message, status
--      options = { name = function(text) -> value, or nil },  -- left out: what looks like options is part of `rest`
--      usage = "sim:MAPPING",                                 -- for messages
--      measures = true,                                       -- it measures code: of any scheme, and never faster than the ports allow
--      takes = "file" }                                       -- what the colon is for: a "file", options ("settings"), or "nothing", when there
--                                                             -- is none; left out: all of it is right
--
-- `rest` is what stands behind the colon, without the options; `about` holds `seed` and `waiting`.
-- @module portolan.processor.oracle
local file = require "portolan.support.file"
local lists = require "portolan.support.lists"
local measuring_tool = require "portolan.predictor.measuring_tool"
local own = require "portolan.processor.own"
local own_file = require "portolan.support.own_file"

local oracle = {}

-- Returns how to write an oracle: all kinds, and the names of the user's.
local function usage()
  local kinds = lists.copy(measuring_tool.kinds)
  for name, module in pairs(own_file.modules "processors") do kinds[name] = require(module) end
  local list = lists.map(lists.keys(kinds), function(name) return kinds[name].usage end)
  for _, kind in ipairs { "processors", "oracles" } do
    for _, name in ipairs(own_file.names(kind)) do list[#list + 1] = name end
  end
  return table.concat(list, ", ") .. "; with options: sim:m.json,noise=0.01"
end

--- This text says how to write it, for messages.
oracle.usage = usage()

-- The kind of this name; nil if there is none; nil and a message if its file is not right.
local function kind_of(name)
  if measuring_tool.kinds[name] then return measuring_tool.kinds[name] end
  local module = own_file.modules("processors")[name]
  if module then return require(module) end
  local path = own_file.find("processors", name)
  if path then return own.load(path) end
end

-- "FILE,a=1,b=2" -> FILE, { a =, b = }; a comma may be part of the file's name. Nil and a message.
local function split(name, kind, rest)
  local converters, options = kind.options, {}
  if not converters then return rest, options end
  while kind.takes == "nothing" or kind.takes == "settings" or not file.kind(rest) do
    local head, option, value = ("," .. rest):match("^(.*),([%a_]+)=([^,]*)$")
    if not head then break end
    if not converters[option] then
      local known = lists.keys(converters)
      return nil, ("oracle %s has no option '%s'; there are: %s"):format(name, option, #known > 0 and table.concat(known, ", ") or "none")
    end
    local converted = converters[option](value)
    if converted == nil or converted ~= converted then return nil, ("oracle %s: '%s' is no value for %s"):format(name, value, option) end
    options[option], rest = converted, head:sub(2)
  end
  return rest, options
end

-- A kind by the first word of a text, or the user's file that the text names: kind, its name, the mark behind the name, the rest.
local function read(text)
  local name, mark, rest = text:match "^([%w_-]+)([:,]?)(.*)$"
  local kind, message
  if name and (mark ~= "" or rest == "") then kind, message = kind_of(name) end
  if kind or message then return kind, kind and name or message, mark, rest end
  local path = own_file.find("oracles", text)
  if path then return kind_of "lua", "lua", ":", path end
end

--- Reads an oracle's text.
-- @return `{ kind = "hw"|"sim"|"replay"|"lua"|the name of another file, path =, options = {}, measures = true of those that measure code }`; or
-- nil and a message
function oracle.parse(text)
  local kind, name, mark, rest = read(text)
  if not kind and name then return nil, name end
  local strange = ("no oracle '%s'; there are: %s"):format(text, oracle.usage)
  if not kind or kind.takes == "file" and mark ~= ":" or kind.takes == "nothing" and mark == ":" then return nil, strange end
  local path, options = split(name, kind, rest)
  if not path then return nil, options end
  if kind.takes == "file" and path == "" then return nil, strange end
  if (kind.takes == "nothing" or kind.takes == "settings") and path ~= "" then
    return nil, ("oracle %s: '%s' is not an option (name=value)"):format(name, path)
  end
  return { kind = name, path = path, options = options, measures = kind.measures }
end

--- Opens the processor.
-- @param spec of `parse`
-- @tparam[opt] table options
-- @tparam[opt] int options.seed where the text gives none
-- @tparam[opt] func options.waiting function(seconds left, why), called while this machine is too noisy
-- @return processor, names of the schemes that it knows (none for hw); or nil, message, status
function oracle.open(spec, options)
  local seed = spec.options.seed or options and options.seed or 1
  local kind, message = kind_of(spec.kind)
  if not kind then return nil, message end
  return kind.open(spec.path, spec.options, { seed = seed, waiting = options and options.waiting })
end

return oracle
