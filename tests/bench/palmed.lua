-- Palmed's inference beside PMEvo's and the chart's: the same schemes of simulated processors, the same fresh experiments.
-- usage: lua5.4 tests/bench/palmed.lua [SCHEMES [SEED [NOISE,... [TRUTH...]]]]
-- (with LUA_PATH and LUA_CPATH as in tests/CMakeLists.txt)
--   SCHEMES  so many of each processor, at random; 200
--   NOISE    standard deviations of a reading, as shares of it; 0,0.01
--   TRUTH    skylake, zen4 (tests/lua/cores; these need llvm-19), or a mapping file with :R_MAX behind it where it has none. In pmtestbench's
--            mappings (Zen+) every instruction takes one issue slot, and the chart has a counter of macro-ops
-- ONLY=palmed in the environment: this strategy alone.
-- Given to each: palmed, nothing; pmevo, the number of ports, R_max and issue slots; chart, R_max. One thread. Held out: 2,000
-- experiments of five instructions, without noise; figures are of those that the inferred mapping predicts (covers).
local accuracy = require "portolan.prediction.accuracy"
local chart = require "portolan.infer.chart"
local core = require "portolan.core"
local evaluate = require "portolan.infer.pmevo.evaluate"
local mapping = require("portolan").mapping -- which reads llvm-mca's, too
local model = require "portolan.prediction.model"
local palmed = require "portolan.infer.palmed"
local pmevo = require "portolan.infer.pmevo"
local predictors = require "portolan.prediction.compared"
local simulated = require "portolan.processor.simulated"
local cores = require "cores.all"

local count, seed = tonumber(arg[1]) or 200, tonumber(arg[2]) or 1
local noises, truths = {}, #arg > 3 and table.move(arg, 4, #arg, 1, {}) or { "skylake", "zen4" }
for width in (arg[3] or "0,0.01"):gmatch "[^,]+" do noises[#noises + 1] = assert(tonumber(width), "NOISE is numbers") end

-- A mapping, and the counters that the chart may use.
local function load(source)
  if cores[source] then return cores[source](false) end
  local path, rmax = source:match "^(.*):([%d.]+)$"
  local m = assert(mapping.load(path or source))
  m.rmax = tonumber(rmax) or m.rmax
  if not source:find "port_mapping" then return m end
  for _, scheme in pairs(m.schemes) do scheme.slots = 1 end
  return m, { "macro-ops" }
end

local function chosen(m)
  local names = {}
  for _, name in ipairs(mapping.schemes(m, true)) do
    if #m.schemes[name].uops > 0 then names[#names + 1] = name end
  end
  core.base.rng(seed):shuffle(names)
  names = table.move(names, 1, math.min(count, #names), 1, {})
  table.sort(names)
  return names
end

-- Counts the experiments that a processor is asked for.
local function counting(processor)
  local self = { asked = 0 }
  return setmetatable(self, { __index = function(_, key)
    local value = processor[key]
    if type(value) ~= "function" then return value end
    return function(_, list, ...)
      if key == "measure" then self.asked = self.asked + #list end
      return value(processor, list, ...)
    end
  end })
end

-- Each returns a model.
local strategies = {
  { "palmed", function(p, names) return model.of_conjunctive(assert(palmed.infer(p, names, { seed = seed })).mapping) end },
  { "pmevo", function(p, names, m)
    return model.of(assert(pmevo.infer(p, names, { ports = #m.ports, threads = 1, seed = seed })).mapping)
  end },
  { "chart", function(p, names)
    local result = chart.run(p, { { name = "All", schemes = names } }, { seed = seed, evaluate = 0 })
    for _, scheme in pairs(result.mapping.schemes) do -- what it does not claim, it does not predict
      if scheme.status ~= "explained" and scheme.status ~= "eliminated at rename" then scheme.uops = nil end
    end
    return model.of(result.mapping)
  end },
}

local function row(source, m, counters, names, noise, strategy)
  local p = counting(assert(simulated.new { mapping = m, seed = seed, counters = strategy[1] == "chart" and counters or nil,
    noise = noise > 0 and { kind = "gaussian", width = noise, unit = "relative" } or nil }))
  local began = os.clock()
  local found = assert(strategy[2](p, names, m))
  local seconds, asked = os.clock() - began, p.asked
  local records = {}
  local list = evaluate.experiments(names, 2000, 9)
  for i, result in ipairs(assert(simulated.new { mapping = m }):measure(list)) do records[i] = { e = list[i], cycles = result.cycles } end
  local s = accuracy.evaluate(assert(accuracy.set(records)), { predictors.of_model(found, strategy[1]) }, { unit = "cycles" }).models[1].summary
  print(("| %s | %g%% | %s | %d | %d | %.0f | %d | %.2f%% | %.4f | %.4f |"):format(source:match "([^/:]+)[^/]*$", 100 * noise, strategy[1],
    #names, asked, seconds, s.n, 100 * s.mape, s.pearson, s.kendall))
  io.stdout:flush()
end

print "| processor | noise | strategy | schemes | experiments | processor seconds | covers, of 2,000 | MAPE | Pearson | Kendall |"
print "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |"
for _, source in ipairs(truths) do
  local m, counters = load(source)
  local names = chosen(m)
  for _, noise in ipairs(noises) do
    for _, strategy in ipairs(strategies) do
      if (os.getenv "ONLY" or strategy[1]) == strategy[1] then row(source, m, counters, names, noise, strategy) end
    end
  end
end
