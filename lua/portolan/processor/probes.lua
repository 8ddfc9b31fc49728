--- Loop bodies that ask one question of a core: how many issue slots has an instance, is it executed at all?
--
-- Every function returns a list of variants `{ bytes =, copies =, vector_bits = }` (packing effects differ: the fastest
-- counts), or nil and why there is none.
-- @module portolan.processor.probes
local core = require "portolan.core"
local front_end_probes = require "portolan.processor.front_end_probes"

local probes = {}

-- Multi-byte NOPs; 1-byte NOPs are decoded slower than they are renamed.
local nop = { [4] = "\x0f\x1f\x40\x00", [5] = "\x0f\x1f\x44\x00\x00" }
local nop_lengths = { 4, 5 }
local body_size = 480 -- instructions, about: the end of a loop may cost a rename group, which counts little in a long one
local chain_size = 120 -- links, about
local most_nops = 503 -- and a branch: full rename groups for all widths from 2 to 9, but for 5

--- NOPs alone.
-- @param[opt] count how many in a loop body; 503
function probes.nops(count)
  local variants = {}
  count = count or most_nops
  for i, length in ipairs(nop_lengths) do variants[i] = { bytes = nop[length]:rep(count), copies = count, vector_bits = 0 } end
  return variants
end

--- How many NOPs per instance make sure that the rename width binds, not the ports: half as many again as fit beside it, and
-- one width of numbers from there on: some instances must begin a rename group, and show their slots only where the padding
-- fills the groups (vpblendvb on Skylake).
-- @param cycles inverse throughput of the scheme
-- @param width rename width
-- @return list of numbers of NOPs
function probes.paddings(cycles, width)
  local first, list = math.max(7, math.ceil(1.5 * cycles * width)), {}
  for i = 1, width do list[i] = first + i - 1 end
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

--- Instances of a scheme with `nops` NOPs after each.
-- @param name scheme
-- @param nops whole number
-- @param policy register policy (userdata of core.isa)
-- @param[opt] indexed true: its memory operands have an index register; the policy must leave that one alone
function probes.padded(name, nops, policy, indexed)
  local copies = math.max(8, body_size // (nops + 1))
  local sequence = {}
  for i = 1, copies do sequence[i] = name end
  local code, message = core.isa.instantiate(sequence, policy)
  if not code then return nil, message end
  local variants, instructions = {}, code.instructions
  if indexed then instructions, message = with_index(instructions) end
  if not instructions then return nil, message end
  local each = #instructions // copies -- what stands around an instance belongs to it
  for i, length in ipairs(nop_lengths) do
    local padding, parts = nop[length]:rep(nops), {}
    for k, instruction in ipairs(instructions) do parts[k] = instruction.bytes .. (k % each == 0 and padding or "") end
    variants[i] = { bytes = table.concat(parts) .. (code.restore or ""), copies = copies, vector_bits = code.vector_bits or 256,
      keeps_stack = code.restore and true, ahead = code.ahead }
  end
  return variants
end

-- Two registers of each class for chains: what is written, and what is read beside it.
local registers = {
  gpr64 = { "rax", "rbx", "rcx" }, gpr32 = { "eax", "ebx", "ecx" }, xmm = { "xmm1", "xmm2", "xmm3" }, ymm = { "ymm1", "ymm2", "ymm3" },
}

-- One link: operands as text. A register that is read and written carries the chain; where destination and source differ
-- (mov), links alternate between two registers.
local function link(scheme, odd)
  local texts, chained = {}, false
  for i, operand in ipairs(scheme.operands) do
    if operand.visibility ~= "hidden" then
      local class = registers[operand.class]
      if operand.kind == "immediate" then
        texts[#texts + 1] = "43"
      elseif operand.kind ~= "register" or not class or operand.fixed then
        return nil
      elseif operand.access == "rw" then
        texts[#texts + 1], chained = class[1], true
      elseif operand.access == "w" then
        texts[#texts + 1] = class[odd and 1 or 2]
      elseif i == 2 and scheme.operands[1].access == "w" and scheme.operands[1].class == operand.class then
        texts[#texts + 1], chained = class[odd and 2 or 1], true
      else
        texts[#texts + 1] = class[3]
      end
    end
  end
  return chained and scheme.mnemonic .. " " .. table.concat(texts, ", ")
end

--- A chain of dependent instances, for schemes that read and write registers of one class.
-- @param name scheme
function probes.chain(name)
  local scheme, message = core.isa.scheme(name)
  if not scheme then return nil, message end
  local first, second = link(scheme, true), link(scheme, false)
  if not first then return nil, "no chain of dependent instances" end
  local code, trouble = core.isa.assemble((first .. "\n" .. second .. "\n"):rep(chain_size // 2))
  if not code then return nil, trouble end
  local vector = first:find("[xy]mm")
  return { { bytes = code.bytes, copies = chain_size, vector_bits = vector and 256 or 0 } }
end

return probes
