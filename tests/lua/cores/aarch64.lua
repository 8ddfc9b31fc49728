-- Arm's cores as LLVM 19's scheduling models have them: the schemes of the set `all`, usable in user mode.
local portolan = require "portolan"

--- @param cpu as of `llvm-mca -mcpu`
-- @return mapping
return function(cpu) return assert(portolan.mapping.load(("llvm-mca-19:%s#all"):format(cpu))) end
