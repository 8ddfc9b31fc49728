--- One instance of a scheme, for questions to tools that know nothing of schemes.
-- @module portolan.scheme.instance
local architectures = require "portolan.support.architectures"
local core = require "portolan.core"
local isa = require "portolan.scheme.isa"
local paths = require "portolan.support.paths"

local instance = {}

local policies = {} -- by architecture

--- The register policy of the hardware processor: operands that make no instruction wait for another (Algorithm 3.1).
-- @tparam[opt] string architecture by default the host's
function instance.policy(architecture)
  architecture = architecture or architectures.default()
  policies[architecture] = policies[architecture] or assert(core.isa.policy(paths.data(architecture, "policy.lua")))
  return policies[architecture]
end

--- One instance of a scheme. It is not the first one that the policy gives, as that may use x86's rax, for which there are encodings of its own.
-- Other instructions may stand ahead of every instance and behind it (`breakers` and `companions` of `portolan.scheme.isa`); they are no part of
-- it. Schemes that the policy has no operands for, such as those of segment registers, get simple ones.
-- @param name of the scheme
-- @return `{ scheme =, text =, bytes = }`; or nil and a message
function instance.of(name)
  local scheme, message = isa.scheme(name)
  if not scheme then return nil, message end
  local code
  code, message = core.isa.instantiate({ name, name, name }, instance.policy(scheme.architecture))
  if not code then
    local bytes = core.isa.sample(name, 1)
    code = bytes and core.isa.decode(bytes, scheme.architecture)
  end
  if not code then return nil, message end
  for i = #code.instructions, 1, -1 do
    if code.instructions[i].scheme == name then return code.instructions[i] end
  end
  return code.instructions[#code.instructions]
end

return instance
