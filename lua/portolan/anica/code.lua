--- Blocks of machine code: their instructions, and what files say of them.
-- @module portolan.anica.code
local core = require "portolan.core"
local lists = require "portolan.support.lists"

local code = {}

--- The instructions of a block.
-- @param block machine code
-- @tparam[opt] string architecture by default the host's
-- @return list of machine code, one per instruction; or nil and a message
function code.split(block, architecture)
  local decoded, message = core.isa.decode(block, architecture)
  if not decoded then return nil, message end
  return lists.map(decoded.instructions, function(instruction) return instruction.bytes end)
end

--- The text of a block.
-- @param block machine code
-- @tparam[opt] string architecture by default the host's
-- @return assembler text (x86-64's in Intel syntax), instructions separated by "; "; its bytes if it cannot be decoded
function code.text(block, architecture)
  local decoded = core.isa.decode(block, architecture)
  if not decoded then return code.hex(block) end
  local texts = lists.map(decoded.instructions, function(instruction) return instruction.text end)
  return table.concat(texts, "; ")
end

--- The bytes of a block in hexadecimal.
function code.hex(block) return (block:gsub(".", function(c) return ("%02x"):format(c:byte()) end)) end

return code
