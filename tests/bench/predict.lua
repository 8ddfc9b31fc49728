-- Blocks a second of everything that predicts blocks of code, on the same blocks in one run: the bounds and the simulation of a chart, the same
-- bounds made in Lua from one latency per scheme, LLVM's (assume:), and llvm-mca. Whoever is slower gets fewer blocks, which are the first ones.
-- Decoding is counted in for all, starting llvm-mca's processes too. The best of several runs, on one thread.
-- usage: lua5.4 tests/bench/predict.lua MAPPING TABLE [LLVM-MODEL]     (LUA_PATH and LUA_CPATH as in tests/CMakeLists.txt)
--   MAPPING      mapping.json with latencies
--   TABLE        blocks as BHive has them: hexadecimal code, a comma, anything
--   LLVM-MODEL   llvm-mca-19:sapphirerapids
local block_model = require "portolan.block.model"
local core = require "portolan.core"
local mapping = require "portolan.mapping"
local named = require "portolan.predictor.named"

local path, blocks_path, llvm = arg[1], arg[2], arg[3] or "llvm-mca-19:sapphirerapids"
if not blocks_path then
  io.stderr:write "usage: lua5.4 tests/bench/predict.lua MAPPING TABLE [LLVM-MODEL]\n"
  os.exit(2)
end

-- What each is asked at most: about a second or two of work.
local limits = { bounds = 200000, simulation = 3000, twin = 2000, llvm = 2000 }
local runs = 3

local blocks = {}
for line in io.lines(blocks_path) do
  local hex = line:match "^(%x+),"
  if hex and #hex % 2 == 0 then blocks[#blocks + 1] = hex:gsub("%x%x", function(x) return string.char(tonumber(x, 16)) end) end
end
assert(#blocks > 0, "no blocks in " .. blocks_path)

local function first(count) return table.move(blocks, 1, math.min(count, #blocks), 1, {}) end

-- Seconds of the fastest run, and what the last one returned.
local function timed(f)
  local best, result = math.huge, nil
  for _ = 1, runs do
    local start = core.base.now()
    result = f()
    best = math.min(best, core.base.now() - start)
  end
  return best, result
end

local function row(title, list, f)
  local seconds, answered = timed(function() return f(list) end)
  print(("%-58s %8d blocks %6.1f%% answered %9.1f us a block %10.0f blocks/s"):format(title, #list, 100 * answered / #list,
    1e6 * seconds / #list, #list / seconds))
end

-- Blocks that a model of blocks knows whole.
local function whole(answers)
  local n = 0
  for i, cycles in ipairs(answers.cycles) do
    if cycles and answers.unknown[i] == 0 then n = n + 1 end
  end
  return n
end

local function by_name(name)
  local predictor = assert(named.open(name))
  return function(list)
    local n = 0
    for _, answer in ipairs(assert(predictor:predict(list))) do n = n + (answer.cycles and 1 or 0) end
    return n
  end
end

local model = assert(block_model.of(assert(mapping.load(path))))
row("bounds", first(limits.bounds), function(list) return whole(model:bounds(list)) end)
row("bounds, nothing known of memory to follow (aliasing no)", first(limits.bounds), function(list)
  return whole(model:bounds(list, { aliasing = "no" }))
end)
row("simulation", first(limits.simulation), function(list) return whole(model:simulate(list)) end)
local twin = ("assume:%s,latencies=%s,alias=same"):format(path, llvm) -- a number per scheme, which the mapping does not have
row("bounds in Lua, one latency per scheme (assume:)", first(limits.twin), by_name(twin))
row(llvm, first(limits.llvm), by_name(llvm))
