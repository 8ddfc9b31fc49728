-- Skylake: 8 ports, 4 issue slots a cycle and as many adders, so that the front end hides what adders are shared with.
local llvm = require "cores.llvm"
local quirks = require "cores.quirks"

--- @param quirky true: decoders stall
return function(quirky)
  local m = llvm.mapping("skylake", 4, "^2 3$", "^4$", function(_, scheme) return scheme.uops end)
  llvm.eliminate(m, { "mov r64, r64", "mov r32, r32", "nop" })
  for _, name in ipairs(quirks.names(m, "^vmov[aud][pq][sdau] [xy]mm, [xy]mm$")) do llvm.eliminate(m, { name }) end
  m.same = { ["2,3,7"] = "7" } -- one store a cycle: what addresses it never limits anything
  if quirky then quirks.length_changing_prefixes(m) end
  return m
end
