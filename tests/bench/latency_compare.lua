-- How the latencies of a mapping agree with a model of LLVM's: shares, and where they differ.
--
-- usage: lua5.4 tests/bench/latency_compare.lua MAPPING [MODEL [EXAMPLES]]      (LUA_PATH and LUA_CPATH as in tests/CMakeLists.txt)
--   MODEL     llvm-mca-19:sapphirerapids (needs llvm-19)
--   EXAMPLES  of each difference, how many are named: 3
require "portolan"
local latencies = require "portolan.mapping.latencies"
local lists = require "portolan.support.lists"
local llvm_mca = require "portolan.predictor.llvm_mca"
local mapping = require "portolan.mapping"
local tables = require "portolan.predictor.llvm_mca.tables"

local m = assert(mapping.load(assert(arg[1], "usage: latency_compare.lua MAPPING [MODEL [EXAMPLES]]")))
local version, cpu = (arg[2] or "llvm-mca-19:sapphirerapids"):match "^llvm%-mca%-(%d+):(.+)$"
local examples = tonumber(arg[3] or 3)
local tool = assert(llvm_mca.open { version = version, cpu = cpu })
local names = lists.keys(m.schemes)
local entries = tables.read(tool, names)

local unknown = 100 -- and more: what LLVM's models say of microcoded instructions

-- The longest of the least, or the greatest, that a scheme's latencies may be.
local function extreme(scheme, name, field)
  local list = lists.map(scheme.latencies, function(e) return { from = e.from, to = e.to, cycles = e[field] or e.cycles } end)
  return latencies.longest({ latencies = list }, name)
end

local counts, differences = {}, {}
for _, name in ipairs(names) do
  local scheme, entry = m.schemes[name], entries[name]
  local ours = scheme.latencies and scheme.uops and #scheme.uops > 0 and latencies.longest(scheme, name)
  if ours and entry.latency and entry.latency < unknown then
    local kind = name:find " [^,]*m%d" and "memory" or name:find ", m%d" and "memory" or "registers"
    counts[kind] = counts[kind] or { all = 0, alike = 0, within = 0, near = 0 }
    local c, theirs = counts[kind], entry.latency
    c.all = c.all + 1
    c.near = c.near + (math.abs(ours - theirs) < 1.5 and 1 or 0)
    if math.abs(ours - theirs) < 0.5 then c.alike = c.alike + 1 end
    if extreme(scheme, name, "low") <= theirs and theirs <= extreme(scheme, name, "high") then
      c.within = c.within + 1
    else
      local key = ("LLVM %+g"):format(math.floor(theirs - ours + 0.5))
      differences[key] = differences[key] or {}
      table.insert(differences[key], ("%s: %g, LLVM %g"):format(name, ours, theirs))
    end
  end
end
for kind, c in pairs(counts) do
  print(("%-10s %5d schemes: alike %.1f%%, within what is open %.1f%%, at most a cycle apart %.1f%%"):format(kind, c.all, 100 * c.alike / c.all,
    100 * c.within / c.all, 100 * c.near / c.all))
end
local keys = lists.keys(differences)
table.sort(keys, function(a, b) return #differences[a] > #differences[b] end)
for _, key in ipairs(keys) do
  local list = differences[key]
  print(("%s: %d schemes"):format(key, #list))
  for i = 1, math.min(examples, #list) do print("    " .. list[1 + (i - 1) * #list // math.min(examples, #list)]) end
end
