-- Latencies of a simulated core whose latencies are those of a model of LLVM's: how many are found, and how many of them are right.
--
-- usage: lua5.4 tests/bench/latency.lua [MODEL [SCHEMES [NOISE [SEED]]]]      (LUA_PATH and LUA_CPATH as in tests/CMakeLists.txt)
--   MODEL    llvm-mca-19:sapphirerapids (needs llvm-19), llvm-mca-19:neoverse-n1, ...; its ports are those of the core
--   SCHEMES  how many are drawn from the sets avx2, scalar and sse, of A64 from all, moving and flags: 1000
--   NOISE    relative standard deviation of a reading: 0.01
local core_of_model = dofile((arg[0]:match "^(.*/)" or "./") .. "../lua/latency_truth.lua")
local latency = require "portolan.infer.latency"
local simulated = require "portolan.processor.simulated"

local model, schemes, noise, seed = arg[1] or "llvm-mca-19:sapphirerapids", tonumber(arg[2] or 1000), tonumber(arg[3] or 0.01), tonumber(arg[4] or 1)
local truth = assert(core_of_model.of_llvm(model, schemes, seed))
local processor = assert(simulated.new { mapping = truth, noise = { kind = "gaussian", width = noise, unit = "relative" }, seed = seed })
local began = os.clock()
local found = assert(latency.infer(processor, core_of_model.ports_only(truth)))
local score = core_of_model.compare(truth, found)

print(("%d schemes, %d pairs of places, %d readings of chains, %.1f seconds"):format(score.schemes, found.pairs, found.chains, os.clock() - began))
print(("noise %.2f%% (found out: %.2f%%)"):format(100 * noise, 100 * found.noise))
for status, n in pairs(found.counts) do print(("  %-20s %6d"):format(status, n)) end
for i = 1, math.min(20, #found.reasons) do print(("  %6d %s"):format(found.reasons[i].pairs, found.reasons[i].why)) end
print(("determined: %d, of these exact: %d (%.2f%%)"):format(score.determined, score.exact, 100 * score.exact / math.max(1, score.determined)))
print(("intervals: %d, of these contain the truth: %d"):format(score.intervals, score.contained))
print(("same register twice: %d told, %d right"):format(score.same, score.same_right))
for i = 1, math.min(20, #score.wrong) do print("  wrong: " .. score.wrong[i]) end
