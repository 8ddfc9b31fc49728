--- Loop bodies that ask one question of a core: how many issue slots has an instance?
--
-- Every function returns a list of variants `{ bytes =, copies =, vector_bits = }` (packing effects differ: the fastest
-- counts), or nil and why there is none.
-- @module portolan.processor.probes
local core = require "portolan.core"
local filler = require "portolan.processor.filler"
local front_end_probes = require "portolan.processor.front_end_probes"
local lists = require "portolan.support.lists"

local probes = {}

local body_size = 480 -- instructions, about: the end of a loop may cost a rename group, which counts little in a long one
local most_fillers = 503 -- and a branch: full rename groups for all widths from 2 to 9, but for 5

-- Loop bodies of so many copies, with each of some codes behind every copy.
local function variants_of(code, instructions, copies, paddings)
  return lists.map(paddings, function(padding)
    local parts, each = {}, #instructions // copies
    for k, instruction in ipairs(instructions) do parts[k] = instruction.bytes .. (k % each == 0 and padding or "") end
    return { bytes = table.concat(parts) .. (code.restore or ""), copies = copies, vector_bits = code.vector_bits or 256,
      keeps_stack = code.keeps_stack, ahead = code.ahead }
  end)
end

-- Names of `count` instances.
local function times(name, count)
  local list = {}
  for i = 1, count do list[i] = name end
  return list
end

--- Fillers alone.
-- @param padding name of a filler (portolan.processor.filler)
-- @param policy register policy (userdata of core.isa)
-- @param[opt] count how many in a loop body; 503
function probes.fillers(padding, policy, count)
  count = count or most_fillers
  local code, message = core.isa.instantiate(times(padding, count), policy)
  if not code then return nil, message end
  local codes = filler.described(padding).codes
  if not codes then return variants_of(code, code.instructions, count, { "" }) end
  return lists.map(codes, function(bytes) return { bytes = bytes:rep(count), copies = count, vector_bits = 0 } end)
end

--- Computes how many fillers per instance make sure that the rename width binds, not the ports: half as many again as fit beside it, and
-- one width of numbers from there on: some instances must begin a rename group, and show their slots only where the padding
-- fills the groups (vpblendvb on Skylake).
-- @param cycles inverse throughput of the scheme
-- @param width rename width
-- @param per_slot how many fillers are one slot
-- @return list of numbers of fillers
function probes.paddings(cycles, width, per_slot)
  local first, list = math.max(7, math.ceil(1.5 * cycles * width)), {}
  for i = 1, width do list[i] = per_slot * (first + i - 1) end
  return list
end

-- Instances whose memory operands have an index register besides; or nil and why there are none.
local function with_index(instructions)
  local texts = {}
  for k, instruction in ipairs(instructions) do
    texts[k] = front_end_probes.with_index(instruction.text, probes.index.register, probes.index.value) or instruction.text
  end
  local code, message = core.isa.assemble(table.concat(texts, "\n"))
  if not code then return nil, message end
  for k, instruction in ipairs(code.instructions) do
    if instruction.scheme ~= instructions[k].scheme then return nil, "the assembler takes another scheme" end
  end
  return code.instructions
end

--- The register that serves as an index, and what it holds when a loop begins (engine/bench/session.c). Nothing may write it.
probes.index = { register = "r12", value = 0x2b + 2 * 12 }

--- Instances of a scheme with fillers after each.
-- @param name scheme
-- @param padding name of a filler (portolan.processor.filler)
-- @param count of fillers behind each instance
-- @param policy register policy (userdata of core.isa)
-- @param[opt] indexed true: its memory operands have an index register; the policy must leave that one alone
function probes.padded(name, padding, count, policy, indexed)
  local copies = math.max(8, body_size // (count + 1))
  local codes, sequence = filler.described(padding).codes, {}
  local group = { name, table.unpack(codes and {} or times(padding, count)) } -- NOPs name no register and touch no memory
  for i = 0, copies - 1 do table.move(group, 1, #group, i * #group + 1, sequence) end
  local code, message = core.isa.instantiate(sequence, policy)
  if not code then return nil, message end
  local instructions = code.instructions
  if indexed then instructions, message = with_index(instructions) end
  if not instructions then return nil, message end
  return variants_of(code, instructions, copies, lists.map(codes or { "" }, function(bytes) return bytes:rep(count) end))
end

return probes
