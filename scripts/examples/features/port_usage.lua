-- Which ports an instruction's uops use, according to a port mapping, on top of the usual features.
--
--    portolan domain check scripts/examples/features/port_usage.lua --mapping charts/mine/mapping.json
--
-- The value is the set of the uops' port sets, "0156" or "2,11" (subset lattice): an abstract instruction may come down to "has a uop on
-- ports 2 and 3". Schemes that the mapping does not explain have no value: they are in no such set.
if not mapping then error("port_usage.lua needs a mapping: give one with --mapping FILE", 0) end

local function ports(uop)
  local long = false
  for _, port in ipairs(uop[1]) do long = long or #port > 1 end
  return "p" .. table.concat(uop[1], long and "," or "")
end

local function port_usage(scheme)
  local known = mapping.schemes[scheme.name]
  if not known or not known.uops then return nil end
  local members, seen = {}, {}
  for _, uop in ipairs(known.uops) do
    local set = ports(uop)
    if not seen[set] then members[#members + 1] = set end
    seen[set] = true
  end
  return members
end

return {
  "default",
  { name = "ports", lattice = "subset", value = port_usage },
}
