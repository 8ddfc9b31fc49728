--- A mapping whose gaps another one of the same processor fills: of schemes that a chart does not know a model may.
--
-- The other one's ports are taken for those that most schemes of both agree with (portolan.algebra.match). A uop of which no port has a counterpart
-- is left out; its scheme keeps issue slots and latencies.
-- @module portolan.mapping_fill
local algebra = require "portolan.algebra"
local lists = require "portolan.support.lists"
local mapping = require "portolan.mapping"
local stand_ins = require "portolan.stand_ins"

local mapping_fill = {}

local of_each_usage = 3 -- schemes that tell ports

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

--- Fills the gaps.
-- @param m mapping, which is not changed
-- @param other mapping that explains some of the same schemes
-- @param source what is written to schemes that are the other one's (`source`), a text
-- @return mapping; or nil and a message
function mapping_fill.of(m, other, source)
  local matched, message = algebra.match(other, m)
  if not matched then return nil, message end
  local ports, whole = lists.set(m.ports), lists.copy(m)
  whole.schemes = lists.copy(m.schemes)
  for name, scheme in pairs(matched.schemes) do
    if scheme.uops and not knows(m.schemes[name]) then
      local uops = lists.map(scheme.uops, function(uop)
        return { lists.where(uop[1], function(port) return ports[port] end), uop[2] }
      end)
      local copy = lists.copy(scheme)
      copy.uops, copy.source = lists.where(uops, function(uop) return #uop[1] > 0 end), source
      whole.schemes[name] = copy
    end
  end
  return whole
end

return mapping_fill
