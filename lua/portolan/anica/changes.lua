--- Changes of a block that must not matter to a predictor: it runs in a loop without end, and what runs is the same.
--
-- Renaming keeps operands that are equal equal and distinct ones distinct, and leaves what schemes fix (engine/isa/rename.h). Rotation begins the
-- loop at another instruction; copying unrolls it. Blocks with branches are not changed: their targets would be others. Nor are, where instructions
-- move, those with addresses relative to rip: stores and loads that met would miss each other.
-- @module portolan.anica.changes
local code = require "portolan.anica.code"
local core = require "portolan.core"
local isa = require "portolan.scheme.isa"
local lists = require "portolan.support.lists"

local changes = {}

local renamings = 3

-- The instructions of a block; nil if it has a branch, or cannot be read.
local function instructions(block, architecture)
  local decoded = core.isa.decode(block, architecture)
  for _, one in ipairs(decoded and decoded.instructions or {}) do
    local scheme = isa.scheme(one.scheme)
    if not scheme or scheme.branch then return nil end
  end
  return decoded and code.split(block, architecture), decoded
end

-- The instructions of a block that may stand elsewhere; nil if they may not.
local function movable(block, architecture)
  local parts, decoded = instructions(block, architecture)
  for _, one in ipairs(parts and decoded.instructions or {}) do
    if one.text:find "%[[re]ip[]+-]" or one.scheme:find("[pc", 1, true) then return nil end
  end
  return parts
end

-- Without what is the block itself, each block once.
local function others(block, list)
  return lists.where(lists.distinct(list), function(changed) return changed ~= block end)
end

--- The block with other registers, in up to three ways.
-- @param block machine code
-- @tparam[opt] string architecture by default the host's
-- @return list of blocks; empty where no register may change
function changes.renamed(block, architecture)
  local list = {}
  for turn = 1, instructions(block, architecture) and renamings or 0 do
    local renamed = core.isa.rename(block, turn, architecture)
    if renamed and #renamed == #block then list[#list + 1] = renamed end -- what is shorter for rax alone is another instruction for a core
  end
  return others(block, list)
end

--- The block begun at each of its other instructions.
-- @param block machine code
-- @tparam[opt] string architecture by default the host's
-- @return list of blocks; empty for a single instruction
function changes.rotated(block, architecture)
  local parts, list = movable(block, architecture) or {}, {}
  for first = 2, #parts do list[#list + 1] = table.concat(parts, "", first) .. table.concat(parts, "", 1, first - 1) end
  return others(block, list)
end

--- Two copies of the block, one after the other.
-- @param block machine code
-- @tparam[opt] string architecture by default the host's
-- @return list of one block; none where it cannot be copied
function changes.copied(block, architecture)
  return movable(block, architecture) and { block .. block } or {}
end

return changes
