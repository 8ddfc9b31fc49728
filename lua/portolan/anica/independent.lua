--- Blocks of which nothing waits for anything: operands by Algorithm 3.1 (engine/isa/allocate.c), for comparing pure port models with
-- processors and with predictors that know latencies.
--
-- Only schemes come in question that do not wait for their own last instance: those that read a register, a flag or memory that they write
-- always do in a short loop, whatever registers are chosen. Of 5 instructions such a loop has no room for the many chains that experiments have.
-- @module portolan.anica.independent
local core = require "portolan.core"
local dependencies = require "portolan.block.dependencies"
local isa = require "portolan.scheme.isa"
local lists = require "portolan.support.lists"

local independent = {}

-- Mnemonics whose destination some processors wait for, though it is only written.
local function merging_of(policy) return lists.set(policy.merging or {}) end

-- Does no iteration of a block wait for another? Stores and loads of one address count.
local function waits_for_nothing(bytes, architecture)
  local waits, accesses = dependencies.of(bytes, { aliasing = "same", architecture = architecture })
  return waits and dependencies.bound(waits, #accesses, function() return 1 end) == 0
end

--- The schemes that can stand in such blocks.
-- @param names list
-- @tparam table policy of registers (arch/ARCHITECTURE/policy.lua)
-- @return list
function independent.schemes(names, policy)
  local compiled, merging, list = assert(core.isa.policy(policy)), merging_of(policy), {}
  for _, name in ipairs(names) do
    local scheme = isa.scheme(name)
    local fine = scheme and not scheme.updates_fixed and not merging[scheme.mnemonic]
    local code = fine and core.isa.instantiate({ name }, compiled)
    if code and waits_for_nothing(code.bytes, scheme.architecture) then list[#list + 1] = name end
  end
  return list
end

--- The block of the same schemes whose operands make nothing wait.
-- @param block machine code
-- @param policy compiled, of `core.isa.policy`
-- @tparam[opt] string architecture by default the host's
-- @return machine code; nil where fixed registers make one of its schemes wait for another
function independent.block(block, policy, architecture)
  local decoded, names = assert(core.isa.decode(block, architecture)), {}
  for i, instruction in ipairs(decoded.instructions) do names[i] = instruction.scheme end
  local code = core.isa.instantiate(names, policy)
  return code and waits_for_nothing(code.bytes, architecture) and code.bytes or nil
end

--- Such blocks in place of drawn ones.
-- @param blocks list of machine code
-- @param policy compiled
-- @tparam[opt] string architecture by default the host's
-- @return list; how many of them there is none of
function independent.blocks(blocks, policy, architecture)
  local list = {}
  for _, block in ipairs(blocks) do list[#list + 1] = independent.block(block, policy, architecture) end
  return list, #blocks - #list
end

return independent
