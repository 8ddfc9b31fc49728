-- How fast the pieces of AnICA are, and what a generalization costs in groups and one expansion at a time.
--
-- usage: anica.lua [--a PRED] [--b PRED] [--blocks N]
--   --a, --b   predictors (llvm-mca-14:znver1, llvm-mca-16:znver1)
--   --blocks   interesting blocks to generalize (12)
-- Run by `scripts/portolan repl -- tests/bench/anica.lua` or by lua5.4 (LUA_PATH and LUA_CPATH as in tests/CMakeLists.txt).
local Evidence = require "portolan.anica.evidence"
local Pair = require "portolan.anica.pair"
local Rounds = require "portolan.anica.rounds"
local code = require "portolan.anica.code"
local core = require "portolan.core"
local coverage = require "portolan.anica.coverage"
local domains = require "portolan.anica.domain"
local generalize = require "portolan.anica.generalize"
local interest = require "portolan.anica.interest"
local minimize = require "portolan.anica.minimize"
local named = require "portolan.predictor.named"
local sampled_schemes = require "portolan.anica.sampled_schemes"
local subsume = require "support.subsume"

local options = { a = "llvm-mca-14:znver1", b = "llvm-mca-16:znver1", blocks = "12" }
for i = 1, #arg, 2 do options[arg[i]:match "^%-%-(%l+)$" or error("usage: see the head of this file")] = arg[i + 1] end
local wanted = math.tointeger(options.blocks)

local function line(...) print(string.format(...)) end

-- Calls f for about a second; calls per second.
local function rate(f)
  local started, n = core.base.now(), 0
  repeat
    for _ = 1, 20 do
      n = n + 1
      f(n)
    end
  until core.base.now() - started > 1
  return n / (core.base.now() - started)
end

local a, b = assert(named.open(options.a)), assert(named.open(options.b))
local domain = assert(domains.load())
domain = assert(domain:restrict(assert(sampled_schemes.choose(domain:schemes(), { a, b }))))
local rng = core.base.rng(1)
local blocks = assert(domain:top(3):sample(rng:split(1), 500))
local abstract = {}
for i, block in ipairs(blocks) do abstract[i] = assert(domain:represent(block)) end

line("%d schemes, blocks of 3 instructions; per second:", #domain:schemes())
line("  representations        %10.0f", rate(function(i) domain:represent(blocks[1 + i % #blocks]) end))
line("  lists of expansions    %10.0f", rate(function(i) abstract[1 + i % #abstract]:expansions() end))
local lists = {}
for i, A in ipairs(abstract) do lists[i] = A:expansions() end
line("  expansions             %10.0f", rate(function(i)
  local k = 1 + i % #abstract
  abstract[k]:expand(lists[k][1 + i % #lists[k]])
end))
line("  samples                %10.0f", 100 * rate(function(i) abstract[1 + i % #abstract]:sample(rng, 100) end))
line("  subsumption, search    %10.0f", rate(function(i) abstract[1 + i % #abstract]:subsumes(abstract[1 + (i * 7) % #abstract]) end))
line("  subsumption, Z3        %10.0f", rate(function(i)
  subsume.subsumes(abstract[1 + i % #abstract], abstract[1 + (i * 7) % #abstract])
end))

-- Minimized interesting blocks.
local pair = Pair.new(a, b, assert(interest.new()))
local function ask(list) return assert(pair:ask(list)) end
local candidates, seen = {}, {}
for i = 1, 100 do
  if #candidates == wanted then break end
  local some = assert(domain:top(1 + i % 4):sample(rng, 40))
  for k, verdict in ipairs(ask(some)) do
    local block = verdict.interesting and #candidates < wanted and assert(minimize.run(some[k], ask))
    if block and not seen[block] then
      seen[block] = true
      candidates[#candidates + 1] = block
    end
  end
end

local function generalize_all(strategy, evidence)
  pair:forget()
  local before, started, shared, results, steps = pair.calls, core.base.now(), {}, {}, 0
  local rounds = Rounds.new(function(list) return pair:ask(list) end)
  for i, block in ipairs(candidates) do
    shared[i] = {}
    for order = 1, 5 do
      local own = core.base.rng(1):split(i):split(order)
      local check = Evidence.new(Rounds.ask, own:split(1), { samples = 100, first = evidence.first, provisional = evidence.provisional,
        counterexamples = evidence.share and shared[i] or nil })
      rounds:start(function() return generalize.run(block, domain, check, own:split(2), { strategy = strategy }) end, function(result)
        if not result then return end
        results[#results + 1] = { abstract = result.abstract }
        steps = steps + #result.tree
      end)
    end
  end
  assert(rounds:run())
  return { calls = pair.calls - before, seconds = core.base.now() - started, results = results, steps = steps }
end

line("\n%d interesting blocks, 5 orders each, %s against %s:", #candidates, a.name, b.name)
for i = 1, math.min(4, #candidates) do line("  %s", code.text(candidates[i])) end
local test = assert(coverage.random(domain, rng:split(2), 2000, 4))
local disputed = assert(coverage.interesting(ask, test))
line("\n%-44s %10s %9s %9s %9s %9s", "", "calls", "seconds", "decisions", "covered", "pertinent")
for _, way in ipairs {
  { "one by one, 100 samples each, 10 of them first", "plain", { first = 10, provisional = 100 } },
  { "in groups, 10 then 100 samples", "groups", { first = 10, provisional = 100 } },
  { "in groups, counterexamples shared", "groups", { first = 5, provisional = 100, share = true } },
  { "in groups, 20 samples on the way (default)", "groups", { first = 5, provisional = 20, share = true } },
} do
  local r = generalize_all(way[2], way[3])
  local covered = 0
  for _, row in ipairs(coverage.matrix(domain, r.results, disputed)) do covered = covered + (#row > 0 and 1 or 0) end
  local fresh, fine = {}, 0
  for _, result in ipairs(r.results) do
    local list = result.abstract:sample(rng, 20)
    table.move(list, 1, #list, #fresh + 1, fresh)
  end
  for _, verdict in ipairs(ask(fresh)) do fine = fine + (verdict.interesting and 1 or 0) end
  line("%-44s %10d %9.1f %9d %8.1f%% %8.1f%%", way[1], r.calls, r.seconds, r.steps, 100 * covered / math.max(1, #disputed),
    100 * fine / math.max(1, #fresh))
end
line("\ncovered: of %d interesting blocks among 2000 random ones of 4 instructions", #disputed)
line "pertinent: interesting ones of 20 fresh samples of each result"
