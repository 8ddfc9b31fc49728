-- The twelve kernels of scripts/examples/code/kernels.c through `portolan loop`, one after the other: seconds, cycles measured and predicted.
-- usage: portolan run -- tests/bench/loops.lua CHART [FLAG ...], with a folder for the chart that grows (a new one: from nothing) and flags for the
-- compiler ($CC, if it is set)
local json = require "portolan.support.json"
local core = require "portolan.core"
local program = require "portolan.predictor.machinery.program"

local source = debug.getinfo(1, "S").source:match "^@(.*)tests/bench/loops%.lua$" or "./"
local chart = assert(arg[1], "usage: portolan run -- tests/bench/loops.lua CHART [FLAG ...]")
local kernels = { "dot", "saxpy", "gemm", "stencil", "hash", "length", "find", "crc", "list", "horner", "prefix", "bits" }

local function run(kernel)
  local words = { "loop", source .. "scripts/examples/code/kernels.c", "--function", kernel, "--chart", chart, "--json", "--", table.unpack(arg, 2) }
  if #arg == 1 then words[#words] = nil end
  local began = core.base.now()
  local result = assert(program.run(source .. "scripts/portolan", words, { seconds = 900 }))
  return result.status == 0 and json.decode(result.out, kernel) or nil, core.base.now() - began, result
end

-- The loop that is hottest, by what `predict --code` thinks.
local function row(kernel)
  local list, seconds, result = run(kernel)
  local p = list and list[1]
  if not p then return ("%-8s %6.1f   %s"):format(kernel, seconds, result.err:match "[^\n]*\n?$") end
  local m, predicted = p.measured or {}, p.cycles or p.least_cycles
  local as_measured = m.predicted or predicted
  local error = m.cycles and as_measured and ("%+5.1f%%"):format(100 * (as_measured / m.cycles - 1)) or ""
  local best
  for _, change in ipairs(m.changes or {}) do
    if not best or change.cycles < best.cycles then best = change end
  end
  local gain = best and m.cycles and best.cycles < 0.95 * m.cycles and ("%s: %.3f"):format(best.what, best.cycles) or ""
  return ("%-8s %6.1f  %8s %9s  %7s  %s%s"):format(kernel, seconds, m.cycles and ("%.3f"):format(m.cycles) or "-",
    as_measured and ("%s%.3f"):format(p.cycles and "" or ">= ", as_measured) or "-", error, m.cycles and "" or (m.message or "") .. " ", gain)
end

print(("kernels.c, %s"):format(#arg > 1 and table.concat(arg, " ", 2) or "-O2"))
print(("%-8s %6s  %8s %9s  %7s  %s"):format("loop", "s", "measured", "predicted", "error", "what a change gave"))
for _, kernel in ipairs(kernels) do
  print(row(kernel))
  io.stdout:flush()
end
