--- What holds schemes up beside ports: units that stay busy after an instance, dividers above all.
--
-- A port mapping has no place for them, but a chart records what each scheme takes alone. Where that is longer than its ports need, no
-- experiment with k copies of it is done before k times as long. Schemes of which an instance keeps its unit busy for at least twice as
-- long as its ports, and that reach it through the same single port, are taken to share the unit: their times add (`vdivpd` and
-- `vsqrtps`). What holds up the others may be anything; each is counted by itself.
-- @module portolan.busy_units
local busy_units = {}
busy_units.__index = busy_units

local held_up = { ["slower than ports"] = true, ["input-dependent"] = true } -- the latter with the values that it was measured with
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
-- @param compiled its compiled form
-- @return object, whose `schemes` are name -> `{ cycles =, unit = its name, port = behind which it is, if that tells }`; nil if the mapping records
-- none
function busy_units.of(m, compiled)
  local schemes = {}
  for name, scheme in pairs(m.schemes) do
    if held_up[scheme.status] and scheme.uops and scheme.tp then
      local own = compiled:throughput { [name] = 1 } or 0
      if scheme.tp > own * least_excess then
        local port = scheme.tp >= own * not_pipelined and single_port(scheme)
        schemes[name] = { cycles = scheme.tp, unit = port and "behind port " .. port or "of " .. name, port = port or nil }
      end
    end
  end
  return next(schemes) and setmetatable({ schemes = schemes }, busy_units) or nil
end

--- How long the unit that is busy for longest keeps an experiment up.
-- @param e experiment
-- @return cycles (0: none is busy), and the sorted names of the schemes that it works for
function busy_units:cycles(e)
  local units, longest = {}, nil
  for name, count in pairs(e) do
    local scheme = self.schemes[name]
    if scheme then
      local unit = units[scheme.unit] or { cycles = 0, schemes = {}, name = scheme.unit }
      units[scheme.unit] = unit
      unit.cycles = unit.cycles + count * scheme.cycles
      unit.schemes[#unit.schemes + 1] = name
    end
  end
  for _, unit in pairs(units) do
    if not longest or unit.cycles > longest.cycles or unit.cycles == longest.cycles and unit.name < longest.name then longest = unit end
  end
  if not longest then return 0, {} end
  table.sort(longest.schemes)
  return longest.cycles, longest.schemes
end

return busy_units
