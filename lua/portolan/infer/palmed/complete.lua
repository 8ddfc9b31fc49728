--- LPAUX, the complete mapping: what every other scheme takes of each resource, one scheme at a time, against the kernels that saturate them.
-- @module portolan.infer.palmed.complete
local constants = require "portolan.infer.palmed.constants"
local kernels = require "portolan.infer.palmed.kernels"
local program = require "portolan.program"
local shape = require "portolan.infer.palmed.shape"

local complete = {}

-- A kernel that saturates resource r, repeated until an instance of a scheme that takes so long alone cannot make another resource the limit.
local function flood(c, r, alone)
  local s, length = c.saturating[r], 0
  local cycles = shape.busy(c.resources[r], s.counts)
  for _, count in pairs(s.counts) do length = length + count end
  local needed = alone * math.max(constants.flood, 1 / (1 - s.fill)) / cycles
  local times = math.max(1, math.min(math.ceil(needed - 1e-9), constants.flood_most // length))
  local counts = {}
  for i, count in pairs(s.counts) do counts[i] = times * count end
  return counts
end

-- The scheme alone, and one instance of it in each flood: `{ counts =, cycles =, saturated = resource }`.
local function observe(run, c, name)
  local list, found = {}, { { counts = {}, cycles = run.alone[name] } }
  for r = 1, #c.resources do
    if c.saturating[r] then
      local counts, e = flood(c, r, run.alone[name]), { [name] = 1 }
      for i, count in pairs(counts) do e[c.basics[i]] = (e[c.basics[i]] or 0) + count end
      list[#list + 1] = { e = e, counts = counts, saturated = r }
    end
  end
  local experiments = {}
  for j, x in ipairs(list) do experiments[j] = x.e end
  for j, cycles in ipairs(run.kernels:measure(experiments)) do
    if cycles then
      list[j].cycles = cycles
      found[#found + 1] = list[j]
    end
  end
  return found
end

-- Loads with the least sum of errors: no resource is busy for longer than a kernel takes, and a saturated one for as long.
local function fit(run, c, name, list)
  local p = program.new()
  for _ = 1, #c.resources do p:column { upper = run.alone[name] * (1 + run.options.epsilon), cost = 1e-3 / run.alone[name] } end
  for _, x in ipairs(list) do
    local off = p:column { cost = 1 / run.alone[name] }
    for r, loads in ipairs(c.resources) do
      local busy = shape.busy(loads, x.counts)
      p:row({ r, off }, { 1, -1 }, nil, x.cycles - busy)
      if x.saturated == r then p:row({ r, off }, { 1, 1 }, x.cycles - busy) end
    end
  end
  return kernels.solve(p).values
end

-- Loads that are within the noise of the flood that shows them are none.
local function without_noise(run, c, list, loads)
  for _, x in ipairs(list) do
    local r = x.saturated
    if r and loads[r] < run.options.epsilon * shape.busy(c.resources[r], x.counts) then loads[r] = 0 end
  end
  return loads
end

--- What a scheme takes of each resource.
-- @param run state.run
-- @param c state.core with its saturating kernels
-- @param name of the scheme
-- @return list of loads by resource, in cycles; and the cycles alone that they explain
function complete.of(run, c, name)
  local at, loads, most = c.index[name], {}, 0
  if at then
    for r = 1, #c.resources do loads[r] = c.resources[r][at] end
  else
    local list = observe(run, c, name)
    local fitted = fit(run, c, name, list)
    loads = without_noise(run, c, list, table.move(fitted, 1, #c.resources, 1, {}))
  end
  for r = 1, #c.resources do most = math.max(most, loads[r]) end
  return loads, most
end

return complete
