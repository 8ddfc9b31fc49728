--- uops.info's XML: writing, in the manner of its instructions.xml, for programs that read that (docs/formats.md).
--
-- One microarchitecture, with a `<measurement>` and its `<latency>`s for each scheme of Portolan's. What uops.info's elements have no place for
-- is in elements and attributes whose names begin with `portolan:`, which other readers skip: names of ports that are longer than a letter, R_max,
-- statuses, and latencies that are no whole numbers or not the same for all flags. They are only there where they are needed.
-- @module portolan.format.uops_info_write
local core = require "portolan.core"
local isa = require "portolan.scheme.isa"
local json = require "portolan.support.json"
local latency = require "portolan.format.uops_info_latency"
local lists = require "portolan.support.lists"
local mapping = require "portolan.mapping"
local naming = require "portolan.format.uops_info_name"
local operands = require "portolan.format.uops_info_operands"
local port_set = require "portolan.mapping.ports"

local writer = {}

local namespace = "urn:portolan"

local entities = { ["&"] = "&amp;", ["<"] = "&lt;", [">"] = "&gt;", ['"'] = "&quot;", ["\t"] = "&#9;", ["\n"] = "&#10;", ["\r"] = "&#13;" }

local function escaped(text) return (text:gsub('[&<>"\t\n\r]', entities)) end

-- Characters that no XML can have, and bytes that are no characters.
local function is_impossible(text) return text:find "[\0-\8\11\12\14-\31]" or text:find "\xEF\xBF[\xBE\xBF]" or not utf8.len(text) end

local impossible = "XML cannot have a control character in %s; rename it"

-- A tag's beginning, with its attributes sorted.
local function tag(name, attributes)
  local parts = { "<" .. name }
  for _, key in ipairs(lists.keys(attributes)) do parts[#parts + 1] = ('%s="%s"'):format(key, escaped(attributes[key])) end
  return table.concat(parts, " ")
end

local function number(x) return (json.encode(x)) end

-- A letter or digit for each port: its own name where that is one, otherwise the next free letter, as uops.info has A and B for 10 and 11.
local function letters_of(ports)
  local letters, taken, next_code = {}, {}, ("A"):byte()
  for _, port in ipairs(ports) do
    if port:find "^%w$" then letters[port], taken[port] = port, true end
  end
  for _, port in ipairs(ports) do
    if not letters[port] then
      while taken[string.char(next_code)] do next_code = next_code == ("Z"):byte() and ("a"):byte() or next_code + 1 end
      letters[port] = string.char(next_code)
      taken[letters[port]] = true
    end
  end
  return letters
end

local function usage_text(uops, letters)
  local terms = lists.map(uops, function(uop)
    return ("%d*p%s"):format(uop[2] or 1, table.concat(lists.map(uop[1], function(port) return letters[port] end)))
  end)
  return table.concat(terms, "+")
end

-- The cycles of the ports alone, which uops.info computes, too.
local function port_cycles(compiled, name)
  local p = compiled:predict { [name] = 1 }
  return p and (p.ports_cycles or p.cycles)
end

-- Returns what the reader takes for the status, without an attribute of its own.
local function usual_status(entry) return entry.uops and "explained" or "not explained" end

local function measurement(entry, name, letters, compiled)
  local result, count = { ["portolan:breakers"] = entry.breakers and number(entry.breakers) }, port_set.uops(entry.uops)
  if entry.uops then
    result.uops = ("%d"):format(count)
    if count > 0 then result.ports, result.TP_ports = usage_text(entry.uops, letters), number(port_cycles(compiled, name)) end
  end
  if entry.slots then result.uops_retire_slots = ("%d"):format(entry.slots) end
  if entry.tp and entry.tp > 0 then result.TP_loop, result.TP_unrolled = number(entry.tp), number(entry.tp) end
  if entry.status ~= usual_status(entry) then result["portolan:status"] = entry.status or "" end
  return result
end

local exact_fields = { "cycles", "low", "high", "other", "same" }

-- Latencies as they are, where uops.info's elements would lose something.
local function exact_lines(list, into)
  for _, l in ipairs(list) do
    local attributes = { from = l.from, to = l.to }
    for _, field in ipairs(exact_fields) do attributes[field] = l[field] and number(l[field]) end
    attributes.independent, attributes.as = l.independent and "1" or nil, l.as
    local line = "          " .. tag("portolan:latency", attributes)
    local domains = lists.keys(l.bypass or {})
    if #domains == 0 then
      into[#into + 1] = line .. "/>\n"
    else
      local inner = lists.map(domains, function(d) return tag("portolan:bypass", { domain = d, cycles = number(l.bypass[d]) }) .. "/>" end)
      into[#into + 1] = line .. ">" .. table.concat(inner) .. "</portolan:latency>\n"
    end
  end
end

local function latency_lines(scheme, list, numbers)
  if not list then return {} end
  local lines, elements = {}, latency.elements(scheme, list)
  for i, element in ipairs(elements) do lines[i] = "          " .. tag("latency", element) .. "/>\n" end
  if not latency.same(assert(latency.read(scheme, elements, numbers)), list) then exact_lines(list, lines) end
  return lines
end

local function assumed_lines(entry)
  return lists.map(entry.assumed or {}, function(port) return "          " .. tag("portolan:assumed", { port = port }) .. "/>\n" end)
end

local function measurement_text(scheme, entry, numbers, context)
  local inner = latency_lines(scheme, entry.latencies, numbers)
  for _, line in ipairs(assumed_lines(entry)) do inner[#inner + 1] = line end
  local begin = "        " .. tag("measurement", measurement(entry, scheme.name, context.letters, context.compiled))
  if #inner == 0 then return begin .. "/>\n" end
  return begin .. ">\n" .. table.concat(inner) .. "        </measurement>\n"
end

local function instruction_text(name, entry, context)
  local scheme = isa.scheme(name)
  local list = operands.list(scheme)
  for i, operand in ipairs(list) do operand.idx = ("%d"):format(i) end
  local numbers = operands.numbers(list, scheme)
  local attributes = operands.instruction(scheme, list)
  attributes.operands = list
  local found = naming.scheme(attributes)
  attributes.operands = nil
  if found ~= name then attributes["portolan:scheme"] = name end
  local parts = { "    ", tag("instruction", attributes), ">\n" }
  for _, operand in ipairs(list) do
    local text = operand.text
    operand.text = nil
    parts[#parts + 1] = "      " .. tag("operand", operand) .. (text == "" and "/>\n" or (">%s</operand>\n"):format(escaped(text)))
  end
  parts[#parts + 1] = "      " .. tag("architecture", { name = context.architecture }) .. ">\n"
  parts[#parts + 1] = measurement_text(scheme, entry, numbers, context)
  parts[#parts + 1] = "      </architecture>\n    </instruction>\n"
  return table.concat(parts)
end

-- Schemes by their extension, which are the file's sections; how many are not Portolan's.
local function by_extension(m)
  local groups, foreign = {}, 0
  for _, name in ipairs(mapping.schemes(m)) do
    local scheme = isa.scheme(name)
    if scheme then
      lists.into(groups, scheme.extension, name)
    else
      foreign = foreign + 1
    end
  end
  return groups, foreign
end

local function is_untimed(entry) return entry.uops and #entry.uops > 0 and not (entry.tp and entry.tp > 0) end

-- The root, and what concerns the whole mapping.
local function header(m, letters)
  local lines = { '<?xml version="1.0"?>\n', tag("root", { ["xmlns:portolan"] = namespace, ["portolan:rmax"] = m.rmax and number(m.rmax) }), ">\n" }
  local plain = lists.all(m.ports, function(port) return letters[port] == port end)
  local all_used = table.concat(port_set.used(m.schemes), "\0") == table.concat(m.ports, "\0")
  for _, port in ipairs(plain and all_used and {} or m.ports) do
    lines[#lines + 1] = ("  %s/>\n"):format(tag("portolan:port", { letter = letters[port], name = port }))
  end
  return table.concat(lines)
end

local function name_of(m)
  local p = type(m.processor) == "table" and m.processor or {}
  local name = type(p.microarchitecture) == "string" and p.microarchitecture or type(p.name) == "string" and p.name
  return name and not is_impossible(name) and name ~= "" and name or "unknown"
end

--- The XML of a mapping. Witnesses, notes and the provenance have no place in it.
-- @param m valid mapping
-- @param[opt] architecture what to call the microarchitecture, such as "SPR"; by default the processor's name
-- @return text; `{ foreign =, untimed =, kept = }`: how many schemes are left out, as they are not Portolan's; how many are without a measured
-- throughput, of which OSACA's importer dies; how many there are; or nil and a message
function writer.encode(m, architecture)
  local compiled, message = core.model.mapping(m)
  if not compiled then return nil, message end
  for _, port in ipairs(m.ports) do
    if is_impossible(port) then return nil, impossible:format "the name of a port" end
  end
  local groups, foreign = by_extension(m)
  local context = { letters = letters_of(m.ports), compiled = compiled, architecture = architecture or name_of(m) }
  local parts, kept, untimed = { header(m, context.letters) }, 0, 0
  for _, extension in ipairs(lists.keys(groups)) do
    parts[#parts + 1] = "  " .. tag("extension", { name = extension }) .. ">\n"
    for _, name in ipairs(groups[extension]) do
      local text = instruction_text(name, m.schemes[name], context)
      if is_impossible(text) then return nil, impossible:format(("a text of the scheme '%s'"):format(name)) end
      parts[#parts + 1] = text
      kept, untimed = kept + 1, untimed + (is_untimed(m.schemes[name]) and 1 or 0)
    end
    parts[#parts + 1] = "  </extension>\n"
  end
  parts[#parts + 1] = "</root>\n"
  return table.concat(parts), { foreign = foreign, untimed = untimed, kept = kept }
end

return writer
