--- This module finds what holds schemes up beside ports: units that stay busy after an instance, dividers above all.
--
-- A port mapping has no place for them, but a chart records what each scheme takes alone. Where that is longer than its ports need, no
-- experiment with k copies of it is done before k times as long, unless one beside others showed that the unit is free sooner (`busy`). Schemes of
-- which an instance keeps its unit busy for at least twice as long as its ports, and that reach it through the same single port, are taken to share
-- the unit: their times add (`vdivpd` and `vsqrtps`). So do those of schemes of which the chart says that they share one (`unit`), whatever ports
-- they have. What holds up the others may be anything; each is counted by itself.
-- `portolan.mapping.compile` enters them into the engine's form of a mapping, so that whatever is asked of that counts them.
-- @module portolan.mapping.busy_units
local best_known = require "portolan.mapping.best_known"
local lists = require "portolan.support.lists"

local busy_units = {}

local least_excess, not_pipelined = 1.02, 2

-- The port that a scheme cannot evade, if it is one alone.
local function single_port(scheme)
  local port
  for _, uop in ipairs(scheme.uops) do
    if #uop[1] == 1 then
      if port and port ~= uop[1][1] then return nil end
      port = uop[1][1]
    end
  end
  return port
end

--- The units of a mapping.
-- @param m mapping table
-- @param plain its engine's form without units
-- @return name of a scheme -> `{ cycles =, unit = its name, port = behind which it is, if that tells }`; input-dependent ones with the values that
-- they were measured with
function busy_units.of(m, plain)
  local schemes = {}
  for name, scheme in pairs(m.schemes) do
    if scheme.uops and math.type(scheme.tp) and scheme.tp < math.huge and (scheme.unit or best_known.is_rough(scheme)) then
      local own = plain:throughput { [name] = 1 } or 0
      local cycles = scheme.busy or scheme.tp
      if scheme.unit or cycles > own * least_excess then
        local port = cycles >= own * not_pipelined and single_port(scheme)
        if cycles <= own * least_excess then cycles = own end -- what it takes alone is then a matter of noise
        schemes[name] = { cycles = cycles, unit = port and "behind port " .. port or "of " .. (scheme.unit or name), port = port or nil }
      end
    end
  end
  for name, one in pairs(schemes) do
    local first = not one.port and schemes[m.schemes[name].unit or name]
    if first and first.port then one.unit, one.port = first.unit, first.port end -- which is known by its port
  end
  return schemes
end

--- Enters the units of a mapping into its engine's form.
-- @param m mapping table
-- @param plain its engine's form without units
-- @return the same engine's form
function busy_units.enter(m, plain)
  local schemes, list, number, count = busy_units.of(m, plain), {}, {}, 0
  for i, name in ipairs(lists.keys(schemes)) do
    local unit = schemes[name].unit
    if not number[unit] then count, number[unit] = count + 1, count + 1 end
    list[i] = { scheme = name, unit = number[unit], cycles = schemes[name].cycles }
  end
  assert(plain:keep_busy(list))
  return plain
end

return busy_units
