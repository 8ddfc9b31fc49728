--- Schemes that Portolan itself names, by what it needs them for: `arch/ARCHITECTURE/landmarks.lua`.
-- @module portolan.landmarks
local architectures = require "portolan.support.architectures"
local paths = require "portolan.support.paths"

local landmarks = {}

local known = {} -- by architecture

--- Those of an architecture.
-- @tparam[opt] string architecture by default the host's
-- @treturn table `nop` (of simulated processors), `measured_nop`, `loads` (list), `nops` (list of code), `chain_registers` (class -> list
-- of three), `chain_immediate` (text), `example` (text of an experiment)
function landmarks.of(architecture)
  architecture = architecture or architectures.default()
  known[architecture] = known[architecture] or dofile(paths.arch(architecture, "landmarks.lua"))
  return known[architecture]
end

--- The NOP that is among some schemes: as simulated processors call it, otherwise as measuring does.
-- @tparam table schemes names as keys
-- @return name; nil if there is none
function landmarks.nop_among(schemes)
  for _, field in ipairs { "nop", "measured_nop" } do
    for _, architecture in ipairs(architectures.names()) do
      local name = landmarks.of(architecture)[field]
      if schemes[name] then return name end
    end
  end
end

return landmarks
