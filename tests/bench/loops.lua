-- The twelve kernels of scripts/examples/code/kernels.c through `portolan loop`, one after the other: seconds, cycles measured and predicted; and
-- what other predictors say of the same code.
-- usage: portolan run -- tests/bench/loops.lua CHART [--beside PREDICTOR ...] [FLAG ...], with a folder for the chart that grows (a new one: from
-- nothing; `shipped`: the chart that ships, and what was measured before in the user's cache, $XDG_CACHE_HOME), names of predictors (llvm-mca:native,
-- osaca:ZEN3) and flags for the compiler ($CC, if it is set)
local core = require "portolan.core"
local file = require "portolan.support.file"
local json = require "portolan.support.json"
local lists = require "portolan.support.lists"
local program = require "portolan.predictor.machinery.program"
local compiler = require "portolan.code.source"

local source = debug.getinfo(1, "S").source:match "^@(.*)tests/bench/loops%.lua$" or "./"
local kernels = { "dot", "saxpy", "gemm", "stencil", "hash", "length", "find", "crc", "list", "horner", "prefix", "bits" }

local chart = assert(arg[1], "usage: portolan run -- tests/bench/loops.lua CHART [--beside PREDICTOR ...] [FLAG ...]")
local beside, flags, k = {}, {}, 2
while arg[k] do
  if arg[k] == "--beside" then beside[#beside + 1], k = arg[k + 1], k + 2 else flags[#flags + 1], k = arg[k], k + 1 end
end

-- Title of a loop -> what the other predictors say, a list.
local function others()
  local of, path = {}, os.tmpname()
  if #beside == 0 then return of end
  local bytes = assert(compiler.compile(source .. "scripts/examples/code/kernels.c", { flags = flags }))
  assert(file.write(path, bytes))
  local words = { "predict", "--json", "--code", path }
  for _, name in ipairs(beside) do table.move({ "--predictor", name }, 1, 2, #words + 1, words) end
  local result = assert(program.run(source .. "scripts/portolan", words, { seconds = 900 }))
  os.remove(path)
  for _, block in ipairs(assert(json.decode(result.out, "predictions"))) do of[block.block] = block.predictions end
  return of
end

local said = others()

local function run(kernel)
  local words = { "loop", source .. "scripts/examples/code/kernels.c", "--function", kernel, "--json" }
  words = lists.joined(words, chart == "shipped" and {} or { "--chart", chart })
  words = lists.joined(words, #flags > 0 and lists.joined({ "--" }, flags) or {})
  local began = core.base.now()
  local result = assert(program.run(source .. "scripts/portolan", words, { seconds = 900 }))
  return result.status == 0 and json.decode(result.out, kernel) or nil, core.base.now() - began, result
end

local near = 0.05 -- a share: a prediction that is right
local within, measured, all_seconds = {}, 0, {} -- name of a predictor -> loops that it is right about

local function count(name, cycles, m)
  if m.cycles and cycles and math.abs(cycles / m.cycles - 1) <= near then within[name] = (within[name] or 0) + 1 end
end

local function cell(cycles, width) return ("%" .. width .. "s"):format(cycles and ("%.3f"):format(cycles) or "-") end

local function column_width(name) return math.max(9, #name) end

-- The change that gave most, if it gave anything.
local function best_change(m)
  local best
  for _, change in ipairs(m.cycles and m.changes or {}) do
    if change.cycles < (1 - near) * (best or m).cycles then best = change end
  end
  return best and ("%s: %.3f"):format(best.what, best.cycles) or ""
end

-- What the command found of a loop that is off: how its code is fetched, what its instructions take as an experiment, or the part that is enough.
local function difference(p)
  local m = p.measured or {}
  local w, fetched = m.witness, m.right_layout and "\n           right " .. m.right_layout or ""
  if m.fetching then fetched = ("%s\n           NOPs of the same lengths: %.3f"):format(fetched, m.fetching) end
  local e = m.as_experiment
  if e then fetched = ("%s\n           as an experiment %.3f, predicted %.3f"):format(fetched, e.cycles, e.predicted) end
  if not w then return fetched end
  local texts = lists.map({ table.unpack(w.instructions, 1, 8) }, function(i) return p.instructions[i].text end)
  if #w.instructions > #texts then texts[#texts + 1] = "..." end
  return fetched .. ("\n           %d of %d: %.3f, predicted %.3f: %s"):format(#w.instructions, #p.instructions, w.cycles, w.predicted,
    w.left_out > 0 and table.concat(texts, "; ") or "all of it")
end

-- The loop that is hottest, by what `predict --code` thinks.
local function row(kernel)
  local list, seconds, result = run(kernel)
  local p = list and list[1]
  if not p then return ("%-8s %6.1f   %s"):format(kernel, seconds, result.err:match "[^\n]*\n?$") end
  local m, predicted = p.measured or {}, p.cycles or p.least_cycles
  predicted = m.predicted or predicted
  measured, all_seconds[#all_seconds + 1] = measured + (m.cycles and 1 or 0), seconds
  count("portolan", predicted, m)
  local cells = { ("%-8s %6.1f"):format(kernel, seconds), cell(m.cycles, 9), cell(predicted, 9) }
  for i, other in ipairs(said[p.title] or {}) do
    count(beside[i], other.cycles, m)
    cells[#cells + 1] = cell(other.cycles, column_width(beside[i]))
  end
  cells[#cells + 1] = m.cycles and best_change(m) or m.message or ""
  cells[#cells] = cells[#cells] .. difference(p)
  return table.concat(cells, " ")
end

print(("kernels.c, %s"):format(#flags > 0 and table.concat(flags, " ") or "-O2"))
local titles = {}
for i, name in ipairs(beside) do titles[i] = (" %" .. column_width(name) .. "s"):format(name) end
print(("%-8s %6s %9s %9s%s %s"):format("loop", "s", "measured", "predicted", table.concat(titles), "what a change gave; where the difference is"))
for _, kernel in ipairs(kernels) do
  print(row(kernel))
  io.stdout:flush()
end
table.sort(all_seconds)
local n = #all_seconds
print(("median %.1f s; of %d measured within %.0f%%: portolan %d"):format((all_seconds[(n + 1) // 2] + all_seconds[n // 2 + 1]) / 2, measured,
  100 * near, within.portolan or 0))
for _, name in ipairs(beside) do print(("  %s %d"):format(name, within[name] or 0)) end
