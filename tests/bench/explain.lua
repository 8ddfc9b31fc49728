-- The explainable inference of a whole instruction set, on simulated processors with noise.
-- usage: lua5.4 tests/bench/explain.lua [glc|FILE] [SCHEMES [SEEDS [BINDER...]]]
-- (with LUA_PATH and LUA_CPATH as in tests/CMakeLists.txt; or scripts/portolan repl -- tests/bench/explain.lua ...)
--   glc   what llvm-mca 19 says of Sapphire Rapids: 12 ports, 6 issue slots a cycle, no counter (needs llvm-19)
--   FILE  pmtestbench's port_mapping.json of Zen+: a counter of macro-ops
-- SCHEMES: so many of them, at random (0: all); BINDER: optimal, pending, late, recent (engine/model/binder.h). VERBOSE=1 in the environment: every
-- scheme that is not right.
local algebra = require "portolan.algebra"
local core = require "portolan.core"
local explain = require "portolan.infer.explain"
local golden_cove = require "golden_cove"
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

local m = source == "glc" and golden_cove() or zen_plus()
local counters = source ~= "glc" and { "macro-ops" } or nil

local function chosen(seed)
  local names = {}
  for _, name in ipairs(mapping.schemes(m, true)) do
    local status = m.schemes[name].status
    if status == "explained" or status == "eliminated at rename" then names[#names + 1] = name end
  end
  if count > 0 and count < #names then
    core.base.rng(seed):shuffle(names)
    names = table.move(names, 1, count, 1, {})
    table.sort(names)
  end
  return names
end

local function canonical(scheme)
  local list = {}
  for _, uop in ipairs(scheme.uops or {}) do
    local ports = table.move(uop[1], 1, #uop[1], 1, {})
    table.sort(ports)
    list[#list + 1] = uop[2] .. "*" .. table.concat(ports, ",")
  end
  table.sort(list)
  return table.concat(list, " + ")
end

local claims = { explained = true, ["eliminated at rename"] = true }

-- Counts of right, wrong and unclaimed schemes, and of claims without a witness.
local function judge(result, names)
  local renamed, right, wrong, unclaimed, bare = assert(algebra.match(result.mapping, m)), 0, 0, 0, 0
  for _, name in ipairs(names) do
    local found, truth = renamed.schemes[name], m.schemes[name]
    local same = canonical(found) == canonical(truth)
    if not claims[found.status] then
      unclaimed = unclaimed + 1
    else
      right, wrong = right + (same and 1 or 0), wrong + (same and 0 or 1)
      bare = bare + (#result.mapping.schemes[name].witnesses == 0 and 1 or 0)
    end
    if os.getenv "VERBOSE" and not (same and claims[found.status]) then
      print(("    %s: %s (%s), truth %s%s"):format(name, canonical(found), found.status, canonical(truth), found.note and "; " .. found.note or ""))
    end
  end
  return right, wrong, unclaimed, bare
end

print(("%s, %d ports, %g slots a cycle, 1 %% Gaussian noise"):format(source, #m.ports, m.rmax))
print(("%-8s %5s %8s %7s %8s %6s %10s %12s %12s %8s"):format("binder", "seed", "schemes", "right", "", "wrong", "unclaimed", "no witness",
  "experiments", "seconds"))
for _, binder in ipairs(binders) do
  for seed = 1, seeds do
    local names, began = chosen(seed), core.base.now()
    local p = assert(simulated.new { mapping = m, counters = counters, seed = seed, binder = binder == "optimal" and "optimal" or "greedy",
      binder_options = { kind = binder ~= "optimal" and binder or nil }, noise = { kind = "gaussian", width = 0.01, unit = "relative" } })
    local result = explain.run(p, { { name = "All", schemes = names } }, { seed = seed, evaluate = 0 })
    local right, wrong, unclaimed, bare = judge(result, names)
    print(("%-8s %5d %8d %7d %7.2f%% %6d %10d %12d %12d %8.1f"):format(binder, seed, #names, right, 100 * right / #names, wrong, unclaimed, bare,
      result.provenance.experiments, core.base.now() - began))
  end
end
