--- One instance of a scheme, for questions to tools that know nothing of schemes.
-- @module portolan.instance
local core = require "portolan.core"
local paths = require "portolan.support.paths"

local instance = {}

local policy

--- The register policy of the hardware processor: operands that make no instruction wait for another (Algorithm 3.1).
function instance.policy()
  policy = policy or assert(core.isa.policy(dofile(paths.arch "x86_64/policy.lua")))
  return policy
end

--- One instance of a scheme. It is not the first one that the policy gives, as that may use rax, for which there are encodings of its own.
-- Zeroing idioms may stand ahead of every instance (`breakers` of `portolan.isa`); they are no part of it. Schemes that the policy has no
-- operands for, such as those of segment registers, get simple ones.
-- @param name of the scheme
-- @return `{ scheme =, text =, bytes = }`; or nil and a message
function instance.of(name)
  local code, message = core.isa.instantiate({ name, name, name }, instance.policy())
  if not code then
    local bytes = core.isa.sample(name, 1)
    code = bytes and core.isa.decode(bytes)
  end
  if not code then return nil, message end
  return code.instructions[#code.instructions]
end

return instance
