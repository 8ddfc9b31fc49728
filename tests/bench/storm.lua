-- What storms leave of a processor's quiet: the shares of windows that are clean, and of those without a stall, by length; without and
-- with each storm in turn.
-- usage: lua5.4 tests/bench/storm.lua [CPU [SECONDS [REPEATS [ARGUMENTS...]]]]     ARGUMENTS: this storm, not the standard ones
-- (with LUA_PATH, LUA_CPATH and PORTOLAN_BUILD as in tests/CMakeLists.txt)
local storm = require "storm"

local cpu, seconds, repeats = tonumber(arg[1] or 1), tonumber(arg[2] or 1), tonumber(arg[3] or 3)
local kinds = arg[4] and { { name = table.concat(arg, " ", 4), arguments = { table.unpack(arg, 4) } } } or storm.kinds
local lengths = { 2000, 8000, 32000, 100000 }

local function row(name, watched)
  local cells = {}
  for i, length in ipairs(lengths) do
    cells[i] = ("%6.1f%% %5.1f%%"):format(100 * watched.clean[length], 100 * watched.running[length])
  end
  print(("%-32s %s"):format(name, table.concat(cells, " ")))
end

local head = {}
for i, length in ipairs(lengths) do head[i] = ("%14d"):format(length) end
print(("%-32s %s"):format("windows: clean, without a stall", table.concat(head, " ")))
for _, kind in ipairs(kinds) do
  for _ = 1, repeats do
    row("calm", storm.watch(cpu, seconds))
    row(kind.name, assert(storm.during(kind, cpu, function() return storm.watch(cpu, seconds) end, { seconds = 10 * seconds + 10 })))
  end
end
