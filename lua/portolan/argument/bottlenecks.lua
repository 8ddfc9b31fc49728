--- This module tells what limits an experiment, by a mapping: the ports that it keeps busy, and the uops that cannot evade them.
--
-- The NOPs that fill the front end beside a flood (portolan.infer.chart.blocking.flood) take issue slots only, also where the mapping does not
-- have them, or could only assume ports for them: they are charted as any other scheme where they are part of the set.
-- @module portolan.argument.bottlenecks
local experiment = require "portolan.experiment"
local landmarks = require "portolan.scheme.landmarks"
local lists = require "portolan.support.lists"
local mapping = require "portolan.mapping"
local port_set = require "portolan.mapping.ports"

local bottlenecks = {}
bottlenecks.__index = bottlenecks

local tight = 1e-6 -- relative: what keeps ports busy all the time

-- Does the mapping say of the NOP what it is, or only assume ports for it?
local function is_known(scheme)
  if not scheme or not scheme.uops then return false end
  local assumed = port_set.of(scheme.assumed)
  return not lists.any(scheme.uops, function(uop) return port_set.inside(uop[1], assumed) end)
end

--- For one mapping.
-- @param m mapping table
-- @param compiled the same by ports and issue slots alone (portolan.mapping.compile_ports)
function bottlenecks.new(m, compiled)
  local filler = landmarks.of(mapping.architecture(m)).nop
  return setmetatable({ m = m, compiled = compiled, filler = filler, knows_filler = is_known(m.schemes[filler]) }, bottlenecks)
end

--- Returns what the model says, with NOPs as said above.
-- @tparam table e counts by scheme
-- @return `{ cycles =, limit = "ports" | "rmax", bottleneck = ports }`; nil if the mapping cannot say it
function bottlenecks:predict(e)
  local nops = not self.knows_filler and e[self.filler]
  if not nops then return self.compiled:predict(e) end
  local others = experiment.without(e, self.filler)
  local rmax = self.m.rmax
  if next(others) == nil then return rmax and { cycles = nops / rmax, limit = "rmax" } or nil end
  local p = self.compiled:predict(others)
  local front_end = p and rmax and (p.slots + nops) / rmax or 0
  if not p or front_end <= p.cycles then return p end
  return { cycles = front_end, limit = "rmax" }
end

--- The uops of an experiment that have no port outside a set.
-- @tparam table e counts by scheme
-- @tparam {string,...} ports the set
-- @return their number; nil if the mapping does not know a scheme's uops
function bottlenecks:confined(e, ports)
  local set, n = port_set.of(ports), 0
  for name, count in pairs(e) do
    local scheme = self.m.schemes[name]
    if name ~= self.filler or self.knows_filler then
      if not scheme or not scheme.uops then return nil end
      for _, uop in ipairs(scheme.uops) do
        if port_set.inside(uop[1], set) then n = n + count * (uop[2] or 1) end
      end
    end
  end
  return n
end

--- The issue slots of an experiment, with those of zeroing idioms that go with schemes.
-- @tparam table e counts by scheme
function bottlenecks:slots(e)
  local n = 0
  for name, count in pairs(e) do
    local scheme = self.m.schemes[name]
    n = n + count * ((scheme and scheme.slots or 1) + (scheme and scheme.breakers or 0))
  end
  return n
end

-- The ports of the list that none of the schemes is only assumed to use; nil if none are left.
local function without_assumed(m, e, ports)
  local assumed = {}
  for name in pairs(e) do
    for _, port in ipairs(m.schemes[name] and m.schemes[name].assumed or {}) do assumed[port] = true end
  end
  local left = lists.where(ports, function(port) return not assumed[port] end)
  return #left > 0 and left or nil
end

--- Does the experiment keep these ports busy for so many cycles?
function bottlenecks:is_tight(e, ports, cycles)
  local n = self:confined(e, ports)
  return n ~= nil and n / #ports >= cycles * (1 - tight)
end

--- The ports that an experiment keeps busy all the time, if ports are what limits it. Of two uops that only come together, as those of a
-- store, these are the ports of the one that is known.
-- @tparam table e counts by scheme
-- @return cycles (nil if the mapping cannot say it), list of ports (nil if the front end limits it)
function bottlenecks:flooded(e)
  local p = self:predict(e)
  if not p or p.cycles <= 0 then return nil end
  if p.limit ~= "ports" then return p.cycles end
  local known = without_assumed(self.m, e, p.bottleneck)
  if known and self:is_tight(e, known, p.cycles) then return p.cycles, known end
  return p.cycles, p.bottleneck
end

return bottlenecks
