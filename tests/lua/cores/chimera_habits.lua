-- The habits that a chimera (cores.chimera) may have beside its ports and moves: all that is known or published, as misfits of schemes and habits of
-- the core. `c` is the core that is being drawn.
local landmarks = require "portolan.scheme.landmarks"
local lists = require "portolan.support.lists"

local chimera_habits = {}

local function chance(c, share) return c.rng:unit() < share end
local function between(c, least, most) return least + (most - least) * c.rng:unit() end
local function whole(c, least, most) return least + c.rng:below(math.max(least, most) - least + 1) end
local function pick(c, list) return list[1 + c.rng:below(#list)] end

-- The schemes of some families, sorted; those that a former habit has changed already are left alone.
function chimera_habits.of_families(c, ...)
  local wanted = lists.set { ... }
  return lists.where(c.names, function(name) return wanted[c.family[name]] and not c.changed[name] and not c.operands[name].memory end)
end

function chimera_habits.misfit(c, name, field, value)
  local scheme = c.mapping.schemes[name]
  scheme.misfit = scheme.misfit or {}
  scheme.misfit[field] = value
end

-- Names -> how many of its uops or accesses each scheme has that a test holds for.
local function uses(c, amount)
  local list = {}
  for _, name in ipairs(c.names) do
    local n = amount(c.operands[name], c.mapping.schemes[name], name)
    list[name] = n and n > 0 and n or nil
  end
  return list
end

local function is_executed(scheme) return scheme.status ~= "eliminated at rename" end

local function vector_uops(c)
  local inside = lists.set(c.ports.groups.vec)
  return uses(c, function(o, scheme)
    local uops = lists.where(o.bits > 0 and is_executed(scheme) and scheme.uops or {}, function(uop) return inside[uop[1][1]] end)
    return lists.sum(uops, function(uop) return uop[2] end)
  end)
end

local function accesses(c, way)
  return uses(c, function(o) return o.memory and o.memory.access:find(way) and (o.memory.width == 256 and c.ports.split and 2 or 1) end)
end

local function add_rule(c, field, most, used)
  c.habits[field] = c.habits[field] or {}
  table.insert(c.habits[field], { most = most, uses = used })
end

local function is_slower(c, name, cycles)
  local scheme = c.mapping.schemes[name]
  local slowest = lists.largest(scheme.uops, function(uop) return uop[2] / #uop[1] end, 0)
  if cycles > 1.05 * slowest then scheme.status, scheme.tp = "slower than ports", cycles end
end

local function keep_busy(c, name, cycles)
  chimera_habits.misfit(c, name, "busy", cycles)
  is_slower(c, name, cycles)
  c.changed[name] = true
end

-- Dividers are never pipelined; those of a core may be one, and depend on numbers.
local function divide(c)
  local names, one, used = chimera_habits.of_families(c, "divide"), chance(c, 0.6), {}
  for _, name in ipairs(names) do
    local cycles = whole(c, 3, 12) * (c.ports.split and 2 or 1)
    keep_busy(c, name, cycles)
    used[name] = cycles
    if c.depends then
      chimera_habits.misfit(c, name, "large_inputs", cycles * 1.6)
      c.mapping.schemes[name].status = "input-dependent"
    end
  end
  if one then add_rule(c, "units", 1, used) end
end

-- Habits: words, how likely they are, and what they do; which may return other words, or false: not on this core.
chimera_habits.all = {
  { "NOPs fuse", 1, function(c)
    local fillers = landmarks.of("x86_64").fillers
    local function plain(filler) return not filler.name:find "^nop" and #c.mapping.schemes[filler.name].uops == 0 end
    local in_part = lists.any(c.names, function(name) return (c.mapping.schemes[name].misfit or {}).eliminated end)
    if in_part and not lists.any(fillers, plain) then return false end -- what is eliminated now and then takes a slot as something plain does
    for _, filler in ipairs(fillers) do
      if filler.name:find "^nop" then chimera_habits.misfit(c, filler.name, "fuses", true) end
    end
  end },
  { "increments eliminated", 0.5, function(c)
    for _, name in ipairs(chimera_habits.of_families(c, "increment")) do
      local scheme = c.mapping.schemes[name]
      scheme.uops, scheme.status, scheme.latency, c.changed[name] = {}, "eliminated at rename", 0.23, true
    end
  end },
  { "exchange eliminated", 0.4, function(c)
    for _, name in ipairs(chimera_habits.of_families(c, "exchange")) do
      local scheme = c.mapping.schemes[name]
      scheme.uops, scheme.slots, scheme.status, scheme.latency, c.changed[name] = {}, 2, "eliminated at rename", 0, true
    end
  end },
  { "input-dependent division", 1, function(c) c.depends = true end },
  { "division", math.huge, divide },
  { "busy units", 1, function(c)
    local family = pick(c, { "deposit", "count", "multiply", "vmultiply", "long_multiply", "lanes", "reciprocal", "round", "to", "vshift" })
    local cycles = whole(c, 2, 4)
    for _, name in ipairs(chimera_habits.of_families(c, family)) do keep_busy(c, name, cycles) end
    return ("%s busy for %d"):format(family, cycles)
  end },
  { "microcode", 0.7, function(c)
    local family = pick(c, { "deposit", "double", "choose", "horizontal", "fhorizontal", "tests", "extract" })
    for _, name in ipairs(chimera_habits.of_families(c, family)) do
      chimera_habits.misfit(c, name, "microcoded", true)
      c.mapping.schemes[name].slots, c.mapping.schemes[name].status, c.changed[name] = whole(c, 8, 30), "microcoded", true
    end
    return "microcoded " .. family
  end },
  { "whole groups", 1, function(c)
    c.habits.whole_groups = chance(c, 0.7) and 2 or whole(c, 1, 3)
    return ("whole groups beyond %d slots"):format(c.habits.whole_groups)
  end },
  { "vectors a group", 0.5, function(c)
    local most = whole(c, 2, c.mapping.rmax - 1)
    add_rule(c, "group_rules", most, vector_uops(c))
    return ("%d vector uops a group"):format(most)
  end },
  { "loads a group", 0.5, function(c)
    local most = whole(c, math.min(2, #c.ports.groups.load), #c.ports.groups.load)
    add_rule(c, "group_rules", most, accesses(c, "r"))
    return ("%d loads a group"):format(most)
  end },
  { "stores a group", 0.5, function(c)
    local most = whole(c, 1, 2)
    add_rule(c, "group_rules", most, accesses(c, "w"))
    return ("%d stores a group"):format(most)
  end },
  { "vector result buses", 0.6, function(c)
    local most = whole(c, math.max(1, #c.ports.groups.vec - 1), #c.ports.groups.vec)
    add_rule(c, "units", most, uses(c, function(o, scheme)
      return is_executed(scheme) and o.writes_vector and (o.bits == 256 and c.ports.split and 2 or 1)
    end))
    return ("%d vector results a cycle"):format(most)
  end },
  { "register writes", 0.6, function(c)
    local most = whole(c, #c.ports.groups.alu, #c.ports.groups.alu + #c.ports.groups.load - 1)
    add_rule(c, "units", most, uses(c, function(o, scheme) return is_executed(scheme) and o.general and o.general:find "w" and 1 end))
    return ("%d register writes a cycle"):format(most)
  end },
  { "register reads", 0.5, function(c)
    local most = whole(c, #c.ports.groups.alu + 2, 2 * #c.ports.groups.alu + 1)
    add_rule(c, "units", most, uses(c, function(o, scheme) return is_executed(scheme) and o.reads end))
    return ("%d register reads a cycle"):format(most)
  end },
  { "memory accesses", 0.6, function(c)
    local most = whole(c, math.max(1, #c.ports.groups.load - 1), #c.ports.groups.load)
    local reads, writes = accesses(c, "r"), accesses(c, "w")
    add_rule(c, "units", most, uses(c, function(_, _, name) return (reads[name] or 0) + (writes[name] or 0) end))
    return ("%d memory accesses a cycle"):format(most)
  end },
  { "one store a cycle", 0.5, function(c) add_rule(c, "units", 1, accesses(c, "w")) end },
  { "three operands", 0.4, function(c)
    local most = whole(c, 1, 2)
    add_rule(c, "units", most, uses(c, function(o) return o.bits > 0 and not o.memory and o.registers + (o.updates and 1 or 0) >= 4 and 1 end))
    return ("%d instructions of three vector operands a cycle"):format(most)
  end },
  { "retirement", 0.5, function(c)
    c.habits.retires = whole(c, math.max(2, c.mapping.rmax - 2), c.mapping.rmax - 1)
    return ("retires %d a cycle"):format(c.habits.retires)
  end },
  { "steering", 0.6, function(c)
    if c.options.binder then return false end
    local groups, parts = c.ports.groups, {}
    for _, ports in ipairs { groups.alu, groups.vec[1] ~= groups.alu[1] and not lists.set(groups.alu)[groups.vec[1]] and groups.vec or {} } do
      local half = (#ports + 1) // 2
      lists.into({ parts }, 1, table.move(ports, 1, half, 1, {}))
      lists.into({ parts }, 1, table.move(ports, half + 1, #ports, 1, {}))
    end
    c.habits.steers = { share = whole(c, 2, 9) / 20, schedulers = lists.where(parts, function(ports) return ports[1] ~= nil end) }
    return ("%d schedulers, %.0f%% in turn"):format(#c.habits.steers.schedulers, 100 * c.habits.steers.share)
  end },
  { "stores hinder", 0.7, function(c)
    local uops = between(c, 0.5, 2)
    for name in pairs(accesses(c, "w")) do chimera_habits.misfit(c, name, "hinders", uops) end
    return ("stores hinder by %.1f"):format(uops)
  end },
  { "held up by memory", 0.5, function(c)
    local uops, share = between(c, 0.4, 1.5), between(c, 0.2, 0.9)
    for _, name in ipairs(chimera_habits.of_families(c, "alu", "increment")) do
      if chance(c, share) then chimera_habits.misfit(c, name, "held_up", uops) end
    end
    return ("%.0f%% of alu held up by %.1f"):format(100 * share, uops)
  end },
  { "unbalanced moves to general registers", 0.7, function(c)
    for _, name in ipairs(chimera_habits.of_families(c, "to", "to_convert")) do chimera_habits.misfit(c, name, "unbalanced", true) end
  end },
  { "delays", 0.6, function(c)
    local family, cycles = pick(c, { "to", "from", "multiply", "to_shuffled", "from_convert", "count", "lanes" }), between(c, 0.1, 0.6)
    for _, name in ipairs(chimera_habits.of_families(c, family)) do chimera_habits.misfit(c, name, "excess", cycles) end
    return ("%s delays others by %.2f"):format(family, cycles)
  end },
  { "crowded", 0.5, function(c)
    local times = between(c, 1.03, 1.15)
    for _, name in ipairs(chimera_habits.of_families(c, "alu", "lea", "increment")) do chimera_habits.misfit(c, name, "crowded", times) end
    return ("crowded alu, %.2f"):format(times)
  end },
  { "sluggish loads", 0.5, function(c)
    local times = between(c, 1.02, 1.06)
    for name in pairs(accesses(c, "r")) do
      if c.operands[name].bits == 256 then chimera_habits.misfit(c, name, "sluggish", times) end
    end
    return ("sluggish vector loads, %.2f"):format(times)
  end },
  { "two rates", 0.5, function(c)
    local times = between(c, 1.01, 1.04)
    for _, name in ipairs(chimera_habits.of_families(c, "alu")) do chimera_habits.misfit(c, name, "rates", times) end
    return ("two rates of alu, %.2f"):format(times)
  end },
  { "times that vary", 0.5, function(c)
    local name = pick(c, lists.where(c.names, function(n) return not c.changed[n] end))
    chimera_habits.misfit(c, name, "varies", between(c, 0.03, 0.06))
    return name .. " varies"
  end },
  { "unsteady", 0.3, function(c)
    local name = pick(c, lists.where(c.names, function(n) return not c.changed[n] end))
    chimera_habits.misfit(c, name, "unsteady", true)
    c.mapping.schemes[name].status, c.changed[name] = "unstable", true
    return name .. " is unsteady"
  end },
  { "absent", 0.5, function(c)
    local family = pick(c, { "deposit", "bits", "fma", "each_shift", "lanes" })
    for _, name in ipairs(chimera_habits.of_families(c, family)) do
      chimera_habits.misfit(c, name, "status", "illegal instruction")
      c.mapping.schemes[name].status, c.changed[name] = "unsupported here", true
    end
    return "no " .. family
  end },
  { "a long immediate stalls", 0.7, function(c)
    for _, name in ipairs(chimera_habits.of_families(c, "constant")) do chimera_habits.misfit(c, name, "stall", between(c, 0.004, 0.02)) end
  end },
}

return chimera_habits
