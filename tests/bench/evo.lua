-- Evolution of port mappings: how fast fitness is, how it scales with threads, what the parts of the default are worth, and the plain
-- algorithm beside the default. Times are of the wall clock where threads matter, and of the processor elsewhere.
-- usage: lua5.4 tests/bench/evo.lua [MAPPING [SECONDS [PART,...]]]     MAPPING: a truth for the table, by default (-) a random one; SECONDS at
-- most for the plain one and for large populations; PART: fitness, threads, ways, table
-- (with LUA_PATH and LUA_CPATH as in tests/CMakeLists.txt)
local core = require "portolan.core"
local evaluate = require "portolan.infer.pmevo.evaluate"
local experiment_set = require "portolan.infer.pmevo.experiment_set"
local mapping = require "portolan.mapping"
local pmevo = require "portolan.infer.pmevo"
local random_mapping = require "support.random_mapping"
local simulated = require "portolan.processor.simulated"

local plain_seconds = tonumber(arg[2]) or 30

-- A problem with a hidden random mapping: every scheme a class of its own.
local function random_problem(ports, schemes, seed)
  local truth = random_mapping.three_level { ports = ports, schemes = schemes, seed = seed }
  local compiled, names, alone, list = assert(mapping.compile(truth)), mapping.schemes(truth, true), {}, {}
  for i, a in ipairs(names) do
    alone[i] = compiled:throughput { [a] = 1 }
    list[#list + 1] = { schemes = { i }, counts = { 1 }, cycles = alone[i] }
    for k = 1, i - 1 do
      for _, counts in ipairs(experiment_set.pair(alone[i], alone[k], 0.05)) do
        local cycles = compiled:throughput { [a] = counts[1], [names[k]] = counts[2] }
        list[#list + 1] = { schemes = { i, k }, counts = counts, cycles = cycles }
      end
    end
  end
  return assert(core.evo.problem(ports, alone, list)), #list
end

local function fitness()
  print "fitness, population 2000, a thread; search: ns per pair of a mapping and an experiment, of all mappings that it looks at\n"
  print "ports schemes experiments  us per mapping    ns per pair   search: ns per pair"
  for _, size in ipairs { { 8, 20 }, { 9, 40 }, { 10, 40 }, { 12, 40 } } do
    local problem, n = random_problem(size[1], size[2], 1)
    local population = assert(problem:population { size = 2000, threads = 1 })
    local began, steps = os.clock(), 0
    repeat
      population:step()
      steps = steps + 1
    until os.clock() - began > 1.5
    local per_mapping = (os.clock() - began) / steps / 2000
    local islands = assert(problem:islands { count = 1, threads = 1, price = 0.02 / n })
    began = os.clock()
    islands:run(4)
    print(("%5d %7d %11d %15.1f %14.1f %21.3f"):format(size[1], size[2], n, 1e6 * per_mapping, 1e9 * per_mapping / n,
      1e9 * (os.clock() - began) / islands:trials()))
  end
end

local function threads()
  print "\nthreads, 9 ports, 40 schemes: seconds of 4 generations of 4000, and of 8 steps of 8 islands"
  local problem, n = random_problem(9, 40, 1)
  for _, count in ipairs { 1, 2, 4 } do
    local population = assert(problem:population { size = 4000, threads = count })
    local began = core.base.now()
    for _ = 1, 4 do population:step() end
    local middle = core.base.now()
    assert(problem:islands { count = 8, threads = count, price = 0.02 / n }):run(8)
    print(("%7d %8.2f %8.2f"):format(count, middle - began, core.base.now() - middle))
  end
end

-- What one island's best mapping is worth after so many processor seconds: error and price of its volume, in percent.
local function value_after(seconds, problem, n, options)
  local o = { count = 1, threads = 1, size = 4, beam = 1, price = 0.02 / n }
  for key, value in pairs(options) do o[key] = value end
  local islands, began, steps = assert(problem:islands(o)), os.clock(), 0
  while os.clock() - began < seconds do
    steps = steps + 1
    islands:run(steps)
  end
  return 100 * select(4, islands:best(1)), steps
end

local function ways()
  local seconds = tonumber(os.getenv "SECONDS_EACH") or 0.5
  print(("\nparts of the default, 8 ports, 30 schemes of up to 3 uops, five random processors: D_avg + price * V in %% after %g\nprocessor seconds")
    :format(seconds))
  local list = { { "default", {} }, { "no recombination", { crossing = 0 } }, { "half of it", { crossing = 0.5 } },
    { "recombination only", { crossing = 1 } }, { "beam of 2", { beam = 2 } }, { "beam of 4", { beam = 4 } }, { "one mapping", { size = 1 } },
    { "8 mappings", { size = 8 } }, { "24 mappings", { size = 24 } } }
  for _, way in ipairs(list) do
    local parts, sum, all = {}, 0, 0
    for seed = 1, 5 do
      local problem, n = random_problem(8, 30, seed)
      way[2].seed = seed
      local worst, steps = value_after(seconds, problem, n, way[2])
      parts[seed], sum, all = ("%6.3f"):format(worst), sum + worst, all + steps
    end
    print(("%-20s %s   mean %.3f, %d steps"):format(way[1], table.concat(parts, " "), sum / 5, all // 5))
    io.stdout:flush()
  end
end

local function table_row(truth, names, o)
  local m = { ports = truth.ports, schemes = truth.schemes, rmax = o.rmax }
  local processor = assert(simulated.new { mapping = m, seed = 3,
    noise = o.noise and { kind = "uniform", width = o.noise, unit = "relative" } or nil })
  local outcome = assert(pmevo.infer(processor, names, { ports = #truth.ports, plain = o.plain, population = o.population, threads = 1,
    time = o.time, seed = 1 }))
  local exact = assert(simulated.new { mapping = m })
  local held = assert(evaluate.run(exact, outcome.mapping, { count = 2000, seed = 9 })).result.models[1].summary
  print(("%-8s %6d %7d %5s %5s %7d %8d %7.1f %6d %8.2f%% %6d %8.2f%% %7.3f %7.3f  %s"):format(o.plain and "plain" or "default", o.size, #names,
    o.noise and ("%g%%"):format(100 * o.noise) or "", o.rmax or "", outcome.counts.classes, outcome.counts.measured, outcome.seconds, outcome.steps,
    100 * outcome.error, outcome.volume, 100 * held.mape, held.pearson or 0, held.kendall or 0, o.note or outcome.status))
  io.stdout:flush()
  return outcome.seconds
end

local function tables()
  local truth = arg[1] and arg[1] ~= "-" and assert(mapping.load(arg[1])) or random_mapping.three_level { ports = 8, schemes = 40, seed = 1 }
  local all = mapping.schemes(truth, true)
  print "\none thread, measuring and filtering included; held out: 2,000 experiments of five instructions, without noise\n"
  print "way        size schemes noise R_max classes measured seconds  steps training volume held out Pearson Kendall  ending"
  for _, count in ipairs { 40, 100, 310 } do
    if count > 40 and #all < count then break end
    local names = table.move(all, 1, math.min(count, #all), 1, {})
    local seconds = table_row(truth, names, { size = 32 })
    table_row(truth, names, { size = 32, noise = 0.02, rmax = 4 })
    for _, size in ipairs { 1000, 10000 } do
      table_row(truth, names, { size = size, population = size // 4, time = plain_seconds })
      table_row(truth, names, { plain = true, size = size, population = size, time = plain_seconds })
    end
    table_row(truth, names, { plain = true, size = 1000, population = 1000, time = seconds, note = "as long as the default" })
    table_row(truth, names, { plain = true, size = 1000, population = 1000, time = plain_seconds, noise = 0.02, rmax = 4 })
  end
end

local parts = { fitness = fitness, threads = threads, ways = ways, table = tables }
for part in (arg[3] or "fitness,threads,ways,table"):gmatch "[^,]+" do
  assert(parts[part], "there are: fitness, threads, ways, table")()
end
