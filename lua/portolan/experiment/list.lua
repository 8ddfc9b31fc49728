--- Files of measured experiments (`experiments.jsonl`, docs/formats.md): one JSON object a line,
-- `{"e":{"add r64, r64":2},"cycles":0.41,"n":31,"spread":0.004,"status":"ok"}`.
-- @module portolan.experiment.list
local byte_order_mark = require "portolan.support.byte_order_mark"
local experiment = require "portolan.experiment"
local file = require "portolan.support.file"
local foreign = require "portolan.support.foreign"
local isa = require "portolan.scheme.isa"
local json = require "portolan.support.json"
local limits = require "portolan.support.limits"
local lists = require "portolan.support.lists"
local lines = require "portolan.support.lines"
local shape = require "portolan.support.shape"

local experiments = {}

-- A field must be of this type if it is there.
local types = { cycles = "number", n = "number", rejected = "number", spread = "number", frequency = "number", uops = "number",
  slots = "number", padded = "number", latency = "number", other_inputs = "number", set = "table", counted = "string", status = "string",
  others = "table", order = "table", hex = "string", source = "string", variant = "number" }

local most_code = 64 << 10 -- bytes of a block

--- The largest number of a variant of operands: with one more, the register policy's lists begin with their first registers again.
experiments.most_variant = 5

--- No throughput is below this, in cycles; between it and the next one no unit overflows.
experiments.least_cycles = limits.cycles.least

--- No throughput is above this, in cycles.
experiments.most_cycles = limits.cycles.most

-- Returns what is wrong with the order of the instances; nil if nothing is.
local function order_fault(record)
  if not json.is_list(record.order) then return "field 'order' must be a list of schemes" end
  for _, name in ipairs(record.order) do
    if type(name) ~= "string" then return "field 'order' must be a list of schemes" end
  end
  if not experiment.equal(experiment.of_list(record.order), record.e) then return "field 'order' lists other schemes than 'e'" end
end

-- Returns what is wrong with the fields that say which code it is; nil if nothing is.
local function code_fault(record)
  local hex, variant = record.hex, record.variant
  if hex and not (hex:find "^%x+$" and #hex % 2 == 0 and #hex <= 2 * most_code) then
    return ("field 'hex' must be machine code in hexadecimal digits, two for each byte, of at most %d bytes"):format(most_code)
  end
  if variant and not (math.tointeger(variant) and variant >= 0 and variant <= experiments.most_variant) then
    return ("field 'variant' must be a whole number from 0 to %d"):format(experiments.most_variant)
  end
end

local described, name_list = shape.object { name = shape.text, alone = shape.text }, shape.list(shape.text)

local function has_schemes(group) return #group.schemes > 0 end

-- A set of schemes: groups `{ name =, schemes =, alone = }`.
local set = shape.list(function(group, place)
  described(group, place)
  return name_list(group.schemes, place .. ".schemes")
end)

--- Checks one record: `e`, and `cycles` unless its status says why there are none.
-- @return true | nil, message with the name of the field
function experiments.check(record)
  if type(record) ~= "table" then return nil, "a line must be a JSON object" end
  local ok, message = experiment.check(record.e)
  if not ok then return nil, ("field 'e': %s"):format(message) end
  for name, kind in pairs(types) do
    if record[name] ~= nil and type(record[name]) ~= kind then return nil, ("field '%s' must be a %s"):format(name, kind) end
    if kind == "number" and name ~= "cycles" and not limits.is_amount(record[name] or 0) then
      return nil, ("field '%s' must be %s"):format(name, limits.amount)
    end
  end
  for tool, cycles in pairs(record.others or {}) do
    if type(tool) ~= "string" or not limits.is_amount(cycles) then
      return nil, ("field 'others' must be an object of cycles by the names of tools, each %s"):format(limits.amount)
    end
  end
  local fault = record.order and order_fault(record) or code_fault(record) or record.set and select(2, shape.read(set, record.set, "set"))
  fault = fault or record.set and not lists.any(record.set, has_schemes) and "field 'set' is empty: it names no schemes"
  if fault then return nil, fault end
  if (record.status or "ok") ~= "ok" then return true end
  if not (record.cycles and record.cycles > 0) then return nil, "field 'cycles' must be a positive number when the status is ok" end
  if not (record.cycles >= experiments.least_cycles and record.cycles <= experiments.most_cycles) then
    return nil, ("field 'cycles' must be from %g to %g"):format(experiments.least_cycles, experiments.most_cycles)
  end
  return true
end

-- For the message: what the text of a file may be whose first line is not a record; nil if that is not known.
local function confused(text, name)
  local value = text:find("^%s*{") and json.decode(text, name)
  if type(value) ~= "table" or value.e then return nil end
  local hint = (value.schemes or foreign.read("mapping_value", value, name)) and ": is it a mapping?" or ""
  return name .. ": one JSON document, not one record a line" .. hint
end

-- Earlier records hold an experiment as text, with the number of the reading behind it: `add r64, r64 #2`.
local function of_text(record)
  if type(record) ~= "table" or record.e ~= nil or type(record.experiment) ~= "string" then return end
  record.e = experiment.parse((record.experiment:gsub(" #%d+$", "")))
end

-- A function(record) that tells what is wrong with its schemes beside those of all records before it; nil if nothing is.
local function one_architecture()
  local first
  return function(record)
    local names = experiment.schemes(record.e)
    for _, group in ipairs(record.set or {}) do table.move(group.schemes, 1, #group.schemes, #names + 1, names) end
    if first then table.insert(names, 1, first) end
    local architecture, message = isa.architecture(names)
    if architecture and not first then
      for _, name in ipairs(names) do first = first or isa.scheme(name) and name end
    end
    return message
  end
end

--- Reads the text of an experiments file; also, with `require "portolan"`, PMEvo's and pmtestbench's `ExperimentList`.
-- @param text string
-- @param[opt] name for messages
-- @return list of records `{ e =, cycles =, status =, ... }`, unknown fields kept, and a note where the text is not quite what it should be;
-- or nil and `name:line: what`
function experiments.parse(text, name)
  name, text = name or "experiments", byte_order_mark(text)
  local theirs, note = foreign.read("experiments", text, name)
  if theirs or note then return theirs, note end
  local each, too_many = lines.of(text, name)
  if not each then return nil, too_many end
  local list, mixed = {}, one_architecture()
  for number, line in each do
    if line:find("%S") then
      local record, message = json.decode(line, name)
      local other = message and number == 1 and confused(text, name)
      if other then return nil, other end
      if message then -- the line within the file, not within itself
        return nil, (message:gsub("^" .. name:gsub("%p", "%%%0") .. ":%d+:", name:gsub("%%", "%%%%") .. ":" .. number .. ":"))
      end
      of_text(record)
      local ok, fault = experiments.check(record)
      fault = fault or ok and mixed(record)
      if fault then return nil, ("%s:%d: %s"):format(name, number, fault) end
      record.status = record.status or "ok"
      list[#list + 1] = record
    end
  end
  return list
end

--- Reads an experiments file.
-- @return list of records, and possibly a note (`parse`); or nil and a message
function experiments.load(path)
  local text, message = file.read(path)
  if not text then return nil, message end
  return experiments.parse(text, path)
end

--- The text of an experiments file.
-- @param list records
-- @return text; or nil and a message
function experiments.encode(list)
  local texts = {}
  for i, record in ipairs(list) do
    local ok, message = experiments.check(record)
    local line
    if ok then line, message = json.encode(record) end
    if not line then return nil, ("experiment %d: %s"):format(i, message) end
    texts[i] = line .. "\n"
  end
  return table.concat(texts)
end

--- Writes an experiments file, whole or not at all.
-- @return true; or nil and a message
function experiments.save(list, path)
  local text, message = experiments.encode(list)
  if not text then return nil, message end
  return file.write(path, text)
end

return experiments
