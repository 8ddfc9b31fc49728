-- Chimeras: cores that nobody has met, drawn at random from all that is known or published of real ones. Ports are those of cores.chimera_ports;
-- habits are added to them, any number at once, as misfits of schemes, as habits of the simulated core, as its binder, and as the weather it is
-- measured in.
local chain = require "portolan.experiment.chain"
local core = require "portolan.core"
local core_habits = require "cores.simulated_habits"
local habits = require "cores.chimera_habits"
local landmarks = require "portolan.scheme.landmarks"
local lists = require "portolan.support.lists"
local of_hardware = require "portolan.processor.hardware_schemes"
local chimera_ports = require "cores.chimera_ports"
local scheme_set = require "portolan.scheme.set"

local function chance(c, share) return c.rng:unit() < share end
local function between(c, least, most) return least + (most - least) * c.rng:unit() end
local function whole(c, least, most) return least + c.rng:below(math.max(least, most) - least + 1) end
local function pick(c, list) return list[1 + c.rng:below(#list)] end

-- Rename does away with moves: in full, in part, or so many a cycle.
local function eliminate_moves(c, names, what)
  local way, list = c.rng:unit(), c.mapping.schemes
  for _, name in ipairs(way < 0.7 and names or {}) do
    c.changed[name] = true
    if way < 0.35 then
      list[name].uops, list[name].slots = {}, list[name].slots
    elseif way < 0.5 then
      habits.misfit(c, name, "eliminated", c.part_of_moves)
    else
      c.habits.eliminates = c.habits.eliminates or { most = c.moves_a_cycle, moves = {} }
      c.habits.eliminates.moves[name], list[name].latency = true, 1 / (1 + c.moves_a_cycle)
    end
    list[name].status = "eliminated at rename"
  end
  if way < 0.7 then return way < 0.35 and what or what .. (way < 0.5 and " in part" or (" %d a cycle"):format(c.moves_a_cycle)) end
end

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
  c.options.binder_options = { kind = kind, scheduler = whole(c, 24, 160), memory = kind ~= "pending" and whole(c, 2, 6) or nil }
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
  if avoids == "waits" or avoids == "flags" then habits.misfit(c, name, avoids == "waits" and "dependent" or "reads_flags", true) end
  if not chain.of_itself(name) then habits.misfit(c, name, "unchainable", true) end
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
-- @return `{ mapping = (the truth, with misfits), options = (of portolan.processor.simulated.new), whole_core = (what `options.habits` are made of),
-- habits = list of words, names = (schemes to chart) }`
return function(seed)
  local c = bare_core(seed)
  local words, density = c.ports.words, pick(c, { 0.08, 0.2, 0.35 })
  local function add(word) words[#words + 1] = word or nil end
  if c.ports.strange[1] then add("strange: " .. table.concat(c.ports.strange, ", ")) end
  add(eliminate_moves(c, habits.of_families(c, "move"), "moves eliminated"))
  add(eliminate_moves(c, habits.of_families(c, "vmove"), "vector moves eliminated"))
  if chance(c, 0.15) then add(eliminate_moves(c, habits.of_families(c, "extend"), "extensions eliminated")) end
  if chance(c, 0.5) then add(binding(c)) end
  for _, habit in ipairs(habits.all) do
    if chance(c, density * habit[2]) then
      local word = habit[3](c)
      if word ~= false and habit[2] < math.huge then add(word or habit[1]) end
    end
  end
  add(weather(c))
  if chance(c, 0.3) then add(clocked(c)) end
  c.mapping.ports = used_ports(c.mapping)
  c.options.mapping, c.options.habits = c.mapping, core_habits.of(next(c.habits) and c.habits or nil)
  return { mapping = c.mapping, options = c.options, whole_core = c.habits, habits = words, names = c.names }
end
