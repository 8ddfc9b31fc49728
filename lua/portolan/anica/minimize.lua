--- Minimizing an interesting block: instructions are removed as long as it stays interesting (section 8.1.2, line 6 of Algorithm 8.1).
--
-- The result is minimal: none of its instructions can be removed alone.
-- @module portolan.anica.minimize
local code = require "portolan.anica.code"

local minimize = {}

local function without(parts, i)
  local rest = table.move(parts, 1, #parts, 1, {})
  table.remove(rest, i)
  return rest
end

--- Minimizes a block.
-- @param block an interesting block
-- @param ask function(blocks) -> list of `{ interesting = }`, of as many
-- @param[opt] split function(block) -> list of its instructions, whose concatenation it is; of machine code by default
-- @return block; or nil and a message if it cannot be split
function minimize.run(block, ask, split)
  local parts, message = (split or code.split)(block)
  if not parts then return nil, message end
  while #parts > 1 do
    local tries, blocks = {}, {}
    for i = 1, #parts do
      tries[i] = without(parts, i)
      blocks[i] = table.concat(tries[i])
    end
    local smaller
    for i, verdict in ipairs(ask(blocks)) do
      smaller = smaller or verdict.interesting and tries[i]
    end
    if not smaller then break end
    parts = smaller
  end
  return table.concat(parts)
end

return minimize
