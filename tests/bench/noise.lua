-- How the inference stands noise, outliers and greedy port binding, on simulated processors.
-- usage: lua5.4 tests/bench/noise.lua [SEEDS [PROTOCOL...]]       e.g. noise.lua 20 greedy counts
-- (with LUA_PATH and LUA_CPATH as in tests/CMakeLists.txt). VERBOSE=1 in the environment: every run that is not right.
local protocol = require "noise_protocol"

local relative = { kind = "gaussian", width = 0.01, unit = "relative" }
local function with(noise, outliers)
  local copy = { outliers = outliers }
  for k, v in pairs(noise) do copy[k] = v end
  return copy
end

-- A Golden-Cove-like core: 12 ports, R_max 6, 16 schemes, greedy binder.
local function greedy(noise, known)
  return function(seed)
    local truth, names = protocol.golden_cove(seed)
    return truth, protocol.run(truth, names, { binder = "recent", seed = seed, noise = noise },
      { reading = "asymmetric", epsilon = 0.01, rmax = 6, seed = seed, port_counts = known and protocol.counts(truth) or nil })
  end
end

local uniform = { kind = "uniform", width = 0.01 }

-- Random cores of 4-10 ports and 4-16 schemes, optimal scheduling.
local function optimal(noise, confirm)
  return function(seed)
    local ports, schemes = 4 + seed % 7, 4 + seed // 7 * 5 % 13
    local truth, names = protocol.random(seed, ports, schemes)
    return truth, protocol.run(truth, names, { seed = seed, noise = noise },
      { seed = seed, ports = seed % 2 == 0 and ports or nil, confirm = confirm })
  end
end

local protocols = {
  { name = "greedy", title = "greedy, 1 % noise", run = greedy(relative) },
  { name = "counts", title = "greedy, 1 % noise, counts known", run = greedy(relative, true) },
  { name = "slow", title = "greedy, 1 % noise, 1 % outliers", run = greedy(with(relative, 0.01)) },
  { name = "optimal", title = "optimal, +-0.01 CPI", run = optimal(uniform) },
  { name = "outliers", title = "optimal, +-0.01 CPI, 1 % outliers", run = optimal(with(uniform, 0.01)) },
  { name = "confirmed", title = "the same, slow readings confirmed", run = optimal(with(uniform, 0.01), true) },
}

local seeds, wanted = tonumber(arg[1]) or 20, {}
for k = 2, #arg do wanted[arg[k]] = true end

print(("%-36s %5s %5s %5s %5s %13s %5s %11s %7s %7s"):format("protocol", "seeds", "equal", "open", "wrong", "contradiction", "other", "experiments",
  "seconds", "worst"))
for _, p in ipairs(protocols) do
  if #arg < 2 or wanted[p.name] then
    local n, experiments, seconds, worst = { equal = 0, open = 0, wrong = 0, contradiction = 0 }, 0, 0, 0
    for seed = 1, seeds do
      local truth, outcome = p.run(seed)
      local verdict, why = protocol.verdict(truth, outcome)
      n[n[verdict] and verdict or "other"] = (n[verdict] or n.other or 0) + 1
      if os.getenv "VERBOSE" and (verdict ~= "equal" or os.getenv "VERBOSE" == "2") then
        print(("  seed %d, %d experiments, %.1f s: %s %s"):format(seed, outcome.experiments, outcome.seconds, verdict,
        why or outcome.conflict and outcome.conflict.text or ""))
      end
      experiments, seconds, worst = experiments + outcome.experiments, seconds + outcome.seconds, math.max(worst, outcome.seconds)
    end
    print(("%-36s %5d %5d %5d %5d %13d %5d %11.1f %7.2f %7.2f"):format(p.title, seeds, n.equal, n.open, n.wrong, n.contradiction, n.other or 0,
      experiments / seeds, seconds / seeds, worst))
  end
end
