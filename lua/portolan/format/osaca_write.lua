--- OSACA's machine models (YAML): writing.
--
-- OSACA tells schemes apart by mnemonic and the kinds of operands, not by the widths of general-purpose registers and memory.
-- Forms have the names that compilers write, and others of the same instruction. Schemes that look the same to OSACA and are used the
-- same share a form; if they differ they get forms with the suffixes of the GNU assembler (addl, addq), and the widest the one
-- without, which OSACA takes for all others. Every form lists its schemes in a field `portolan`, which OSACA does not read, so that
-- nothing is lost on the way back. A latency that is not known is written as 0: OSACA dies of adding a load to `~`. A unit that stays busy after an
-- instance (`portolan.mapping.busy_units`), or that several schemes share, is a pseudo port, such as 0DV; the field `portolan_units` lists these. The
-- issue width is another one: a slot takes 1 / R_max cycles of it; the field `portolan_issue` says which port it is, and R_max. Addresses that the
-- core computes apart (`portolan.mapping.forms`) have forms of their own.
-- @module portolan.format.osaca_write
local core = require "portolan.core"
local dialects = require "portolan.format.osaca_dialect"
local isa = require "portolan.scheme.isa"
local json = require "portolan.support.json"
local latency_number = require "portolan.mapping.latency_number"
local lists = require "portolan.support.lists"
local mapping = require "portolan.mapping"
local names = require "portolan.format.osaca_names"
local port_set = require "portolan.mapping.ports"

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

local function cycles_text(x, digits) return (("%." .. digits .. "f"):format(x):gsub("%.?0+$", "")) end

-- Uops, and pseudo ports that an instance keeps busy: a list of `{ name =, cycles =, digits = }`.
local function pressure(uops, kept)
  local list = lists.map(uops, function(uop) return ("[%d, [%s]]"):format(uop[2] or 1, table.concat(lists.map(uop[1], quoted), ", ")) end)
  for _, one in ipairs(kept or {}) do list[#list + 1] = ("[%s, [%s]]"):format(cycles_text(one.cycles, one.digits), quoted(one.name)) end
  return "[" .. table.concat(list, ", ") .. "]"
end

-- The operands as text: also what tells forms apart.
local function operands_text(scheme, operands)
  if #operands == 0 then return "  operands: []\n" end
  local parts = { "  operands:\n" }
  for _, lines in ipairs(dialects[scheme.architecture].operand_lines(scheme, operands)) do
    for k, line in ipairs(lines) do parts[#parts + 1] = (k == 1 and "  - " or "    ") .. line .. "\n" end
  end
  return table.concat(parts)
end

-- Returns what a scheme is under one of its names.
local function entry_of(scheme, usage, spelling)
  local width = lists.sum(spelling.operands, function(operand) return operand.width or 0 end)
  local text, name = pressure(usage.uops, usage.kept), scheme.name
  return { name = name, uops = usage.uops, kept = usage.kept, pressure = text, use = ("%s %s"):format(text, usage.latency or "?"),
    latency = usage.latency, long = spelling.long, short = spelling.short, rank = spelling.rank,
    operands = operands_text(scheme, spelling.operands), width = width,
    special = (name:find("{evex}", 1, true) and 2 or 0) + (name:find(", cl$") and 1 or 0) }
end

-- Latencies: one number for each form, and what loads and forwarded stores add. OSACA puts the number of a form on every edge of its graph that
-- leaves the instruction, whatever operand the value came in by. So the number of an instruction that also loads is that of its registers
-- (`portolan.mapping.latency_number`): a sum in a loop waits for its sum, not for the load.

local function first_latency(m, schemes)
  for _, name in ipairs(schemes) do
    local entry = m.schemes[name]
    local cycles = entry and latency_number.of(name, entry)
    if cycles then return cycles end
  end
end

-- Returns how many cycles a load takes from its address, by OSACA's class of register: a list of `{ class, cycles }`; 0 where it is not known.
local function load_latencies(m, dialect)
  return lists.map(dialect.load_classes, function(load) return { load[1], first_latency(m, load[2]) or 0 } end)
end

-- The most from one side to another; and whether that is determined, not one of an interval.
local function most(m, name, start, target)
  local entry = m.schemes[name]
  if not entry then return nil end
  local cycles, found = latency_number.most(latency_number.pairs(name, entry), start, target)
  return cycles, cycles and not found.pair.low
end

-- Returns how much longer a load takes whose value a store has just written: what OSACA adds to the numbers of both, of which the store's is 0. Cores
-- may hand values on faster from one instruction to another than the sum of intervals says: it is only known where both parts are determined. The
-- number is in cycles, at least 0; nil if it is not known.
local function forwarding_of(m, dialect)
  for _, pair in ipairs(dialect.forwards) do
    local stored, certain = most(m, pair[1], "register", "memory")
    local loaded, determined = most(m, pair[2], "memory", "register")
    local address = certain and determined and latency_number.of(pair[2], m.schemes[pair[2]])
    if address then return math.max(0, stored + loaded - address) end
  end
end

-- The latency of a form, nil if it is not known. What changes memory has that of the value in memory, less the forwarding that OSACA adds.
local function latency_of(m, name, forwarding)
  local changed = most(m, name, "memory", "memory")
  if changed then return math.max(0, changed - (forwarding or 0)) end
  return (latency_number.of(name, m.schemes[name]))
end

-- Returns what is known of a scheme: its uops, the unit that it keeps and what it takes of the issue width, its latency.
local function usage_of(m, name, context)
  local scheme, kept = m.schemes[name], { context.busy[name] }
  if context.issue then kept[#kept + 1] = { name = context.issue, cycles = (scheme.slots or 1) / m.rmax, digits = 4 } end
  return { uops = scheme.uops, kept = kept, latency = latency_of(m, name, context.forwarding) }
end

-- The schemes that OSACA can tell, one entry for each way to write them; how many it cannot.
local function entries_of(m, context)
  local list, left_out = {}, { unexplained = 0, inexpressible = 0, hidden = 0 }
  for name, usage in pairs(m.schemes) do
    local scheme = isa.scheme(name)
    local spellings = scheme and dialects[scheme.architecture].spellings(scheme)
    if not usage.uops then
      left_out.unexplained = left_out.unexplained + 1
    elseif not spellings then
      left_out.inexpressible = left_out.inexpressible + 1
    else
      local known = usage_of(m, name, context)
      for _, spelling in ipairs(spellings) do list[#list + 1] = entry_of(scheme, known, spelling) end
    end
  end
  table.sort(list, function(a, b)
    if a.rank ~= b.rank then return a.rank < b.rank end
    if a.special ~= b.special then return a.special < b.special end
    if a.width ~= b.width then return a.width > b.width end
    if a.name ~= b.name then return a.name < b.name end
    if a.long ~= b.long then return a.long < b.long end
    return a.operands < b.operands
  end)
  return list, left_out
end

local function key_of(name, entry) return name .. "\n" .. entry.operands end

-- The entry that each name and operands stand for: the first one of the list. And all names.
local function table_of(list)
  local winners, known = {}, {}
  for _, field in ipairs { "short", "long" } do
    local found = {}
    for _, entry in ipairs(list) do
      local key = key_of(entry[field], entry)
      found[key] = found[key] or entry
      known[entry[field]] = true
    end
    -- A long name that is a short one of others belongs to these.
    for key, entry in pairs(found) do winners[key] = winners[key] or entry end
  end
  return winners, known
end

-- OSACA finds the form of the short name itself, unless it takes the long one for an instruction with or without VEX before.
local function needs_long(entry, winners, known)
  if entry.long == entry.short then return false end
  local long, short = winners[key_of(entry.long, entry)], winners[key_of(entry.short, entry)]
  return long.use ~= short.use or names.stripped(entry.long) ~= entry.short or known[names.alternate(entry.long)] or false
end

-- Names with the same operands and the same use of one scheme share a form.
local function add_name(forms, by_key, name, winner)
  local key = table.concat({ winner.name, winner.operands, winner.use }, "\n")
  local form = by_key[key]
  if not form then
    form = { first = winner, names = {}, given = {}, schemes = {} }
    by_key[key], forms[#forms + 1] = form, form
  end
  if not form.given[name] then form.names[#form.names + 1], form.given[name] = name, true end
  return form
end

-- All forms; how many schemes none of them stands for.
local function forms_of(list)
  local winners, known = table_of(list)
  local forms, by_key, placed, hidden = {}, {}, {}, 0
  for _, entry in ipairs(list) do
    local short = winners[key_of(entry.short, entry)]
    local form, taken = add_name(forms, by_key, entry.short, short), short
    if needs_long(entry, winners, known) then
      taken = winners[key_of(entry.long, entry)]
      form = add_name(forms, by_key, entry.long, taken)
    end
    if not placed[entry.name] then -- by what compilers write, which comes first
      placed[entry.name] = true
      local fits = taken.pressure == entry.pressure
      if fits then form.schemes[#form.schemes + 1] = entry.name end
      hidden = hidden + (fits and 0 or 1)
    end
  end
  return forms, hidden
end

local function number(x) return (json.encode(x)) end

local function quoted_list(list)
  local copy = lists.map(list, quoted)
  return "[" .. table.concat(copy, ", ") .. "]"
end

local function form_text(form, throughput)
  local count = port_set.uops(form.first.uops)
  table.sort(form.schemes)
  return ("- name: %s\n%s  latency: %s\n  port_pressure: %s\n  throughput: %s\n  uops: %d\n  portolan: %s\n"):format(
    #form.names == 1 and quoted(form.names[1]) or quoted_list(form.names), form.first.operands, number(form.first.latency or 0), form.first.pressure,
    number(throughput), count, quoted_list(form.schemes))
end

-- Addresses that a core computes apart (portolan.mapping.forms), and what OSACA's operand has for them where others have any.
local addresses = {
  { form = "relative", words = { base = "rip" } },
  { form = "summed", words = { offset = "imd", index = "gpr" } },
}

-- A form of instructions that compute addresses, for the addresses that the core treats apart, ahead of it: OSACA takes the first that fits. They
-- stand for no scheme. An empty text for other instructions.
local function address_forms(m, context, form, throughput)
  local scheme, parts = isa.scheme(form.first.name), {}
  local computes = lists.any(scheme.operands, function(operand) return operand.kind == "address" end)
  for _, kind in ipairs(computes and addresses or {}) do
    local known, unit = (m.forms or {})[kind.form], context.address_units[kind.form]
    if known then
      local first = lists.copy(form.first)
      first.pressure = pressure(first.uops, lists.joined(first.kept, { unit and { name = unit, cycles = known.cycles, digits = 4 } }))
      first.latency = first.latency and first.latency + (known.later or 0)
      for field, word in pairs(kind.words) do first.operands = first.operands:gsub(field .. ': "%*"', ("%s: %s"):format(field, word), 1) end
      parts[#parts + 1] = form_text({ first = first, names = form.names, schemes = {} }, math.max(throughput, known.cycles or 0))
    end
  end
  return table.concat(parts)
end

local function default_pressure(m, list)
  for _, name in ipairs(list) do
    local scheme = m.schemes[name]
    if scheme and scheme.uops then return pressure(scheme.uops) end
  end
  return "[]"
end

local function load_latency_text(m, dialect)
  local parts = lists.map(load_latencies(m, dialect), function(load) return ("%s: %s"):format(load[1], number(load[2] + 0.0)) end)
  return table.concat(parts, ", ")
end

local function header(m, context)
  local ports = lists.map(m.ports, quoted)
  local units = lists.map(context.units, quoted)
  ports = lists.joined(lists.joined(ports, units), { context.issue and quoted(context.issue) })
  local title = quoted(m.processor and m.processor.name and tostring(m.processor.name) or "unknown")
  return table.concat {
    "# Port usage by Portolan. Latencies that are not known are 0: OSACA cannot add to unknown ones.\n",
    #units > 0 and ("portolan_units: [%s]\n"):format(table.concat(units, ", ")) or "",
    context.issue and ("portolan_issue: {port: %s, rmax: %s}\n"):format(quoted(context.issue), number(m.rmax)) or "",
    "osaca_version: 0.5.3\n", "micro_architecture: ", title, "\narch_code: ", title, "\nisa: ", context.dialect.isa, "\n",
    "ROB_size: ~\nretired_uOps_per_cycle: ~\nscheduler_size: ~\nhidden_loads: false\n",
    "load_latency: {", load_latency_text(m, context.dialect), "}\n",
    context.forwarding and ("store_to_load_forward_latency: %s\n"):format(number(context.forwarding + 0.0)) or "",
    "load_throughput: []\nload_throughput_default: ", default_pressure(m, context.dialect.loads), "\n",
    "store_throughput: []\nstore_throughput_default: ", default_pressure(m, context.dialect.stores), "\n",
    "ports: [", table.concat(ports, ", "), "]\nport_model_scheme: ~\n",
  }
end

-- The name, made longer until no port has it.
local function free_name(name, taken)
  while taken[name] do name = name .. "V" end
  return name
end

-- Units that several schemes keep, as ports tell or the mapping says: scheme -> `{ name =, cycles =, digits = }`; list of the units' names.
local function busy_of(m, taken)
  local found, name_of, units, busy = mapping.busy_units(m), {}, {}, {}
  for _, name in ipairs(lists.keys(found)) do
    local kept = found[name]
    if kept.cycles > 0 and (kept.port or m.schemes[name].unit) then
      if not name_of[kept.unit] then
        name_of[kept.unit] = free_name(kept.port and kept.port .. "DV" or "U" .. #units + 1, taken)
        units[#units + 1], taken[name_of[kept.unit]] = name_of[kept.unit], true
      end
      busy[name] = { name = name_of[kept.unit], cycles = kept.cycles, digits = 2 }
    end
  end
  table.sort(units)
  return busy, units
end

-- The pseudo ports of addresses that a core computes apart, by the names of their forms; they are added to the units.
local function address_units(m, taken, units)
  local found = {}
  for _, kind in ipairs(addresses) do
    if ((m.forms or {})[kind.form] or {}).cycles then
      found[kind.form] = free_name(kind.form:upper(), taken)
      units[#units + 1], taken[found[kind.form]] = found[kind.form], true
    end
  end
  return found
end

local function context_of(m)
  local compiled, message = core.model.mapping(m)
  if not compiled then return nil, message end
  local architecture
  architecture, message = mapping.architecture(m)
  if message then return nil, message end
  local dialect = dialects[architecture or "x86_64"]
  local taken = lists.set(m.ports)
  local busy, units = busy_of(m, taken)
  local of_addresses = address_units(m, taken, units)
  local issue = m.rmax and free_name("ISSUE", taken)
  return { compiled = compiled, busy = busy, units = units, address_units = of_addresses, issue = issue, dialect = dialect,
    forwarding = forwarding_of(m, dialect) }
end

--- The YAML text of a mapping.
-- @param m valid mapping
-- @return text; `{ forms =, unexplained =, inexpressible =, hidden = }`: how many forms there are, and how many schemes are left out
--   as there is no port usage, as OSACA has no words for them, as it takes them for another scheme that is used differently; or nil
--   and a message
function writer.encode(m)
  local context, message = context_of(m)
  if not context then return nil, message end
  local list, left_out = entries_of(m, context)
  local forms
  forms, left_out.hidden = forms_of(list)
  left_out.forms = #forms
  table.sort(forms, function(a, b)
    if a.names[1] ~= b.names[1] then return a.names[1] < b.names[1] end
    if a.first.name ~= b.first.name then return a.first.name < b.first.name end
    return a.first.operands < b.first.operands
  end)
  local parts = { header(m, context), #forms > 0 and "instruction_forms:\n" or "instruction_forms: []\n" }
  for _, form in ipairs(forms) do
    local prediction = assert(context.compiled:predict { [form.first.name] = 1 })
    local cycles = prediction.ports_cycles or prediction.cycles
    local unit = context.busy[form.first.name]
    cycles = math.max(cycles, unit and unit.cycles or 0)
    if cycles == 0 and m.rmax then cycles = (m.schemes[form.first.name].slots or 1) / m.rmax end -- OSACA leaves out what takes no time at all
    parts[#parts + 1] = address_forms(m, context, form, cycles)
    parts[#parts + 1] = form_text(form, cycles)
  end
  return table.concat(parts), left_out
end

return writer
