--- Instructions whose result does not depend on their operands, if all of these are one register: zeroing idioms.
--
-- Cores know them when they rename registers: no port executes them, and they wait for nothing. Which ones a core knows is assumed here, from
-- what Intel's and AMD's manuals say of all their cores since 2011.
-- @module portolan.idioms
local core = require "portolan.core"

local idioms = {}

local mnemonics = {}
for _, names in ipairs { "xor sub pxor xorps xorpd psubb psubw psubd psubq pcmpgtb pcmpgtw pcmpgtd pcmpgtq",
  "vpxor vxorps vxorpd vpsubb vpsubw vpsubd vpsubq vpcmpgtb vpcmpgtw vpcmpgtd vpcmpgtq vpxord vpxorq" } do
  for name in names:gmatch "%S+" do mnemonics[name] = true end
end

local full = { gpr32 = true, gpr64 = true, xmm = true, ymm = true, zmm = true, mmx = true }

-- All operands that are printed are registers of one class, whole ones.
local function of_one_class(scheme)
  local class = scheme.operands[1].class
  for _, operand in ipairs(scheme.operands) do
    if operand.visibility ~= "hidden" and (operand.kind ~= "register" or operand.class ~= class) then return false end
  end
  return full[class] == true
end

--- Whether instances of a scheme are zeroing idioms if all their sources are one register.
-- @param name of the scheme
function idioms.is(name)
  if not mnemonics[name:match "^%S+"] then return false end
  local scheme = core.isa.scheme(name)
  return scheme ~= nil and of_one_class(scheme)
end

return idioms
