--- The port mapping that a scheduling model of LLVM's says (docs/predictors.md).
--
-- What a mapping has no place for is treated so:
--
-- - Dividers are left out; schemes that keep one longer than their uops last get the status "slower than ports", the cycles that LLVM
--   gives them alone as `tp`, and a note. They keep the uops on ports.
-- - A port that a uop keeps for several cycles counts as so many uops, and a note says it.
-- - A latency of 100 and more stands in LLVM's models for "not known"; such schemes, and those of more than 40 uops, are "microcoded" and
--   have no uops.
-- - `slots` is LLVM's NumMicroOps, `rmax` its dispatch width. Both count uops, where cores count fused ones.
-- @module portolan.predictor.llvm_mca.mapping
local core = require "portolan.core"
local latencies = require "portolan.mapping.latencies"
local lists = require "portolan.support.lists"
local mapping = require "portolan.mapping"
local port_set = require "portolan.mapping.ports"
local port_resources = require "portolan.predictor.llvm_mca.port_resources"
local probe = require "portolan.predictor.llvm_mca.probe"
local tables = require "portolan.predictor.llvm_mca.tables"
local pressure = require "portolan.predictor.llvm_mca.pressure"

local maker = {}

local unknown_latency = 100
local most_uops = 40

-- Splits the pressure of an entry into that of ports, `v`, and the longest that it keeps a divider.
local function sort_units(entry, resources)
  local info, divider = {}, { cycles = 0 }
  for _, use in ipairs(entry.info) do
    local name = resources[use.unit]
    local kind = port_resources.kind(name)
    if kind == "port" then info[#info + 1] = use end
    if kind == "divider" and use.cycles > divider.cycles then divider = { name = name, cycles = use.cycles } end
    if kind == "unknown" then entry.reason = name .. ": LLVM's model does not know the ports" end
  end
  entry.divider = divider
  local message
  entry.v, message = pressure.vector(info)
  entry.reason = entry.reason or message
end

-- The different vectors of entries.
local function distinct(entries)
  return lists.distinct(lists.map(entries, function(entry) return entry.v end), pressure.key)
end

local function without_units(v, units)
  local rest = {}
  for unit, x in pairs(v) do
    if not units[unit] then rest[unit] = x end
  end
  return rest
end

-- Takes dividers and shadows out of all entries that the model knows; the groups of units; the set of shadows.
local function learn(entries, order, resources)
  local known, clean = {}, {}
  for _, name in ipairs(order) do
    local entry = entries[name]
    if not entry.error then sort_units(entry, resources) end
    if entry.v then known[#known + 1] = entry end
  end
  local shadows = port_resources.shadows(distinct(known), pressure.one)
  for _, entry in ipairs(known) do
    entry.v = without_units(entry.v, shadows)
    if not entry.reason and entry.divider.cycles == 0 then clean[#clean + 1] = entry end
  end
  return pressure.learn(clean), shadows
end

local function is_microcoded(entry)
  if entry.latency >= unknown_latency then return ("latency %d, which LLVM writes where it knows none"):format(entry.latency) end
  local mass = pressure.mass(entry.v)
  if mass > most_uops then return ("%d port cycles"):format(math.floor(mass + 0.5)) end
end

local function names_of(units, names) return lists.map(units, function(unit) return names[unit] end) end

-- Ports of the sums that were chosen, not found out.
local function assumed(entry, names)
  local set = {}
  for _, term in ipairs(entry.sum) do
    if entry.open or term[1].assumed then
      for _, unit in ipairs(term[1].units) do set[unit] = true end
    end
  end
  local list = lists.keys(set)
  return #list > 0 and names_of(list, names) or nil
end

local function note_of(entry, names)
  local notes, slow = {}, entry.divider
  if slow.cycles > pressure.mass(entry.v) then notes[1] = ("keeps %s for %g cycles"):format(slow.name, slow.cycles) end
  for _, term in ipairs(entry.sum) do
    if term[2] > math.max(1, entry.uops) then
      notes[#notes + 1] = ("keeps %s for %d cycles with %d uops"):format(table.concat(names_of(term[1].units, names), "/"), term[2], entry.uops)
    end
  end
  if entry.open then notes[#notes + 1] = "other sums of uops have the same resource pressure, and llvm-mca cannot simulate it" end
  return #notes > 0 and table.concat(notes, "; ") or nil
end

local plain_load = "mov r64, m64"

-- The number of the first operand of a kind that is named and read ("r") or written ("w"); nil if there is none.
local function operand_of(name, kind, access)
  for i, operand in ipairs(core.isa.scheme(name).operands) do
    if operand.kind == kind and operand.visibility == "explicit" and operand.access:find(access, 1, true) then return i end
  end
end

-- Cycles from a value that is read to the results, by LLVM's one number, which of what loads is that from the address. Returns that; and pairs of
-- places where the load is all that there is. Nothing of what has no uops: its results are there at once, whatever LLVM writes. And what has uops and
-- no latency says nothing: LLVM writes 0 where it does not matter to it.
local function latencies_of(entry, load)
  local cycles = entry.latency
  if not cycles or cycles >= unknown_latency or cycles < 1 then return nil end
  local memory = operand_of(entry.name, "memory", "r")
  if not memory then return cycles end
  local value, to = load and cycles - load, operand_of(entry.name, "register", "w")
  if value and value >= 1 then return value end
  local pairs_of_places = to and { { from = memory .. ".base", to = tostring(to), cycles = cycles } }
  return nil, pairs_of_places and not latencies.fault(pairs_of_places, entry.name) and pairs_of_places or nil -- segment registers are no places
end

-- The entry of a mapping.
local function scheme_of(entry, names, load)
  if entry.error then return { status = "unsupported here", note = entry.error } end
  local words = not entry.reason and is_microcoded(entry)
  if words then return { status = "microcoded", note = words, tp = entry.tp } end
  if entry.reason then return { status = "unsupported here", note = entry.reason } end
  local uops = lists.map(entry.sum, function(term) return { names_of(term[1].units, names), term[2] } end)
  table.sort(uops, function(a, b) return table.concat(a[1], ",") < table.concat(b[1], ",") end)
  local slow = entry.divider.cycles > pressure.mass(entry.v)
  local latency, pairs_of_places
  if #uops > 0 then latency, pairs_of_places = latencies_of(entry, load) end
  return {
    uops = uops, slots = entry.uops, latency = latency, latencies = pairs_of_places, tp = entry.tp, note = note_of(entry, names),
    assumed = assumed(entry, names),
    status = slow and "slower than ports" or #uops == 0 and "eliminated at rename" or "explained",
  }
end

-- The ports that any uop names, in the model's order.
local function used_ports(schemes, names)
  local used = lists.set(port_set.used(schemes))
  return lists.where(names, function(name) return used[name] end)
end

local function left_out(names, shadows)
  return names_of(lists.keys(shadows), names)
end

--- The stages of making one (portolan.progress.pace).
maker.stages = { { name = "resources of all instructions", seconds = 6 }, { name = "uops that these leave open", seconds = 4, counted = true } }

--- Makes the mapping.
-- @param tool of `portolan.predictor.llvm_mca`
-- @param schemes list of names
-- @tparam[opt] func progress function(stage, done, total)
-- @return mapping; or nil and a message
function maker.of(tool, schemes, progress)
  local function stage(number)
    return function(done, total) if progress then progress(maker.stages[number].name, done, total) end end
  end
  stage(1)()
  local all, message = tables.universe(schemes, tool.architecture)
  if not all then return nil, message end
  local entries, resources = tables.read(tool, all)
  local groups, shadows = learn(entries, all, resources)
  local names, prefix = port_resources.names(resources)
  local open, text_of = {}, {}
  for _, group in ipairs(groups) do
    if group.blocker then text_of[group.blocker] = entries[group.blocker].text end
  end
  for _, name in ipairs(schemes) do
    local entry = entries[name]
    if entry.v and not entry.reason and not is_microcoded(entry) then open[#open + 1] = entry end
  end
  probe.decide(tool, open, groups, text_of, stage(2))
  local m = { format = mapping.format, version = mapping.version, rmax = tool.width, schemes = {},
    processor = { name = tool.name, architecture = tool.architecture, model = prefix },
    provenance = { source = "llvm-mca", version = tool.version, cpu = tool.cpu, left_out = left_out(names, shadows) } }
  local load = entries[plain_load] and entries[plain_load].latency
  for _, name in ipairs(schemes) do m.schemes[name] = scheme_of(entries[name], names, load) end
  m.ports = used_ports(m.schemes, names)
  local ok, fault = mapping.validate(m)
  if not ok then return nil, ("%s: %s"):format(tool.name, fault) end
  return m
end

return maker
