--- LPAUX, the complete mapping: what every scheme takes of each resource, against the kernels that saturate them.
-- @module portolan.infer.palmed.complete
local constants = require "portolan.infer.palmed.constants"
local kernels = require "portolan.infer.palmed.kernels"
local lists = require "portolan.support.lists"
local program = require "portolan.support.linear_program"
local shape = require "portolan.infer.palmed.shape"

local complete = {}

-- A kernel that saturates resource r, repeated until an instance of a scheme that takes so long alone cannot make another resource the limit.
local function flood(c, r, alone)
  local s, length = c.saturating[r], 0
  local cycles = shape.busy(c.resources[r], s.counts)
  for _, count in pairs(s.counts) do length = length + count end
  local needed = alone / (1 - s.fill) / cycles
  local times = math.max(1, math.min(math.ceil(needed - constants.ratio_error), constants.flood_most // length))
  local counts = {}
  for i, count in pairs(s.counts) do counts[i] = times * count end
  return counts
end

-- One instance of a scheme in the flood of each resource: list of `{ counts =, cycles = }`, without cycles where they could not be measured.
local function observe(run, c, name, alone)
  local list, experiments = {}, {}
  for r = 1, #c.resources do
    local counts, e = flood(c, r, alone), { [name] = 1 }
    for i, count in pairs(counts) do e[c.basics[i]] = (e[c.basics[i]] or 0) + count end
    list[r], experiments[r] = { counts = counts }, e
  end
  for r, cycles in ipairs(run.kernels:measure(experiments)) do list[r].cycles = cycles or nil end
  return list
end

-- Tells whether two schemes take the same in all floods.
local function alike(run, a, b)
  for r = 1, #a do
    local x, y = a[r].cycles, b[r].cycles
    if not (x and y and math.abs(x - y) <= constants.alike * run.options.epsilon * math.max(x, y)) then return false end
  end
  return true
end

-- The load on one resource with the least sum of errors: in the flood that saturates it the resource is busy for as long as the kernel takes, in
-- all others for no longer.
local function load_on(c, r, floods, alone)
  local p = program.new()
  local load = p:column { upper = alone }
  for saturated, x in ipairs(floods) do
    if x.cycles then
      local left = x.cycles - shape.busy(c.resources[r], x.counts)
      local off = p:column { cost = saturated == r and #floods or 1 }
      p:row({ load, off }, { 1, -1 }, nil, left)
      if saturated == r then p:row({ load, off }, { 1, 1 }, left) end
    end
  end
  local own = floods[r]
  local found = kernels.solve(p).values[load]
  if own.cycles and found < constants.noise * c.epsilon * own.cycles then return 0 end
  return found
end

-- Floods of several schemes as one: mean times.
local function mean(members)
  local floods = {}
  for r, x in ipairs(members[1]) do
    local sum, n = 0, 0
    for _, list in ipairs(members) do
      if list[r].cycles then sum, n = sum + list[r].cycles, n + 1 end
    end
    floods[r] = { counts = x.counts, cycles = n > 0 and sum / n or nil }
  end
  return floods
end

-- The loads of a basic instruction by resource, and the floods with it as the core predicts them.
local function of_basic(c, at, alone)
  local loads, floods = {}, {}
  for r, resource in ipairs(c.resources) do loads[r] = resource[at] end
  for r in ipairs(c.resources) do
    local counts, most = flood(c, r, alone), 0
    for other, resource in ipairs(c.resources) do most = math.max(most, shape.busy(resource, counts) + loads[other]) end
    floods[r] = { counts = counts, cycles = most }
  end
  return loads, floods
end

-- Groups of schemes of one class whose floods take the same time: `{ level =, names =, floods =, loads = (of a basic instruction) }`.
local function groups_of(run, c, names, levels, progress)
  local list, by_class = {}, {}
  local function add(class, group)
    list[#list + 1], by_class[class] = group, by_class[class] or {}
    table.insert(by_class[class], group)
    return group
  end
  for at, name in ipairs(c.basics) do
    local loads, floods = of_basic(c, at, levels[name])
    add(run.class_of[name], { level = levels[name], names = { name }, floods = { floods }, loads = loads })
  end
  for i, name in ipairs(names) do
    progress(i - 1)
    local class, floods, mine = run.class_of[name], observe(run, c, name, levels[name]), nil
    for _, group in ipairs(by_class[class] or {}) do
      mine = mine or group.level == levels[name] and alike(run, group.floods[1], floods) and group
    end
    mine = mine or add(class, { level = levels[name], names = {}, floods = {} })
    table.insert(mine.names, name)
    table.insert(mine.floods, floods)
  end
  return list
end

--- Finds what schemes take of each resource. Schemes of one class whose floods take the same time count as one, and as a basic instruction if that is
-- one of them. Fills in `loads` of the run.
-- @param run state.run
-- @param c state.core with its saturating kernels
-- @param names of the schemes
-- @param levels of `quadratic.classes`
-- @param progress function(done)
function complete.map(run, c, names, levels, progress)
  local others = lists.where(names, function(name) return not c.index[name] end)
  for _, group in ipairs(groups_of(run, c, others, levels, progress)) do
    local loads, floods = group.loads or {}, not group.loads and mean(group.floods)
    for r = 1, floods and #c.resources or 0 do loads[r] = load_on(c, r, floods, group.level * (1 + c.epsilon)) end
    for _, name in ipairs(group.names) do run.loads[name] = loads end
  end
end

return complete
