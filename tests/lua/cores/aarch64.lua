-- Arm's cores as LLVM 19's scheduling models have them: the schemes of the set `all`, usable in user mode. Every uop takes an issue slot; LLVM counts
-- one slot where a uop keeps a port for several cycles, which its mapping counts as so many uops.
local portolan = require "portolan"

--- @param cpu as of `llvm-mca -mcpu`
-- @return mapping
return function(cpu)
  local m = assert(portolan.mapping.load(("llvm-mca-19:%s#all"):format(cpu)))
  for _, scheme in pairs(m.schemes) do
    if scheme.uops then scheme.slots, scheme.tp, scheme.note, scheme.assumed = nil, nil, nil, nil end
  end
  return m
end
