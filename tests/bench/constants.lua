-- Which constants of a chart matter, and how much? Charts simulated cores with their quirks, with each constant at its value and beside it.
-- usage: lua5.4 tests/bench/constants.lua [--schemes N] [--seed N] [--cores glc,zen4,...] [--binder KIND]
--   [--factors 0.5,2] [--further 0.75,1.5] [NAME...]
-- (with LUA_PATH and LUA_CPATH as in tests/CMakeLists.txt; or scripts/portolan repl -- tests/bench/constants.lua ...)
--   NAME     constants of lua/portolan/infer/chart/constants.lua; without any, all
--   schemes  of each core, at random (250); 1% Gaussian noise
--   binder   of ports: optimal, pending (the published rule, if none is named), late, recent (engine/model/binder.h)
--   factors  by which constants are multiplied; whole numbers become the nearest others, of shares near 1 the distance from 1 is
--            multiplied. Those of `further` are tried where one of these changed what is right, wrong, unclaimed or invented
-- A line per setting: schemes of all cores that came out right, wrong, unclaimed; invented sets of ports; experiments. "same": no chart changed,
-- nor the number of experiments.
local core = require "portolan.core"
local cores = require "cores.all"
local judge = require "cores.judge"
local mapping = require("portolan").mapping
local remember = require "support.remember"
local simulated = require "portolan.processor.simulated"

local options = { schemes = "250", seed = "1", binder = "pending", cores = "glc,zen4,skylake,gracemont", factors = "0.5,2", further = "0.75,1.5" }
local wanted, i = {}, 1
while arg[i] do
  local key = arg[i]:match "^%-%-(%w+)$"
  if key then
    assert(options[key], "no option " .. arg[i])
    options[key], i = arg[i + 1], i + 1
  else
    wanted[#wanted + 1] = arg[i]
  end
  i = i + 1
end
local seed = tonumber(options.seed)
collectgarbage("incremental", 500) -- a chart leaves much behind, at once

local function numbers(text)
  local list = {}
  for word in text:gmatch "[^,]+" do list[#list + 1] = tonumber(word) end
  return list
end

local charted = { explained = true, ["eliminated at rename"] = true, unstable = true }

-- A core, some of its schemes, and what experiments on it gave at the constants' own values.
local function subject(name)
  local m, names = cores[name](true), {}
  for _, scheme in ipairs(mapping.schemes(m, true)) do
    if charted[m.schemes[scheme].status] then names[#names + 1] = scheme end
  end
  core.base.rng(seed):shuffle(names)
  names = table.move(names, 1, math.min(#names, tonumber(options.schemes)), 1, {})
  table.sort(names)
  return { mapping = m, names = names, answers = {}, inferences = {} }
end

-- The modules of a chart, loaded anew, with one constant changed (nil: none).
local function modules(name, value)
  for module in pairs(package.loaded) do
    if module:find "^portolan%.infer%.chart" then package.loaded[module] = nil end
  end
  local constants = require "portolan.infer.chart.constants"
  if name then
    assert(rawget(constants, name), "no constant " .. name)
    constants[name] = value
  end
  return require "portolan.infer.chart", constants
end

-- Charts the cores: sums of what judge says, and whether any mapping differs from that of `base`.
local function run(subjects, name, value, base)
  local sum = { right = 0, wrong = 0, unclaimed = 0, invented = 0, experiments = 0, schemes = {}, judged = {}, same = true }
  local chart = modules(name, value)
  for k, of in ipairs(subjects) do
    local p = assert(simulated.new { mapping = of.mapping, seed = seed,
      binder = options.binder, noise = { kind = "gaussian", width = 0.01, unit = "relative" } })
    local done = remember.start(p, of, not base)
    local ok, result = pcall(chart.run, p, { { name = "All", schemes = of.names } }, { seed = seed, evaluate = 0 })
    sum.experiments = sum.experiments + done()
    sum.schemes[k] = ok and result.mapping.schemes
    local same = base ~= nil and remember.alike(base.schemes[k], sum.schemes[k])
    local judged, j = true, same and base.judged[k]
    if ok and not j then judged, j = pcall(judge, result.mapping, of.mapping, of.names) end
    if not ok or not judged then -- a constant that is far off may break what later stages rely on, or leave nothing to judge
      sum.failure = tostring(ok and j or result):match "^[^\n]*"
      j = { right = 0, wrong = 0, unclaimed = #of.names, invented = {} }
    end
    sum.right, sum.wrong, sum.unclaimed = sum.right + j.right, sum.wrong + j.wrong, sum.unclaimed + j.unclaimed
    sum.invented, sum.judged[k], sum.same = sum.invented + #j.invented, j, sum.same and same
  end
  sum.same = sum.same and sum.experiments == base.experiments
  return sum
end

local function print_line(name, value, sum, base, seconds)
  local change = sum.same and "same" or base and ("%+d"):format(sum.right - base.right) or ""
  print(("%-22s %9s %6d %6s %6d %10d %9d %12d %6.1f %s"):format(name, value, sum.right, change, sum.wrong, sum.unclaimed, sum.invented,
    sum.experiments, seconds, sum.failure or ""))
  io.stdout:flush()
end

-- A constant's value times a factor; of a whole number, another whole number of at least 1; of what is near 1, as shares that are nearly all, the
-- distance from 1 is multiplied. Nil if that was tried before.
local function varied(value, factor, tried)
  local off = value - 1
  local new = off ~= 0 and math.abs(off) < 0.21 and 1 + factor * off or factor * value
  if math.type(value) == "integer" then
    new = math.max(1, math.floor(new + 0.5))
    if new == value then new = value + (factor > 1 and 1 or -1) end
  end
  if new <= 0 or tried[new] then return nil end
  tried[new] = true
  return new
end

local subjects = {}
for name in options.cores:gmatch "%w+" do subjects[#subjects + 1] = subject(name) end
print(("%s schemes each of %s, binder %s, seed %d"):format(options.schemes, options.cores, options.binder, seed))
print(("%-22s %9s %6s %6s %6s %10s %9s %12s %6s"):format("constant", "value", "right", "", "wrong", "unclaimed", "invented", "experiments", "sec"))
local began = os.clock()
local base = run(subjects)
print_line("(all as they are)", "", base, nil, os.clock() - began)

local function vary(constant)
  local name, value, tried, differs = constant[1], constant[2], { [constant[2]] = true }, false
  local function try(factors)
    for _, factor in ipairs(numbers(factors)) do
      local new = varied(value, factor, tried)
      if new then
        local start = os.clock()
        local sum = run(subjects, name, new, base)
        for _, verdict in ipairs { "right", "wrong", "unclaimed", "invented" } do differs = differs or sum[verdict] ~= base[verdict] end
        print_line(name, ("%g"):format(new), sum, base, os.clock() - start)
      end
    end
  end
  try(options.factors)
  if differs then try(options.further) end
end

local asked = {}
for _, name in ipairs(wanted) do asked[name] = true end
local _, constants = modules()
for _, constant in ipairs(constants.all) do
  if asked[constant[1]] or #wanted == 0 and not constant.apart then vary(constant) end
end
