-- How much of programs' code does a mapping know? Shares of instructions and of basic blocks, and what is missing most.
-- usage: lua5.4 tests/bench/coverage.lua MAPPING BLOCKS... [-n ROWS]; BLOCKS are tables of BHive's (hex,frequency), or object files, whose
-- functions count as one block each (LUA_PATH and LUA_CPATH as in tests/CMakeLists.txt)
--
-- Known: explained or eliminated at rename. Timed: what it takes alone is known to be more than its ports' time, or all that there is to know
-- (slower than ports, input-dependent, microcoded). Open: measured alone, but its ports are not known. Everything else is missing.
local bhive = require "portolan.format.bhive"
local core = require "portolan.core"
local file = require "portolan.support.file"
local isa = require "portolan.scheme.isa"
local object = require "portolan.code.object"
local portolan = require "portolan"

local known = { explained = true, ["eliminated at rename"] = true }
local timed = { ["slower than ports"] = true, ["input-dependent"] = true, microcoded = true }

local paths, rows, i = {}, 40, 2
while arg[i] do
  if arg[i] == "-n" then rows, i = assert(math.tointeger(tonumber(arg[i + 1]))), i + 1 else paths[#paths + 1] = arg[i] end
  i = i + 1
end
assert(arg[1] and #paths > 0, "usage: coverage.lua MAPPING BLOCKS... [-n ROWS]")
local schemes = assert(portolan.mapping.load(arg[1])).schemes

-- "known", "timed", "open" or nil, and the status.
local function state(name)
  local s = schemes[name]
  if not s then return nil, "not in the mapping" end
  return s.uops and known[s.status] and "known" or s.tp and (timed[s.status] and "timed" or "open") or nil, s.status
end

local grades, rank = { "known", "timed", "open", "missing" }, {}
for k, grade in ipairs(grades) do rank[grade] = k end

local function count_block(tally, code)
  local decoded = core.isa.decode(code)
  if not decoded or #decoded.instructions == 0 then
    tally.left_out = tally.left_out + 1
    return
  end
  local worst = 1
  for _, instruction in ipairs(decoded.instructions) do
    local name = instruction.scheme or "(no scheme)"
    local is = state(name) or "missing"
    tally.instructions = tally.instructions + 1
    tally[is] = tally[is] + 1
    if is ~= "known" then tally.schemes[is][name] = (tally.schemes[is][name] or 0) + 1 end
    worst = math.max(worst, rank[is])
  end
  tally.blocks = tally.blocks + 1
  tally.worst[grades[worst]] = (tally.worst[grades[worst]] or 0) + 1
end

local function count_file(tally, path)
  if bhive.is(path) then return assert(bhive.each({ path }, function(block) count_block(tally, block.code) end)) end
  local o = assert(object.read(assert(file.read(path)), path))
  for _, symbol in ipairs(o.symbols) do
    if symbol.is_function and symbol.size > 0 then
      count_block(tally, symbol.section.bytes:sub(symbol.offset + 1, symbol.offset + symbol.size))
    end
  end
end

local function share(n, of) return ("%6.2f%%"):format(100 * n / math.max(1, of)) end

local function list(title, counts, of)
  local names = {}
  for name in pairs(counts) do names[#names + 1] = name end
  table.sort(names, function(a, b) return counts[a] > counts[b] or counts[a] == counts[b] and a < b end)
  print(("\n%s (%d schemes)"):format(title, #names))
  for k = 1, math.min(rows, #names) do
    local scheme, _, status = isa.scheme(names[k]), state(names[k])
    local why = scheme and status == "not in the mapping" and isa.exclusion(scheme, assert(isa.exclusions())) or status
    print(("%7d  %s  %-40s %s"):format(counts[names[k]], share(counts[names[k]], of), names[k], why))
  end
end

local tally = { instructions = 0, blocks = 0, known = 0, timed = 0, open = 0, missing = 0, left_out = 0, worst = {},
  schemes = { timed = {}, open = {}, missing = {} } }
for _, path in ipairs(paths) do count_file(tally, path) end
print(("%d instructions in %d blocks (%d left out: they cannot be decoded)"):format(tally.instructions, tally.blocks, tally.left_out))
print("              instructions   blocks (by their worst instruction)")
for _, is in ipairs(grades) do
  print(("%-12s %s        %s"):format(is, share(tally[is], tally.instructions), share(tally.worst[is] or 0, tally.blocks)))
end
list("missing", tally.schemes.missing, tally.instructions)
list("open", tally.schemes.open, tally.instructions)
list("timed", tally.schemes.timed, tally.instructions)
