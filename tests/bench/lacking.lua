-- Charts of records that have lost experiments: how many schemes stay explained, how many are open, and is anything claimed that is not so?
-- usage: lua5.4 tests/bench/lacking.lua MAPPING [SEEDS]; MAPPING is a file or a model, such as llvm-mca-19:sapphirerapids#starter
-- (LUA_PATH and LUA_CPATH as in tests/CMakeLists.txt)
local algebra = require "portolan.mapping.algebra"
local chart = require "portolan.infer.chart"
local core = require "portolan.core"
local mapping = require("portolan").mapping
local recorded = require "portolan.processor.recorded"
local replay = require "portolan.processor.replay"
local simulated = require "portolan.processor.simulated"
local statuses = require "portolan.mapping.statuses"

local truth = assert(mapping.load(assert(arg[1], "usage: lacking.lua MAPPING [SEEDS]")))
local set = { { name = "all", schemes = mapping.schemes(truth, true) } }

-- A mapping of some schemes, compiled.
local function part(m, known)
  return assert(mapping.compile(algebra.restrict(m, function(name) return known[name] or false end)))
end

-- Explained schemes that do not have the truth's ports, up to names, those with assumed ports left out; and statuses in words.
local function judge(m)
  local known, list = {}, {}
  for _, name in ipairs(set[1].schemes) do
    local scheme = m.schemes[name]
    known[name], list[#list + 1] = scheme.status == "explained" and not scheme.assumed or nil, scheme.status
  end
  local wrong = 0
  if next(known) then
    local answer = core.model.compare(part(m, known), part(truth, known))
    wrong = answer.equal and 0 or #answer.differing
  end
  return wrong, statuses.tally(list)
end

local processor = assert(simulated.new { mapping = truth, counters = { "uops" } })
local direct, whole = chart.run(processor, set, { evaluate = 0, record = true })
print(("%d schemes, %d experiments: %d wrong; %s"):format(#set[1].schemes, #whole, judge(direct.mapping)))
for _, share in ipairs { 0, 0.01, 0.03, 0.1 } do
  for seed = 1, share > 0 and math.tointeger(tonumber(arg[2] or 3)) or 1 do
    local rng, list = core.base.rng(seed), {}
    for _, record in ipairs(whole) do
      if rng:unit() >= share then list[#list + 1] = record end
    end
    local began = os.clock()
    local record = assert(recorded.new(assert(replay.new { records = list }), { rmax = truth.rmax }))
    local wrong, tally = judge(chart.run(record, set, { evaluate = 0 }).mapping)
    print(("%2.0f%% lost, seed %d: %d experiments, %d wrong; %s; %.1f s"):format(100 * share, seed, #list, wrong, tally, os.clock() - began))
    io.stdout:flush()
  end
end
