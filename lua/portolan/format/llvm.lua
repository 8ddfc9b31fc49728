--- LLVM's scheduling models (TableGen): writing a fragment for review by whoever maintains one (docs/formats.md).
--
-- A ProcResource for each port and each unit that stays busy, a ProcResGroup for each set of ports, a SchedWriteRes for each usage and latency
-- with the instructions that have it, a SchedReadAdvance for operands that may come late. What has no uops in a mapping but was measured alone keeps
-- a unit for that time. What a mapping does not know stays out. Names are those of LLVM 19 (ReleaseAtCycles was ResourceCycles up to LLVM 17).
-- @module portolan.format.llvm
local best_known = require "portolan.mapping.best_known"
local experiment = require "portolan.experiment"
local lists = require "portolan.support.lists"
local llvm_latency = require "portolan.format.llvm_latency"
local llvm_ports = require "portolan.format.llvm_ports"
local mapping = require "portolan.mapping"
local mapping_diff = require "portolan.mapping.diff"
local plural = require "portolan.support.plural"
local port_set = require "portolan.mapping.ports"
local statuses = require "portolan.mapping.statuses"

local llvm = {}

local wrapped = llvm_ports.wrapped

-- A comment must end with its line.
local function comment(format, ...) return "// " .. format:format(...):gsub("%c", "?") .. "\n" end

-- Returns what all names begin with: the processor's, made an identifier that begins with a capital.
local function prefix_of(m, given)
  local p = type(m.processor) == "table" and m.processor or {}
  local name = given or p.microarchitecture or type(p.model) == "string" and p.model or p.name
  name = llvm_ports.identifier(type(name) == "string" and name or ""):gsub("_", "")
  if not name:find("^%a") then name = "Portolan" .. name end
  return name:sub(1, 1):upper() .. name:sub(2)
end

local most_shared = 4 -- units that schemes share, of most of them: llvm-mca dies of more than 64 resources, LLVM's own included

-- The unit of a scheme of which only the time alone is known: one of `n` alike, kept for so many cycles that the scheme takes its time, nearly. Those
-- of one number share them, vectors and others apart, as there is no room for one each. Nil for what is faster than four a cycle.
local most_alike = 4
local function alone_unit(name, tp)
  local best, off
  for n = 1, most_alike do
    local cycles = math.floor(math.min(tp, 1e6) * n + 0.5)
    local error = cycles > 0 and math.abs(cycles / n / tp - 1)
    if error and error < (off or 0.5) - 0.01 then best, off = { n = n, cycles = cycles }, error end
  end
  if not best then return nil end
  best.unit = ("of %s of which the time alone is known, %d alike"):format(name:find "[xyz]mm" and "vectors" or "others", best.n)
  return best
end

-- Units that several schemes keep, as ports tell or the mapping says (portolan.mapping.busy_units): scheme -> `{ unit = its name, port =, cycles =
-- }`. What they keep for a part of a cycle is so many units for one: the least that any of them asks for. A scheme without uops keeps one for its
-- time alone.
local function busy_of(m)
  local busy, number, all, schemes = {}, {}, mapping.busy_units(m), {}
  for name, kept in pairs(all) do
    if m.schemes[name].alone and not m.schemes[name].unit then all[name] = nil end
    if not kept.port and m.schemes[name].unit then schemes[kept.unit] = (schemes[kept.unit] or 0) + 1 end
  end
  local units = lists.keys(schemes)
  table.sort(units, lists.by_value(schemes))
  local shared = lists.set(table.move(units, 1, most_shared, 1, {}))
  for name, kept in pairs(all) do
    if kept.cycles > 0 and (kept.port or shared[kept.unit]) then
      busy[name] = { unit = kept.unit, port = kept.port, cycles = math.max(1, math.floor(kept.cycles + 0.5)) }
      number[kept.unit] = math.max(1, math.min(number[kept.unit] or math.huge, math.floor(1 / kept.cycles + 0.5)))
    end
  end
  for name, scheme in pairs(m.schemes) do
    local own = scheme.alone and not busy[name] and scheme.tp > 0 and alone_unit(name, scheme.tp)
    if own then busy[name], number[own.unit] = own, own.n end
  end
  return busy, number
end

-- Schemes by usage, issue slots, unit and latency: list of `{ uops =, slots =, busy =, latency =, text =, names = }`, the most common first.
local function groups_of(m, busy, load)
  local groups, by_key = {}, {}
  for _, name in ipairs(mapping.schemes(m, true)) do
    local scheme = m.schemes[name]
    local uops, slots = mapping_diff.merged(scheme.uops, m.ports), scheme.slots or 1
    local text, cycles, kept = mapping.usage { uops = uops }, llvm_latency.of(name, scheme, load), busy[name]
    local unit = kept and ("%s %d"):format(kept.unit, kept.cycles) or scheme.alone and "alone" or ""
    local key = ("%s\0%d\0%s\0%s"):format(text, slots, cycles or "?", unit)
    if not by_key[key] then
      by_key[key] = { uops = uops, slots = slots, busy = kept, latency = cycles, text = text, names = {} }
      groups[#groups + 1] = by_key[key]
    end
    table.insert(by_key[key].names, name)
  end
  table.sort(groups, function(a, b)
    if #a.names ~= #b.names then return #a.names > #b.names end
    if a.text ~= b.text then return a.text < b.text end
    if a.slots ~= b.slots then return a.slots < b.slots end
    if a.latency ~= b.latency then return (a.latency or -1) < (b.latency or -1) end
    return (a.busy and a.busy.cycles or 0) < (b.busy and b.busy.cycles or 0)
  end)
  for i, group in ipairs(groups) do group.number = i end
  return groups
end

-- Tells which group an opcode belongs to, where it stands for several schemes: that of most of them. Returns opcode -> group.
local function owners(groups, opcodes)
  local counts, owner = {}, {}
  for _, group in ipairs(groups) do
    for _, name in ipairs(group.names) do
      for _, opcode in ipairs(opcodes[name] or {}) do
        counts[opcode] = counts[opcode] or {}
        counts[opcode][group] = (counts[opcode][group] or 0) + 1
        local best = owner[opcode]
        if not best or counts[opcode][group] > counts[opcode][best] then owner[opcode] = group end
      end
    end
  end
  return owner
end

local function write_name(group, prefix) return ("%sWriteResGroup%d"):format(prefix, group.number) end

local function write_text(group, names, prefix, units)
  local used, cycles, any = {}, {}, false
  for i, uop in ipairs(group.uops) do
    used[i], cycles[i] = names[port_set.key(uop[1])], ("%d"):format(uop[2])
    any = any or uop[2] ~= 1
  end
  if group.busy then
    used[#used + 1], cycles[#cycles + 1], any = units[group.busy.unit], ("%d"):format(group.busy.cycles), true
  end
  local body = any and ("  let ReleaseAtCycles = [%s];\n"):format(table.concat(cycles, ", ")) or ""
  local latency = group.latency and ("  let Latency = %d;\n"):format(group.latency) or ""
  return ("def %s : SchedWriteRes<[%s]> {\n%s%s  let NumMicroOps = %d;\n}\n"):format(write_name(group, prefix), wrapped(used, "    "), latency, body,
    group.slots)
end

-- Latencies that are not one number: of which only sums are determined, or which depend on values.
local function latency_remark(scheme)
  local low, high
  for _, l in ipairs(scheme.latencies or {}) do
    if l.low and l.high and l.low < l.high or l.other and l.other ~= l.cycles then
      low = math.min(low or math.huge, l.low or l.cycles, l.other or l.cycles)
      high = math.max(high or 0, l.high or l.cycles, l.other or l.cycles)
    end
  end
  return low and ("some latency is %g to %g"):format(low, high)
end

-- Returns what a reviewer wants to know of a scheme; an empty text if there is nothing.
local function remarks(scheme)
  local parts = {}
  if scheme.tp then parts[1] = ("%.2f cycles alone"):format(scheme.tp) end
  if scheme.status and scheme.status ~= "explained" then parts[#parts + 1] = scheme.status end
  parts[#parts + 1] = latency_remark(scheme)
  if scheme.assumed then parts[#parts + 1] = "assumed: " .. table.concat(scheme.assumed, ", ") end
  if type(scheme.note) == "string" then parts[#parts + 1] = scheme.note end
  return #parts > 0 and " (" .. table.concat(parts, "; ") .. ")" or ""
end

-- One experiment that shows the usage, of the first scheme that has one.
local function evidence(m, group)
  for _, name in ipairs(group.names) do
    for _, w in ipairs(m.schemes[name].witnesses or {}) do
      if type(w) == "table" and w.role == "shows" and math.type(w.cycles) then
        local text = type(w.experiment) == "table" and experiment.format(w.experiment) or tostring(w.experiment)
        return comment("Measured, for example: %s takes %.2f cycles.", text, w.cycles)
      end
    end
  end
  return ""
end

-- Names of the writes and reads that opcodes need beside the group's: defined where they are first used.
local Further = {}
Further.__index = Further

function Further:define(kind, cycles, body)
  local name = ("%s%s%d"):format(self.prefix, kind, cycles)
  if not self.known[name] then self.parts[#self.parts + 1] = body:format(name, cycles) end
  self.known[name] = true
  return name
end

-- One of the results has the group's write, which holds the ports; if it is none of those with an operand, it is the one behind them.
function Further:words(group, details)
  local own, words, placed = write_name(group, self.prefix), {}, false
  for i, cycles in ipairs(details.results) do
    if cycles == group.latency and not placed then
      words[i], placed = own, true
    else
      words[i] = self:define("WriteResult", cycles, "def %s : SchedWriteRes<[]> {\n  let Latency = %d;\n  let NumMicroOps = 0;\n}\n")
    end
  end
  if not placed then words[#words + 1] = own end
  for _, cycles in ipairs(details.reads) do
    words[#words + 1] = self:define("Read", cycles, "def %s : SchedReadAdvance<%d>;\n")
  end
  return words
end

-- Opcodes of a group by what their InstRW says; the lists of names in order.
local function tables_of(m, group, context)
  local by_words, order, seen = {}, {}, {}
  for _, name in ipairs(group.names) do
    for _, opcode in ipairs(context.opcodes[name] or {}) do
      if context.owner[opcode] == group and not seen[opcode] then
        seen[opcode] = true
        local words = wrapped(context.further:words(group, llvm_latency.details(name, m.schemes[name], context.layouts[opcode],
          context.load)), "    ")
        if not by_words[words] then by_words[words], order[#order + 1] = {}, words end
        table.insert(by_words[words], opcode)
      end
    end
  end
  table.sort(order)
  return lists.map(order, function(words)
    table.sort(by_words[words])
    return ("def : InstRW<[%s], (instrs\n    %s)>;\n"):format(words, wrapped(by_words[words], "    "))
  end)
end

local function group_text(m, group, context)
  local ports = m.schemes[group.names[1]].alone and "ports not known" or group.text
  local latency = group.latency and (", latency %d"):format(group.latency) or ", latency not known"
  local parts = { comment("%s%s: %s", ports, latency, plural(#group.names, "scheme")) .. evidence(m, group),
    write_text(group, context.names, context.prefix, context.units) }
  for _, name in ipairs(group.names) do
    local others = {}
    for _, opcode in ipairs(context.opcodes[name] or {}) do
      local owner = context.owner[opcode]
      if owner ~= group then others[#others + 1] = ("most of %s is %s"):format(opcode, write_name(owner, context.prefix)) end
    end
    parts[#parts + 1] = comment("  %s%s%s", name, remarks(m.schemes[name]),
      #others > 0 and (": but %s, so this needs a variant"):format(table.concat(others, ", ")) or "")
  end
  local first = #context.further.parts
  local tables = tables_of(m, group, context)
  table.move(context.further.parts, first + 1, #context.further.parts, #parts + 1, parts)
  return table.concat(parts) .. table.concat(tables)
end

-- Schemes without uops, by what is known of them.
local function rest_text(m)
  local by_status, names, parts = {}, {}, {}
  for _, name in ipairs(mapping.schemes(m)) do
    local scheme = m.schemes[name]
    local status = scheme.status or "not explained"
    if not scheme.uops then
      if not by_status[status] then names[#names + 1] = status end
      lists.into(by_status, status, name .. remarks { tp = scheme.tp, note = scheme.note })
    end
  end
  for _, status in ipairs(statuses.sort(names)) do
    parts[#parts + 1] = "\n" .. comment("Not modelled, %s:", status)
    for _, line in ipairs(by_status[status]) do parts[#parts + 1] = comment("  %s", line) end
  end
  return table.concat(parts)
end

local function header(m, prefix, opcodes, remark)
  local processor = type(m.processor) == "table" and (m.processor.cpu or m.processor.name)
  return table.concat {
    comment("A scheduling model's ports, by Portolan%s. For review: not a whole model.", processor and ", of " .. tostring(processor) or ""),
    "//\n", comment "NumMicroOps is the number of issue slots. Where a latency is not known, LLVM's default of 1 stands.",
    comment "Names of ports are arbitrary unless they were matched with a model's (portolan compare --rename).",
    next(opcodes) == nil and comment "Instructions are comments, as LLVM's names of them were not asked for (--opcodes)." or "",
    comment "What has no ports here was measured alone, and keeps a unit for as long as it took then: a bound, which may be shared with others.",
    remark and comment("%s", remark) or "",
    "\n", ("def %sModel : SchedMachineModel {\n"):format(prefix),
    m.rmax and ("  let IssueWidth = %d;\n"):format(math.max(1, math.floor(m.rmax + 0.5))) or "",
    "  let MicroOpBufferSize = 256; // not measured; of a core that executes out of order\n  let CompleteModel = 0;\n}\n",
  }
end

-- The units as resources of their own: those behind ports are called by these, others by number.
local function unit_text(busy, number, names, prefix)
  local units, parts, port_of = {}, {}, {}
  for _, kept in pairs(busy) do port_of[kept.unit] = kept.port or false end
  for k, unit in ipairs(lists.keys(port_of)) do
    local port = port_of[unit]
    units[unit] = port and names[port] .. "Unit" or ("%sUnit%d"):format(prefix, k)
    parts[#parts + 1] = ("def %s : ProcResource<%d>; // %s\n"):format(units[unit], number[unit], unit)
  end
  return units, #parts > 0 and "\n// Units that an instance keeps for longer than its ports.\n" .. table.concat(parts) or ""
end

--- The text of a mapping.
-- @param m valid mapping
-- @param[opt] opcodes scheme -> list of LLVM's names of it (`portolan.predictor.llvm_mca.llvm_mc`); schemes without are comments
-- @param[opt] remark what a reviewer must know of these names
-- @param[opt] layouts opcode -> its operands, from there, too; without, no operand is said to come late
-- @param[opt] cpu what names begin with; by default the processor's name
-- @return text
function llvm.encode(m, opcodes, remark, layouts, cpu)
  opcodes = opcodes or {}
  m = best_known.of(m)
  local prefix = prefix_of(m, cpu)
  local busy, number = busy_of(m)
  local load = llvm_latency.of_load(m)
  local groups = groups_of(m, busy, load)
  local names, definitions = llvm_ports.define(m, groups, prefix)
  local units, unit_definitions = unit_text(busy, number, names, prefix)
  local context = { prefix = prefix, names = names, units = units, opcodes = opcodes, layouts = layouts or {}, owner = owners(groups, opcodes),
    load = load, further = setmetatable({ prefix = prefix, known = {}, parts = {} }, Further) }
  local parts = { header(m, prefix, opcodes, remark), ("\nlet SchedModel = %sModel in {\n\n"):format(prefix), definitions, unit_definitions }
  for _, group in ipairs(groups) do parts[#parts + 1] = "\n" .. group_text(m, group, context) end
  parts[#parts + 1] = ("\n} // SchedModel = %sModel\n"):format(prefix) .. rest_text(m)
  return table.concat(parts)
end

return llvm
