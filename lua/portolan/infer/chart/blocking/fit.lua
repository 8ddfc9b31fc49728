--- Which whole numbers of uops explain counts on blocked ports best, and which second best? By branch and bound.
--
-- Sets of ports go from the smallest to the largest, so that all parts of a set come before it: once its own uops are chosen, what the
-- model says of its count is settled, and bounds the cost from below.
-- @module portolan.infer.chart.blocking.fit
local constants = require "portolan.infer.chart.constants"
local lists = require "portolan.support.lists"
local misfit = require "portolan.infer.chart.blocking.misfit"

local most_tried, margin = constants.fit_tried, constants.asking_refuted

-- Computes what columns after i can add to row j's effects but not to its number by the model: the most per uop, as `[j][i]`.
local function evading(p)
  local later = {}
  for j = 1, p.n do
    later[j] = { [p.n] = 0 }
    for i = p.n - 1, 0, -1 do
      local more = p.ideal[j][i + 1] == 0 and p.excess[j][i + 1] or 0
      later[j][i] = math.max(later[j][i + 1], more)
    end
  end
  return later
end

-- 0 to most, the nearest to a number first.
local function around(center, most)
  local list = {}
  center = math.max(0, math.min(most, math.floor(center + 0.5)))
  list[1] = center
  for d = 1, most do
    if center + d <= most then list[#list + 1] = center + d end
    if center - d >= 0 then list[#list + 1] = center - d end
  end
  return list
end

local fit = {}

--- Returns what the model says of a count, in uops.
-- @param p the problem
-- @param j set
-- @param chosen uops by set
function fit.model(p, j, chosen)
  local most = 0
  for _, group in ipairs(p.groups[j]) do most = math.max(most, lists.sum(group, function(i) return chosen[i] or 0 end)) end
  return most
end

--- Returns what a count is expected to be, with the measured effects, in uops.
function fit.expected(p, j, chosen)
  local n = fit.model(p, j, chosen)
  for i, uops in ipairs(chosen) do n = n + uops * p.excess[j][i] end
  return n
end

--- Returns how far off what was counted is, in squared standard deviations; 0 where the flood was not measured.
-- @param p the problem
-- @param j set
-- @param model number of uops by the model
-- @param expected with the measured effects
-- @param[opt] most with the effects of uops that are not chosen yet
-- @return number; nil if it cannot be
function fit.misfit(p, j, model, expected, most)
  if not p.count[j] then return 0 end
  local square = misfit.bound(p.count[j], expected, most or expected, model, p.sd[j], p.most, p.held[j])
  if not square and p.hindered[j] and p.count[j] >= misfit.least(model) then return misfit.dearest end
  return square
end

--- Searches.
-- @param p table:
--   `n` sets of ports; `count` (nil: not measured), `sd` and `held` (uops by which the flood alone is slower than the model), of each; `groups`, of
--   each a list of lists of sets: what the model says is the largest number of uops on these; `ideal` (`[j][i]`: 1 if the
--   ports of set i are among those of set j, 0 otherwise); `excess` (`[j][i]`: by how much a uop of set i adds more to the count of set j than the
--   model says);
--   `hindered`, true where more may hold a flood up than uops on its ports; `weight`, uops that one of each set stands for; `most`, uops in all;
--   `prior` = function(chosen, located) -> cost; nil if it cannot be
-- @return best: `{ cost =, [i] = uops }` or nil; second best or nil
function fit.best(p)
  local n, later, tried = p.n, evading(p), 0
  local extra, sure, chosen, best, second = {}, {}, {}, nil, nil
  for j = 1, n do extra[j], sure[j] = 0, 0 end
  local function limit()
    if not best then return math.huge end
    return math.min(best.cost + margin, second and second.cost or math.huge)
  end
  local function fits(i)
    for j = i + 1, n do
      if p.count[j] and p.count[j] < misfit.least(sure[j]) then return false end
    end
    return true
  end
  local function add(i, uops)
    chosen[i] = uops > 0 and uops or 0
    for j = 1, n do extra[j], sure[j] = extra[j] + uops * p.excess[j][i], sure[j] + uops * p.ideal[j][i] end
  end
  -- The cost of the rows up to i, at least.
  local function price(i, located)
    local cost = 0
    for j = 1, i do
      local model = p.groups[j][2] and fit.model(p, j, chosen) or sure[j]
      local expected = model + extra[j]
      local most = expected + (p.most - located) * later[j][i]
      local square = fit.misfit(p, j, model, expected, most)
      if not square then return nil end
      cost = cost + square
    end
    return cost
  end
  local function judge(located)
    local cost, more = price(n, p.most), p.prior(chosen, located)
    if not cost or not more or cost + more >= limit() then return end
    local found = table.move(chosen, 1, n, 1, { cost = cost + more })
    if not best or found.cost < best.cost then best, second = found, best else second = found end
  end
  local function try(i, located)
    tried = tried + 1
    if tried > most_tried then return end
    if i > n then return judge(located) end
    local most, center = (p.most - located) // p.weight[i], 0
    if p.count[i] then most, center = math.min(misfit.most(p.count[i]) - sure[i], most), p.count[i] - sure[i] - extra[i] end
    for _, uops in ipairs(around(center, math.max(0, most))) do
      add(i, uops)
      local now = located + uops * p.weight[i]
      local cost = fits(i) and price(i, now)
      if cost and cost < limit() then try(i + 1, now) end
      add(i, -uops)
    end
  end
  try(1, 0)
  return best, second and best and second.cost < best.cost + margin and second or nil
end

return fit
