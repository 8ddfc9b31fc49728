-- A port mapping to simulate: what llvm-mca 19 says of Sapphire Rapids. 12 ports, 6 issue slots a cycle. Needs llvm-19.
local mapping = require("portolan").mapping -- which reads llvm-mca's, too
local memory_uops = require "portolan.mapping.memory_uops"

local function is(set, ports) return table.concat(set, " ") == ports end

-- LLVM's slots count uops that the core fuses; and its store units are only ever used together, so that the reader of its tables says
-- two uops on all four: here they are address and data again.
return function()
  local m = assert(mapping.load "llvm-mca-19:sapphirerapids#all")
  for name, scheme in pairs(m.schemes) do
    if scheme.uops then
      local uops, n = {}, 0
      for _, uop in ipairs(scheme.uops) do
        n = n + uop[2]
        if is(uop[1], "4 7 8 9") then
          uops[#uops + 1], uops[#uops + 2] = { { "4", "9" }, uop[2] // 2 }, { { "7", "8" }, uop[2] - uop[2] // 2 }
        else
          uops[#uops + 1] = uop
        end
      end
      scheme.uops, scheme.slots = uops, math.max(1, n - memory_uops.beyond_slots(name))
    end
  end
  return m
end
