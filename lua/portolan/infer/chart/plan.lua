--- The stages of a chart, in their order: how long each usually takes, and what is to be distrusted without it.
--
-- A stage is `{ name =, file =, base =, each =, asks =, only =, without =, ends = }`. `file`: of `stages`, a function of the survey; without it, the
-- oracle's own, or what portolan.infer.chart runs after the others. `base` and `each` are seconds on a quiet Cascade Lake, for
-- any set and for each of its schemes; what counts is how they relate. `asks`: the number of experiments in this time, likewise; without it the
-- stage computes, or asks so few that they tell nothing of how far it is. `only`: an option without which it does not run. `without`: what follows
-- for the chart's claims where it did not run, or not to its end. `ends`: without it there are no claims that a later stage could support.
-- @module portolan.infer.chart.plan
local lists = require "portolan.support.lists"

local plan = {}

local no_mapping = "there is no mapping; "

plan.stages = {
  { name = "calibration", base = 0.4, each = 0, ends = true, without = "nothing was measured" },
  { name = "noise", file = "noise", base = 0.2, each = 0, asks = { 80, 0 }, ends = true, without = "nothing was measured" },
  { name = "kinds of values", file = "kinds", base = 0.02, each = 0.0002, asks = { 5, 0.1 }, ends = true,
    without = "nothing was measured but kinds of values" },
  { name = "schemes alone", file = "singletons", base = 0, each = 0.004, asks = { 0, 1 }, ends = true,
    without = no_mapping .. "not every scheme was measured alone" },
  { name = "other inputs", file = "inputs", base = 0, each = 0.002, asks = { 0, 0.5 }, ends = true,
    without = no_mapping .. "what schemes take alone stands, but for those whose time depends on the values they work on" },
  { name = "what fills issue slots", file = "filler", base = 0.4, each = 0, asks = { 100, 0 }, ends = true,
    without = no_mapping .. "what schemes take alone stands, their issue slots and uops are not known" },
  { name = "uop counts", file = "counts", base = 0, each = 0.004, asks = { 0, 1.8 }, ends = true,
    without = no_mapping .. "what schemes take alone stands, their issue slots and uops are not known" },
  { name = "eliminated at rename", file = "rename", base = 0.02, each = 0, ends = true,
    without = no_mapping .. "what schemes take alone stands, and their issue slots; what no port executes is not known" },
  { name = "classes of equal ports", file = "classes", base = 0.5, each = 0.004, asks = { 100, 0.75 }, ends = true,
    without = no_mapping .. "what schemes take alone stands, and their issue slots; which of them share ports is not known" },
  { name = "eliminated beside floods", file = "elimination", base = 0.2, each = 0.0005, asks = { 5, 0.05 }, ends = true,
    without = no_mapping .. "what schemes take alone stands, and their issue slots; what no port executes is not known for all" },
  { name = "full issue", file = "full_issue", base = 0.3, each = 0, asks = { 80, 0 }, ends = true,
    without = no_mapping .. "what schemes take alone stands, and their issue slots; what a full front end loses is not known" },
  { name = "ports of the classes", file = "class_ports", base = 3, each = 0, ends = true,
    without = no_mapping .. "what schemes take alone stands, and their issue slots; the ports were not found" },
  { name = "stores", file = "stores", base = 0.5, each = 0.001, asks = { 20, 0.3 },
    without = "stores have no ports, nor what reads and writes memory" },
  { name = "uops by blocking", file = "several_uops", base = 1, each = 0.013, asks = { 200, 3.3 },
    without = "schemes 'not reached' have no ports: most of those of several uops" },
  { name = "consistency", file = "consistency", base = 0.02, each = 0,
    without = "'explained' was not compared with what schemes take alone: some may contradict their ports, or be slower than these" },
  { name = "units", file = "units", base = 0.02, each = 0,
    without = "what is slower alone than its ports may be faster beside others than the mapping says" },
  { name = "mixtures", file = "mixtures", base = 2, each = 0.002, asks = { 400, 0.4 },
    without = "'explained' was not tried in mixtures: some may contradict what was found of their uops" },
  { name = "second opinion", file = "second_opinion", base = 1, each = 0,
    without = "nobody else has looked at the ports of the classes" },
  { name = "companions", file = "companions", base = 0.01, each = 0,
    without = "schemes have the uops of their companions, too" },
  { name = "front end", file = "front_end", base = 0.3, each = 0.008, asks = { 0, 4 },
    without = "which compares fuse with jumps, what an index register costs, and how often the core can jump is not known" },
  { name = "first cache", file = "first_cache", base = 0.1, each = 0,
    without = "how many loads of one bank and stores to different lines the first data cache takes is not known" },
  { name = "forms", file = "forms", base = 0.1, each = 0,
    without = "what addresses with a factor and second bytes of registers cost is not known" },
  { name = "agreement", file = "agreement", base = 0, each = 0.0005, asks = { 0, 0.1 }, counted = true,
    without = "'explained' rests on single readings: no second measurement confirmed them" },
  { name = "fresh random experiments", base = 1, each = 0, asks = { 200, 0 }, counted = true,
    without = "nothing is known about how well the mapping predicts other code" },
  { name = "disagreements with the reference", base = 2, each = 0, only = "reference",
    without = "nobody decided who is right where the reference differs" },
  { name = "latencies", base = 1, each = 0.015, asks = { 0, 10 }, only = "latencies",
    without = "the latencies of some schemes, or of all, were not measured" },
}

local place = {}
for i, stage in ipairs(plan.stages) do place[stage.name] = i end

local least = 600 -- seconds: some sixty times what the starter set takes on a quiet machine
local schemes_in_it, each_further = 200, 1.5

--- The stages that a chart will have, with the seconds they take where it is quiet.
-- @param schemes number of schemes
-- @param options of the chart: `reference`, `latencies`
-- @return list of `{ name =, seconds =, experiments = number in this time, or nil }`
function plan.of(schemes, options)
  local stages = lists.where(plan.stages, function(stage) return not stage.only or options[stage.only] end)
  return lists.map(stages, function(stage)
    local asks = stage.asks
    return { name = stage.name, seconds = stage.base + stage.each * schemes, experiments = asks and math.ceil(asks[1] + asks[2] * schemes) }
  end)
end

--- Returns how long a chart may take if nobody says: ten minutes for small sets, an hour for 2,200 schemes. A quiet machine needs a tenth or less.
-- @param schemes their number
-- @return seconds
function plan.budget(schemes) return least + each_further * math.max(0, schemes - schemes_in_it) end

--- Lists what to distrust in a chart that ended early.
-- @param last name of the stage that it ended in; nil if none had begun
-- @param options of the chart: `reference`, `latencies`
-- @return list of `{ stage =, distrust = text }` in the order of the stages, the first is the one that it ended in
function plan.unfinished(last, options)
  local list = {}
  for i = place[last] or 1, #plan.stages do
    local stage = plan.stages[i]
    if not stage.only or options[stage.only] then list[#list + 1] = { stage = stage.name, distrust = stage.without } end
    if stage.ends then break end
  end
  return list
end

return plan
