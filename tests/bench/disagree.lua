-- Does the list of disagreements find an error of a model, unaided? Truth is LLVM 19's Sapphire Rapids, simulated with 1% noise, no counter;
-- the reference is LLVM 16's, which still has the additions of floats on ports 0 and 1 instead of 1 and 5.
-- usage: lua5.4 tests/bench/disagree.lua [SCHEMES [SEED]]      (needs llvm-16 and llvm-19; LUA_PATH and LUA_CPATH as in tests/CMakeLists.txt)
local core = require "portolan.core"
local chart = require "portolan.infer.chart"
local golden_cove = require "golden_cove"
local mapping = require("portolan").mapping
local simulated = require "portolan.processor.simulated"

local count, seed = tonumber(arg[1]) or 800, tonumber(arg[2]) or 1
local reference = "llvm-mca-16:sapphirerapids"

local function adds(name) return name:find "^vadd[ps][sd] " or name:find "^vsub[ps][sd] " end

local m = golden_cove()
local names = {}
for _, name in ipairs(mapping.schemes(m, true)) do
  if m.schemes[name].uops then names[#names + 1] = name end
end
core.base.rng(seed):shuffle(names)
table.sort(names, function(a, b) return (adds(a) and 0 or 1) < (adds(b) and 0 or 1) end)
names = table.move(names, 1, count, 1, {})

local p = assert(simulated.new { mapping = m, seed = seed, noise = { kind = "gaussian", width = 0.01, unit = "relative" } })
local result = chart.run(p, { { name = "All", schemes = names } }, { seed = seed, evaluate = 0,
  reference = { name = reference, mapping = assert(mapping.load(reference)) } })
local d = result.disagreements
print(("%d schemes, %d common with %s, %d alike; of the others, measured: %d ours, %d theirs, %d neither"):format(#names, d.common, reference, d.same,
  d.counts.ours, d.counts.theirs, d.counts.neither + d.counts.undecided))
local verdicts, present = {}, 0
for _, name in ipairs(names) do present = present + (adds(name) and 1 or 0) end
for _, entry in ipairs(d.list) do
  if adds(entry.scheme) then
    local verdict = entry.verdict or "not decided"
    verdicts[verdict] = (verdicts[verdict] or 0) + 1
    print(("  %-26s modelled %-10s inferred %-10s %s: %.2f by the reference, %.2f by the mapping, %.2f measured: %s"):format(entry.scheme,
      entry.reference_usage, entry.usage, entry.experiment or "-", entry.theirs or 0, entry.ours or 0, entry.measured or 0, verdict))
  end
end
print(("additions of floats: %d, in the list and decided for the mapping: %d"):format(present, verdicts.ours or 0))
