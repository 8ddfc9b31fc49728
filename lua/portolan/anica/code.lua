--- Blocks of machine code: their instructions, and what files say of them.
-- @module portolan.anica.code
local core = require "portolan.core"

local code = {}

--- The instructions of a block.
-- @param block machine code
-- @return list of machine code, one per instruction; or nil and a message
function code.split(block)
  local decoded, message = core.isa.decode(block)
  if not decoded then return nil, message end
  local parts = {}
  for i, instruction in ipairs(decoded.instructions) do parts[i] = instruction.bytes end
  return parts
end

--- The text of a block.
-- @param block machine code
-- @return Intel syntax, instructions separated by "; "; its bytes if it cannot be decoded
function code.text(block)
  local decoded = core.isa.decode(block)
  if not decoded then return code.hex(block) end
  local texts = {}
  for i, instruction in ipairs(decoded.instructions) do texts[i] = instruction.text end
  return table.concat(texts, "; ")
end

--- The bytes of a block in hexadecimal.
function code.hex(block) return (block:gsub(".", function(c) return ("%02x"):format(c:byte()) end)) end

--- The block of a hexadecimal text.
function code.unhex(hex) return (hex:gsub("%x%x", function(pair) return string.char(tonumber(pair, 16)) end)) end

return code
