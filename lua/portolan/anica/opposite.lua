--- Blocks with the opposite of dropped constraints.
--
-- Where two operands must not alias and the constraint is dropped, hardly a random sample has them alias: one in some fourteen, as there are so many
-- registers. What the constraint was good for is seen in samples of the same block with the opposite constraint. They are represented by the
-- block like any other sample.
-- @module portolan.anica.opposite
local lists = require "portolan.support.lists"

local opposite = {}

local most = 8 -- of one block

local function key(c) return ("%d.%d~%d.%d"):format(c.a[1], c.a[2], c.b[1], c.b[2]) end

-- The constraints "must not" of one block that another lacks.
local function dropped(before, after)
  local left = lists.set(lists.map(after.aliasing or {}, key))
  return lists.where(before.aliasing or {}, function(c) return c.kind ~= "must" and not left[key(c)] end)
end

--- For some of the constraints that a block no longer has: the block with its operands bound to alias.
-- @param domain abstract domain
-- @param before abstract block
-- @param A a more general one
-- @param rng random stream: which of them, if they are many
-- @return list of abstract blocks, all below A
function opposite.of(domain, before, A, rng)
  local after = A:encode()
  local list, blocks = rng:shuffle(dropped(before:encode(), after)), {}
  for i = 1, math.min(most, #list) do
    local aliasing = table.move(after.aliasing or {}, 1, #(after.aliasing or {}), 1, {})
    aliasing[#aliasing + 1] = { a = list[i].a, b = list[i].b, kind = "must" }
    blocks[#blocks + 1] = domain:decode { instructions = after.instructions, aliasing = aliasing }
  end
  return blocks
end

return opposite
