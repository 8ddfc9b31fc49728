--- The core mapping: the resources of the basic instructions, from kernels of them.
-- @module portolan.infer.palmed.core
local constants = require "portolan.infer.palmed.constants"
local experiment = require "portolan.experiment"
local lists = require "portolan.support.lists"
local mixtures = require "portolan.infer.palmed.mixtures"
local quadratic = require "portolan.infer.palmed.quadratic"
local saturate = require "portolan.infer.palmed.saturate"
local shape = require "portolan.infer.palmed.shape"
local state = require "portolan.infer.palmed.state"
local weights = require "portolan.infer.palmed.weights"

local core = {}

local function names_of(c, counts)
  local e = {}
  for i, count in pairs(counts) do e[c.basics[i]] = count end
  return e
end

-- Measures kernels and keeps them; those that are known, or cannot be measured, change nothing. Returns those that are new.
local function observe(run, c, list)
  local experiments, counts, new = {}, {}, {}
  for _, x in ipairs(list) do
    local e = names_of(c, x)
    local key = experiment.key(e)
    if not c.known[key] then
      c.known[key], experiments[#experiments + 1], counts[#counts + 1] = true, e, x
    end
  end
  for j, cycles in ipairs(run.kernels:measure(experiments)) do
    if cycles and cycles > 0 then
      new[#new + 1] = { counts = counts[j], cycles = cycles, open = true }
      c.kernels[#c.kernels + 1], c.known[experiment.key(experiments[j])] = new[#new], new[#new]
    end
  end
  return new
end

-- Each basic instruction alone; each pair balanced; and with either one for most of the time.
local function first_kernels(c, levels)
  local list = {}
  for i, a in ipairs(c.basics) do
    list[#list + 1] = { [i] = 1 }
    for k = 1, i - 1 do
      local of_a, of_b = quadratic.ratio(levels[a], levels[c.basics[k]])
      for _, more in ipairs { { 1, 1 }, { constants.flood, 1 }, { 1, constants.flood } } do
        list[#list + 1] = { [i] = of_a * more[1], [k] = of_b * more[2] }
      end
    end
  end
  return list
end

-- The kernel in the middle of those that a resource explains, with its users only: if a resource with these loads exists, nothing but this
-- resource limits it. In whole numbers.
local function middle(c, loads, list)
  local sum, most = {}, 0
  for _, k in ipairs(list) do
    for i, count in pairs(k.counts) do
      if loads[i] > 0 then sum[i] = (sum[i] or 0) + count / k.cycles end
    end
  end
  for _, x in pairs(sum) do most = math.max(most, x) end
  local counts = {}
  for i = 1, #c.basics do
    local count = sum[i] and math.floor(sum[i] / most * constants.flood * 2 + 0.5) or 0
    if count > 0 then counts[i] = count end
  end
  return counts
end

-- Marks what the resources explain.
local function mark(c, epsilon)
  for _, k in ipairs(c.kernels) do
    local _, cycles = weights.busiest(c.resources, k.counts)
    k.open = not c.vain[k] and cycles < k.cycles * (1 - epsilon)
  end
end

local function first_open(c)
  return lists.first(c.kernels, function(k) return k.open end)
end

-- Finds resources until every kernel is explained, or cannot be.
local function explain(run, c)
  local epsilon = run.options.epsilon
  mark(c, epsilon)
  local kernel = first_open(c)
  while kernel do
    run.progress("core mapping", #c.resources, nil, ("resources, %d kernels of %d basic instructions"):format(#c.kernels, #c.basics))
    local loads, list = shape.of(c, kernel, epsilon)
    if not loads then
      c.vain[kernel], kernel.open = true, false
    else
      local test = observe(run, c, { middle(c, loads, list) })[1]
      if not test or test.cycles >= (1 - epsilon) * shape.busy(loads, test.counts) then
        local own = lists.set(list)
        c.resources[#c.resources + 1] = weights.fit(c, loads, own)
        mark(c, epsilon)
        if kernel.open then c.vain[kernel], kernel.open = true, false end
      end
    end
    kernel = first_open(c)
  end
end

-- Measures the kernel that saturates each resource, and drops resources that are not busy for as long as they should be. Returns whether all
-- are right.
local function confirm(run, c)
  local list, right = {}, {}
  for r = 1, #c.resources do list[r] = c.saturating[r].counts end
  observe(run, c, list)
  for r, loads in ipairs(c.resources) do
    local k = c.known[experiment.key(names_of(c, list[r]))]
    local wrong = type(k) == "table" and shape.busy(loads, k.counts) > k.cycles * (1 + constants.alike * c.epsilon)
    if not wrong then right[#right + 1] = loads end
  end
  local all = #right == #c.resources
  c.resources = right
  return all
end

-- Fits the weights, keeps no more resources than needed, and confirms each by the kernel that saturates it.
local function settle(run, c)
  for _ = 1, constants.confirmations do
    weights.refine(c)
    weights.keep_fewest(c)
    weights.refine(c)
    saturate.all(c)
    if confirm(run, c) then break end
    explain(run, c)
  end
  saturate.all(c)
end

--- Finds the resources of basic instructions, and a kernel that saturates each.
-- @param run state.run; its `basics` are chosen
-- @param levels of `quadratic.classes`
-- @param[opt] former state.core of the first of these basic instructions: its kernels are kept
-- @return state.core
function core.map(run, levels, former)
  local c = state.core { basics = run.basics, epsilon = run.options.epsilon, index = {}, alone = {}, kernels = {}, known = {}, resources = {},
    vain = {} }
  for i, name in ipairs(c.basics) do c.index[name], c.alone[i] = i, run.alone[name] end
  local list = first_kernels(c, levels)
  for _, k in ipairs(former and former.kernels or {}) do list[#list + 1] = k.counts end
  observe(run, c, list)
  explain(run, c)
  local quiet = 0 -- rounds in a row
  for _ = 1, constants.rounds do
    local open = mixtures.doubtful(run, c)
    quiet = #open == 0 and quiet + 1 or 0
    if quiet == constants.quiet_rounds then break end
    observe(run, c, open)
    explain(run, c)
  end
  settle(run, c)
  return c
end

return core
