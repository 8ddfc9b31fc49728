--- Loop bodies that ask one question of a core: how many issue slots has an instance, is it executed at all?
--
-- Every function returns a list of variants `{ bytes =, copies =, vector_bits = }` (packing effects differ: the fastest
-- counts), or nil and why there is none.
-- @module portolan.processor.probes
local core = require "portolan.core"
local filler = require "portolan.processor.filler"
local front_end_probes = require "portolan.processor.front_end_probes"
local landmarks = require "portolan.landmarks"
local lists = require "portolan.support.lists"

local probes = {}

local body_size = 480 -- instructions, about: the end of a loop may cost a rename group, which counts little in a long one
local chain_size = 120 -- links, about
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

--- How many fillers per instance make sure that the rename width binds, not the ports: half as many again as fit beside it, and
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

local shapes = { [8] = "b", [16] = "h", [32] = "s", [64] = "d" } -- of A64's vectors, by the width of an element

-- A register's name as an operand: of A64's vectors with the shape, "v1.4s".
local function named(register, operand)
  local width = operand.class == "v" and operand.element_width
  return width and ("%s.%d%s"):format(register, operand.width // width, shapes[width] or "?") or register
end

-- One link: operands as text. A register that is read and written carries the chain; where destination and source differ
-- (mov), links alternate between two registers.
local function link(scheme, odd)
  local texts, chained = {}, false
  local marks = landmarks.of(scheme.architecture)
  for i, operand in ipairs(scheme.operands) do
    if operand.visibility ~= "hidden" then
      local class = marks.chain_registers[operand.class]
      if operand.kind == "immediate" then
        texts[#texts + 1] = marks.chain_immediate
      elseif operand.kind ~= "register" or not class or operand.fixed then
        return nil
      elseif operand.access == "rw" then
        texts[#texts + 1], chained = named(class[1], operand), true
      elseif operand.access == "w" then
        texts[#texts + 1] = named(class[odd and 1 or 2], operand)
      elseif i == 2 and scheme.operands[1].access == "w" and scheme.operands[1].class == operand.class then
        texts[#texts + 1], chained = named(class[odd and 2 or 1], operand), true
      else
        texts[#texts + 1] = named(class[3], operand)
      end
    end
  end
  return chained and scheme.mnemonic .. " " .. table.concat(texts, ", ")
end

-- The widest vector registers that a chain needs.
local function vector_bits(scheme)
  if scheme.architecture ~= "x86_64" then return 128 end
  for _, operand in ipairs(scheme.operands) do
    if operand.class == "xmm" or operand.class == "ymm" then return 256 end
  end
  return 0
end

--- A chain of dependent instances, for schemes that read and write registers of one class.
-- @param name scheme
function probes.chain(name)
  local scheme, message = core.isa.scheme(name)
  if not scheme then return nil, message end
  local first, second = link(scheme, true), link(scheme, false)
  if not first then return nil, "no chain of dependent instances" end
  local code, trouble = core.isa.assemble((first .. "\n" .. second .. "\n"):rep(chain_size // 2), scheme.architecture)
  if not code then return nil, trouble end
  return { { bytes = code.bytes, copies = chain_size, vector_bits = vector_bits(scheme) } }
end

return probes
