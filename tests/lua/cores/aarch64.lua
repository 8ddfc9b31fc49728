-- Arm's cores as LLVM 19's scheduling models have them: the schemes of the set `all`, usable in user mode. Every uop takes an issue slot; LLVM counts
-- one slot where a uop keeps a port for several cycles, which its mapping counts as so many uops.
local isa = require "portolan.scheme.isa"
local portolan = require "portolan"

--- @param cpu as of `llvm-mca -mcpu`
-- @tparam[opt] string set another set than `all`
-- @return mapping
return function(cpu, set)
  local m = assert(portolan.mapping.load(("llvm-mca-19:%s#%s"):format(cpu, set or "all")))
  for name, scheme in pairs(m.schemes) do
    scheme.companions = isa.scheme(name).companions
    if scheme.uops then scheme.slots, scheme.tp, scheme.note, scheme.assumed = nil, nil, nil, nil end
  end
  return m
end
