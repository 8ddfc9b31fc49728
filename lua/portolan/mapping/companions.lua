--- Companions: schemes that stand around every instance of another one where it is measured, so that it leaves what it found: the depth of the
-- x87 stack, the stack pointer (engine/isa/companions.h).
--
-- They take ports and time. What is measured are all of them together; a mapping has the uops of the scheme alone, and the names of its
-- `companions`. Experiments are predicted with both, code with what it says.
-- @module portolan.mapping.companions
local memory_use = require "portolan.scheme.memory_use"
local lists = require "portolan.support.lists"
local port_set = require "portolan.mapping.ports"

local companions = {}

-- Uops as a count for each set of ports, added to or taken from others.
local function add(count, uops, times)
  for _, uop in ipairs(uops) do
    local key = port_set.key(uop[1])
    local known = count[key] or { ports = uop[1], n = 0 }
    known.n, count[key] = known.n + times * (uop[2] or 1), known
  end
end

-- The uops of a count divided by so many; nil if there are none of some, or they cannot be divided.
local function uops_of(count, divisor)
  local uops = {}
  for _, key in ipairs(lists.keys(count)) do
    local n = count[key].n
    if n < 0 or n % divisor ~= 0 then return nil end
    if n > 0 then uops[#uops + 1] = { count[key].ports, n // divisor } end
  end
  return uops
end

local function told_apart(name, entry, solve)
  local count, slots, times = {}, entry.slots, lists.tally(entry.companions)
  add(count, entry.uops, 1)
  for _, other in ipairs(lists.keys(times)) do
    local known = other ~= name and solve(other)
    if other ~= name and not known then return nil, ("the uops of %s are not known"):format(other) end
    if known then
      add(count, known.uops, -times[other])
      slots = slots and known.slots and slots - times[other] * known.slots
    end
  end
  local uops = uops_of(count, 1 + (times[name] or 0))
  if not uops then return nil, "the uops of its companions are not among those that were found" end
  slots = slots and slots // (1 + (times[name] or 0))
  return { uops = uops, slots = slots and slots >= math.min(1, #uops) and slots or nil }
end

-- The uops of a load that is a companion, and has one itself: what it has is among what was found with each scheme that it stands around, and
-- one uop at least is a load's. So it is known if that is all that these have in common. Nil if it is not.
local function load_in_common(all, name)
  local loads = all[companions.load] and all[companions.load].uops
  local scheme = all[name].uops and loads and #loads == 1 and memory_use(name)
  if not scheme or not scheme.reads or scheme.writes then return nil end
  local common = {}
  add(common, all[name].uops, 1)
  for _, entry in pairs(all) do
    local times = entry.uops and lists.tally(entry.companions or {})[name]
    local count = {}
    add(count, times and entry.uops or {}, 1)
    for key, known in pairs(times and common or {}) do
      common[key] = { ports = known.ports, n = math.min(known.n, (count[key] and count[key].n or 0) // times) }
    end
  end
  local uops = uops_of(common, 1)
  return #uops == 1 and uops[1][2] == 1 and port_set.same(uops[1][1], loads[1][1]) and uops or nil
end

--- The scheme that tells the ports of loads.
companions.load = "mov r64, m64"

--- Takes the companions off what was measured with them.
-- @param all name -> `{ uops =, slots =, companions = list of names or nil }`, of instances with their companions; `uops` nil: they are not known
-- Two that are each other's companions are told apart if one of them loads (`fld m64` and `fstp st`): its load's uop is on the ports of
-- `companions.load`.
-- @return name -> `{ uops =, slots = }` of the scheme alone, for all that can be told; name -> why not, for the others that have companions
function companions.apart(all)
  local own, why, open = {}, {}, {}
  for name, entry in pairs(all) do
    local uops = entry.companions and load_in_common(all, name)
    if uops then own[name] = { uops = uops, slots = 1 } end
  end
  local function solve(name)
    local entry = all[name]
    if own[name] or not entry or not entry.uops then return own[name] end
    if not entry.companions then
      own[name] = { uops = entry.uops, slots = entry.slots }
    elseif not open[name] then
      open[name] = true -- one that is reached by way of itself stays open
      own[name], why[name] = told_apart(name, entry, solve)
    end
    return own[name]
  end
  for _, name in ipairs(lists.keys(all)) do solve(name) end
  return own, why
end

-- An entry with its companions; without uops where one of them has none.
local function together(m, entry)
  local count, slots, all = {}, entry.slots or 1, lists.copy(entry)
  all.uops = nil
  add(count, entry.uops, 1)
  for name, times in pairs(lists.tally(entry.companions)) do
    local other = m.schemes[name]
    if not other or not other.uops then return all end
    add(count, other.uops, times)
    slots = slots + times * (other.slots or 1)
  end
  all.uops, all.slots = uops_of(count, 1), slots
  return all
end

--- A mapping as experiments see it: each scheme with its companions.
-- @param m mapping table
-- @return mapping table whose schemes have no `companions`; the same if none had
function companions.as_measured(m)
  if type(m) ~= "table" or type(m.schemes) ~= "table" then return m end
  local copy
  for name, entry in pairs(m.schemes) do
    if type(entry) == "table" and type(entry.companions) == "table" and type(entry.uops) == "table" then
      copy = copy or { ports = m.ports, rmax = m.rmax, schemes = lists.copy(m.schemes) }
      copy.schemes[name] = together(m, entry)
      copy.schemes[name].companions = nil
    end
  end
  return copy or m
end

return companions
