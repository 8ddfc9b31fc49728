--- YAML documents as tables that know the lines they come from; libyaml does the parsing.
--
-- Mappings become tables with string keys, sequences lists, plain scalars numbers, booleans or `yaml.null` where YAML's
-- core schema says so, everything else strings. The value of a key that is there twice is the first one. Tags are ignored.
-- @module portolan.format.yaml
local libyaml = require "yaml"
local limits = require "portolan.support.limits"

local yaml = {}

--- The value of `~`, `null` and nothing at all.
yaml.null = setmetatable({}, { __tostring = function() return "null" end })


local words = { [""] = yaml.null, ["~"] = yaml.null, null = yaml.null, Null = yaml.null, NULL = yaml.null,
  ["true"] = true, True = true, TRUE = true, ["false"] = false, False = false, FALSE = false }

-- A plain scalar by YAML 1.2's core schema.
local function plain(text)
  local word = words[text]
  if word ~= nil then return word end
  if text:find("^[-+]?%d+$") then return math.tointeger(tonumber(text)) or tonumber(text) or text end
  if text:find("^[-+]?%.?%d") and text:find("^[-+]?%d*%.?%d*[eE]?[-+]?%d*$") then return tonumber(text) or text end
  return text
end

local Builder = {}
Builder.__index = Builder

local function fail(message) error({ yaml = message }, 0) end

function Builder:next()
  local ok, event = pcall(self.events)
  if not ok then fail(tostring(event):gsub("%s*\n%s*", " ")) end
  return event or fail("the document ends too early")
end

local function line_of(event) return event.start_mark.line + 1 end

-- Counts values, those that an alias repeats included.
function Builder:add(count, event)
  self.count = self.count + count
  if self.count > limits.yaml.values then fail(("more than %d values at line: %d"):format(limits.yaml.values, line_of(event))) end
end

-- `before`: how many values there were before this one.
function Builder:remember(event, value, before)
  if event.anchor then self.anchors[event.anchor] = { value = value, count = self.count - before } end
  return value
end

local build = {}

function build.SCALAR(builder, event)
  local value = event.value
  if event.style == "PLAIN" and not event.tag then value = plain(value) end
  return builder:remember(event, value, builder.count - 1)
end

function build.ALIAS(builder, event)
  local known = builder.anchors[event.anchor]
  if not known then fail(("unknown alias *%s at line: %d"):format(event.anchor, line_of(event))) end
  builder:add(known.count - 1, event)
  return known.value
end

function build.SEQUENCE_START(builder, event, depth)
  local list, before = {}, builder.count - 1
  builder.lines[list], builder.kinds[list] = line_of(event), "list"
  while true do
    local item = builder:next()
    if item.type == "SEQUENCE_END" then break end
    list[#list + 1] = builder:value(item, depth + 1)
  end
  return builder:remember(event, list, before) -- not before: a list within itself is not for us
end

function build.MAPPING_START(builder, event, depth)
  local map, before = {}, builder.count - 1
  builder.lines[map], builder.kinds[map] = line_of(event), "map"
  while true do
    local key = builder:next()
    if key.type == "MAPPING_END" then break end
    if key.type ~= "SCALAR" then fail(("a key that is no word at line: %d"):format(line_of(key))) end
    local value = builder:value(builder:next(), depth + 1)
    if map[key.value] == nil then map[key.value] = value end
  end
  return builder:remember(event, map, before)
end

function Builder:value(event, depth)
  if depth > limits.yaml.depth then fail(("nested too deeply at line: %d"):format(line_of(event))) end
  self:add(1, event)
  return build[event.type](self, event, depth)
end

-- Finds what libyaml would refuse without a line: bytes that are no UTF-8, and control characters. Returns nil, or the line and what is there.
local function unreadable(text)
  local _, at = utf8.len(text)
  local what = "this is not UTF-8"
  if not at then at, what = text:find("[\0-\8\11\12\14-\31\127]"), "a control character" end
  if not at then return nil end
  return select(2, text:sub(1, at):gsub("\n", "\n")) + 1, what
end

--- Reads a document.
-- @param text string
-- @param name of the text, for messages
-- @return value, `lines`: the line of every table in it, `kinds`: "list" or "map" for every table; or nil and `name:line: what`
function yaml.load(text, name)
  local bad_line, what = unreadable(text)
  if bad_line then return nil, ("%s:%d: %s"):format(name, bad_line, what) end
  local builder = setmetatable({ events = libyaml.parser(text), anchors = {}, count = 0, lines = {}, kinds = {} }, Builder)
  local ok, value = pcall(function()
    local event = builder:next()
    while event.type == "STREAM_START" or event.type == "DOCUMENT_START" do event = builder:next() end
    if event.type == "STREAM_END" then return yaml.null end
    return builder:value(event, 1)
  end)
  if ok then return value, builder.lines, builder.kinds end
  if type(value) ~= "table" or not value.yaml then error(value, 0) end
  local line = value.yaml:match("line: (%d+)")
  return nil, ("%s:%s %s"):format(name, line and line .. ":" or "", (value.yaml:gsub(" at document: 0$", ""):gsub(" at document: %d+,", " at")))
end

return yaml
