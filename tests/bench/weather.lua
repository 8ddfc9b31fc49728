-- What a storm costs: charts, and experiments of known times, on a calm machine and in each storm of tests/storm.
-- usage: scripts/portolan repl tests/bench/weather.lua [RUNS [EXPERIMENTS [KIND...]]]     (10 1000, all kinds; nothing else should run)
-- The calm machine of the same run is the reference: a chart in a storm must give the same mapping up to the names of ports. Of an experiment the
-- time is known where the calm machine takes what the calm chart's mapping says, twice, within 0.4 %, and would by that mapping take as long
-- however it bound its uops to ports (three greedy binders, engine/schedule/binder.h): "ok" in a storm must then be the same time.
-- Other code may have several rates, as a core binds the same uops now in one way, now in another, and storms bring out other ones than calm;
-- it is told apart ("others": the calm machine takes what the mapping says, twice, within 1 %). RUNS 0: only experiments.
-- PORTOLAN_BUILD names the build, as for all tests; CPU the processor (1).
package.path = (os.getenv "PORTOLAN_SOURCE" or ".") .. "/tests/lua/?.lua;" .. package.path
local chart = require "portolan.infer.chart"
local core = require "portolan.core"
local experiment = require "portolan.experiment"
local hardware = require "portolan.processor.hardware"
local mapping = require "portolan.mapping"
local scheme_set = require "portolan.scheme.set"
local storm = require "storm"

local runs, count, wanted, cpu = tonumber(arg[1]) or 10, tonumber(arg[2]) or 1000, { table.unpack(arg, 3) }, tonumber(os.getenv "CPU") or 1
if #wanted == 0 then
  for i, kind in ipairs(storm.kinds) do wanted[i] = kind.name end
end
local budget = 180 -- seconds a chart
local set = assert(scheme_set.load "starter")

local function one_chart()
  local p, message = hardware.open { cpu = cpu, patience = 5, wait = budget }
  if not p then return nil, message end
  local began = core.base.now()
  local result = chart.run(p, set, { evaluate = 100, budget = budget })
  p:close()
  return result, core.base.now() - began
end

local function explained(result)
  local m, n = { ports = result.mapping.ports, rmax = result.mapping.rmax, schemes = {} }, 0
  for name, s in pairs(result.mapping.schemes) do
    if s.status == "explained" or s.status == "eliminated at rename" then m.schemes[name], n = s, n + 1 end
  end
  return m, n
end

-- Is the mapping the same, and how many schemes does it explain of those that the calm one does?
local function compare(result, calm)
  local a, b = explained(result), explained(calm)
  if #result.mapping.ports == 0 then return false, 0 end
  local common = 0
  for name in pairs(a.schemes) do common = common + (b.schemes[name] and 1 or 0) end
  local verdict = core.model.compare(assert(mapping.compile(a)), assert(mapping.compile(b)), { epsilon = 0.02 })
  return verdict and verdict.equal, common
end

local function charts(title, times, calm)
  local seconds, same, common, ended, total = {}, 0, math.huge, 0, 0
  for _ = 1, times do
    local result, time = one_chart()
    if result then
      calm = calm or result
      local equal, n = compare(result, calm)
      same, common, total = same + (equal and 1 or 0), math.min(common, n), total + 1
      seconds[#seconds + 1] = time
    else
      ended = ended + 1
    end
  end
  table.sort(seconds)
  local _, all = explained(calm or { mapping = { schemes = {} } })
  print(("%-10s %3d of %d the same; at least %d of %d schemes; %5.1f s median, %5.1f s at most%s"):format(title, same, times,
    common < math.huge and common or 0, all, seconds[(#seconds + 1) // 2] or 0, seconds[#seconds] or 0,
    ended > 0 and ("; %d could not be calibrated"):format(ended) or ""))
  io.stdout:flush()
  return calm
end

-- Random experiments over the schemes that the calm chart explains.
local function random_experiments(calm)
  local names, list, rng = {}, {}, core.base.rng(7)
  for name, s in pairs(calm.mapping.schemes) do
    if s.status == "explained" then names[#names + 1] = name end
  end
  table.sort(names)
  for i = 1, count do
    local picked = {}
    for k = 1, 1 + rng:below(5) do picked[k] = names[rng:below(#names) + 1] end
    list[i] = experiment.of_list(picked)
  end
  return list
end

local function measure(list)
  local p, message = hardware.open { cpu = cpu, patience = 5 }
  if not p then return nil, message end
  local began = core.base.now()
  local results = assert(p:measure(list))
  local seconds, d = core.base.now() - began, p:describe()
  p:close()
  return results, seconds, d.accepted / math.max(1, d.accepted + d.rejected)
end

-- How many of these are ok, and how many of them are off, and by how much at most.
local function count_off(list, results, expected)
  local all, ok, far, most = 0, 0, 0, 0
  for i in pairs(expected) do
    local result = results[i]
    all, ok = all + 1, ok + (result.status == "ok" and 1 or 0)
    local off = result.status == "ok" and math.abs(result.cycles / expected[i] - 1) or 0
    far, most = far + (off > 0.015 and 1 or 0), math.max(most, off)
    if off > 0.015 and os.getenv "VERBOSE" then
      print(("    %s: %.4f, calm %.4f"):format(experiment.format(list[i]), result.cycles, expected[i]))
    end
  end
  return ("%d of %d ok, %d of them off by more than 1.5 %%, at most %.1f %%"):format(ok, all, far, 100 * most)
end

local function accuracy(title, list, known, others)
  local results, seconds, share = measure(list)
  if not results then return print(("%-10s %s"):format(title, seconds)) end
  print(("%-10s %s; others: %s; %.0f experiments a second; %.0f %% of windows undisturbed"):format(title, count_off(list, results, known),
    count_off(list, results, others), #list / seconds, 100 * share))
  io.stdout:flush()
end

print(("processor %d, charts of the starter set, at most %d s each"):format(cpu, budget))
local calm = charts("calm", math.max(1, math.min(runs, 3)))
for _, name in ipairs(runs > 0 and wanted or {}) do
  assert(storm.during(name, cpu, function() return charts(name, runs, calm) end, { seconds = runs * (budget + 20) }))
end

local compiled = assert(mapping.compile((explained(calm))))
local near, nearest = 0.01, 0.004 -- shares by which times may differ

-- Does binding uops to ports in another way leave the time of an experiment what it is?
local function is_free_of_binding(e, cycles)
  for _, kind in ipairs { "pending", "recent", "late" } do
    if math.abs(assert(compiled:bind(e, { kind = kind })) / cycles - 1) > nearest then return false end
  end
  return true
end

local list, known, others = random_experiments(calm), {}, {}
local first, second = assert(measure(list)), assert(measure(list))
local counts = { known = 0, others = 0 }
for i, e in ipairs(list) do
  local expected = compiled:throughput(e)
  local function agrees(r, share) return r.status == "ok" and not r.slow and math.abs(r.cycles / expected - 1) < share end
  if agrees(first[i], nearest) and agrees(second[i], nearest) and is_free_of_binding(e, expected) then
    known[i], counts.known = expected, counts.known + 1
  elseif agrees(first[i], near) and agrees(second[i], near) then
    others[i], counts.others = expected, counts.others + 1
  end
end
print(("\n%d random experiments: the time of %d is known, of %d others the calm machine takes what the mapping says"):format(#list, counts.known,
  counts.others))
accuracy("calm", list, known, others)
for _, name in ipairs(wanted) do
  assert(storm.during(name, cpu, function() accuracy(name, list, known, others) return true end, { seconds = 600 }))
end
