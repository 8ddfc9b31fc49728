-- Blocks a second through llvm-mca: one process per block against the batch adapter, alone and with two predictors on two cores; and what
-- printing the blocks takes. All in the same run, on random blocks of five instructions.
-- usage: lua5.4 tests/bench/predictors.lua [BLOCKS] [NAME ...]
local core = require "portolan.core"
local llvm_mca = require "portolan.predictor.llvm_mca"
local named = require "portolan.predictor.named"
local paths = require "portolan.support.paths"
local program = require "portolan.predictor.machinery.program"
local scheme_set = require "portolan.scheme.set"
local several = require "portolan.predictor.machinery.several"
local supported = require "portolan.predictor.machinery.supported"
local text = require "portolan.predictor.llvm_mca.text"

local count = tonumber(arg[1]) or 1000
local one_by_one = math.min(count, 50) -- blocks that get a process each

local names = table.move(arg, 2, #arg, 1, {})
if #names == 0 then
  for i, one in ipairs(llvm_mca.installed()) do
    if one.version and i <= 3 then names[#names + 1] = one.name .. ":skylake" end
  end
end

local function all_schemes()
  local list = {}
  for _, group in ipairs(assert(scheme_set.load "all")) do table.move(group.schemes, 1, #group.schemes, #list + 1, list) end
  return list
end

-- Random blocks of five of the schemes.
local function random_blocks(schemes)
  local rng, policy, list = core.base.rng(1), assert(core.isa.policy(dofile(paths.arch "x86_64/policy.lua"))), {}
  while #list < count do
    local chosen = {}
    for k = 1, 5 do chosen[k] = schemes[1 + math.floor(rng:unit() * #schemes)] end
    local code = core.isa.instantiate(chosen, policy)
    if code then list[#list + 1] = code.bytes end
  end
  return list
end

local function timed(f)
  local start = core.base.now()
  local result = f()
  return core.base.now() - start, result
end

local function row(title, seconds, blocks)
  print(("%-58s %8.3f ms a block  %8.0f blocks/s"):format(title, 1000 * seconds / blocks, blocks / seconds))
end

local predictors, schemes = {}, all_schemes()
for i, name in ipairs(names) do
  predictors[i] = assert(named.open(name))
  schemes = assert(supported.of(predictors[i], schemes))
end
local blocks = random_blocks(schemes)
print(("%d blocks of five of %d schemes"):format(count, #schemes))

row("printing the blocks for LLVM", timed(function() for _, b in ipairs(blocks) do text.of_bytes(b) end end), count)

for i, p in ipairs(predictors) do
  print()
  row(p.name .. ", a process per block", timed(function()
    for k = 1, one_by_one do p:predict { blocks[k] } end
  end), one_by_one)
  local seconds, answers = timed(function() return p:predict(blocks) end)
  row(p.name .. ", batch", seconds, count)
  row(p.name .. ", two processes", timed(function() return several.predict({ p }, blocks, { jobs = 2 }) end), count)
  local input = {}
  for k, b in ipairs(blocks) do input[k] = ("# LLVM-MCA-BEGIN %d\n.intel_syntax noprefix\n%s\n# LLVM-MCA-END\n"):format(k, text.of_bytes(b)) end
  input = table.concat(input)
  for _, how in ipairs { { "only llvm-mca, with all its views" }, { "only llvm-mca, summary as JSON", "-json" }, { "only llvm-mca, summary" } } do
    local arguments = { "-mcpu=" .. p.cpu, how[2] }
    if not how[1]:find "all" then table.move({ "-instruction-info=0", "-resource-pressure=0" }, 1, 2, #arguments + 1, arguments) end
    row("  " .. how[1], timed(function() return program.run(p.path, arguments, { input = input }) end), count)
  end
  local failed = 0
  for _, answer in ipairs(answers) do failed = failed + (answer.cycles and 0 or 1) end
  if failed > 0 then print(("  %d blocks without a prediction"):format(failed)) end
  if i == 1 and predictors[2] then
    print()
    local two = { p, predictors[2] }
    for jobs = 1, 2 do
      row(("%s and %s, %d process%s"):format(p.name, predictors[2].name, jobs, jobs > 1 and "es at once" or ""),
        timed(function() return several.predict(two, blocks, { jobs = jobs }) end), count)
    end
  end
end
