--- This module makes what the evolution has to explain, the experiments of the representatives; and the mapping that comes out of it.
-- @module portolan.infer.pmevo.training
local core = require "portolan.core"
local experiment_set = require "portolan.infer.pmevo.experiment_set"
local lists = require "portolan.support.lists"
local port_set = require "portolan.mapping.ports"
local stop = require "portolan.infer.stop"

local training = {}

-- A representative alone, and with those before it: { schemes =, counts = } by number, e = experiment.
local function all_of(representatives, alone, epsilon)
  local list = {}
  for i, a in ipairs(representatives) do
    list[#list + 1] = { schemes = { i }, counts = { 1 }, e = { [a] = 1 } }
    for k = 1, i - 1 do
      local b = representatives[k]
      for _, counts in ipairs(experiment_set.pair(alone[a], alone[b], epsilon)) do
        list[#list + 1] = { schemes = { i, k }, counts = counts, e = { [a] = counts[1], [b] = counts[2] } }
      end
    end
  end
  return list
end

-- Returns the cycles that the front end takes for an experiment in any case: issue slots / R_max (section 5.1.3; there, a slot per instruction).
local function least(e, slots, rmax)
  local sum = 0
  for name, count in pairs(e) do sum = sum + count * (slots[name] or 1) end
  return sum / rmax
end

--- The problem for the engine, of experiments that are known.
-- @param list experiments `{ e =, cycles =, schemes =, counts = }`, with numbers of the representatives; `least` is set
-- @param representatives list of schemes
-- @param alone name -> cycles
-- @param o `ports` (number), `rmax`, `slots` (name -> issue slots), both optional
-- @return problem (core.evo.problem), the list; or nil and a message
function training.of_list(list, representatives, alone, o)
  for _, entry in ipairs(list) do entry.least = o.rmax and least(entry.e, o.slots or {}, o.rmax) or 0 end
  local problem, trouble = core.evo.problem(o.ports, lists.map(representatives, function(name) return alone[name] end), list)
  if not problem then return nil, trouble end
  return problem, list
end

--- The problem for the engine; measures what it needs.
-- @param meter that measures
-- @param representatives list of schemes
-- @param alone name -> cycles
-- @param o as of `of_list`, and `epsilon`
-- @return as of `of_list`
function training.problem(meter, representatives, alone, o)
  local all, list = all_of(representatives, alone, o.epsilon), {}
  local cycles = stop.need(meter:measure(lists.map(all, function(entry) return entry.e end)))
  for i, entry in ipairs(all) do
    if cycles[i] then
      entry.cycles = cycles[i]
      list[#list + 1] = entry
    end
  end
  return training.of_list(list, representatives, alone, o)
end

--- Uops as the engine writes them, `3*1,12*2` (sets of ports as bits), as a mapping has them.
-- @param text of one scheme
-- @param ports names of the ports
-- @return list of `{ { port, ... }, count }`
function training.uops(text, ports)
  local uops, numbered = {}, port_set.numbered(ports)
  for bits, count in text:gmatch("(%d+)%*(%d+)") do
    uops[#uops + 1] = { numbered:list(math.tointeger(tonumber(bits))), math.tointeger(tonumber(count)) }
  end
  return uops
end

--- The engine's text of what a mapping says of some schemes; those that it does not explain are empty.
-- @param uops_of function(name) -> list of uops, or nil
-- @param representatives list of schemes
-- @param ports names of the ports
-- @return text; or nil and a message
function training.text(uops_of, representatives, ports)
  local numbered, parts = port_set.numbered(ports), {}
  for i, name in ipairs(representatives) do
    local uops = {}
    for k, uop in ipairs(uops_of(name) or {}) do
      local port = lists.first(uop[1], function(p) return not numbered.bit[p] end)
      if port then return nil, ("port '%s' of '%s' is not among the %d ports; give more (--ports)"):format(port, name, #ports) end
      uops[k] = ("%d*%d"):format(numbered:mask(uop[1]), uop[2] or 1)
    end
    parts[i] = table.concat(uops, ",")
  end
  return table.concat(parts, ";")
end

--- The mapping of all schemes from that of the representatives.
-- @param text the engine's, of the representatives
-- @param classes of portolan.infer.pmevo.congruence
-- @param o `ports` (names), `alone` (name -> cycles), `rmax`, `slots`, `failed` (name -> status)
-- @return mapping table
function training.mapping(text, classes, o)
  local m = { format = "portolan-mapping", version = 1, ports = o.ports, rmax = o.rmax, schemes = {} }
  local i, uops = 0, {}
  for part in (text .. ";"):gmatch("([^;]*);") do
    i = i + 1
    if classes.representatives[i] then uops[classes.representatives[i]] = training.uops(part, o.ports) end
  end
  for name, representative in pairs(classes.class) do
    m.schemes[name] = { uops = uops[representative], status = "explained", tp = o.alone[name],
      slots = o.rmax and (o.slots and o.slots[name] or 1) or nil, congruent_to = representative ~= name and representative or nil }
  end
  for name, status in pairs(o.failed or {}) do m.schemes[name] = { status = status } end
  return m
end

return training
