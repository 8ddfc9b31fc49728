-- A bank of measurements of this core: what inference is tried with where the core is not at hand (docs/cores.md).
-- usage: scripts/portolan run tests/bench/core_bank.lua FOLDER [CPU]    some ten minutes; nothing else should run meanwhile
--
-- Files of records (docs/formats.md), packed by gzip, of the starter set's schemes and all candidates of fillers:
--   singles   each scheme alone
--   tried     what the test of fillers asked (portolan.processor.filler)
--   fillers   an instance of each scheme with 1 to 24 of each filler
--   pairs     each scheme with each of some twenty representatives of classes, in five proportions
--   floods    ten cycles of each representative and an instance of each scheme: without a filler, and filled up to 85% with each of two
--   random    mixtures of 2 to 10 instances: to test with, not to infer from
local core = require "portolan.core"
local experiment = require "portolan.experiment"
local experiments = require "portolan.experiment.list"
local file = require "portolan.support.file"
local filler = require "portolan.processor.filler"
local hardware = require "portolan.processor.hardware"
local lists = require "portolan.support.lists"
local sample = require "portolan.block.sample"
local scheme_set = require "portolan.scheme.set"
local survey = require "portolan.infer.chart.survey"

local folder, cpu = arg[1], tonumber(arg[2])
if not folder then
  io.stderr:write("usage: scripts/portolan run tests/bench/core_bank.lua FOLDER [CPU]\n")
  os.exit(2)
end
local most_representatives, batch, mixtures = 24, 500, 2400
local fillers_beside = { 1, 2, 3, 5, 6, 7, 8, 11, 12, 13, 16, 18, 24 }
local proportions = { { 1, 1 }, { 1, 2 }, { 2, 1 }, { 1, 4 }, { 4, 1 } }
local flood_cycles, flood_filled = 10, 0.85

local p = assert(hardware.open { cpu = cpu, patience = 60, wait = 600 })
local began = core.base.now()

-- Measures a list, and keeps what is new as records of a file; returns the results.
local known, records_of = {}, {}
local function measure(name, list)
  local records = records_of[name] or {}
  records_of[name] = records
  local new = lists.distinct(lists.where(list, function(e) return not known[experiment.key(e)] end), experiment.key)
  for first = 1, #new, batch do
    local part = table.move(new, first, math.min(first + batch - 1, #new), 1, {})
    for i, result in ipairs(assert(p:measure(part))) do
      assert(result.status ~= "interrupted", "interrupted")
      known[experiment.key(part[i])] = result
      local cycles, spread = result.cycles, result.spread
      records[#records + 1] = { e = part[i], cycles = cycles and tonumber(("%.5f"):format(cycles)), status = result.status, n = result.n,
        spread = spread and tonumber(("%.5f"):format(spread)), layout = result.layout, unroll = result.unroll }
    end
    io.stderr:write(("\r%s: %d of %d, %.0f s "):format(name, math.min(first + batch - 1, #new), #new, core.base.now() - began))
  end
  local path = ("%s/%s.jsonl"):format(folder, name)
  assert(experiments.save(records, path))
  assert(os.execute(("gzip -9nf '%s'"):format(path)))
  return lists.map(list, function(e) return known[experiment.key(e)] end)
end

local function cycles_of(name)
  local result = known[experiment.key { [name] = 1 }]
  return result and result.status == "ok" and result.cycles or nil
end

-- Those that stand for classes of equal ports as the chart's first stages find them, classes of most members first.
local function representatives_of(names)
  local s = survey.new(p, { { name = "All", schemes = names } }, {})
  for _, stage in ipairs { "noise", "singletons", "filler", "counts", "rename", "classes", "elimination", "stores" } do
    require("portolan.infer.chart.stages." .. stage)(s)
  end
  table.sort(s.classes, function(a, b)
    if #a.members ~= #b.members then return #a.members > #b.members end
    return a.representative < b.representative
  end)
  local list = lists.map(s.classes, function(class) return class.representative end)
  return table.move(list, 1, math.min(#list, most_representatives), 1, {})
end

local names = scheme_set.names(assert(scheme_set.load "starter"))
local candidates = (p:fillers())
local all = lists.distinct(lists.joined(names, candidates))
assert(file.make_directory(folder))
measure("singles", lists.map(all, function(name) return { [name] = 1 } end))
local good = lists.where(names, cycles_of)
local choice = filler.of(p, function(list) return measure("tried", list) end)
local representatives = representatives_of(good)

local list = {}
for _, name in ipairs(good) do
  for _, padding in ipairs(candidates) do
    for _, n in ipairs(name ~= padding and fillers_beside or {}) do list[#list + 1] = { [name] = 1, [padding] = n } end
  end
end
measure("fillers", list)

list = {}
for _, name in ipairs(good) do
  for _, other in ipairs(representatives) do
    for _, n in ipairs(name ~= other and proportions or {}) do list[#list + 1] = { [name] = n[1], [other] = n[2] } end
  end
end
measure("pairs", list)

list = {}
local width = 1 / cycles_of(choice.name)
for _, name in ipairs(lists.joined({ false }, good)) do
  for _, other in ipairs(representatives) do
    local k = math.ceil(flood_cycles / cycles_of(other))
    for _, padding in ipairs { false, choice.name, candidates[1] } do
      local e = { [other] = k }
      if name then e[name] = (e[name] or 0) + 1 end
      local n = padding and math.floor(flood_filled * width * flood_cycles) - k - 1 or 0
      if n > 0 then e[padding] = (e[padding] or 0) + n end
      list[#list + 1] = e
    end
  end
end
measure("floods", list)

local drawn = sample.experiments(good, { lengths = { 2, 3, 4, 5, 6, 7, 8, 9, 10 }, count = mixtures // 9, seed = 30 })
list = lists.map(drawn, function(record) return record.e end)
measure("random", list)

for name, records in pairs(records_of) do
  print(("\r%-8s %6d experiments, %d ok"):format(name, #records, lists.count(records, function(record) return record.status == "ok" end)))
end
local machine = p:describe()
print(("%s, family %s, model %s, stepping %s; %.0f s; time stamps at %.2f GHz, core at %.2f GHz; %.0f%% of the samples undisturbed"):format(
  machine.cpu, machine.family, machine.model, machine.stepping, core.base.now() - began, machine.tsc_hz / 1e9, machine.frequency_hz / 1e9,
  100 * machine.accepted / (machine.accepted + machine.rejected)))
print(("filler %s, %.2f a cycle"):format(choice.name, width))
