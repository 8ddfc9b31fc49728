-- Figure 8.4 and Table 8.3 of Ritter's dissertation: on how many random blocks each pair of predictors of Haswell disagrees, and how many of
-- these blocks the discoveries of a campaign between the two cover.
-- usage: portolan run scripts/campaigns/table-8.3.lua DIRECTORY [BLOCKS [DISCOVERIES [SECONDS]]]
-- DIRECTORY keeps the campaigns: what was cut short goes on. BLOCKS of the test set (10000); each campaign ends with DISCOVERIES (150), after
-- SECONDS (none), or when ten waves brought nothing. DISCOVERIES 0: only the figure.
--
-- The predictors are those that are installed and know Haswell: every version of llvm-mca; the newest one, assuming that all memory
-- accesses may alias, as version 9 did by mistake (section 8.3.1); OSACA, uiCA and IACA.
local campaign = require "portolan.anica.campaign"
local core = require "portolan.core"
local coverage = require "portolan.anica.coverage"
local domains = require "portolan.anica.domain"
local heat = require "portolan.anica.heat"
local interest = require "portolan.anica.interest"
local named = require "portolan.predictor.named"
local sampled_schemes = require "portolan.anica.sampled_schemes"

local universe = "published"

local others = { osaca = "osaca:HSW", uica = "uica:HSW", iaca = "iaca:HSW" }

local function predictors()
  local list, seen = {}, {}
  for _, one in ipairs(named.installed()) do
    local name = one.kind == "llvm-mca" and one.name:gsub(":native$", ":haswell") or others[one.kind]
    local p = name and named.open(name)
    if p and #list == 0 then list[1] = assert(named.open(name .. ",noalias=false")) end -- the newest llvm-mca comes first
    if p and not seen[p.name] then list[#list + 1], seen[p.name] = p, true end -- the newest one is there without a version, too
  end
  return list
end

local function percent(part, whole) return whole > 0 and ("%.0f%%"):format(100 * part / whole) or "-" end

-- The figure: random blocks of the schemes that all predictors support.
local function show_heat(list, blocks)
  local domain = assert(domains.load(nil, { universe = universe }))
  local names = assert(sampled_schemes.choose(domain:schemes(), list))
  local drawn = assert(coverage.random(assert(domain:restrict(names)), core.base.rng(1), blocks, 4))
  local map = assert(heat.of(list, drawn, assert(interest.new { kind = "relative" })))
  print(("%d random blocks of 4 instructions, of %d schemes and variants that all support; share that is over 50%% apart"):format(#drawn, #names))
  for i, name in ipairs(map.predictors) do
    local cells = {}
    for j = 1, #list do cells[j] = type(map.share[i][j]) == "number" and ("%6.1f%%"):format(100 * map.share[i][j]) or "      -" end
    print(("%-34s %s"):format(name, table.concat(cells)))
  end
end

-- A column of the table.
local function show_result(a, b, result)
  local c, f, standing = result.coverage, result.figures, 0
  for _, d in ipairs(result.discoveries) do standing = standing + (d.subsumed_by and 0 or 1) end
  print(("%s, %s: %s of the blocks interesting; %s of these covered by %d discoveries, %s by the best ten; %.0f s, %d predictions (%s)"):format(
    a.name, b.name, percent(c.interesting, c.blocks), percent(c.covered, c.interesting), standing,
    percent(c.top[1] and c.top[1].covered or c.covered, c.interesting), f.seconds, f.predictor_calls, result.reason))
end

local function show_campaign(a, b, o)
  local out = ("%s/%s_%s"):format(o.directory, a.name, b.name):gsub("[^%w/._-]", "-")
  local c = assert(campaign.new { a = a, b = b, universe = universe, out = out, coverage = { blocks = o.blocks, length = 4, top = { 10 } },
    limits = { discoveries = o.discoveries, dry = 10, seconds = o.seconds } })
  show_result(a, b, assert(c:run()))
end
local o = { directory = arg[1], blocks = tonumber(arg[2] or 10000), discoveries = tonumber(arg[3] or 150), seconds = tonumber(arg[4]) }
if not o.directory or not o.blocks or not o.discoveries then
  io.stderr:write("usage: portolan run table-8.3.lua DIRECTORY [BLOCKS [DISCOVERIES [SECONDS]]]\n")
  os.exit(2)
end
local list = predictors()
if #list < 2 then
  io.stderr:write("there are no two predictors of Haswell; install llvm-mca\n")
  os.exit(2)
end
show_heat(list, o.blocks)
for i = 1, o.discoveries > 0 and #list or 0 do
  for j = i + 1, #list do show_campaign(list[i], list[j], o) end
end
