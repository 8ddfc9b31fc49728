--- LP2, the weights: how much of a resource each of its users takes; and how many resources are needed.
--
-- In the papers' bipartite weight problem every kernel takes as long as the resource that it keeps busiest. Which one that is makes it no linear
-- program; so kernels are assigned to resources, weights are fitted, and kernels are assigned anew.
-- @module portolan.infer.palmed.weights
local constants = require "portolan.infer.palmed.constants"
local kernels = require "portolan.infer.palmed.kernels"
local lists = require "portolan.support.lists"
local program = require "portolan.support.linear_program"
local shape = require "portolan.infer.palmed.shape"

local weights = {}

-- The part of a kernel's counts that uses a resource.
local function users(columns, counts)
  local list, values = {}, {}
  for i = 1, #columns do
    if columns[i] and counts[i] then list[#list + 1], values[#values + 1] = columns[i], counts[i] end
  end
  return list, values
end

--- Loads with the least sum of relative errors: of the kernels that are the resource's own, either way; of all others, where it is busy for
-- longer than they take.
-- @param c state.core
-- @param loads list: users have loads above 0
-- @param own set of kernels
-- @return list of loads of the same users
function weights.fit(c, loads, own)
  local p, columns = program.new(), {}
  for i = 1, #loads do columns[i] = loads[i] > 0 and p:column {} or false end
  for _, k in ipairs(c.kernels) do
    local list, values = users(columns, k.counts)
    if #list > 0 and (own[k] or shape.busy(loads, k.counts) > constants.near * k.cycles) then
      list[#list + 1], values[#values + 1] = p:column { cost = 1 / k.cycles }, -1
      p:row(list, values, nil, k.cycles)
      if own[k] then
        local below, factors = table.move(list, 1, #list, 1, {}), table.move(values, 1, #values, 1, {})
        factors[#factors] = 1
        p:row(below, factors, k.cycles)
      end
    end
  end
  local answer, fitted = kernels.solve(p), {}
  for i = 1, #loads do fitted[i] = columns[i] and answer.values[columns[i]] or 0 end
  return fitted
end

--- Finds the resource that keeps a kernel longest.
-- @param resources list of lists of loads
-- @param counts of the kernel
-- @return its number (nil if there is none), cycles
function weights.busiest(resources, counts)
  local best, most = nil, 0
  for r, loads in ipairs(resources) do
    local cycles = shape.busy(loads, counts)
    if cycles > most then best, most = r, cycles end
  end
  return best, most
end

-- The kernels of each resource: as sets.
local function assign(c)
  local own = {}
  for r = 1, #c.resources do own[r] = {} end
  for _, k in ipairs(c.kernels) do
    local r = weights.busiest(c.resources, k.counts)
    if r and not c.vain[k] then own[r][k] = true end
  end
  return own
end

local function same(a, b)
  for i = 1, #a do
    if math.abs(a[i] - b[i]) > 1e-6 then return false end
  end
  return true
end

--- Fits the weights of all resources of a core.
-- @param c state.core
function weights.refine(c)
  for _ = 1, constants.refits do
    local own, changed = assign(c), false
    for r, loads in ipairs(c.resources) do
      if next(own[r]) then
        c.resources[r] = weights.fit(c, loads, own[r])
        changed = changed or not same(loads, c.resources[r])
      end
    end
    if not changed then return end
  end
end

--- Keeps the fewest resources that explain what all of them explain: an integer program.
-- @param c state.core; its `resources` are written
function weights.keep_fewest(c)
  local p = program.new { nodes = constants.shape_nodes }
  for _ = 1, #c.resources do p:column { upper = 1, cost = 1, whole = true } end
  for _, k in ipairs(c.kernels) do
    local columns = lists.indices(c.resources, function(loads) return shape.busy(loads, k.counts) >= k.cycles * (1 - c.epsilon) end)
    if #columns > 0 then p:row(columns, lists.map(columns, function() return 1 end), 1) end
  end
  local answer, kept = kernels.solve(p), {}
  if not answer.values then return end
  for r, loads in ipairs(c.resources) do
    if answer.values[r] > 0.5 then kept[#kept + 1] = loads end
  end
  c.resources = kept
end

return weights
