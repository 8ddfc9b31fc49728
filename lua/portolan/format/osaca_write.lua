--- OSACA's machine models (YAML): writing.
--
-- OSACA tells schemes apart by mnemonic and the kinds of operands, not by the widths of general-purpose registers and memory.
-- Schemes that look the same to it and are used the same share a form; if they differ they get forms with the suffixes of the
-- GNU assembler (addl, addq), and the widest also the one without. Every form lists its schemes in a field `portolan`, which
-- OSACA does not read, so that nothing is lost on the way back. Latencies are not known and written as `~`.
-- @module portolan.format.osaca_write
local core = require "portolan.core"
local isa = require "portolan.isa"
local json = require "portolan.json"
local match = require "portolan.format.osaca_match"
local names = require "portolan.format.osaca_names"

local writer = {}

-- YAML's line breaks beyond ASCII, which a reader may take for spaces.
local breaks = { [0x85] = true, [0x2028] = true, [0x2029] = true }

-- Characters that YAML allows as escapes only, and line breaks.
local function escaped(character)
  local code = utf8.codepoint(character, 1, 1, true)
  local plain = code >= 0xA0 and code < 0xD800 or code >= 0xE000 and code <= 0xFFFD and code ~= 0xFEFF
  return (not plain or breaks[code]) and ("\\u%04x"):format(code) or nil
end

-- A JSON string is a YAML one, but for these characters.
local function quoted(text) return (json.encode(text):gsub("[\xC2-\xEF][\x80-\xBF]+", escaped)) end

local function pressure(uops)
  local list = {}
  for i, uop in ipairs(uops) do
    local ports = {}
    for k, port in ipairs(uop[1]) do ports[k] = quoted(port) end
    list[i] = ("[%d, [%s]]"):format(uop[2] or 1, table.concat(ports, ", "))
  end
  return "[" .. table.concat(list, ", ") .. "]"
end

local vectors = { xmm = "xmm", ymm = "ymm", zmm = "zmm", mmx = "mm" }

-- The lines of an operand.
local function operand_lines(operand, scheme, first)
  if operand.kind == "memory" or operand.kind == "address" then
    local index = operand.index and ('"%s"'):format(operand.index) or '"*"'
    return { "class: memory", 'base: "*"', 'offset: "*"', "index: " .. index, 'scale: "*"' }
  elseif operand.kind == "immediate" then
    return { "class: immediate", "imd: int" }
  elseif operand.kind == "relative" then
    return { "class: identifier" }
  end
  local lines = { "class: register", "name: " .. (vectors[operand.class] or "gpr") }
  if first and scheme.masked then lines[3] = "mask: k" end
  if first and scheme.zeroing then lines[4] = "zeroing: z" end
  return lines
end

-- The operands as text, in AT&T's order: also what tells forms apart.
local function operands_text(scheme, operands)
  if #operands == 0 then return "  operands: []\n" end
  local parts = { "  operands:\n" }
  for i = #operands, 1, -1 do
    for k, line in ipairs(operand_lines(operands[i], scheme, i == 1)) do
      parts[#parts + 1] = (k == 1 and "  - " or "    ") .. line .. "\n"
    end
  end
  return table.concat(parts)
end

-- The schemes that OSACA can tell, each with its form; how many it cannot.
local function entries_of(m)
  local list, left_out = {}, { unexplained = 0, inexpressible = 0 }
  for name, usage in pairs(m.schemes) do
    local scheme = isa.scheme(name)
    local operands = scheme and names.printed(scheme)
    if not usage.uops then
      left_out.unexplained = left_out.unexplained + 1
    elseif not scheme or not match.expressible(scheme, operands) then
      left_out.inexpressible = left_out.inexpressible + 1
    else
      local long, short = names.pair(scheme, operands)
      list[#list + 1] = { name = name, uops = usage.uops, pressure = pressure(usage.uops), long = long, short = short,
        operands = operands_text(scheme, operands), width = operands[1] and operands[1].width or 0,
        special = (name:find("{evex}", 1, true) and 2 or 0) + ((name:find(", cl$") or name:find(", 1$")) and 1 or 0) }
    end
  end
  table.sort(list, function(a, b)
    if a.special ~= b.special then return a.special < b.special end
    if a.width ~= b.width then return a.width > b.width end
    return a.name < b.name
  end)
  return list, left_out
end

local function group_by(list, key_of)
  local groups, by_key = {}, {}
  for _, entry in ipairs(list) do
    local key = key_of(entry)
    if not by_key[key] then
      by_key[key] = {}
      groups[#groups + 1] = by_key[key]
    end
    table.insert(by_key[key], entry)
  end
  return groups
end

local function form_of(mnemonic, entries, listed)
  local schemes = {}
  for i, entry in ipairs(listed) do schemes[i] = entry.name end
  table.sort(schemes)
  return { mnemonic = mnemonic, first = entries[1], schemes = schemes }
end

local function same_pressure(entries)
  local same = {}
  for _, entry in ipairs(entries) do
    if entry.pressure == entries[1].pressure then same[#same + 1] = entry end
  end
  return same
end

-- The forms of schemes that differ in nothing that a form without a suffix shows; how many have none.
local function forms_of(group)
  local same = same_pressure(group)
  if #same == #group then return { form_of(group[1].short, group, group) }, 0 end
  local forms, hidden, short = {}, 0, nil
  for _, alike in ipairs(group_by(group, function(entry) return entry.long end)) do
    same = same_pressure(alike)
    hidden = hidden + #alike - #same
    forms[#forms + 1] = form_of(alike[1].long, alike, same)
    short = short or alike[1].long == alike[1].short
  end
  if not short then forms[#forms + 1] = form_of(group[1].short, group, {}) end
  return forms, hidden
end

local function number(x) return (json.encode(x)) end

local function form_text(form, throughput)
  local list = {}
  for i, name in ipairs(form.schemes) do list[i] = quoted(name) end
  local count = 0
  for _, uop in ipairs(form.first.uops) do count = count + (uop[2] or 1) end
  return ("- name: %s\n%s  latency: ~\n  port_pressure: %s\n  throughput: %s\n  uops: %d\n  portolan: [%s]\n"):format(
    quoted(form.mnemonic), form.first.operands, form.first.pressure, number(throughput), count, table.concat(list, ", "))
end

-- The pressure of a plain load or store, for the operands in memory that have no form.
local function default_pressure(m, name) return pressure(m.schemes[name] and m.schemes[name].uops or {}) end

local function header(m)
  local ports = {}
  for i, port in ipairs(m.ports) do ports[i] = quoted(port) end
  local title = quoted(m.processor and m.processor.name and tostring(m.processor.name) or "unknown")
  return table.concat {
    "# Port usage by Portolan. Latencies are not known: ~ in forms, 0 for loads.\n",
    "osaca_version: 0.5.3\n", "micro_architecture: ", title, "\narch_code: ", title, "\nisa: x86\n",
    "ROB_size: ~\nretired_uOps_per_cycle: ~\nscheduler_size: ~\nhidden_loads: false\n",
    "load_latency: {gpr: 0.0, mm: 0.0, xmm: 0.0, ymm: 0.0, zmm: 0.0}\n",
    "load_throughput: []\nload_throughput_default: ", default_pressure(m, "mov r64, m64"), "\n",
    "store_throughput: []\nstore_throughput_default: ", default_pressure(m, "mov m64, r64"), "\n",
    "ports: [", table.concat(ports, ", "), "]\nport_model_scheme: ~\n",
  }
end

--- The YAML text of a mapping. R_max and issue slots have no place in it.
-- @param m valid mapping
-- @return text; `{ unexplained =, inexpressible =, hidden = }`: how many schemes are left out as there is no port usage, as OSACA has
--   no words for them, as it takes them for another scheme that is used differently; or nil and a message
function writer.encode(m)
  local list, left_out = entries_of(m)
  local compiled, message = core.model.mapping(m)
  if not compiled then return nil, message end
  local forms = {}
  left_out.hidden = 0
  for _, group in ipairs(group_by(list, function(entry) return entry.short .. "\n" .. entry.operands end)) do
    local more, hidden = forms_of(group)
    table.move(more, 1, #more, #forms + 1, forms)
    left_out.hidden = left_out.hidden + hidden
  end
  table.sort(forms, function(a, b)
    if a.mnemonic ~= b.mnemonic then return a.mnemonic < b.mnemonic end
    return a.first.name < b.first.name
  end)
  local parts = { header(m), #forms > 0 and "instruction_forms:\n" or "instruction_forms: []\n" }
  for _, form in ipairs(forms) do
    local prediction = assert(compiled:predict { [form.first.name] = 1 })
    parts[#parts + 1] = form_text(form, prediction.ports_cycles or prediction.cycles)
  end
  return table.concat(parts), left_out
end

return writer
