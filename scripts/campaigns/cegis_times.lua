-- Study: how long counter-example-guided inference takes, by the protocols of Figures 4.6 and 4.8 and of Table 4.1, with the published figures
-- beside ours.
--
-- Three random ground truths a point, inferred three times each with other seeds; uops run on 1 to 4 random ports; epsilon 0.02 CPI, no R_max, no
-- noise. The published times are those of the dissertation's machine and solver: medians of Table 4.1, and what section 4.5.1 says of Figure 4.6.
--
-- usage: portolan run scripts/campaigns/cegis_times.lua [-- OPTION ...] [PORTSxSCHEMES ...]
--   PORTSxSCHEMES   only these points of Figure 4.6, and nothing else
--   --runs N        truths a point, and inferences of each (3)
--   --lira SECONDS  also the dissertation's own encoding (portolan.infer.cegis.lira), with this limit for each inference; once one does not end,
--                   larger points of the series are skipped
-- Data source: none; all of it is simulated.
local cegis = require "portolan.infer.cegis"
local core = require "portolan.core"
local lists = require "portolan.support.lists"
local random_mapping = require "portolan.processor.random_mapping"
local simulated = require "portolan.processor.simulated"

local epsilon = 0.02
local published = {
  two = { ["4x16"] = "about 10 s", ["6x8"] = "42 s", ["6x10"] = "75 s", ["6x12"] = "159 s", ["6x16"] = "920 s", ["8x10"] = "over 10,000 s",
    ["8x12"] = "not run", ["8x16"] = "not run" },
  three = { ["4x2"] = "94 s", ["2x3"] = "96 s", ["3x3"] = "238 s", ["2x4"] = "542 s", ["4x3"] = "884 s", ["4x4"] = "5,815 s" },
}
local series_two = {}
for _, ports in ipairs { 4, 6, 8, 10 } do
  for _, schemes in ipairs { 4, 8, 10, 12, 16 } do series_two[#series_two + 1] = { ports, schemes } end
end
local series_three = { { 0, 1 } }
for uops = 2, 4 do
  for schemes = 1, 4 do series_three[#series_three + 1] = { schemes, uops } end
end

local function names_of(mapping) return lists.keys(mapping.schemes) end

-- A scheme's usage from uops on the ports of some drawn schemes; equal uops are one entry.
local function usage_of(drawn, pool)
  local list, place = {}, {}
  for _, name in ipairs(pool) do
    local ports = drawn.schemes[name].uops[1][1]
    local key = table.concat(ports, " ")
    if not place[key] then
      list[#list + 1] = { ports, 0 }
      place[key] = list[#list]
    end
    place[key][2] = place[key][2] + 1
  end
  return { uops = list, status = "explained" }
end

-- A truth of Figure 4.8: the first k of 4 schemes have n uops each, the others one, on 6 ports.
local function three_level(seed, k, n)
  local drawn = random_mapping.two_level { seed = seed, ports = 6, schemes = k * n + 4 - k }
  local pool, truth, counts, used = names_of(drawn), {}, {}, 0
  for key, value in pairs(drawn) do truth[key] = value end
  truth.schemes = {}
  for i = 1, 4 do
    local name, uops = "s" .. i - 1, i <= k and n or 1
    truth.schemes[name], counts[name] = usage_of(drawn, table.move(pool, used + 1, used + uops, 1, {})), uops
    used = used + uops
  end
  return { truth = truth, uops = counts }
end

-- Pearson's correlation of both mappings' cycles on 1,000 random experiments of five instances; 1 if they agree on all.
local function pearson(a, b, names, seed)
  local x, y = core.model.mapping(a), core.model.mapping(b)
  local list, sum_x, sum_y, sum_xx, sum_yy, sum_xy, same = random_mapping.experiments(names, 1000, { seed = seed }), 0, 0, 0, 0, 0, true
  for _, e in ipairs(list) do
    local p, q = x:throughput(e), y:throughput(e)
    same = same and math.abs(p - q) < 1e-9
    sum_x, sum_y, sum_xx, sum_yy, sum_xy = sum_x + p, sum_y + q, sum_xx + p * p, sum_yy + q * q, sum_xy + p * q
  end
  if same then return 1 end
  local n = #list
  return (n * sum_xy - sum_x * sum_y) / math.sqrt((n * sum_xx - sum_x ^ 2) * (n * sum_yy - sum_y ^ 2))
end

local function middle(list)
  table.sort(list)
  return list[(#list + 1) // 2]
end

-- One inference, counted in; false if it does not end within the limit.
local function infer(t, seed, encoding, limit, into)
  local names = names_of(t.truth)
  local outcome = assert(cegis.infer(assert(simulated.new { mapping = t.truth }), names,
    { ports = #t.truth.ports, uops = t.uops, seed = seed, epsilon = epsilon, encoding = encoding, time_limit = limit }))
  if outcome.status == "interrupted" then error("interrupted", 0) end
  if outcome.status == "limit" then return false end
  local relation = outcome.mapping and core.model.compare(core.model.mapping(t.truth), core.model.mapping(outcome.mapping), { epsilon = epsilon })
  if outcome.status ~= "unique" or relation.distinguishable or not relation.complete then into.wrong = into.wrong + 1 end
  into.seconds[#into.seconds + 1], into.further[#into.further + 1] = outcome.seconds, outcome.experiments - #names
  into.pearson = math.min(into.pearson, outcome.mapping and pearson(t.truth, outcome.mapping, names, seed) or 0)
  return true
end

-- All inferences of a point; nil if one does not end within the limit.
local function point(truths, o, encoding, limit)
  local found = { seconds = {}, further = {}, wrong = 0, pearson = 1 }
  for _, t in ipairs(truths) do
    for seed = 1, o.runs do
      if not infer(t, seed, encoding, limit, found) then return nil end
    end
  end
  found.median = middle(found.seconds)
  return found
end

-- Prints a point; remembers in `gave_up` that the slow encoding does not end for the series. The median of ours, in seconds.
local function row(label, truths, text, o, gave_up, series)
  local ours = point(truths, o, "union")
  local line = ("%-9s %9.2f %6.2f-%-6.2f %8d %6.3f %6d  %14s"):format(label, ours.median, ours.seconds[1], ours.seconds[#ours.seconds],
    middle(ours.further), ours.pearson, ours.wrong, text or "")
  if o.lira then
    local slow = not gave_up[series] and point(truths, o, "lira", o.lira)
    gave_up[series] = not slow
    line = line .. (slow and ("  %12.2f %6d"):format(slow.median, slow.wrong) or ("  %12s"):format("not ended"))
  end
  print(line)
  return ours.median
end

local function heading(title, first, o)
  print(("\n%s\n%-9s %9s %13s %8s %6s %6s  %14s%s"):format(title, first, "median s", "least-most s", "further", "rho_P", "wrong", "published",
    o.lira and ("  %12s %6s"):format("lira, s", "wrong") or ""))
end

local function figure_4_6(sizes, o)
  heading("Figure 4.6: ports x schemes, one uop each (further: experiments beside those of single schemes)", "size", o)
  local medians, gave_up = {}, {}
  for _, size in ipairs(sizes) do
    local label, truths = size[1] .. "x" .. size[2], {}
    for seed = 1, o.runs do truths[seed] = { truth = random_mapping.two_level { seed = seed, ports = size[1], schemes = size[2] } } end
    medians[label] = row(label, truths, published.two[label], o, gave_up, size[1])
  end
  return medians
end

local function figure_4_8(o)
  heading("Figure 4.8: 4 schemes on 6 ports, KxN: K of them with N uops each, whose number is given", "size", o)
  local medians, gave_up = {}, {}
  for _, size in ipairs(series_three) do
    local label, truths = size[1] .. "x" .. size[2], {}
    for seed = 1, o.runs do truths[seed] = three_level(seed, size[1], size[2]) end
    medians[label] = row(label, truths, published.three[label], o, gave_up, size[2])
  end
  return medians
end

local function table_4_1(two, three)
  print "\nTable 4.1: as many schemes in the two-level model as uops in the three-level one; median seconds, published / ours"
  for _, line in ipairs { { "6x8", "4x2" }, { "6x8", "2x3" }, { "6x10", "3x3" }, { "6x10", "2x4" }, { "6x12", "4x3" }, { "6x16", "4x4" } } do
    local a, b = line[1], line[2]
    print(("  %2d schemes: %8s / %.2f s     %s uops: %8s / %.2f s"):format(tonumber(a:match "x(%d+)"), published.two[a], two[a], b,
      published.three[b], three[b]))
  end
end

local function options(list)
  local o, k = { runs = 3, sizes = {} }, 1
  while list[k] do
    local ports, schemes = list[k]:match "^(%d+)x(%d+)$"
    if ports then
      o.sizes[#o.sizes + 1] = { tonumber(ports), tonumber(schemes) }
    else
      local field, value = list[k]:match "^%-%-(%l+)$", tonumber(list[k + 1])
      if not (value and value >= 1 and (field == "lira" or field == "runs" and value % 1 == 0)) then
        io.stderr:write(("cegis_times.lua: '%s' is no option with a number, and no PORTSxSCHEMES; see the head of the file\n"):format(list[k]))
        os.exit(2)
      end
      o[field], k = value, k + 1
    end
    k = k + 1
  end
  return o
end

io.stdout:setvbuf "line"
local o = options { ... }
if #o.sizes > 0 then
  figure_4_6(o.sizes, o)
else
  local two = figure_4_6(series_two, o)
  table_4_1(two, figure_4_8(o))
end
