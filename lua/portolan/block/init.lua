--- Blocks of machine code as a user gives them: assembler text or hexadecimal bytes, checked, made ready for measuring.
-- @module portolan.block
local core = require "portolan.core"
local limits = require "portolan.support.limits"

local block = {}

local most_bytes = 64 << 10 -- of a loop body; the session's limit

--- Bytes of hexadecimal text (white space, `0x` and commas between bytes are allowed).
-- @param text string
-- @return bytes; or nil and a message
function block.from_hex(text)
  local digits = text:gsub("0[xX]", ""):gsub("[%s,]", "")
  local strange = digits:match("[^%x]")
  if strange then return nil, ("'%s' is no hexadecimal digit; write bytes as 48 01 d8"):format(strange) end
  if #digits % 2 == 1 then return nil, "an odd number of hexadecimal digits; write two for each byte" end
  return (digits:gsub("%x%x", function(pair) return string.char(tonumber(pair, 16)) end))
end

--- Bytes as hexadecimal digits, two each.
-- @param bytes string
-- @treturn string
function block.to_hex(bytes) return (bytes:gsub(".", function(c) return ("%02x"):format(c:byte()) end)) end

local uses_counter = { r15 = true, r15d = true, r15w = true, r15b = true }
local is_base = { r14 = true, r14d = true, r14w = true, r14b = true }

-- Says how an instruction gets in the way of the measuring loop, which needs r15 to count and r14 to point to memory; nil if it does not.
local function clash(instruction)
  for word in instruction.text:gmatch("%w+") do
    if uses_counter[word] then return "r15 is the loop counter; use another register" end
  end
  local scheme, printed = core.isa.scheme(instruction.scheme), 0
  local texts = {}
  for text in (instruction.text:match("^%S+%s+(.*)$") or ""):gmatch("[^,]+") do texts[#texts + 1] = text:match("^%s*(.-)%s*$") end
  for _, operand in ipairs(scheme and scheme.operands or {}) do
    if operand.visibility ~= "hidden" then
      printed = printed + 1
      if operand.access:find("w", 1, true) and is_base[texts[printed]] then
        return "r14 points to the memory for measuring and must not change; use another register"
      end
    end
  end
end

local widths = { xmm = 128, ymm = 256, zmm = 512, k = 512 }

--- The widest vector registers that code names.
-- @param code `{ instructions = }` as `core.isa.decode` gives it
-- @return 0, 128, 256 or 512 (masks, and the registers from number 16 on, count as 512: they are set up with these)
function block.vector_bits(code)
  local widest = 0
  for _, instruction in ipairs(code.instructions) do
    for name, number in instruction.text:gmatch "%f[%w](%l+)(%d+)" do
      local bits = widths[name]
      if bits then widest = math.max(widest, tonumber(number) >= 16 and 512 or bits) end
    end
  end
  return widest
end

--- Checks a decoded block.
-- @param code `{ bytes =, instructions = }` as `core.isa.assemble` and `core.isa.decode` give it
-- @return the same with `vector_bits`; or nil and a message
function block.check(code)
  if #code.instructions == 0 then return nil, "there is no instruction to measure" end
  if #code.bytes > most_bytes then
    return nil, ("%d bytes of code; at most %d can be measured"):format(#code.bytes, most_bytes)
  end
  for _, instruction in ipairs(code.instructions) do
    local trouble = clash(instruction)
    if trouble then return nil, ("%s: %s"):format(instruction.text, trouble) end
  end
  code.vector_bits = block.vector_bits(code)
  return code
end

--- A block of assembler text.
-- @param text Intel syntax, statements separated by `;` or line ends
-- @return block; or nil and a message
function block.from_text(text)
  if #text > limits.code_bytes then return nil, ("more than %d bytes of assembler text"):format(limits.code_bytes) end
  local code, message = core.isa.assemble(text)
  if not code then return nil, message end
  return block.check(code)
end

--- A block of machine code.
-- @param bytes string
-- @return block; or nil and a message
function block.from_bytes(bytes)
  local code, message = core.isa.decode(bytes)
  if not code then return nil, message end
  return block.check(code)
end

--- Loop bodies that hold about so many instructions each: the variants for a session.
-- @param code a checked block
-- @param targets list of whole numbers
-- @return list of kernels `{ bytes =, copies =, vector_bits =, unroll = }`
function block.kernels(code, targets)
  local kernels, seen = {}, {}
  for _, target in ipairs(targets) do
    local copies = math.max(1, (target + #code.instructions // 2) // #code.instructions)
    copies = math.min(copies, math.max(1, most_bytes // #code.bytes))
    if not seen[copies] then
      seen[copies] = true
      kernels[#kernels + 1] = { bytes = code.bytes:rep(copies), copies = copies, vector_bits = code.vector_bits, unroll = target }
    end
  end
  return kernels
end

return block
