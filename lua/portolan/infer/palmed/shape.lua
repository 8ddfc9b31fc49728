--- LP1, the shape: which basic instructions use a resource.
--
-- A resource is a point with a coordinate for each basic instruction, its load. No kernel K may take less time than the resource is busy with
-- it, so the points that are possible satisfy  sum of K's counts * loads <= cycles(K)  for every measured kernel. A resource explains the
-- kernels for which this is an equation. So one that explains a given kernel, and as many others as it can, is a corner: a linear program finds
-- it. A small integer program then finds a point that explains the same kernels and is used by the fewest instructions.
-- @module portolan.infer.palmed.shape
local constants = require "portolan.infer.palmed.constants"
local kernels = require "portolan.infer.palmed.kernels"
local lists = require "portolan.support.lists"
local program = require "portolan.support.linear_program"

local shape = {}

--- Computes how long a resource with these loads is busy with a kernel.
-- @param loads list by basic instruction
-- @param counts table by basic instruction
-- @return cycles
function shape.busy(loads, counts)
  local sum = 0
  for i, count in pairs(counts) do sum = sum + loads[i] * count end
  return sum
end

local function row_of(counts)
  local columns = lists.keys(counts)
  return columns, lists.map(columns, function(i) return counts[i] end)
end

-- Solves a program whose first columns are the loads, under the bounds of all kernels. Few of hundreds of bounds matter, so those that an answer
-- breaks are added until there are none. make: function() -> program without bounds.
local function solve_bounded(c, epsilon, make)
  while true do
    local p = make()
    for _, k in ipairs(c.kernels) do
      if k.bounds then
        local columns, values = row_of(k.counts)
        p:row(columns, values, nil, k.cycles * (1 + epsilon))
      end
    end
    local answer, broken = kernels.solve(p), {}
    for _, k in ipairs(answer.values and c.kernels or {}) do
      local excess = not k.bounds and shape.busy(answer.values, k.counts) / k.cycles - 1 - epsilon or 0
      if excess > 1e-7 then broken[#broken + 1] = { kernel = k, excess = excess, place = #broken } end
    end
    if #broken == 0 then return answer end
    table.sort(broken, lists.most_first("excess", "place"))
    for j = 1, math.min(#broken, constants.bounds) do broken[j].kernel.bounds = true end
  end
end

--- The longest that a kernel may take, by the bounds of all measured ones, and where.
-- @param c state.core
-- @param epsilon by how much times may be wrong
-- @param weights table by basic instruction: the objective
-- @return value of the objective, list of loads
function shape.corner(c, epsilon, weights)
  local answer = solve_bounded(c, epsilon, function()
    local p = program.new { maximise = true }
    for i = 1, #c.basics do p:column { upper = c.alone[i] * (1 + epsilon), cost = weights[i] or 0 } end
    return p
  end)
  return answer.objective, answer.values
end

-- The objective: above all the kernel; then those that nothing explains yet; then all others, so that no load is lower than it may be.
local function weights_for(c, kernel)
  local open, weights = 0, {}
  for _, k in ipairs(c.kernels) do open = open + (k.open and 1 or 0) end
  for _, k in ipairs(c.kernels) do
    local weight = (k == kernel and 1 or k.open and 0.1 / open or 0.01 / #c.kernels) / k.cycles
    for i, count in pairs(k.counts) do weights[i] = (weights[i] or 0) + weight * count end
  end
  return weights
end

-- The kernels that a resource explains.
local function explained(c, loads, epsilon)
  return lists.where(c.kernels, function(k) return shape.busy(loads, k.counts) >= k.cycles * (1 - epsilon) end)
end

-- The program of `fewest_users`; columns of the users' flags by basic instruction go to `used`.
local function users_program(c, loads, list, epsilon, used)
  local p = program.new { nodes = constants.shape_nodes }
  for i, load in ipairs(loads) do p:column { upper = load > 0 and c.alone[i] * (1 + epsilon) or 0 } end
  for i, load in ipairs(loads) do
    if load > 0 then
      used[i] = p:column { upper = 1, cost = 1, whole = true }
      p:row({ i, used[i] }, { 1, -c.alone[i] * (1 + epsilon) }, nil, 0)
    end
  end
  for _, k in ipairs(list) do
    local columns, values = row_of(k.counts)
    p:row(columns, values, k.cycles * (1 - epsilon))
  end
  return p
end

-- A point that explains the kernels of the list with the fewest users; the given one if the search is cut short.
local function fewest_users(c, loads, list, epsilon)
  local used, point = {}, {}
  local answer = solve_bounded(c, epsilon, function() return users_program(c, loads, list, epsilon, used) end)
  if not answer.values then return loads end
  for i = 1, #loads do point[i] = used[i] and answer.values[used[i]] > 0 and answer.values[i] or 0 end
  return point
end

--- A resource that explains a kernel.
-- @param c state.core
-- @param kernel one of its kernels, that nothing explains yet
-- @param epsilon by how much times may be wrong
-- @return list of loads, list of kernels that it explains; nil if the others take too little time for that
function shape.of(c, kernel, epsilon)
  local _, loads = shape.corner(c, epsilon, weights_for(c, kernel))
  if shape.busy(loads, kernel.counts) < kernel.cycles * (1 - epsilon) then return nil end
  local list = explained(c, loads, epsilon)
  for i, load in ipairs(loads) do loads[i] = load > 1e-7 and load or 0 end
  return fewest_users(c, loads, list, epsilon), list
end

return shape
