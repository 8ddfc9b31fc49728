-- Charts of cores that nobody has met (tests/lua/cores/chimera.lua): what do they claim that is wrong?
-- usage: lua5.4 tests/bench/chimeras.lua [SEED [COUNT [CHART]]]
-- (with LUA_PATH and LUA_CPATH as in tests/CMakeLists.txt; or scripts/portolan repl -- tests/bench/chimeras.lua ...)
-- COUNT chimeras from SEED on, the starter set each; CHART: which inference, a name of the table below. A claim is wrong if its uops are not the true
-- ones; "shows" are those of these that some experiment refutes, where the true uops are right (tests/lua/cores/shows.lua), and "sure" those of these
-- in turn of which the chart does not say that it assumes their ports. Invented sets of ports are those that no true uop has, and no union of such;
-- "sure sets" those of them that some claim has without saying that it assumes ports of them, "shown sets" those of them that a claim has which shows
-- to be wrong (by this set or another of its uops); of the others none that was tried tells that the core has a limit, say, of two loads a cycle in
-- the place of two ports. VERBOSE=1 in the
-- environment: every wrong claim with what shows it, and every invented port set; VERBOSE=2: all that is not right. TIMEOUT=300: seconds that a chart
-- may take. A chart that ends with an error, or takes longer, is counted as failed.
local chimera = require "cores.chimera"
local core = require "portolan.core"
local experiment = require "portolan.experiment"
local judge = require "cores.judge"
local lists = require "portolan.support.lists"
local scheme_set = require "portolan.scheme.set"
local shows = require "cores.shows"
local simulated = require "portolan.processor.simulated"

local charts = {
  old = function(processor, set, options) return require("portolan.infer.chart").run(processor, set, options) end,
}

local first, count, name = tonumber(arg[1]) or 1, tonumber(arg[2]) or 20, arg[3] or "old"
local chart = assert(charts[name], "there is no such chart")
local verbose, limit = tonumber(os.getenv "VERBOSE") or 0, tonumber(os.getenv "TIMEOUT") or 300
local set = assert(scheme_set.load "starter")

-- Runs f, for so many seconds at most.
local function within(seconds, f)
  local ends = core.base.now() + seconds
  debug.sethook(function()
    if core.base.now() > ends then error("it takes longer than " .. seconds .. " s", 0) end
  end, "", 100000)
  local ok, result = pcall(f)
  debug.sethook()
  return ok, result
end

-- Keeps in mind what experiments take: charts ask the same ones again, and greedy binders are simulated slowly.
local function remembering(p)
  local kept, cycles = { {}, {} }, p.cycles
  function p:cycles(e, large)
    local key, of = experiment.key(e), kept[large and 2 or 1]
    if not of[key] then of[key] = table.pack(cycles(self, e, large)) end
    return table.unpack(of[key], 1, 2)
  end
  return p
end

-- Does some claim have an invented set of ports (its text) without saying that it assumes ports of it?
local function sure_set(j, text)
  return lists.any(j.sure_sets, function(key) return text == "invented: " .. key end)
end

-- A line of its own for each wrong claim, that begins with a bar; behind it what shows it.
local function tell(j, shown, schemes)
  for _, text in ipairs(j.texts) do
    local of = text:match "^[^:]+"
    if verbose > 1 or j.of[of] == "wrong" or of == "invented" then
      local s, assumed = shown[of], schemes[of] and schemes[of].assumed or of == "invented" and not sure_set(j, text)
      print(("| %s%s%s"):format(j.of[of] == "wrong" and (s and "WRONG, shows: " or "WRONG: ") or "", assumed and "(assumed) " or "", text))
      if s then print(("|   %s takes %.3f, found %.3f, truth %.3f"):format(experiment.key(s.e), s.cycles, s.found, s.truth)) end
    end
  end
end

local columns = { "schemes", "right", "wrong", "shows", "sure", "unclaimed", "invented", "sure sets", "shown sets", "experiments", "seconds" }
local total = { failed = 0 }
for _, column in ipairs(columns) do total[column] = 0 end
local line = "%6s %8d %6d %6d %6d %6d %10d %9d %9d %10d %12d %8.1f  %s"

local function print_row(label, row, words)
  local numbers = {}
  for i, column in ipairs(columns) do numbers[i] = row[column] end
  numbers[#numbers + 1] = words
  print(line:format(label, table.unpack(numbers)))
end

local function charted(seed)
  local c, began = chimera(seed), core.base.now()
  local habits = table.concat(c.habits, "; ")
  local p = remembering(assert(simulated.new(c.options)))
  local ok, result = within(limit, function() return chart(p, set, { seed = seed, evaluate = 0 }) end)
  if not ok then
    total.failed = total.failed + 1
    return print(("%6d failed: %s  %s"):format(seed, tostring(result):match "^[^\n]*", habits), verbose > 0 and tostring(result) or "")
  end
  local seconds, j = core.base.now() - began, judge(result.mapping, c.mapping, c.names)
  local shown = shows(result.mapping, c.mapping, p, j.of, core.base.rng(seed):split(1))
  local row = { schemes = #c.names, right = j.right, wrong = j.wrong, shows = 0, sure = 0, unclaimed = j.unclaimed, invented = #j.invented,
    ["sure sets"] = #j.sure_sets,
    ["shown sets"] = lists.count(j.invented, function(key) return lists.any(j.users[key], function(scheme) return shown[scheme] end) end),
    experiments = result.provenance.experiments, seconds = seconds }
  for scheme in pairs(shown) do
    row.shows = row.shows + 1
    row.sure = row.sure + (result.mapping.schemes[scheme].assumed and 0 or 1)
  end
  for _, column in ipairs(columns) do total[column] = total[column] + row[column] end
  print_row(seed, row, habits)
  if verbose > 0 then tell(j, shown, result.mapping.schemes) end
end

print(("%6s %8s %6s %6s %6s %6s %10s %9s %9s %10s %12s %8s  habits"):format("seed", table.unpack(columns)))
for seed = first, first + count - 1 do
  charted(seed)
  io.stdout:flush()
end
print_row("total", total, total.failed .. " failed")
