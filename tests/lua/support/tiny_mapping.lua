-- A mapping in a few words: tiny_mapping(4, "0156", { ["add r64, r64"] = "0156", ["mul r64"] = { "1", "5" } }), one letter a port, one string a uop.
local function ports_of(text)
  local list = {}
  for port in text:gmatch "." do list[#list + 1] = port end
  return list
end

return function(rmax, ports, schemes)
  local m = { format = "portolan-mapping", version = 1, processor = { name = "test" }, ports = ports_of(ports), rmax = rmax, schemes = {} }
  for name, sets in pairs(schemes) do
    local uops, place = {}, {}
    for _, set in ipairs(type(sets) == "string" and { sets } or sets) do
      if not place[set] then
        place[set] = { ports_of(set), 0 }
        uops[#uops + 1] = place[set]
      end
      place[set][2] = place[set][2] + 1
    end
    m.schemes[name] = { uops = uops, status = "explained" }
  end
  return m
end
