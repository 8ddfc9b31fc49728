--- From counts of uops that stay on blocked ports to port usages: Algorithm 6.1 as a system of equations.
--
-- In the model, one uop of class C adds 1 to the count on the ports Q of a blocking instruction if its ports are among Q, and 0 if not;
-- the algorithm solves that from the smallest sets to the largest. On a core that binds its ports greedily the effects are not
-- whole numbers: a uop that is confined to a part of Q costs more, one that could evade may cost something. So they are measured
-- (portolan.infer.chart.blocking.effects), and the whole numbers of uops are looked for (portolan.infer.chart.blocking.fit) that fit counts
-- (portolan.infer.chart.blocking.misfit) and all else that is known (portolan.infer.chart.blocking.prior) best.
-- @module portolan.infer.chart.blocking.attribute
local constants = require "portolan.infer.chart.constants"
local fit = require "portolan.infer.chart.blocking.fit"
local lists = require "portolan.support.lists"
local misfit = require "portolan.infer.chart.blocking.misfit"
local port_set = require "portolan.mapping.ports"
local prior = require "portolan.infer.chart.blocking.prior"

local attribute = {}

-- The experiment that bounds a uop from the other side: on the largest blocked part of its ports, it evades, and nothing that
-- binds uops greedily blurs that.
local function bounding(jobs, of)
  local best
  for _, job in ipairs(jobs) do
    local ports = job.class.ports
    local part = #ports < #of.class.ports and port_set.within(ports, of.class.ports)
    local evades = part and job.count and job.count - job.uops < constants.refine_nearest
    if evades and (not best or #ports > #best.class.ports) then best = job end
  end
  return best
end

-- Ports of the uop that a store has and never shows; nil where the loads' ports take it.
local function unseen(class, known) return not known.addressed_by_loads and class.posited or nil end

-- A store of which one uop shows stands for two.
local function weight(class, known) return unseen(class, known) and 2 or 1 end

local function having(classes, ports)
  return lists.indices(classes, function(class) return port_set.within(class.ports, ports) end)
end

-- Returns what the model says of a flood's count: groups of sets of ports, whose uops cannot leave the ports of the flood.
local function groups_of(class, classes)
  return { having(classes, class.ports), class.also and having(classes, class.also) }
end

--- Poses the problem that portolan.infer.chart.blocking.fit is to solve.
-- @param jobs of one scheme, from the smallest set of ports to the largest; those without a count were not measured
-- @param known what else is known of the scheme (portolan.infer.chart.blocking.prior)
-- @param effects function(blocking class, class) -> measured effect of one uop of the latter
function attribute.problem(jobs, known, effects)
  local p = { n = #jobs, count = {}, sd = {}, held = {}, hindered = {}, excess = {}, ideal = {}, weight = {}, groups = {}, most = known.total.most }
  local classes = {}
  for j, row in ipairs(jobs) do
    p.count[j], p.sd[j], p.held[j], p.weight[j], classes[j] = row.count, row.sd, row.held or 0, weight(row.class, known), row.class
    p.hindered[j] = row.class.improper and not known.memory.writes -- stores hold up others that have no port of theirs
  end
  for j, row in ipairs(jobs) do
    p.groups[j], p.ideal[j], p.excess[j] = groups_of(row.class, classes), {}, {}
    for i, column in ipairs(jobs) do
      p.ideal[j][i] = port_set.within(column.class.ports, row.class.ports) and 1 or 0
      local single = fit.model(p, j, { [i] = 1 })
      p.excess[j][i] = math.max(0, (effects(row.class, column.class) or single) - single)
    end
  end
  if known.total.doubtful or known.total.second_unit then p.most = p.most + 1 end
  if known.expected then p.most = math.max(p.most, known.expected) end
  p.prior = prior.of(classes, known)
  return p
end

-- An answer in words.
local function words(jobs, chosen)
  local list = {}
  for j, job in ipairs(jobs) do
    if chosen[j] > 0 then list[#list + 1] = ("%d on ports %s"):format(chosen[j], port_set.text(job.class.ports)) end
  end
  return #list > 0 and table.concat(list, ", ") or "no uop"
end

-- Computes by how many standard deviations a count is below what the model says, at most, and by how many uops one is above what is expected.
local function extremes(jobs, p, best)
  local short, long = 0, 0
  for j, job in ipairs(jobs) do
    if job.count then
      short = math.max(short, misfit.short(job.count, fit.model(p, j, best), job.sd, p.held[j]))
      long = math.max(long, job.count - fit.expected(p, j, best))
    end
  end
  return short, long
end

-- Returns how far ahead the best answer is, and the experiments that tell it from the second best.
local function doubt(jobs, p, best, second)
  local d, list = { lead = math.huge, jobs = {}, cost = best.cost }, {}
  d.short, d.long = extremes(jobs, p, best)
  if not second then return d end
  for j, job in ipairs(jobs) do
    local by_model = math.abs(fit.model(p, j, best) - fit.model(p, j, second))
    local expected = math.abs(fit.expected(p, j, best) - fit.expected(p, j, second))
    if math.max(by_model, expected) > constants.answers_apart then list[#list + 1] = job end
  end
  d.lead, d.jobs, d.best, d.second = second.cost - best.cost, list, words(jobs, best), words(jobs, second)
  return d
end

local function sum(row, chosen)
  local total = 0
  for i, x in ipairs(row) do total = total + x * chosen[i] end
  return total
end

--- Turns the counts of one scheme's blocking experiments into uops.
-- @param jobs of portolan.infer.chart.blocking.flood, measured, from the smallest set of ports to the largest
-- @param known what else is known of the scheme (portolan.infer.chart.blocking.prior)
-- @param effects function(blocking class, class) -> measured effect of one uop of the latter
-- @return list of `{ ports =, uops =, class =, posited = (ports of as many uops that never show, or nil), job = (shows it), bound = (bounds it,
-- or nil) }`; their number (with those that never show); and `{ lead = (over the second best answer, in squared standard deviations), jobs =
-- (which tell them apart), best =, second = (in words), cost = (of the best), short = (standard deviations by which a count is below the
-- model, at most), long = (uops by which one is above what is expected, at most) }`. Or nil if nothing fits the counts
function attribute.of(jobs, known, effects)
  local p = attribute.problem(jobs, known, effects)
  local best, second = fit.best(p)
  if not best then return nil end
  local uops, located = {}, 0
  for j, job in ipairs(jobs) do
    local by_model = fit.model(p, j, best)
    if job.count then
      job.uops, job.expected = sum(p.ideal[j], best), job.alone + by_model / job.class.count
      -- of several, the first may have hindered the flood besides
      if job.instances then job.expected = job.cycles - job.instances * (job.count - by_model) / job.class.count end
    end
  end
  for j, job in ipairs(jobs) do
    if best[j] > 0 then
      uops[#uops + 1] = { ports = job.class.ports, uops = best[j], class = job.class, posited = unseen(job.class, known), job = job,
        bound = bounding(jobs, job) }
      located = located + best[j] * weight(job.class, known)
    end
  end
  return uops, located, doubt(jobs, p, best, second)
end

return attribute
