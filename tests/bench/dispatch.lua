-- A rule of the front end that no port shows, hidden in a simulated Cortex-A72: vectors of 128 bits take two of its three slots. Does a chart find
-- it, from times alone, and what is it worth? Prints how many schemes have the slots and the ports of the truth, and the errors on fresh random
-- experiments of the model with these slots and of that which knows only ports (a slot for each uop).
-- usage: lua5.4 tests/bench/dispatch.lua [SCHEMES [SEEDS]]     SCHEMES: so many of them, at random (0: all)
-- (with LUA_PATH and LUA_CPATH as in tests/CMakeLists.txt; needs llvm-19)
local chart = require "portolan.infer.chart"
local core = require "portolan.core"
local dispatch = require "cores.dispatch"
local judge = require "cores.judge"
local lists = require "portolan.support.lists"
local simulated = require "portolan.processor.simulated"

local count, seeds = tonumber(arg[1]) or 0, tonumber(arg[2]) or 1
local noise, clock = { kind = "gaussian", width = 0.01, unit = "relative" }, { hz = 54e6 }
local experiments, length = 2000, 5

local truth, ruled = dispatch.a72()
local verbose = os.getenv "VERBOSE"

print "Cortex-A72 of which 128-bit vectors take two of three slots, 1% noise, a clock of 54 MHz"
print(("%5s %8s %7s %7s %12s %12s %11s %16s %16s"):format("seed", "schemes", "right", "wrong", "no witness", "with a rule", "slots right",
  "MAPE with slots", "MAPE without"))
for seed = 1, seeds do
  local names = dispatch.names(truth, count, seed)
  local p = assert(simulated.new { mapping = truth, seed = seed, noise = noise, clock = clock })
  local found = chart.run(p, { { name = "All", schemes = names } }, { seed = seed, evaluate = 0 }).mapping
  local j = judge(found, truth, names)
  for _, text in ipairs(verbose and j.texts or {}) do print("    " .. text) end
  local with_rule = lists.where(names, function(name) return ruled[name] end)
  local right = lists.where(with_rule, function(name) return found.schemes[name].slots == truth.schemes[name].slots end)
  local errors = dispatch.errors(truth, found, core.base.rng(seed), experiments, length)
  print(("%5d %8d %7d %7d %12d %12d %11d %15.2f%% %15.2f%%"):format(seed, #names, j.right, j.wrong, j.bare, #with_rule, #right, 100 * errors.with,
    100 * errors.without))
end
