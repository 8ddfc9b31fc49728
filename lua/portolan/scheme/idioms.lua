--- Instructions whose result does not depend on their operands, if all of these are one register: zeroing idioms.
--
-- Cores know them when they rename registers: no port executes them, and they wait for nothing. Which ones a core knows is assumed
-- (`zeroing` of portolan.scheme.landmarks): of x86-64 what Intel's and AMD's manuals say of all their cores since 2011.
-- @module portolan.scheme.idioms
local isa = require "portolan.scheme.isa"
local landmarks = require "portolan.scheme.landmarks"

local idioms = {}

-- All operands that are printed are registers of one class, whole ones.
local function of_one_class(scheme, full)
  local class = scheme.operands[1].class
  for _, operand in ipairs(scheme.operands) do
    if operand.visibility ~= "hidden" and (operand.kind ~= "register" or operand.class ~= class) then return false end
  end
  return full[class] == true
end

--- Tells whether instances of a scheme are zeroing idioms if all their sources are one register.
-- @param name of the scheme
function idioms.is(name)
  local scheme = isa.scheme(name)
  if not scheme then return false end
  local zeroing = landmarks.of(scheme.architecture).zeroing
  return zeroing.by[scheme.mnemonic] ~= nil and of_one_class(scheme, zeroing.classes)
end

return idioms
