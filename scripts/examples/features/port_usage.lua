-- This feature says which ports an instruction's uops use, according to a port mapping, on top of the usual features.
--
--    portolan domain check scripts/examples/features/port_usage.lua --mapping charts/mine/mapping.json
--
-- The value is the set of the uops' port sets: an abstract instruction may come down to "has a uop on p2,11". nil: not known.
if not mapping then error("port_usage.lua needs a mapping: give one with --mapping FILE", 0) end

local function port_usage(scheme)
  local uops, sets = (mapping.schemes[scheme.name] or {}).uops, {}
  for k, uop in ipairs(uops or {}) do sets[k] = "p" .. table.concat(uop[1], ",") end
  return uops and sets
end

return { "default", { name = "ports", lattice = "subset", value = port_usage } }
