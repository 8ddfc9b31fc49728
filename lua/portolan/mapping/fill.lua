--- A mapping whose gaps another one of the same processor fills: of schemes that a chart does not know a model may.
--
-- The other one's ports are matched so that most schemes have the same uops in both (portolan.algebra.match); those that schemes with the same uops
-- use are known then. A uop that has another port is left out; its scheme keeps issue slots and latencies.
-- @module portolan.mapping.fill
local algebra = require "portolan.mapping.algebra"
local lists = require "portolan.support.lists"
local mapping = require "portolan.mapping"
local mapping_diff = require "portolan.mapping.diff"
local port_set = require "portolan.mapping.ports"
local stand_ins = require "portolan.mapping.stand_ins"

local mapping_fill = {}

local of_each_usage = 3 -- schemes that tell ports
local least_agreeing = 0.2 -- share of the common schemes: below it the two are no mappings of one processor

--- Schemes by which the ports of another mapping can be told: some of each usage.
-- @param m mapping
-- @return sorted list of names
function mapping_fill.telling(m)
  local times = {}
  return lists.where(mapping.schemes(m, true), function(name)
    local usage = mapping.usage(m.schemes[name])
    times[usage] = (times[usage] or 0) + 1
    return times[usage] <= of_each_usage
  end)
end

local function knows(scheme) return scheme ~= nil and (scheme.uops ~= nil or math.type(scheme.tp) ~= nil) end

--- The schemes that a mapping knows nothing of, not even by others that it takes them for.
-- @param m mapping
-- @param names of schemes
-- @return sorted list of names
function mapping_fill.gaps(m, names)
  local function is_known(name) return knows(m.schemes[name]) end
  local list = lists.where(lists.distinct(names), function(name)
    return not is_known(name) and not stand_ins.of(name, is_known) and not stand_ins.parts(name, is_known)
  end)
  table.sort(list)
  return list
end

-- The ports that schemes with the same uops in both use, a set; or nil and a message.
local function agreed_ports(m, matched)
  local ports = lists.joined(m.ports, matched.ports)
  local common = lists.where(mapping.common(m, matched), function(name) return #m.schemes[name].uops > 0 end)
  local agreeing = lists.where(common, function(name)
    return mapping_diff.usage(m.schemes[name], ports) == mapping_diff.usage(matched.schemes[name], ports)
  end)
  if #agreeing == 0 or #agreeing < least_agreeing * #common then
    return nil, ("%d of %d schemes have the same uops in both mappings, whatever ports are called; are they of one processor?"):format(
      #agreeing, #common)
  end
  return lists.set(port_set.used(lists.map(agreeing, function(name) return m.schemes[name] end)))
end

--- Fills the gaps.
-- @param m mapping, which is not changed
-- @param other mapping that explains some of the same schemes
-- @param source what is written to schemes that are the other one's (`source`), a text
-- @return mapping; or nil and a message
function mapping_fill.of(m, other, source)
  local matched, message = algebra.match(other, m)
  if not matched then return nil, message end
  local ports, why = agreed_ports(m, matched)
  if not ports then return nil, why end
  local whole, has_latencies = lists.copy(m), lists.any(lists.keys(m.schemes), function(name)
    return m.schemes[name].latencies or m.schemes[name].latency
  end)
  whole.schemes = lists.copy(m.schemes)
  for name, scheme in pairs(matched.schemes) do
    if scheme.uops and not knows(m.schemes[name]) then
      local copy = lists.copy(scheme)
      copy.uops, copy.source = lists.where(scheme.uops, function(uop) return port_set.inside(uop[1], ports) end), source
      if not has_latencies then copy.latency, copy.latencies = nil, nil end -- some alone would pass for all
      whole.schemes[name] = copy
    end
  end
  return whole
end

return mapping_fill
