-- Growing from a core on simulated processors: ports x schemes, schemes on 1-4 random ports, epsilon 0.02; without noise and with
-- uniform noise of +-0.01 CPI; next to it joint inference of fewer schemes.
-- usage: lua5.4 tests/bench/grow.lua [SEEDS [SIZE...]]      e.g. grow.lua 5 12x64 12x300
-- (with LUA_PATH and LUA_CPATH as in tests/CMakeLists.txt). THREADS=N in the environment: threads of the engine; 0, one per processor.
local core = require "portolan.core"
local cegis = require "portolan.infer.cegis"
local grow = require "portolan.infer.grow"
local random_mapping = require "support.random_mapping"
local simulated = require "portolan.processor.simulated"

local seeds = tonumber(arg[1]) or 5
local sizes = arg[2] and table.move(arg, 2, #arg, 1, {}) or { "12x64", "10x300", "12x300" }
local threads = tonumber(os.getenv "THREADS") or 0

local function row(label, size, noise, infer)
  local ports, schemes = size:match("^(%d+)x(%d+)$")
  assert(ports, "sizes are written 12x64")
  local sum, worst, solver, experiments, equal, wrong, open = 0, 0, 0, 0, 0, 0, 0
  for seed = 1, seeds do
    local truth = random_mapping.two_level { seed = seed, ports = tonumber(ports), schemes = tonumber(schemes) }
    local names = {}
    for name in pairs(truth.schemes) do names[#names + 1] = name end
    table.sort(names)
    local processor = assert(simulated.new { mapping = truth, seed = seed, noise = { kind = noise > 0 and "uniform" or "none", width = noise } })
    local outcome = assert(infer(processor, names, { ports = tonumber(ports), seed = seed, threads = threads }))
    local relation = core.model.compare(core.model.mapping(truth), core.model.mapping(outcome.mapping), { epsilon = outcome.epsilon })
    if outcome.status ~= "unique" or relation.distinguishable or not relation.complete or relation.common ~= #names then wrong = wrong + 1 end
    equal = equal + (relation.equal and 1 or 0)
    for _, s in pairs(outcome.schemes or {}) do open = open + (s.status == "open" and 1 or 0) end
    sum, worst, solver = sum + outcome.seconds, math.max(worst, outcome.seconds), solver + outcome.solver_seconds
    experiments = experiments + outcome.experiments
  end
  print(("%-6s %8s %6g %13.2f %7.2f %8.2f %12.1f %7d %12d %9s"):format(label, size, noise, sum / seeds, worst, solver / seeds,
    experiments / seeds, wrong, equal, label == "grown" and ("%.1f"):format(open / seeds) or ""))
  io.stdout:flush()
end

print("method     size  noise  seconds: mean   worst   solver  experiments   wrong   equal to truth   open")
for _, size in ipairs(sizes) do
  for _, noise in ipairs { 0, 0.01 } do row("grown", size, noise, grow.infer) end
end
if not arg[2] then
  seeds = math.min(seeds, 1)
  row("joint", "12x32", 0, cegis.infer)
end
