--- A hypothesis of a core from evidence alone: no experiment is asked, and nothing is known of the core.
--
-- It finds what fills issue slots, how many there are a cycle and how many each scheme takes (portolan.processor.recorded_filler); what is
-- eliminated; the port sets of all others at once (portolan.infer.evidence.port_sets); and what is slower than its ports alone. It has no classes by
-- floods and no counter-examples, so that it errs elsewhere than a chart does: where both predict other times for an experiment, that is the next one
-- to ask.
-- @module portolan.infer.evidence
local lists = require "portolan.support.lists"
local mapping = require "portolan.mapping"
local port_set = require "portolan.mapping.ports"
local port_sets = require "portolan.infer.evidence.port_sets"
local recorded_filler = require "portolan.processor.recorded_filler"
local training = require "portolan.infer.pmevo.training"

local evidence = {}

local most_ports = 12
local whole_width = 1.05 -- factor by which what is as fast as its slots may be slower
local rounding = 0.2 -- slots
local unit = 1.04 -- factor by which a scheme alone may be slower than its ports and slots

-- Returns how long schemes take alone: name -> cycles.
local function alone_of(observations)
  local alone = {}
  for _, x in ipairs(observations) do
    local name, n = next(x.e)
    if n == 1 and not next(x.e, name) then alone[name] = x.cycles end
  end
  return alone
end

-- Slots of schemes: no more than are issued while one runs alone, which is none for NOPs that fuse; and those of which no whole number fits: of
-- these the least that was counted is known. What no candidate tells is `given`, or one.
local function slots_of(candidates, names, alone, rmax, given)
  local slots, none_fits = {}, {}
  for _, name in ipairs(names) do
    for _, c in ipairs(candidates) do
      local count = c.serves and c.counts[name]
      slots[name] = slots[name] or count and count.slots
      none_fits[name] = none_fits[name] or count and count.least
    end
    if slots[name] then none_fits[name] = nil end
    slots[name] = math.min(slots[name] or none_fits[name] or given[name] or 1, math.floor(rmax * alone[name] + rounding))
  end
  return slots, none_fits
end

-- Those that are issued as fast as their slots, and nothing more.
local function eliminated_of(names, alone, slots, rmax)
  return lists.set(lists.where(names, function(name) return slots[name] == 0 or alone[name] <= whole_width * slots[name] / rmax end))
end

-- Says of schemes what they are beside their ports.
local function complete(m, found, alone)
  for name in pairs(found.eliminated) do
    m.schemes[name] = { uops = {}, status = "eliminated at rename", tp = alone[name], slots = found.slots[name] }
  end
  m.ports = port_set.common(m.ports, port_set.used(m.schemes)) -- not those that no uop uses
  local plain, message = mapping.compile_ports(m)
  if not plain then return nil, message end
  found.units = {}
  for name, scheme in pairs(m.schemes) do
    if alone[name] > unit * plain:throughput { [name] = 1 } then
      scheme.status, found.units[name] = "slower than ports", alone[name]
    end
  end
  return true
end

-- Returns what says something of ports: experiments of known schemes, of which one has some.
local function with_ports(observations, names, eliminated)
  local known = lists.set(names)
  return lists.where(observations, function(x)
    local has_ports = false
    for name in pairs(x.e) do
      if not known[name] then return false end
      has_ports = has_ports or not eliminated[name]
    end
    return has_ports
  end)
end

--- The cheapest hypothesis.
-- @param observations list of `{ e =, cycles = }`
-- @tparam {string,...} names schemes, each of which was observed alone; others are left out
-- @tparam[opt] table options `ports` (most there may be), `rmax` (if nothing fills slots), `slots` (name -> number, of those that no
-- filler was measured beside), and those of port_sets.find
-- @return `{ mapping =, filler = (name; nil: nothing serves), candidates = (portolan.processor.recorded_filler), rmax =, slots = (by name),
-- none_fits = (name -> least slots, where they are not the same number), eliminated = (set), units = (name -> cycles), price =, classes =,
-- experiments = (number of those that tell of ports), status = }`; or nil and a message
function evidence.explain(observations, names, options)
  local o, alone = options or {}, alone_of(observations)
  names = lists.where(names, function(name) return alone[name] end)
  local candidates = recorded_filler.candidates(observations, alone)
  local best = candidates[1] and candidates[1].serves and candidates[1] or nil
  local found = { candidates = candidates, filler = best and best.name, rmax = best and best.rmax or o.rmax }
  if not found.rmax then return nil, "nothing fills issue slots, and no number of slots a cycle is given" end
  found.slots, found.none_fits = slots_of(candidates, names, alone, found.rmax, o.slots or {})
  found.eliminated = eliminated_of(names, alone, found.slots, found.rmax)
  local others = lists.where(names, function(name) return not found.eliminated[name] end)
  local list = with_ports(observations, names, found.eliminated)
  local asked = lists.copy(o)
  asked.ports, asked.alone, asked.slots, asked.rmax = o.ports or most_ports, alone, found.slots, found.rmax
  found.classes = port_sets.classes(list, others, asked)
  for name in pairs(found.eliminated) do found.classes.class[name] = name end
  local outcome, message = port_sets.find(list, found.classes, asked)
  if not outcome then return nil, message end
  found.price, found.experiments, found.status, found.error = outcome.value, outcome.experiments, outcome.status, outcome.error
  found.mapping = training.mapping(outcome.text, found.classes, { ports = port_set.further({}, asked.ports), alone = alone, rmax = found.rmax,
    slots = found.slots })
  local ok
  ok, message = complete(found.mapping, found, alone)
  return ok and found, message
end

return evidence
