--- Kernels that are worth measuring: mixtures of basic instructions that may take longer than the resources found so far are busy.
-- @module portolan.infer.palmed.mixtures
local constants = require "portolan.infer.palmed.constants"
local lists = require "portolan.support.lists"
local shape = require "portolan.infer.palmed.shape"
local weights = require "portolan.infer.palmed.weights"

local mixtures = {}

-- Random mixtures of three or more basic instructions, each taking its share of the time.
local function random_mixtures(run, c)
  local list, order = {}, {}
  for i = 1, #c.basics do order[i] = i end
  for j = 1, constants.directions do
    run.rng:shuffle(order)
    local counts = {}
    for k = 1, math.min(#order, j % 2 == 0 and 3 or 3 + run.rng:below(#order)) do
      local i = order[k]
      counts[i] = math.max(1, math.floor((1 + run.rng:below(3)) / c.alone[i] + 0.5))
    end
    list[j] = counts
  end
  return list
end

--- The mixtures for which the resources and the bounds of what is measured leave most open.
-- @param run state.run
-- @param c state.core
-- @return list of counts by basic instruction, at most `constants.doubtful`
function mixtures.doubtful(run, c)
  local list = {}
  for j, counts in ipairs(random_mixtures(run, c)) do
    local _, least = weights.busiest(c.resources, counts)
    local gap = shape.corner(c, 0, counts) / least
    if gap > 1 + run.options.epsilon then list[#list + 1] = { counts = counts, gap = gap, place = j } end
  end
  table.sort(list, lists.most_first("gap", "place"))
  for j, x in ipairs(list) do list[j] = j <= constants.doubtful and x.counts or nil end
  return list
end

return mixtures
