-- Evolution on PMEvo's list of the Cortex-A72: its 390 forms, which are 366 schemes, with LLVM 19's model of that core as truth, read with noise and
-- with a coarse clock. Prints how well what was evolved predicts fresh random experiments (of the truth, without noise), and how many schemes have
-- the ports of the truth.
-- usage: lua5.4 tests/bench/pmevo_a72.lua LIST [SEEDS [SECONDS]]     LIST: all.insn of PMEvo's artifact; SECONDS of evolution at most (120)
-- (with LUA_PATH and LUA_CPATH as in tests/CMakeLists.txt; needs llvm-19)
local core = require "portolan.core"
local cores = require "cores.all"
local evaluate = require "portolan.infer.pmevo.evaluate"
local file = require "portolan.support.file"
local lists = require "portolan.support.lists"
local mapping_diff = require "portolan.mapping.diff"
local pmevo = require "portolan.infer.pmevo"
local pmevo_a64 = require "portolan.format.pmevo_a64"
local simulated = require "portolan.processor.simulated"

local path, seeds, seconds = arg[1], tonumber(arg[2]) or 1, tonumber(arg[3]) or 120
local text, message = file.read(path or "")
if not text then
  io.stderr:write(("pmevo_a72: %s; give all.insn of PMEvo's artifact\n"):format(message))
  os.exit(2)
end

local forms, names = pmevo_a64.names(text), {}
for _, form in ipairs(forms) do names[assert(pmevo_a64.scheme(form))] = true end
names = lists.keys(names)

local noise = { kind = "gaussian", width = 0.01, unit = "relative" }
local truth = cores.a72()
for _, name in ipairs(names) do -- the mapping does not take 64 cycles of a port for uops; the core has them
  local scheme = truth.schemes[name]
  if scheme.status == "microcoded" then
    scheme.uops, scheme.status = { { { "W" }, math.floor(scheme.tp + 0.5) } }, "explained"
  end
end

print(("%d forms, %d schemes, %d ports, %g slots a cycle, 1%% noise, a clock of 54 MHz"):format(#forms, #names, #truth.ports, truth.rmax))
print(("%5s %9s %12s %10s %12s %10s %10s %8s"):format("seed", "classes", "experiments", "held out", "MAPE", "Pearson", "as truth", "seconds"))
for seed = 1, seeds do
  local began = core.base.now()
  local p = assert(simulated.new { mapping = truth, seed = seed, noise = noise, clock = { hz = 54e6 } })
  local outcome = assert(pmevo.infer(p, names, { ports = #truth.ports, seed = seed, time = seconds, threads = 1 }))
  local exact = assert(simulated.new { mapping = truth })
  local held = assert(evaluate.run(exact, outcome.mapping, { count = 2000, seed = seed }))
  local summary, diff = held.result.models[1].summary, mapping_diff.of(outcome.mapping, truth)
  print(("%5d %9d %12d %10d %11.2f%% %10.4f %10d %8.1f"):format(seed, outcome.counts.classes, outcome.counts.measured, #held.records,
    100 * summary.mape, summary.pearson, diff.matching, core.base.now() - began))
end
