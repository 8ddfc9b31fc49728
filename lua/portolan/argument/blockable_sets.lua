--- The sets of ports of a mapping that experiments can keep busy: those of schemes of one uop.
-- @module portolan.argument.blockable_sets
local lists = require "portolan.support.lists"
local port_set = require "portolan.mapping.ports"

local blockable_sets = {}
blockable_sets.__index = blockable_sets

--- For one mapping.
-- @param m mapping table
function blockable_sets.new(m)
  local self = setmetatable({ sets = {}, located = {} }, blockable_sets)
  local seen = {}
  for _, scheme in pairs(m.schemes) do
    local assumed, uops = port_set.of(scheme.assumed), scheme.status == "explained" and scheme.uops or {}
    for _, uop in ipairs(uops) do
      if not port_set.inside(uop[1], assumed) then
        for _, port in ipairs(uop[1]) do self.located[port] = true end
      end
    end
    local key = #uops == 1 and (uops[1][2] or 1) == 1 and port_set.key(uops[1][1])
    if key and not seen[key] then
      seen[key] = true
      self.sets[#self.sets + 1] = uops[1][1]
    end
  end
  return self
end

--- Is there a scheme that keeps only a part of these ports busy?
function blockable_sets:narrower(ports)
  local set = port_set.of(ports)
  return lists.any(self.sets, function(other) return #other < #ports and port_set.inside(other, set) end)
end

--- Are these ports there only by assumption, for the uops of stores that never show?
function blockable_sets:is_posited(ports) return not lists.any(ports, function(port) return self.located[port] end) end

return blockable_sets
