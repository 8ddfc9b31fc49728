-- Golden Cove: LLVM's Sapphire Rapids, 12 ports, 6 issue slots a cycle, five adders; with quirks what was met on such a core.
local golden_cove = require "golden_cove"
local llvm = require "cores.llvm"
local quirks = require "cores.quirks"

local not_chainable = { "lea r64, m", "mov r64, imm32", "movzx r32, r8", "movzx r64, r8" }

--- @param quirky true: rename eliminates what no chain can be made of, decoders stall, five-wide code has two rates
return function(quirky)
  local m = golden_cove()
  if not quirky then return m end
  llvm.without_dubious(m, "^2 3 11$", "^4 9$")
  llvm.eliminate(m, not_chainable, { unchainable = true })
  for _, name in ipairs { "add r64, imm8", "sub r64, imm8", "add r64, imm32", "sub r64, imm32" } do
    local scheme = m.schemes[name]
    if scheme and scheme.status == "eliminated at rename" then scheme.latency = 0.23 end
  end
  quirks.length_changing_prefixes(m)
  quirks.two_rates(m, 5, 1.018)
  return m
end
