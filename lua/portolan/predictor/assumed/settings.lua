--- Settings of the predictor `assume`: words of its name, each with what it may be and what it is unless given (docs/predictors.md).
-- @module portolan.predictor.assumed.settings
local dependencies = require "portolan.block.dependencies"
local lists = require "portolan.support.lists"
local name_settings = require "portolan.predictor.machinery.name_settings"

local settings = {}

-- In the order in which they are written.
local order = { "width", "latencies", "load", "alias", "idioms", "code" }

-- Setting -> what it is unless given, and words that it may be besides a number.
local known = {
  width = { "mapping", words = { mapping = true, none = true }, least = 0.01 },
  latencies = { "none" },
  load = { "0" },
  alias = { "no", words = dependencies.aliasing },
  idioms = { "yes", words = { yes = true, no = true } },
  code = { "copies", words = { copies = true, loop = true } },
}

local most = 1e6 -- of a width or a latency

-- One setting, checked.
local function check(key, value)
  local rule = known[key]
  local n = rule.least and tonumber(value)
  if not rule.words or rule.words[value] or n and n >= rule.least and n <= most then return value end
  local words = lists.keys(rule.words)
  if rule.least then table.insert(words, 1, ("a number from %g to %g"):format(rule.least, most)) end
  return nil, ("%s=%s: write %s"):format(key, value, table.concat(words, " or "))
end

--- The cycles of loads of up to 8, of 16 and of more bytes.
-- @param text "5" or "5/6/7"
-- @return list of three; or nil and a message
function settings.loads(text)
  local list = {}
  for word in (text .. "/"):gmatch "([^/]*)/" do
    local n = tonumber(word)
    list[#list + 1] = n and n >= 0 and n <= most and n or nil
  end
  local words = select(2, text:gsub("/", "")) + 1
  if words == #list and #list == 1 then return { list[1], list[1], list[1] } end
  if words == #list and #list == 3 then return list end
  return nil, ("load=%s: write a number of cycles, or 5/6/7: of up to 8, of 16, of more bytes"):format(text)
end

--- Reads settings.
-- @param text what stands behind the colon: a mapping or `none`, and settings
-- @return `{ ports =, width =, latencies =, load =, alias =, idioms =, code = }`, all of them texts; or nil and a message
function settings.of(text)
  local given, message = name_settings.parse(text, known)
  if not given then return nil, message end
  if not given[1] then return nil, "which ports? write assume:mapping.json, assume:llvm-mca-16:skylake or assume:none" end
  if given.program or given.seconds then return nil, "it runs no program; leave out program= and seconds=" end
  local all = { ports = given[1] }
  for _, key in ipairs(order) do
    all[key], message = check(key, given[key] or known[key][1])
    if not all[key] then return nil, message end
  end
  local loads
  loads, message = settings.loads(all.load)
  if not loads then return nil, message end
  if all.ports == "none" and all.width == "mapping" then all.width = "none" end
  return all
end

--- The name of a predictor, with every setting that is not the usual one.
-- @param s settings
function settings.name(s)
  local words = { "assume:" .. s.ports }
  for _, key in ipairs(order) do
    if s[key] ~= known[key][1] then words[#words + 1] = key .. "=" .. s[key] end
  end
  return table.concat(words, ",")
end

return settings
