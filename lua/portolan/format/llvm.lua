--- LLVM's scheduling models (TableGen): writing a fragment for review by whoever maintains one (docs/formats.md).
--
-- A ProcResource for each port, a ProcResGroup for each set of ports, a SchedWriteRes for each usage with the instructions that have it. What a
-- port mapping does not know stays out: latencies, and what is not modelled by ports. Names are those of LLVM 19 (ReleaseAtCycles was
-- ResourceCycles up to LLVM 17).
-- @module portolan.format.llvm
local experiment = require "portolan.experiment"
local llvm_ports = require "portolan.format.llvm_ports"
local mapping = require "portolan.mapping"
local mapping_diff = require "portolan.mapping_diff"
local port_set = require "portolan.ports"
local statuses = require "portolan.statuses"

local llvm = {}

local wrapped = llvm_ports.wrapped

-- A comment must end with its line.
local function comment(format, ...) return "// " .. format:format(...):gsub("%c", "?") .. "\n" end

-- What all names begin with: the processor's, made an identifier that begins with a capital.
local function prefix_of(m)
  local p = type(m.processor) == "table" and m.processor or {}
  local name = p.microarchitecture or type(p.model) == "string" and p.model or p.name
  name = llvm_ports.identifier(type(name) == "string" and name or ""):gsub("_", "")
  if not name:find("^%a") then name = "Portolan" .. name end
  return name:sub(1, 1):upper() .. name:sub(2)
end

-- Schemes by usage and issue slots: list of `{ uops =, slots =, text =, names = }`, the most common first.
local function groups_of(m)
  local groups, by_key = {}, {}
  for _, name in ipairs(mapping.schemes(m, true)) do
    local scheme = m.schemes[name]
    local uops, slots = mapping_diff.merged(scheme.uops, m.ports), scheme.slots or 1
    local text = mapping.usage { uops = uops }
    local key = ("%s\0%d"):format(text, slots)
    if not by_key[key] then
      by_key[key] = { uops = uops, slots = slots, text = text, names = {} }
      groups[#groups + 1] = by_key[key]
    end
    table.insert(by_key[key].names, name)
  end
  table.sort(groups, function(a, b)
    if #a.names ~= #b.names then return #a.names > #b.names end
    if a.text ~= b.text then return a.text < b.text end
    return a.slots < b.slots
  end)
  for i, group in ipairs(groups) do group.number = i end
  return groups
end

-- Which group an opcode belongs to, where it stands for several schemes: that of most of them. Opcode -> group.
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

local function write_text(group, names, prefix)
  local used, cycles, any = {}, {}, false
  for i, uop in ipairs(group.uops) do
    used[i], cycles[i] = names[port_set.key(uop[1])], ("%d"):format(uop[2])
    any = any or uop[2] ~= 1
  end
  local body = any and ("  let ReleaseAtCycles = [%s];\n"):format(table.concat(cycles, ", ")) or ""
  return ("def %s : SchedWriteRes<[%s]> {\n%s  let NumMicroOps = %d;\n}\n"):format(write_name(group, prefix), wrapped(used, "    "), body,
    group.slots)
end

-- What a reviewer wants to know of a scheme.
local function remarks(scheme)
  local parts = {}
  if scheme.tp then parts[1] = ("%.2f cycles alone"):format(scheme.tp) end
  if scheme.status and scheme.status ~= "explained" then parts[#parts + 1] = scheme.status end
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

local function group_text(m, group, names, prefix, opcodes, owner)
  local parts, listed, seen = {}, {}, {}
  parts[1] = comment("%s: %d scheme%s", group.text, #group.names, #group.names == 1 and "" or "s") .. evidence(m, group)
  parts[2] = write_text(group, names, prefix)
  for _, name in ipairs(group.names) do
    local others = {}
    for _, opcode in ipairs(opcodes[name] or {}) do
      if owner[opcode] ~= group then
        others[#others + 1] = ("most of %s is %s"):format(opcode, write_name(owner[opcode], prefix))
      elseif not seen[opcode] then
        seen[opcode], listed[#listed + 1] = true, opcode
      end
    end
    parts[#parts + 1] = comment("  %s%s%s", name, remarks(m.schemes[name]),
      #others > 0 and (": but %s, so this needs a variant"):format(table.concat(others, ", ")) or "")
  end
  table.sort(listed)
  if #listed > 0 then
    parts[#parts + 1] = ("def : InstRW<[%s], (instrs\n    %s)>;\n"):format(write_name(group, prefix), wrapped(listed, "    "))
  end
  return table.concat(parts)
end

-- Schemes without uops, by what is known of them.
local function rest_text(m)
  local by_status, names, parts = {}, {}, {}
  for _, name in ipairs(mapping.schemes(m)) do
    local scheme = m.schemes[name]
    local status = scheme.status or "not explained"
    if not scheme.uops then
      if not by_status[status] then names[#names + 1] = status end
      by_status[status] = by_status[status] or {}
      table.insert(by_status[status], name .. remarks { tp = scheme.tp, note = scheme.note })
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
    "//\n", comment "Latencies are not known: LLVM's default of 1 stands. NumMicroOps is the number of issue slots.",
    comment "Names of ports are arbitrary unless they were matched with a model's (portolan compare --rename).",
    next(opcodes) == nil and comment "Instructions are comments, as LLVM's names of them were not asked for (--opcodes)." or "",
    remark and comment("%s", remark) or "",
    "\n", ("def %sModel : SchedMachineModel {\n"):format(prefix),
    m.rmax and ("  let IssueWidth = %d;\n"):format(math.max(1, math.floor(m.rmax + 0.5))) or "", "  let CompleteModel = 0;\n}\n",
  }
end

--- The text of a mapping.
-- @param m valid mapping
-- @param[opt] opcodes scheme -> list of LLVM's names of it (`portolan.predictor.llvm_mca.llvm_mc`); schemes without are comments
-- @param[opt] remark what a reviewer must know of these names
-- @return text
function llvm.encode(m, opcodes, remark)
  opcodes = opcodes or {}
  local prefix, groups = prefix_of(m), groups_of(m)
  local names, definitions = llvm_ports.define(m, groups, prefix)
  local owner = owners(groups, opcodes)
  local parts = { header(m, prefix, opcodes, remark), ("\nlet SchedModel = %sModel in {\n\n"):format(prefix), definitions }
  for _, group in ipairs(groups) do parts[#parts + 1] = "\n" .. group_text(m, group, names, prefix, opcodes, owner) end
  parts[#parts + 1] = ("\n} // SchedModel = %sModel\n"):format(prefix) .. rest_text(m)
  return table.concat(parts)
end

return llvm
