--- Schemes that Portolan itself names, by what it needs them for: `arch/ARCHITECTURE/landmarks.lua`.
-- @module portolan.scheme.landmarks
local architectures = require "portolan.support.architectures"
local paths = require "portolan.support.paths"

local landmarks = {}

local known = {} -- by architecture

--- Those of an architecture.
-- @tparam[opt] string architecture by default the host's
-- @treturn table `nop` (of simulated processors), `fillers` (list of `{ name =, text =, codes = }`), `various`, `loads`, `additions` (lists),
-- `example` (text of an experiment)
function landmarks.of(architecture)
  architecture = architecture or architectures.default()
  known[architecture] = known[architecture] or paths.data(architecture, "landmarks.lua")
  return known[architecture]
end

return landmarks
