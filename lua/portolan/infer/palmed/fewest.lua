--- The number of resources is as small as it can be: an integer program.
-- @module portolan.infer.palmed.fewest
local constants = require "portolan.infer.palmed.constants"
local kernels = require "portolan.infer.palmed.kernels"
local program = require "portolan.program"
local shape = require "portolan.infer.palmed.shape"

local fewest = {}

--- Keeps the fewest resources that explain what all of them explain.
-- @param c state.core; its `resources` are written
-- @param epsilon by how much times may be wrong
function fewest.keep(c, epsilon)
  local p = program.new { nodes = constants.shape_nodes }
  for _ = 1, #c.resources do p:column { upper = 1, cost = 1, whole = true } end
  for _, k in ipairs(c.kernels) do
    local columns, ones = {}, {}
    for r, loads in ipairs(c.resources) do
      if shape.busy(loads, k.counts) >= k.cycles * (1 - epsilon) then columns[#columns + 1], ones[#ones + 1] = r, 1 end
    end
    if #columns > 0 then p:row(columns, ones, 1) end
  end
  local answer, kept = kernels.solve(p), {}
  if not answer.values then return end
  for r, loads in ipairs(c.resources) do
    if answer.values[r] > 0.5 then kept[#kept + 1] = loads end
  end
  c.resources = kept
end

return fewest
