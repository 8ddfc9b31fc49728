--- The sets of ports of a mapping that experiments can keep busy: those of schemes of one uop.
-- @module portolan.argument.port_sets
local limits = require "portolan.argument.limits"

local port_sets = {}
port_sets.__index = port_sets

--- For one mapping.
-- @param m mapping table
function port_sets.new(m)
  local self = setmetatable({ sets = {}, located = {} }, port_sets)
  local seen = {}
  for _, scheme in pairs(m.schemes) do
    local assumed, uops = limits.set_of(scheme.assumed), scheme.status == "explained" and scheme.uops or {}
    for _, uop in ipairs(uops) do
      if not limits.within(uop[1], assumed) then
        for _, port in ipairs(uop[1]) do self.located[port] = true end
      end
    end
    local key = #uops == 1 and (uops[1][2] or 1) == 1 and table.concat(uops[1][1], " ")
    if key and not seen[key] then
      seen[key] = true
      self.sets[#self.sets + 1] = uops[1][1]
    end
  end
  return self
end

--- Is there a scheme that keeps only a part of these ports busy?
function port_sets:narrower(ports)
  local set = limits.set_of(ports)
  for _, other in ipairs(self.sets) do
    if #other < #ports and limits.within(other, set) then return true end
  end
  return false
end

--- Are these ports there only by assumption, for the uops of stores that never show?
function port_sets:is_posited(ports)
  for _, port in ipairs(ports) do
    if self.located[port] then return false end
  end
  return true
end

return port_sets
