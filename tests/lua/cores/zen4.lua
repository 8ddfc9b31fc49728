-- Zen 4: 6 issue slots a cycle, four adders, three address units, four vector pipes: sets that have nothing in common.
local llvm = require "cores.llvm"
local memory_use = require "portolan.scheme.memory_use"
local quirks = require "cores.quirks"

local alu = { "ALU0", "ALU1", "ALU2", "ALU3" }
local vector = { "FP0", "FP1", "FP2", "FP3" }
local agu, vector_agu = { "AGU0", "AGU1", "AGU2" }, { "AGU0", "AGU1" }

-- LLVM's units of the memory system (LSU, FP45, FPSt, Store) are queues: here vectors are loaded through two of the three address units and
-- stored by one of two store units. A unit that it says is kept for several cycles by one uop is kept for one.
local function repair(name, scheme)
  local use, uops, on_vectors = memory_use(name), {}, false
  for _, uop in ipairs(scheme.uops) do
    local ports = llvm.ports(uop)
    on_vectors = on_vectors or ports:find "^FP" ~= nil
    if ports:find "^AGU" then
      if not (use.reads or use.writes) then uops[#uops + 1] = { alu, 1 } end -- lea
    elseif not ports:find "^LSU" and not ports:find "^FP45" and not ports:find "^FPSt" and not ports:find "^Store" then
      uops[#uops + 1] = { uop[1], math.tointeger(math.min(uop[2], math.max(1, scheme.slots))) or uop[2] }
    end
  end
  if use.reads then uops[#uops + 1] = { on_vectors and vector_agu or agu, 1 } end
  if use.writes then
    uops[#uops + 1] = { agu, 1 }
    uops[#uops + 1] = { on_vectors and { "Store.0" } or { "Store.0", "Store.1" }, 1 }
  end
  return uops
end

--- @param quirky true: rename eliminates some moves only now and then, decoders stall
return function(quirky)
  local m = llvm.mapping("znver4", 6, "^AGU", "^Store", repair)
  llvm.eliminate(m, { "nop" })
  for _, name in ipairs { "xchg r32, r32", "xchg r64, r64" } do m.schemes[name].slots = 2 end
  if quirky then
    llvm.eliminate_partly(m, { "mov r64, r64" }, 0.85, alu)
    llvm.eliminate_partly(m, { "mov r32, r32" }, 0.2, alu)
    llvm.eliminate_partly(m, { "vmovaps xmm, xmm" }, 0.7, vector)
    quirks.length_changing_prefixes(m)
  end
  return llvm.used_ports(m)
end
