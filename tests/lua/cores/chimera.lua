-- Chimeras: cores that nobody has met, drawn at random from all that is known or published of real ones. Ports are those of cores.chimera_ports; habits
-- are added to them, any number at once, as misfits of schemes, as habits of the simulated core, as its binder, and as the weather it is measured in.
local core = require "portolan.core"
local landmarks = require "portolan.landmarks"
local lists = require "portolan.support.lists"
local of_hardware = require "portolan.processor.hardware_schemes"
local chimera_ports = require "cores.chimera_ports"
local probes = require "portolan.processor.probes"
local scheme_set = require "portolan.scheme_set"

local function chance(c, share) return c.rng:unit() < share end
local function between(c, least, most) return least + (most - least) * c.rng:unit() end
local function whole(c, least, most) return least + c.rng:below(math.max(least, most) - least + 1) end
local function pick(c, list) return list[1 + c.rng:below(#list)] end

-- The schemes of some families, sorted; those that a former habit has changed already are left alone.
local function of_families(c, ...)
  local wanted = lists.set { ... }
  return lists.where(c.names, function(name) return wanted[c.family[name]] and not c.changed[name] and not c.operands[name].memory end)
end

local function misfit(c, name, field, value)
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

-- Rename does away with moves: in full, in part, or so many a cycle.
local function eliminate_moves(c, names, what)
  local way, list = c.rng:unit(), c.mapping.schemes
  for _, name in ipairs(way < 0.7 and names or {}) do
    c.changed[name] = true
    if way < 0.35 then
      list[name].uops, list[name].slots = {}, list[name].slots
    elseif way < 0.5 then
      misfit(c, name, "eliminated", c.part_of_moves)
    else
      c.habits.eliminates = c.habits.eliminates or { most = c.moves_a_cycle, moves = {} }
      c.habits.eliminates.moves[name], list[name].latency = true, 1 / (1 + c.moves_a_cycle)
    end
    list[name].status = "eliminated at rename"
  end
  if way < 0.7 then return way < 0.35 and what or what .. (way < 0.5 and " in part" or (" %d a cycle"):format(c.moves_a_cycle)) end
end

local function is_slower(c, name, cycles)
  local scheme = c.mapping.schemes[name]
  local slowest = lists.largest(scheme.uops, function(uop) return uop[2] / #uop[1] end, 0)
  if cycles > 1.05 * slowest then scheme.status, scheme.tp = "slower than ports", cycles end
end

local function keep_busy(c, name, cycles)
  misfit(c, name, "busy", cycles)
  is_slower(c, name, cycles)
  c.changed[name] = true
end

-- Dividers are never pipelined; those of a core may be one, and depend on numbers.
local function divide(c)
  local names, one, used = of_families(c, "divide"), chance(c, 0.6), {}
  for _, name in ipairs(names) do
    local cycles = whole(c, 3, 12) * (c.ports.split and 2 or 1)
    keep_busy(c, name, cycles)
    used[name] = cycles
    if c.depends then
      misfit(c, name, "large_inputs", cycles * 1.6)
      c.mapping.schemes[name].status = "input-dependent"
    end
  end
  if one then add_rule(c, "units", 1, used) end
end

-- Habits: words, how likely they are, and what they do; which may return other words, or false: not on this core.
local habits = {
  { "NOPs fuse", 1, function(c)
    for _, filler in ipairs(landmarks.of("x86_64").fillers) do
      if filler.name:find "^nop" then misfit(c, filler.name, "fuses", true) end
    end
  end },
  { "increments eliminated", 0.5, function(c)
    for _, name in ipairs(of_families(c, "increment")) do
      local scheme = c.mapping.schemes[name]
      scheme.uops, scheme.status, scheme.latency, c.changed[name] = {}, "eliminated at rename", 0.23, true
    end
  end },
  { "exchange eliminated", 0.4, function(c)
    for _, name in ipairs(of_families(c, "exchange")) do
      local scheme = c.mapping.schemes[name]
      scheme.uops, scheme.slots, scheme.status, scheme.latency, c.changed[name] = {}, 2, "eliminated at rename", 0, true
    end
  end },
  { "input-dependent division", 1, function(c) c.depends = true end },
  { "division", math.huge, divide },
  { "busy units", 1, function(c)
    local family = pick(c, { "deposit", "count", "multiply", "vmultiply", "long_multiply", "lanes", "reciprocal", "round", "to", "vshift" })
    local cycles = whole(c, 2, 4)
    for _, name in ipairs(of_families(c, family)) do keep_busy(c, name, cycles) end
    return ("%s busy for %d"):format(family, cycles)
  end },
  { "microcode", 0.7, function(c)
    local family = pick(c, { "deposit", "double", "choose", "horizontal", "fhorizontal", "tests", "extract" })
    for _, name in ipairs(of_families(c, family)) do
      misfit(c, name, "microcoded", true)
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
    add_rule(c, "units", most, uses(c, function(o, scheme) return is_executed(scheme) and o.writes_vector and (o.bits == 256 and c.ports.split and 2 or 1) end))
    return ("%d vector results a cycle"):format(most)
  end },
  { "register writes", 0.6, function(c)
    local most = whole(c, #c.ports.groups.alu, #c.ports.groups.alu + #c.ports.groups.load - 1)
    add_rule(c, "units", most, uses(c, function(o, scheme) return is_executed(scheme) and o.general and o.general:find "w" and 1 end))
    return ("%d register writes a cycle"):format(most)
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
    for name in pairs(accesses(c, "w")) do misfit(c, name, "hinders", uops) end
    return ("stores hinder by %.1f"):format(uops)
  end },
  { "held up by memory", 0.5, function(c)
    local uops, share = between(c, 0.4, 1.5), between(c, 0.2, 0.9)
    for _, name in ipairs(of_families(c, "alu", "increment")) do
      if chance(c, share) then misfit(c, name, "held_up", uops) end
    end
    return ("%.0f%% of alu held up by %.1f"):format(100 * share, uops)
  end },
  { "unbalanced moves to general registers", 0.7, function(c)
    for _, name in ipairs(of_families(c, "to", "to_convert")) do misfit(c, name, "unbalanced", true) end
  end },
  { "delays", 0.6, function(c)
    local family, cycles = pick(c, { "to", "from", "multiply", "to_shuffled", "from_convert", "count", "lanes" }), between(c, 0.1, 0.6)
    for _, name in ipairs(of_families(c, family)) do misfit(c, name, "excess", cycles) end
    return ("%s delays others by %.2f"):format(family, cycles)
  end },
  { "crowded", 0.5, function(c)
    local times = between(c, 1.03, 1.15)
    for _, name in ipairs(of_families(c, "alu", "lea", "increment")) do misfit(c, name, "crowded", times) end
    return ("crowded alu, %.2f"):format(times)
  end },
  { "sluggish loads", 0.5, function(c)
    local times = between(c, 1.02, 1.06)
    for name in pairs(accesses(c, "r")) do
      if c.operands[name].bits == 256 then misfit(c, name, "sluggish", times) end
    end
    return ("sluggish vector loads, %.2f"):format(times)
  end },
  { "two rates", 0.5, function(c)
    local times = between(c, 1.01, 1.04)
    for _, name in ipairs(of_families(c, "alu")) do misfit(c, name, "rates", times) end
    return ("two rates of alu, %.2f"):format(times)
  end },
  { "times that vary", 0.5, function(c)
    local name = pick(c, lists.where(c.names, function(n) return not c.changed[n] end))
    misfit(c, name, "varies", between(c, 0.03, 0.06))
    return name .. " varies"
  end },
  { "a long immediate stalls", 0.7, function(c)
    for _, name in ipairs(of_families(c, "constant")) do misfit(c, name, "stall", between(c, 0.004, 0.02)) end
  end },
}

local function weather(c)
  local draw, o = c.rng:unit(), c.options
  o.noise = { kind = "gaussian", unit = "relative", width = between(c, 0.001, 0.004) }
  if draw < 0.4 then return "calm" end
  o.noise.width, o.noise.stalls = between(c, 0.003, 0.01), between(c, 0, 0.04)
  if draw < 0.8 then return "fair" end
  o.noise.hasty, o.noise.outliers, o.bursts = between(c, 0, 0.005), between(c, 0, 0.004), between(c, 0.1, 0.5)
  return "storm"
end

local function binding(c)
  local kind = pick(c, { "pending", "recent", "late" })
  c.options.binder = kind
  c.options.binder_options = { kind = kind, scheduler = whole(c, 24, 160), memory = kind ~= "pending" and whole(c, 2, 8) or nil }
  return ("binds %s, %d entries"):format(kind, c.options.binder_options.scheduler)
end

local function clocked(c)
  local hz = pick(c, { 100e6, 54e6, 24e6 })
  c.options.clock = { hz = hz, frequency = between(c, 1.5e9, 4e9) }
  return ("clock of %.0f MHz"):format(hz / 1e6)
end

-- What hardware tells of schemes whoever asks (portolan.processor.hardware_schemes): who waits for others, who cannot be chained.
local function facts(c, name)
  local avoids = of_hardware.avoids(nil, name)
  if avoids == "waits" or avoids == "flags" then misfit(c, name, avoids == "waits" and "dependent" or "reads_flags", true) end
  if not probes.chain(name) then misfit(c, name, "unchainable", true) end
end

local function used_ports(m)
  local used = {}
  for _, scheme in pairs(m.schemes) do
    for _, uop in ipairs(scheme.uops) do
      for _, port in ipairs(uop[1]) do used[port] = true end
    end
  end
  return lists.keys(used)
end

local function bare_core(seed)
  local rng = core.base.rng(seed)
  local ports = chimera_ports.draw(rng)
  local c = { rng = rng, ports = ports, names = {}, family = {}, operands = {}, changed = {}, habits = {}, options = { seed = seed },
    part_of_moves = 0.1 + 0.8 * rng:unit(), moves_a_cycle = 1 + rng:below(4),
    mapping = { format = "portolan-mapping", version = 1, rmax = ports.rmax, schemes = {} } }
  for _, group in ipairs(assert(scheme_set.load "starter")) do
    for _, name in ipairs(group.schemes) do
      c.mapping.schemes[name], c.family[name], c.operands[name] = chimera_ports.scheme(ports, name)
      c.names[#c.names + 1] = name
      facts(c, name)
    end
  end
  table.sort(c.names)
  for _, filler in ipairs(landmarks.of("x86_64").fillers) do
    c.mapping.schemes[filler.name] = c.mapping.schemes[filler.name] or { uops = {}, slots = 1, status = "eliminated at rename" }
  end
  return c
end

--- Draws a chimera.
-- @param seed whole number
-- @return `{ mapping = (the truth, with misfits), options = (of portolan.processor.simulated.new), habits = list of words, names = (schemes to chart) }`
return function(seed)
  local c = bare_core(seed)
  local words, density = c.ports.words, pick(c, { 0.08, 0.2, 0.35 })
  local function add(word) words[#words + 1] = word or nil end
  add(eliminate_moves(c, of_families(c, "move"), "moves eliminated"))
  add(eliminate_moves(c, of_families(c, "vmove"), "vector moves eliminated"))
  if chance(c, 0.15) then add(eliminate_moves(c, of_families(c, "extend"), "extensions eliminated")) end
  if chance(c, 0.5) then add(binding(c)) end
  for _, habit in ipairs(habits) do
    if chance(c, density * habit[2]) then
      local word = habit[3](c)
      if word ~= false and habit[2] < math.huge then add(word or habit[1]) end
    end
  end
  add(weather(c))
  if chance(c, 0.3) then add(clocked(c)) end
  c.mapping.ports = used_ports(c.mapping)
  c.options.mapping, c.options.habits = c.mapping, next(c.habits) and c.habits or nil
  return { mapping = c.mapping, options = c.options, habits = words, names = c.names }
end
