-- How long the inference takes on simulated processors: ports x schemes, schemes on 1-4 random ports, epsilon 0.02, no noise.
-- usage: lua5.4 tests/bench/cegis.lua [SEEDS [SIZE...]]      e.g. cegis.lua 3 8x10 10x16
-- (with LUA_PATH and LUA_CPATH as in tests/CMakeLists.txt). Next to it: the dissertation's Fig. 4.6 on its machine.
local core = require "portolan.core"
local cegis = require "portolan.infer.cegis"
local random_mapping = require "portolan.random_mapping"
local simulated = require "portolan.processor.simulated"

local published = { ["4x16"] = "about 10 s", ["6x16"] = "about 1,000 s", ["8x10"] = "over 10,000 s", ["8x16"] = "given up" }
local sizes = { "4x16", "6x8", "6x16", "8x6", "8x10", "8x16", "10x16", "10x32" }
local seeds = tonumber(arg[1]) or 3
if arg[2] then sizes = table.move(arg, 2, #arg, 1, {}) end

print("ports x schemes   seconds: mean   worst   solver   rounds   experiments   wrong   dissertation")
for _, size in ipairs(sizes) do
  local ports, schemes = size:match("^(%d+)x(%d+)$")
  assert(ports, "sizes are written 8x10")
  local sum, worst, solver, rounds, experiments, wrong = 0, 0, 0, 0, 0, 0
  for seed = 1, seeds do
    local truth = random_mapping.two_level { seed = seed, ports = tonumber(ports), schemes = tonumber(schemes) }
    local names = {}
    for name in pairs(truth.schemes) do names[#names + 1] = name end
    table.sort(names)
    local outcome = assert(cegis.infer(assert(simulated.new { mapping = truth }), names, { ports = tonumber(ports), seed = seed }))
    local answer = core.model.compare(core.model.mapping(truth), core.model.mapping(outcome.mapping), { epsilon = outcome.epsilon })
    if outcome.status ~= "unique" or answer.distinguishable then wrong = wrong + 1 end
    sum, worst, solver = sum + outcome.seconds, math.max(worst, outcome.seconds), solver + outcome.solver_seconds
    rounds, experiments = rounds + outcome.rounds, experiments + outcome.experiments
  end
  print(("%15s   %13.2f %7.2f %8.2f %8.1f %13.1f %7d   %s"):format(size, sum / seeds, worst, solver / seeds, rounds / seeds,
    experiments / seeds, wrong, published[size] or ""))
end
