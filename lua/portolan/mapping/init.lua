--- Port mappings as tables and files (`mapping.json`, docs/formats.md).
--
-- `{ format = "portolan-mapping", version = 1, processor = {...}, ports = {"0", "1", ...}, rmax = 6,
--    schemes = { ["add r64, r64"] = { uops = { { {"0", "1"}, 1 } }, status = "explained", slots = 1 } }, provenance = {...} }`
-- @module portolan.mapping
local architectures = require "portolan.support.architectures"
local busy_units = require "portolan.mapping.busy_units"
local byte_order_mark = require "portolan.support.byte_order_mark"
local companions = require "portolan.mapping.companions"
local conjunctive = require "portolan.mapping.conjunctive"
local core = require "portolan.core"
local file = require "portolan.support.file"
local first_cache = require "portolan.mapping.first_cache"
local forms = require "portolan.mapping.forms"
local foreign = require "portolan.support.foreign"
local front_end = require "portolan.mapping.front_end"
local isa = require "portolan.scheme.isa"
local json = require "portolan.support.json"
local latencies = require "portolan.mapping.latencies"
local limits = require "portolan.support.limits"
local lists = require "portolan.support.lists"
local printable = require "portolan.support.printable"
local shape = require "portolan.support.shape"
local witness = require "portolan.experiment.witness"

local mapping = {}

mapping.format = "portolan-mapping"
mapping.version = 1

--- What a mapping says of the core beside its schemes, by field; each has the `shape` that the format prescribes.
mapping.parts = { front_end = front_end, first_cache = first_cache, forms = forms }

-- Fields beside those that the engine reads (ports, rmax, schemes), with what they must be if they are there.
local types = { processor = "table", provenance = "table" }
for name in pairs(mapping.parts) do types[name] = "table" end
local scheme_types = { status = "string", note = "string", tp = "number", busy = "number", unit = "string", breakers = "number", taken = "boolean" }
local scheme_lists = { "uops", "assumed", "witnesses", "kinds", "companions" }

local function check_header(m)
  if type(m) ~= "table" then return nil, "a mapping must be a JSON object" end
  if conjunctive.is_mapping(m) or foreign.read("is_conjunctive", m) then
    return nil, "a conjunctive mapping has no ports; give a port mapping"
  end
  if m.format ~= mapping.format then
    return nil, ("field 'format' is not '%s' (format); is this a mapping?"):format(mapping.format)
  end
  if m.version ~= mapping.version then
    return nil, ("field 'version' is %s, this program reads %d (version); use a newer Portolan")
      :format(printable(tostring(m.version)), mapping.version)
  end
  for name, kind in pairs(types) do
    if m[name] ~= nil and type(m[name]) ~= kind then return nil, ("field '%s' must be an object (%s)"):format(name, name) end
  end
  return true
end

local function kind_fault(kind)
  if type(kind) ~= "table" or type(kind.values) ~= "string" or not limits.is_amount(kind.cycles) then
    return "must be an object with 'values' (text) and 'cycles' (number)"
  end
  if kind.bytes ~= nil and not limits.is_amount(kind.bytes) then return "has 'bytes' that are no number" end
end

-- Returns a field of a scheme that is wrong, and what is wrong with it; nil if nothing is.
local function field_fault(scheme)
  for field, kind in pairs(scheme_types) do
    if scheme[field] ~= nil and type(scheme[field]) ~= kind then return field, "must be a " .. kind end
  end
  for _, field in ipairs(scheme_lists) do
    if scheme[field] ~= nil and not json.is_list(scheme[field]) then return field, "must be a list" end
  end
  for _, field in ipairs { "tp", "busy" } do
    if scheme[field] and not limits.is_amount(scheme[field]) then return field, "must be " .. limits.amount end
  end
  for _, port in ipairs(scheme.assumed or {}) do
    if type(port) ~= "string" then return "assumed", "must be a list of names of ports" end
  end
  for _, name in ipairs(scheme.companions or {}) do
    if type(name) ~= "string" then return "companions", "must be a list of names of schemes" end
  end
  for i, kind in ipairs(scheme.kinds or {}) do
    local fault = kind_fault(kind)
    if fault then return ("kinds[%d]"):format(i), fault end
  end
  for i, w in ipairs(scheme.witnesses or {}) do
    local field, fault = witness.fault(w)
    if field then return ("witnesses[%d]%s"):format(i, field == "" and "" or "." .. field), fault end
  end
end

local function check_schemes(m)
  for name, scheme in pairs(m.schemes) do
    local field, fault = field_fault(scheme)
    if not field and scheme.latencies ~= nil then field, fault = latencies.fault(scheme.latencies, name) end
    if field then return nil, ("'%s' %s (schemes.\"%s\".%s)"):format(field, fault, printable(name), field) end
    if scheme.status == "explained" and not scheme.uops then
      return nil, ("an explained scheme needs 'uops' (schemes.\"%s\"); add them or give it another status"):format(printable(name))
    end
  end
  return true
end

--- The units of a mapping that stay busy (portolan.mapping.busy_units).
-- @param m valid mapping table
-- @return name of a scheme -> `{ cycles =, unit = its name, port = behind which it is, or nil }`
function mapping.busy_units(m) return busy_units.of(m, assert(mapping.compile_ports(m))) end

--- The engine's form of a mapping that knows ports and issue slots alone, for those who ask what these explain.
-- @param m mapping table
-- @return compiled mapping | nil, message, status
function mapping.compile_ports(m) return core.model.mapping(companions.as_measured(m)) end

--- Makes the engine's form of a mapping, which answers queries (`core.model`: throughput, predict, bind, compare). It is that of experiments: each
-- scheme with its companions (portolan.mapping.companions), and with the unit that it keeps busy (portolan.mapping.busy_units).
-- @param m mapping table; only `ports`, `rmax` and `schemes` matter
-- @return compiled mapping | nil, "what (path to the field); mend"
function mapping.compile(m)
  local compiled, message, status = mapping.compile_ports(m)
  if not compiled then return nil, message, status end
  return busy_units.enter(m, compiled)
end

--- The mapping for blocks of code as they are. Experiments are measured with zeroing idioms ahead of instances that would wait for each
-- other (`breakers` of a scheme, engine/isa/breaker.h), and predicted with the issue slots of these idioms, and so with companions
-- (portolan.mapping.companions); code has only what it says.
-- @param m mapping table
-- @return mapping table whose schemes have no `breakers` and no `companions`; the same if none had
function mapping.of_code(m)
  local whole, any = lists.copy(m), false
  whole.schemes = {}
  for name, scheme in pairs(m.schemes) do
    local copy = lists.copy(scheme)
    any = any or copy.breakers ~= nil or copy.companions ~= nil
    copy.breakers, copy.companions = nil, nil
    whole.schemes[name] = copy
  end
  return any and whole or m
end

--- The architecture of a mapping: that of its schemes, as far as their names are known, or what `processor.architecture` says.
-- @param m mapping table
-- @return its name, nil if nothing tells; or nil and a message if the schemes are of several, or of another than the processor
function mapping.architecture(m)
  local said = type(m.processor) == "table" and m.processor.architecture or nil
  if said ~= nil and not architectures.check(said) then return nil, select(2, architectures.check(said)) .. " (processor.architecture)" end
  local architecture, message = isa.architecture(lists.keys(m.schemes))
  if message then return nil, message .. " (schemes)" end
  if said and architecture and said ~= architecture then
    return nil, ("the schemes are of %s, the processor of %s; keep to one architecture (processor.architecture)"):format(architecture, said)
  end
  return architecture or said
end

--- Checks everything that the format prescribes.
-- @return true | nil, message with the path to the field
function mapping.validate(m)
  local ok, message = check_header(m)
  if ok then ok, message = mapping.compile(m) end
  if ok then ok, message = check_schemes(m) end
  if ok then
    message = select(2, mapping.architecture(m))
    ok = not message
  end
  for _, name in ipairs(lists.keys(mapping.parts)) do
    if ok and m[name] then ok, message = shape.check(mapping.parts[name].shape, m[name], name) end
  end
  if not ok then return nil, message end
  return true
end

-- JSON text: ours, or another tool's.
local function of_json(text, name)
  local value, message = json.decode(text, name)
  if message then return nil, message end
  local m, trouble = foreign.read("mapping_value", value, name)
  if m or trouble then return m, trouble end
  return value
end

local function checked(m, message, name)
  if m == nil then return nil, message end
  local ok, fault = mapping.validate(m)
  if not ok then return nil, name .. ": " .. fault end
  return m
end

--- Reads a mapping, in any format that its text shows: Portolan's JSON, and those of other tools that `require "portolan"` enters: PMEvo's and
-- pmtestbench's `Mapping3` and port mapping files, OSACA's machine models (YAML), uops.info's instructions.xml, tables (CSV).
-- @param text string
-- @param[opt] name of the text, for messages
-- @param[opt] architecture which one of uops.info's microarchitectures
-- @return mapping | nil, "name: message"
function mapping.parse(text, name, architecture)
  name, text = name or "mapping", byte_order_mark(text)
  if text:find("^%x%x+,%d") then return nil, name .. ": a table of machine code, not a mapping" end
  local m, message = foreign.read("mapping", text, name, architecture)
  if not m and not message and not text:find "^%s*[{%[]" then
    return nil, name .. ": not a mapping; give one as JSON (mapping.json), or another tool's (docs/formats.md)"
  end
  if not m and not message then m, message = of_json(text, name) end
  return checked(m, message, name)
end

-- `FILE#ARCHITECTURE` as file and architecture, unless there is a file of that name.
local function split(path)
  local base, architecture = path:match("^(.+)#([^#/]+)$")
  if base and not file.kind(path) then return base, architecture end
  return path
end

--- The file that a path of `load` names: without the microarchitecture behind it.
function mapping.file_of(path) return (split(path)) end

-- Returns what makes the mapping of this name, if it is not a file.
local function source(path)
  local name = path:match("^([%a-]-)%-?%d*:")
  return name and not file.kind(path) and foreign.sources[name]
end

--- Reads a mapping file, in any format (see `parse`).
-- @param path of the file; uops.info's XML takes the name of a microarchitecture behind it, `instructions.xml#SKL`; or the name of a mapping
-- that is made on demand, `llvm-mca-19:skylake` (`portolan.support.foreign`)
-- @return mapping | nil, message
function mapping.load(path)
  local make = source(path)
  if make then return make(path) end
  local base, architecture = split(path)
  local m, trouble = foreign.read("mapping_file", base, architecture)
  if m or trouble then return checked(m, trouble, base) end
  if architecture and not file.kind(base) then return nil, ("cannot read %s: no such file or directory"):format(base) end
  if architecture then return nil, ("cannot read %s: only uops.info's XML has several microarchitectures"):format(path) end
  local text, message = file.read(path)
  if not text then return nil, message end
  return mapping.parse(text, path)
end

-- Mappings that do not say their architecture are of this one: all were, when there was but one.
local unsaid = "x86_64"

-- Empty lists and objects must be told apart in JSON.
local function marked(m)
  local copy, architecture = lists.copy(m), mapping.architecture(m)
  copy.schemes = json.object({})
  if architecture and architecture ~= unsaid then
    copy.processor = lists.copy(m.processor or {})
    copy.processor.architecture = architecture
  end
  for name, scheme in pairs(m.schemes) do copy.schemes[name] = scheme end
  for field in pairs(types) do
    if copy[field] and next(copy[field]) == nil then copy[field] = json.object({}) end
  end
  return copy
end

--- The JSON text of a mapping: sorted keys, one scheme a line, the same bytes for the same mapping.
-- @return text | nil, message
function mapping.encode(m)
  local ok, message = mapping.validate(m)
  if not ok then return nil, message end
  return json.encode(marked(m), { pretty = true })
end

--- Writes a mapping file, whole or not at all.
-- @return true | nil, message
function mapping.save(m, path)
  local text, message = mapping.encode(m)
  if not text then return nil, message end
  return file.write(path, text)
end

--- A two-level mapping: every scheme is one uop.
-- @param ports list of port names
-- @param schemes scheme name -> list of port names
-- @param extra further fields (`rmax`, `processor`, `provenance`), optional
-- @return mapping
function mapping.two_level(ports, schemes, extra)
  local m = { format = mapping.format, version = mapping.version, ports = ports, schemes = {} }
  for key, value in pairs(extra or {}) do m[key] = value end
  for name, list in pairs(schemes) do
    m.schemes[name] = { uops = { { list, 1 } }, status = "explained" }
  end
  return m
end

--- The port usage in the notation of uops.info: `2*p01 + p5`; `none` for an eliminated scheme, nil for an unexplained one.
-- @param scheme one entry of `schemes`
function mapping.usage(scheme)
  if not scheme.uops then return nil end
  local parts = {}
  for i, uop in ipairs(scheme.uops) do
    local long = lists.any(uop[1], function(port) return #port > 1 end)
    parts[i] = ((uop[2] or 1) > 1 and ("%d*"):format(uop[2]) or "") .. "p" .. table.concat(uop[1], long and "," or "")
  end
  table.sort(parts)
  return #parts > 0 and table.concat(parts, " + ") or "none"
end

--- The names of all schemes, or of those that can be predicted.
-- @param m mapping table
-- @param explained true: only those with `uops`
-- @return sorted list
function mapping.schemes(m, explained)
  return lists.where(lists.keys(m.schemes), function(name) return m.schemes[name].uops or not explained end)
end

--- The names of the schemes that two mappings explain.
-- @param a mapping table
-- @param b mapping table
-- @return sorted list
function mapping.common(a, b)
  return lists.where(mapping.schemes(a, true), function(name) return b.schemes[name] and b.schemes[name].uops end)
end

return mapping
