--- Latencies of a scheme, as mappings hold them (docs/formats.md): how long after an input an output is there, in cycles.
--
-- `{ from = PLACE, to = PLACE, cycles = number, low =, high = (cycles), other = (cycles), same = (cycles), in_place = (cycles),
-- bypass = { [domain] = cycles }, independent = true, as = "PLACE > PLACE", witnesses = { { chain = TEXT, cycles = number }, ... } }`; places are
-- those of `portolan.scheme.place`.
-- @module portolan.mapping.latencies
local chain = require "portolan.experiment.chain"
local isa = require "portolan.scheme.isa"
local json = require "portolan.support.json"
local lists = require "portolan.support.lists"
local place = require "portolan.scheme.place"
local printable = require "portolan.support.printable"

local latencies = {}

local most = 1e6 -- cycles

local function is_time(x) return math.type(x) and x >= 0 and x <= most end

local numbers = { "cycles", "low", "high", "other", "same", "in_place" }

-- Returns what is wrong with the places of an entry: the field, and the fault; nil if nothing is.
-- Names of other tools' schemes have none that could be checked.
local function place_fault(entry, scheme)
  for _, end_of in ipairs { { "from", "input" }, { "to", "output" } } do
    local field, side = end_of[1], end_of[2]
    if type(entry[field]) ~= "string" then return field, "must be the text of a place" end
    local fault = scheme and place.fault(entry[field], scheme, side)
    if fault then return field, "is no such place: " .. fault end
  end
end

local function number_fault(entry)
  if entry.cycles == nil then return "cycles", "is missing" end
  for _, field in ipairs(numbers) do
    if entry[field] ~= nil and not is_time(entry[field]) then return field, "must be a number of cycles from 0 on" end
  end
  if (entry.low == nil) ~= (entry.high == nil) then return "low", "and 'high' go together" end
  if entry.low and not (entry.low <= entry.cycles and entry.cycles <= entry.high) then return "cycles", "must be between 'low' and 'high'" end
end

local function bypass_fault(bypass)
  if bypass == nil then return nil end
  if type(bypass) ~= "table" then return "bypass", "must be an object: domain and cycles" end
  for domain, cycles in pairs(bypass) do
    if type(domain) ~= "string" or not is_time(cycles) then return "bypass", "must be an object: domain and cycles" end
  end
end

local function witness_fault(w)
  if type(w) ~= "table" or type(w.chain) ~= "string" then return "must be an object with a field 'chain'" end
  if not is_time(w.cycles) then return "must have a number of 'cycles' from 0 on" end
  local links, message = chain.parse(w.chain)
  if not links then return "is no chain: " .. message end
end

local function witnesses_fault(list)
  if list == nil then return nil end
  if not json.is_list(list) then return "witnesses", "must be a list" end
  for i, w in ipairs(list) do
    local fault = witness_fault(w)
    if fault then return ("witnesses[%d]"):format(i), fault end
  end
end

local function entry_fault(entry, scheme)
  if type(entry) ~= "table" then return "", "must be an object with fields 'from', 'to' and 'cycles'" end
  for _, check in ipairs { place_fault, number_fault } do
    local field, fault = check(entry, scheme)
    if field then return field, fault end
  end
  if entry.independent ~= nil and entry.independent ~= true then return "independent", "must be true, if it is there" end
  if entry.as ~= nil and type(entry.as) ~= "string" then return "as", "must be a text" end
  local field, fault = bypass_fault(entry.bypass)
  if field then return field, fault end
  return witnesses_fault(entry.witnesses)
end

--- Returns what is wrong with the latencies of a scheme.
-- @param list anything
-- @param name of the scheme
-- @return nil if nothing is; or the field, from `latencies` on, and what is wrong with it
function latencies.fault(list, name)
  if not json.is_list(list) then return "latencies", "must be a list" end
  local scheme, seen = isa.scheme(name), {}
  for i, entry in ipairs(list) do
    local field, fault = entry_fault(entry, scheme)
    if field then return ("latencies[%d]%s"):format(i, field == "" and "" or "." .. field), fault end
    local key = entry.from .. " > " .. entry.to
    if seen[key] then return ("latencies[%d]"):format(i), ("is a second one of [%s]"):format(key) end
    seen[key] = true
  end
end

--- The latency from one place to another.
-- @param scheme one of a mapping's `schemes`
-- @param from place
-- @param to place
-- @return entry; nil if it is not known
function latencies.find(scheme, from, to)
  return lists.first(scheme.latencies or {}, function(entry) return entry.from == from and entry.to == to end)
end

--- Tells whether no more is known of a latency than a bound: it is at most so long.
-- @param entry of a scheme without fault
function latencies.is_bound(entry) return entry.low == 0 and entry.high == entry.cycles and entry.cycles > 0 end

--- The scheme's one number, where a tool needs one: the longest way from a register that it reads to one that it writes; where it has no such pair
-- that is known, the longest of all that are. What is only known to be at most so long does not count.
-- @param scheme one of a mapping's `schemes`
-- @param name its name
-- @return cycles; nil if nothing is known
function latencies.longest(scheme, name)
  local of_registers, of_all
  for _, entry in ipairs(scheme.latencies or {}) do
    local from, to = place.parse(entry.from, name), place.parse(entry.to, name)
    local registers = from and to and to.kind == "register" and from.kind ~= "flag" and from.kind ~= "memory"
    local known = not latencies.is_bound(entry)
    if registers and known then of_registers = math.max(of_registers or 0, entry.cycles) end
    if known then of_all = math.max(of_all or 0, entry.cycles) end
  end
  return of_registers or of_all
end

local function cycles_text(x) return ("%.4g"):format(x) end

--- A latency in words: `3 cycles from 2 to 1`, with what is special about it.
-- @param entry of a scheme without fault
-- @return text that is safe to print
function latencies.line(entry)
  local parts = { ("%s to %s: "):format(entry.from, entry.to) }
  if entry.independent then parts[2] = "does not wait"
  elseif latencies.is_bound(entry) then parts[2] = "at most " .. cycles_text(entry.cycles)
  elseif not entry.low then parts[2] = cycles_text(entry.cycles)
  else
    parts[2] = ("%s (%s to %s)"):format(cycles_text(entry.cycles), cycles_text(entry.low), cycles_text(entry.high))
  end
  if entry.other then parts[#parts + 1] = (", %s with other values"):format(cycles_text(entry.other)) end
  if entry.same then parts[#parts + 1] = (", %s if both sources are one register"):format(cycles_text(entry.same)) end
  for _, domain in ipairs(lists.keys(entry.bypass or {})) do
    parts[#parts + 1] = (", %s more round by the %s domain"):format(cycles_text(entry.bypass[domain]), domain)
  end
  if entry.as then parts[#parts + 1] = (" (as %s)"):format(entry.as) end
  return printable(table.concat(parts))
end

return latencies
