--- Kernels of basic instructions that saturate one resource and fill the others as little as possible.
-- @module portolan.infer.palmed.saturate
local constants = require "portolan.infer.palmed.constants"
local kernels = require "portolan.infer.palmed.kernels"
local program = require "portolan.support.linear_program"
local shape = require "portolan.infer.palmed.shape"

local saturate = {}

-- Computes how full a kernel leaves the fullest of the other resources while it fills this one, as a share.
local function fill_of(c, r, counts)
  local own, most = shape.busy(c.resources[r], counts), 0
  for other, loads in ipairs(c.resources) do
    if other ~= r then most = math.max(most, shape.busy(loads, counts)) end
  end
  return own > 0 and most / own or math.huge
end

-- The best mixture, in fractions: the loads of the resource sum to 1, those of all others to at most the objective. Few instructions are
-- better than many.
local function mixture(c, r)
  local p, columns = program.new(), {}
  for i = 1, #c.basics do columns[i] = p:column { cost = 1e-4 * c.alone[i] } end
  local fill = p:column { cost = 1 }
  p:row(columns, c.resources[r], 1, 1)
  local all = table.move(columns, 1, #columns, 1, {})
  all[#all + 1] = fill
  for other, loads in ipairs(c.resources) do
    if other ~= r then
      local values = table.move(loads, 1, #loads, 1, {})
      values[#values + 1] = -1
      p:row(all, values, nil, 0)
    end
  end
  return kernels.solve(p).values
end

-- The mixture in whole numbers that add up to a total; nil if that is none.
local function rounded(c, parts, total)
  local sum, counts = 0, {}
  for i = 1, #c.basics do sum = sum + parts[i] end
  if sum <= 0 then return nil end
  for i = 1, #c.basics do
    local count = math.floor(parts[i] / sum * total + 0.5)
    if count > 0 then counts[i] = count end
  end
  return next(counts) and counts or nil
end

local function kernel_of(c, r)
  local parts, best = mixture(c, r), nil
  if not parts then return false end
  for total = 1, constants.kernel_most do
    local counts = rounded(c, parts, total)
    local fill = counts and fill_of(c, r, counts) or math.huge
    if fill < (best and best.fill - 0.02 or 1 - constants.saturates * c.epsilon) then best = { counts = counts, fill = fill } end
  end
  return best or false
end

--- Finds a kernel for each resource. A resource that none saturates alone never decides by more than a few percent, and is dropped.
-- @param c state.core; its `saturating` and `resources` are written
function saturate.all(c)
  for r = #c.resources, 1, -1 do
    if not kernel_of(c, r) then table.remove(c.resources, r) end
  end
  c.saturating = {}
  for r = 1, #c.resources do c.saturating[r] = kernel_of(c, r) end
end

return saturate
