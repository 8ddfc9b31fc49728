--- The processor that a word of the command line names: `hw`, `sim:FILE`, `replay:FILE`, each with options, `sim:m.json,noise=0.01,seed=3`;
-- `lua:FILE`, and the names of the user's own files (portolan.processor.own).
-- @module portolan.processor.oracle
local file = require "portolan.support.file"
local hardware = require "portolan.processor.hardware"
local mapping = require "portolan.mapping"
local own = require "portolan.processor.own"
local own_file = require "portolan.support.own_file"
local replay = require "portolan.processor.replay"
local simulated = require "portolan.processor.simulated"
local store = require "portolan.store"

local oracle = {}

--- How to write it, for messages.
oracle.usage = "hw, sim:MAPPING, replay:EXPERIMENTS or lua:FILE, with options: sim:m.json,noise=0.01"

local function whole(text) return math.tointeger(tonumber(text)) end
local function word(text) return text end

-- "uops+ports" -> { "uops", "ports" }
local function words(text)
  local list = {}
  for part in text:gmatch("[^+]+") do list[#list + 1] = part end
  return #list > 0 and list or nil
end

-- Options of each kind: what turns their text into a value.
local options_of = {
  hw = { store = word, patience = tonumber, wait = tonumber, cpu = whole, seed = whole },
  sim = { noise = tonumber, kind = word, unit = word, outliers = tonumber, binder = word, seed = whole, counters = words,
    bursts = tonumber, store = word },
  replay = {},
}

local function names(t)
  local list = {}
  for name in pairs(t) do list[#list + 1] = name end
  table.sort(list)
  return #list > 0 and table.concat(list, ", ") or "none"
end

-- "FILE,a=1,b=2" -> FILE, { a =, b = }; a comma may be part of the file's name. Nil and a message.
local function split(kind, rest)
  local converters, options = options_of[kind], {}
  while true do
    local head, name, value = rest:match("^(.*),([%a]+)=([^,]*)$")
    if kind == "hw" and not head then head, name, value = rest:match("^()([%a]+)=([^,]*)$") end
    if not head or kind ~= "hw" and file.kind(rest) then break end
    if not converters[name] then return nil, ("oracle %s has no option '%s'; there are: %s"):format(kind, name, names(converters)) end
    local converted = converters[name](value)
    if converted == nil or converted ~= converted then return nil, ("oracle %s: '%s' is no value for %s"):format(kind, value, name) end
    options[name] = converted
    rest = type(head) == "string" and head or ""
  end
  return rest, options
end

--- Reads an oracle's text.
-- @return `{ kind = "hw"|"sim"|"replay"|"lua", path =, options = {} }`; or nil and a message
function oracle.parse(text)
  local kind, rest = text:match("^(%a+):(.+)$")
  local mine = kind == "lua" and rest or not kind and not options_of[text] and not text:find "^hw," and own_file.find("oracles", text)
  if mine then return { kind = "lua", path = mine, options = {} } end
  if not kind and (text == "hw" or text:find("^hw,")) then kind, rest = "hw", text:sub(4) end
  if not options_of[kind] or kind == "hw" and text:sub(1, 3) == "hw:" then
    return nil, ("no oracle '%s'; there are: %s"):format(text, oracle.usage)
  end
  local path, options = split(kind, rest)
  if not path then return nil, options end
  if kind == "hw" and path ~= "" then return nil, ("oracle hw: '%s' is not an option (name=value)"):format(path) end
  return { kind = kind, path = path, options = options }
end

-- Opens this machine's processor; on a disturbed machine it tries for some time, and calls waiting(seconds left, message) meanwhile.
local function open_hardware(spec, seed, waiting)
  local o, measurements = spec.options, nil
  if o.store then
    local opened, message, status = store.open(o.store)
    if not opened then return nil, message, status end
    measurements = opened
  end
  local wait = o.wait or 300
  return hardware.open_within(wait, { store = measurements, seed = seed, patience = o.patience or 20, wait = wait, cpu = o.cpu }, waiting)
end

local function open_simulated(spec, seed)
  local m, message = mapping.load(spec.path)
  if not m then return nil, message end
  local o, measurements = spec.options, nil
  if o.store then
    local status
    measurements, message, status = store.open(o.store)
    if not measurements then return nil, message, status end
  end
  local processor, why = simulated.new { mapping = m, name = "simulated " .. spec.path:match("[^/]*$"), binder = o.binder, seed = seed,
    counters = o.counters, bursts = o.bursts, store = measurements,
    noise = { kind = o.kind or (o.noise and "uniform" or "none"), width = o.noise or 0, unit = o.unit, outliers = o.outliers } }
  if not processor then return nil, "oracle sim: " .. why end
  return processor, mapping.schemes(m, true)
end

local function open_replay(spec)
  local processor, message = replay.new { path = spec.path }
  if not processor then return nil, message end
  local list, seen = {}, {}
  for _, e in ipairs(processor:experiments()) do
    for name in pairs(e) do
      if not seen[name] then list[#list + 1] = name end
      seen[name] = true
    end
  end
  table.sort(list)
  return processor, list
end

--- Opens the processor.
-- @param spec of `parse`
-- @tparam[opt] table options
-- @tparam[opt] int options.seed where the text gives none
-- @tparam[opt] func options.waiting function(seconds left, why), called while this machine is too noisy
-- @return processor, names of the schemes that it knows (none for hw); or nil, message, status
function oracle.open(spec, options)
  local seed = spec.options.seed or options and options.seed or 1
  if spec.kind == "sim" then return open_simulated(spec, seed) end
  if spec.kind == "replay" then return open_replay(spec) end
  if spec.kind == "lua" then return own.open(spec.path) end
  local processor, message, status = open_hardware(spec, seed, options and options.waiting)
  if not processor then return nil, message, status end
  return processor, {}
end

return oracle
