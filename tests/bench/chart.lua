-- The explainable inference of a whole instruction set, on simulated processors with noise.
-- usage: lua5.4 tests/bench/chart.lua [CORE|FILE] [SCHEMES [SEEDS [BINDER...]]]
-- (with LUA_PATH and LUA_CPATH as in tests/CMakeLists.txt; or scripts/portolan repl -- tests/bench/chart.lua ...)
--   CORE  glc (Golden Cove), zen4, skylake (these need llvm-19) or gracemont (tests/lua/cores); glc+quirks and so on: with what such cores do
--         beside their ports; a72, n1, v2: Arm's (need llvm-19), n1+moving: with the schemes of another set than `all`. No counter
--   FILE  pmtestbench's port_mapping.json of Zen+: a counter of macro-ops
-- SCHEMES: so many of them, at random (0: all); BINDER: optimal, pending, late, recent (engine/schedule/binder.h). VERBOSE=1 in the environment:
-- every scheme that is not right, and every invented port set. NOISE=0.01: standard deviation of a reading. STALLS=0.05 and HASTY=0.005: shares of
-- readings that are 1 to 4 % too slow, and 2 to 4 % too fast. CLOCK=54e6: read with a clock that steps so often a second, of a core at FREQUENCY
-- (3e9).
local core = require "portolan.core"
local chart = require "portolan.infer.chart"
local judge = require "cores.judge"
local cores = require "cores.all"
local mapping = require("portolan").mapping -- which reads llvm-mca's, too
local simulated = require "portolan.processor.simulated"

local source, count, seeds = arg[1] or "glc", tonumber(arg[2]) or 1000, tonumber(arg[3]) or 1
local binders = { table.unpack(arg, 4) }
if #binders == 0 then binders = { "optimal", "pending", "late" } end

-- The limit of Zen+ is one of instructions, not of slots.
local function zen_plus()
  local m = assert(mapping.load(source))
  for _, scheme in pairs(m.schemes) do scheme.slots = 1 end
  return m
end

local core_name, quirky = source:match "^(%w+)%+?(.*)$"
local of_core = cores[core_name]
local m = of_core and of_core(quirky == "quirks", quirky ~= "" and quirky or nil) or zen_plus()
local counters = not of_core and { "macro-ops" } or nil
local noise = { kind = "gaussian", width = tonumber(os.getenv "NOISE") or 0.01, unit = "relative", stalls = tonumber(os.getenv "STALLS"),
  hasty = tonumber(os.getenv "HASTY") }
local hz = tonumber(os.getenv "CLOCK")
local clock = hz and { hz = hz, frequency = tonumber(os.getenv "FREQUENCY") }

local function chosen(seed)
  local names = {}
  for _, name in ipairs(mapping.schemes(m, true)) do
    local status = m.schemes[name].status
    if status == "explained" or status == "eliminated at rename" or status == "unstable" then names[#names + 1] = name end
  end
  if count > 0 and count < #names then
    core.base.rng(seed):shuffle(names)
    names = table.move(names, 1, count, 1, {})
    table.sort(names)
  end
  return names
end

local verbose = os.getenv "VERBOSE"

print(("%s, %d ports, %g slots a cycle, %g %% Gaussian noise%s"):format(source, #m.ports, m.rmax, 100 * noise.width,
  hz and (", a clock of %g MHz"):format(hz / 1e6) or ""))
print(("%-8s %5s %8s %7s %8s %6s %10s %12s %9s %12s %8s"):format("binder", "seed", "schemes", "right", "", "wrong", "unclaimed", "no witness",
  "invented", "experiments", "seconds"))
for _, binder in ipairs(binders) do
  for seed = 1, seeds do
    local names, began = chosen(seed), core.base.now()
    local p = assert(simulated.new { mapping = m, counters = counters, seed = seed, binder = binder == "optimal" and "optimal" or "greedy",
      binder_options = { kind = binder ~= "optimal" and binder or nil }, noise = noise, clock = clock })
    local result = chart.run(p, { { name = "All", schemes = names } }, { seed = seed, evaluate = 0 })
    local j = judge(result.mapping, m, names)
    for _, text in ipairs(verbose and j.texts or {}) do print("    " .. text) end
    print(("%-8s %5d %8d %7d %7.2f%% %6d %10d %12d %9d %12d %8.1f"):format(binder, seed, #names, j.right, 100 * j.right / #names, j.wrong,
      j.unclaimed, j.bare, #j.invented, result.provenance.experiments, core.base.now() - began))
  end
end
