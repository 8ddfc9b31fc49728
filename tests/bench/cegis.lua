-- How long counter-example-guided inference takes on simulated processors, by the protocols of Fig. 4.6 (two-level: ports x schemes,
-- each scheme on 1-4 random ports) and Fig. 4.8 (three-level: 4 schemes, 6 ports, k of the schemes with n uops): three random ground
-- truths a point, epsilon 0.02 CPI, no R_max, no noise. Next to it: the dissertation's encoding (infer/cegis/lira.lua) where it ends in
-- time, and the dissertation's own figures, on its machine.
--
-- usage: cegis.lua [--seeds N] [--lira SECONDS] [--two] [--three] [PORTSxSCHEMES | KxN ...]
--   --lira SECONDS  also the dissertation's encoding, with this limit (`--lira` alone: 300); once it does not end, larger sizes of the
--                   series are skipped
--   --two, --three  only the rows of Fig. 4.6, of Fig. 4.8; sizes behind them (8x10; 4x3: 4 schemes with 3 uops) instead of all
-- Run by `lua5.4 tests/bench/cegis.lua` (LUA_PATH and LUA_CPATH as in tests/CMakeLists.txt) or `scripts/portolan repl -- tests/bench/cegis.lua`.
local core = require "portolan.core"
local cegis = require "portolan.infer.cegis"
local random_mapping = require "support.random_mapping"
local simulated = require "portolan.processor.simulated"

local epsilon = 0.02

-- Table 4.1 (medians) and section 4.5.1 (read off Fig. 4.6).
local published = {
  two = { ["4x16"] = "about 10 s", ["6x8"] = "42 s", ["6x10"] = "75 s", ["6x12"] = "159 s", ["6x16"] = "920 s", ["8x10"] = "over 10,000 s",
    ["8x16"] = "given up" },
  three = { ["4x2"] = "94 s", ["2x3"] = "96 s", ["3x3"] = "238 s", ["2x4"] = "542 s", ["4x3"] = "884 s", ["4x4"] = "5,815 s" },
}

local function series_two()
  local sizes = {}
  for _, ports in ipairs { 4, 6, 8, 10, 12 } do
    for _, schemes in ipairs { 4, 8, 10, 16, 32 } do
      if schemes ~= 10 or ports == 8 then sizes[#sizes + 1] = { ports, schemes } end
    end
  end
  return sizes
end

local function series_three()
  local sizes = { { 0, 1 } }
  for uops = 2, 4 do
    for schemes = 1, 4 do sizes[#sizes + 1] = { schemes, uops } end
  end
  return sizes
end

local function options(list)
  local o = { seeds = 3, two = {}, three = {} }
  local only, k = nil, 1
  while list[k] do
    local word = list[k]
    local a, b = word:match("^(%d+)x(%d+)$")
    if word == "--seeds" then
      k = k + 1
      o.seeds = assert(math.tointeger(tonumber(list[k])), "--seeds takes a whole number")
    elseif word == "--lira" then
      o.lira = tonumber(list[k + 1])
      if o.lira then k = k + 1 else o.lira = 300 end
    elseif word == "--two" or word == "--three" then
      only = word:sub(3)
      o["only_" .. only] = true
    elseif a then
      local sizes = o[only or "two"]
      sizes[#sizes + 1], o["only_" .. (only or "two")] = { tonumber(a), tonumber(b) }, true
    else
      error(("unknown argument '%s'; see the head of the file"):format(word), 0)
    end
    k = k + 1
  end
  local all = not o.only_two and not o.only_three
  if (all or o.only_two) and #o.two == 0 then o.two = series_two() end
  if (all or o.only_three) and #o.three == 0 then o.three = series_three() end
  return o
end

local function names_of(mapping)
  local names = {}
  for name in pairs(mapping.schemes) do names[#names + 1] = name end
  table.sort(names)
  return names
end

-- A truth of Fig. 4.8: the first k of 4 schemes have n uops each. The uops are those of a two-level mapping.
local function three_level_truth(seed, k, n)
  local uops = {}
  for i = 1, 4 do uops[i] = i <= k and n or 1 end
  local drawn = random_mapping.two_level { seed = seed, ports = 6, schemes = uops[1] + uops[2] + uops[3] + uops[4] }
  local pool, next_uop, counts = names_of(drawn), 1, {}
  local truth = { format = drawn.format, version = drawn.version, ports = drawn.ports, processor = drawn.processor, schemes = {} }
  for i = 1, 4 do
    local name, list, place = "s" .. i - 1, {}, {}
    for _ = 1, uops[i] do
      local ports = drawn.schemes[pool[next_uop]].uops[1][1]
      local key = table.concat(ports, " ")
      if not place[key] then
        list[#list + 1] = { ports, 0 }
        place[key] = list[#list]
      end
      place[key][2], next_uop = place[key][2] + 1, next_uop + 1
    end
    truth.schemes[name], counts[name] = { uops = list, status = "explained" }, uops[i]
  end
  return truth, counts
end

local function median(list)
  table.sort(list)
  return list[(#list + 1) // 2]
end

-- Infers each truth; nil if one does not end within the limit.
local function run(truths, encoding, limit)
  local seconds, rounds, experiments, wrong = {}, {}, {}, 0
  for seed, t in ipairs(truths) do
    local outcome = assert(cegis.infer(assert(simulated.new { mapping = t.truth }), names_of(t.truth),
      { ports = #t.truth.ports, uops = t.uops, seed = seed, epsilon = epsilon, encoding = encoding, time_limit = limit }))
    if outcome.status == "interrupted" then error("interrupted", 0) end
    if outcome.status == "limit" then return nil end
    local answer = outcome.mapping
      and core.model.compare(core.model.mapping(t.truth), core.model.mapping(outcome.mapping), { epsilon = epsilon })
    if outcome.status ~= "unique" or answer.distinguishable or not answer.complete then wrong = wrong + 1 end
    seconds[seed], rounds[seed], experiments[seed] = outcome.seconds, outcome.rounds, outcome.experiments
  end
  return { median = median(seconds), worst = math.max(table.unpack(seconds)), rounds = median(rounds), experiments = median(experiments),
    wrong = wrong }
end

local function heading(first, o)
  print(("%-15s %9s %8s %7s %12s %6s  %14s%s"):format(first, "median s", "worst s", "rounds", "experiments", "wrong", "dissertation",
    o.lira and ("   %14s %8s %7s %6s"):format("LIRA: median s", "worst s", "rounds", "wrong") or ""))
end

-- One row; `gave_up`: the slow encoding did not end for a smaller size of the series. True if it does not end here.
local function row(label, truths, text, o, gave_up)
  local fast, slow = run(truths, "union"), nil
  local line = ("%-15s %9.2f %8.2f %7d %12d %6d  %14s"):format(label, fast.median, fast.worst, fast.rounds, fast.experiments, fast.wrong, text or "")
  if o.lira and not gave_up then
    slow = run(truths, "lira", o.lira)
    line = line .. (slow and ("   %14.2f %8.2f %7d %6d"):format(slow.median, slow.worst, slow.rounds, slow.wrong)
      or ("   %14s"):format("over " .. ("%g"):format(o.lira)))
  elseif o.lira then
    line = line .. ("   %14s"):format("skipped")
  end
  print(line)
  return gave_up or o.lira and not slow
end

local function two_level(o)
  heading("ports x schemes", o)
  local gave_up = {}
  for _, size in ipairs(o.two) do
    local label, truths = size[1] .. "x" .. size[2], {}
    for seed = 1, o.seeds do truths[seed] = { truth = random_mapping.two_level { seed = seed, ports = size[1], schemes = size[2] } } end
    gave_up[size[1]] = row(label, truths, published.two[label], o, gave_up[size[1]])
  end
end

local function three_level(o)
  heading("schemes x uops", o)
  local gave_up = {}
  for _, size in ipairs(o.three) do
    assert(size[1] <= 4, "Fig. 4.8 has 4 schemes")
    local label, truths = size[1] .. "x" .. size[2], {}
    for seed = 1, o.seeds do
      local truth, uops = three_level_truth(seed, size[1], size[2])
      truths[seed] = { truth = truth, uops = uops }
    end
    gave_up[size[2]] = row(label, truths, published.three[label], o, gave_up[size[2]])
  end
end

io.stdout:setvbuf "line"
local o = options(arg or {})
if #o.two > 0 then two_level(o) end
if #o.three > 0 then three_level(o) end
