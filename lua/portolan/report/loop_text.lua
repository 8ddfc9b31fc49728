--- This module writes what `portolan loop` prints of a loop: measured, predicted, why, and what changes give.
-- @module portolan.report.loop_text
local block_text = require "portolan.report.block_text"
local block_words = require "portolan.report.block_words"
local lists = require "portolan.support.lists"
local difference = require "portolan.loop.difference"
local prediction_text = require "portolan.report.prediction_text"
local printable = require "portolan.support.printable"

local loop_text = {}

local most_of_witness = 24 -- instructions that are shown
local same = block_words.same

local function percent(share) return ("%+.1f%%"):format(100 * share) end

-- Says how the iterations that were measured are counted.
local function counted(measured)
  if measured.counted == "own" then return ("it counts by %s itself"):format(measured.register) end
  if measured.counted == "compare" then return ("a counter in %s stands in for its comparison"):format(measured.register) end
  return ("a counter in %s is one instruction more"):format(measured.register)
end

local function show_measured(m, context)
  if not m.cycles then
    context.out("  measured   %s\n", printable(("not: %s"):format(m.message or m.status)))
    if m.range then context.out("             its iterations take now %.3f cycles, now %.3f\n", m.range.low, m.range.high) end
    return
  end
  local wide = m.range and m.range.high - m.range.low > same * m.cycles and (" (%.3f to %.3f)"):format(m.range.low, m.range.high) or ""
  local how = counted(m) .. (m.after_jumps and "; behind jumps, as it is not steady without" or "")
  context.out("  measured   %s cycles per iteration%s; %s\n", context.style(("%.3f"):format(m.cycles), "bold"), wide, how)
end

-- Lists what may be why a loop takes longer, or less, than is predicted: what the prediction itself says that it does not know.
local function reasons(p, share)
  local list, lacking = {}, p.lacking_latency or {}
  local function add(...) list[#list + 1] = string.format(...) end
  if #(p.unknown or {}) > 0 then add("%s not known", table.concat(p.unknown, "; ")) end
  if #lacking > 0 then add("the latency of %s is not known", table.concat(lacking, "; ")) end
  local rough = lists.keys(p.rests_on or {})
  if #rough > 0 then add("of %s only what it takes alone is known", table.concat(rough, "; ")) end
  local assumed = lists.keys(p.assumed or {})
  if #assumed > 0 then add("ports of %s are assumed", table.concat(assumed, "; ")) end
  if share < 0 and p.simulated_cycles and p.simulated_cycles > p.cycles * (1 + same) then
    add("no bound is reached: simulated, it takes %.3f", p.simulated_cycles)
  end
  return list
end

--- Says what else was measured to tell why the prediction of a loop is wrong: a layout of the same instructions takes what is predicted, NOPs take
-- longer, or the instructions as an experiment do.
-- @param m what was measured (portolan.loop.times)
-- @return list of texts
function loop_text.further(m)
  local list = {}
  local right = lists.first(m.changes, function(change) return change.what == m.right_layout end)
  if right then list[1] = ("%s it takes %.3f, as predicted: what differs is how its code is fetched"):format(right.what, right.cycles) end
  if m.fetching then list[#list + 1] = ("NOPs of the same lengths in its place take %.3f: what fetching its code takes"):format(m.fetching) end
  local e = m.as_experiment
  if e then
    local verdict = difference.is_of_mapping(m) and "the mapping is wrong about them together"
      or "what differs is where data are, what waits for what, or fetching"
    list[#list + 1] = ("as an experiment its instructions take %.3f, predicted %.3f: %s"):format(e.cycles, e.predicted, verdict)
  end
  return list
end

--- Says which part of a loop is enough for the difference, and of how many of its instructions.
-- @param p prediction with `measured.witness`
-- @return text
function loop_text.witness_words(p)
  local w = p.measured.witness
  local what = w.left_out == 0 and "the whole loop" or ("%d of its %d instructions by themselves"):format(#w.instructions, #p.instructions)
  return ("%s%s%s"):format(what, w.place and (", beginning at %d of 64 bytes"):format(w.place) or "",
    w.complete and "" or " (time was over: fewer may be enough)")
end

local function show_witness(p, context)
  local w = p.measured and p.measured.witness
  if not w then return end
  context.out("\n  where the difference is: %s\n", loop_text.witness_words(p))
  context.out("  measured %s, predicted %.3f\n", context.style(("%.3f"):format(w.cycles), "bold"), w.predicted)
  if w.left_out == 0 then return end
  for k = 1, math.min(#w.instructions, most_of_witness) do
    context.out("  %4d  %s\n", w.instructions[k], printable(p.instructions[w.instructions[k]].text))
  end
  if #w.instructions > most_of_witness then context.out("        and %d more, which --json lists\n", #w.instructions - most_of_witness) end
end

local function show_predicted(p, context)
  local m = p.measured
  local expected = m and m.cycles and (m.predicted or p.cycles)
  if not expected or expected == 0 then return end
  local share = expected / m.cycles - 1
  if math.abs(share) <= difference.wrong then
    context.out("  predicted  %.3f, as measured (%s)\n", expected, percent(share))
    return
  end
  context.out("  predicted  %s\n", context.style(("%.3f: %s of what is measured"):format(expected, percent(share)), "red"))
  local list = lists.joined(loop_text.further(m), reasons(p, share))
  for _, reason in ipairs(list) do context.out("             %s\n", printable(reason)) end
  if #list == 0 and not m.witness then
    context.out("             the chart says nothing of why; caches, pages and how code is fetched are not in it\n")
  end
end

-- Says by how much other cycles are more, in words.
local function words_of(cycles, own)
  local gain = own and own > 0 and cycles / own - 1
  return not gain and "" or math.abs(gain) <= same and "same" or percent(gain)
end

-- Is a change as long as the loop is, and predicted to be?
local function is_same(change, m)
  local as_predicted = not change.predicted or math.abs(change.predicted / change.cycles - 1) <= difference.wrong
  return m.cycles ~= nil and math.abs(change.cycles / m.cycles - 1) <= same and as_predicted
end

local function table_line(what, width, cycles, words, rest)
  return ("  %-" .. width .. "s %8.3f  %7s%s"):format(what, cycles, words, rest and "  " .. rest or "")
end

-- Changes that make no difference are one line.
local function show_changes(m, context)
  local measured = lists.where(m.changes, function(change) return change.cycles ~= nil end)
  local different = lists.where(measured, function(change) return not is_same(change, m) end)
  local no_matter = lists.where(measured, function(change) return is_same(change, m) end)
  local width = 36
  for _, change in ipairs(different) do width = math.max(width, #change.what) end
  if #measured > 0 then context.out("\n  %-" .. width .. "s %8s\n", "changed, measured", "cycles") end
  for _, change in ipairs(different) do
    local line = table_line(change.what, width, change.cycles, words_of(change.cycles, m.cycles),
      change.predicted and ("predicted %.3f"):format(change.predicted))
    local faster = m.cycles and change.cycles < m.cycles * (1 - same)
    context.out("%s\n", faster and context.style(line, "green") or line)
  end
  local places = lists.map(lists.where(no_matter, function(change) return change.place end), function(change) return change.place end)
  for _, change in ipairs(no_matter) do
    if not change.place then context.out("  same: %s\n", change.what) end
  end
  if #places > 0 then context.out("  same: beginning at %s of 64 bytes\n", table.concat(places, ", ")) end
end

-- Prints what other mappings say of the loop.
local function show_elsewhere(p, context)
  if #(p.elsewhere or {}) == 0 then return end
  local width = 36
  for _, other in ipairs(p.elsewhere) do width = math.max(width, #other.name) end
  context.out("\n  %-" .. width .. "s %8s\n", "predicted for others", "cycles")
  for _, other in ipairs(p.elsewhere) do
    local q = other.prediction
    if q.trouble or not q.instructions then
      context.out("  %-" .. width .. "s %8s  %s\n", printable(other.name), "-", printable(q.trouble or "some of it is not decoded"))
    else
      local without = block_words.without_what(q)
      local rest = block_words.limits(q) .. (without and ("; at least, %s"):format(without) or "")
      context.out("%s\n", table_line(printable(other.name), width, q.cycles, words_of(q.cycles, p.cycles), printable(rest)))
    end
  end
end

--- Prints what was found of a loop.
-- @param p prediction of `portolan.prediction`, or `{ trouble = }`; with `title`, `mapping`, `measured` (portolan.loop.times) if it was
-- measured, `elsewhere`, list of { name = of another mapping, prediction = }
-- @param context of the command
function loop_text.show(p, context)
  if p.trouble or not p.instructions then
    context.out("%s\n", context.style(printable(p.title), "bold"))
    if p.measured then show_measured(p.measured, context) end
    context.out("  predicted  %s\n", printable(p.trouble and "not: " .. p.trouble or ("at least %.3f by its ports: some of it is not decoded")
      :format(p.cycles)))
  else
    block_text.show(p, p.mapping.ports, context, function()
      if p.measured then show_measured(p.measured, context) end
      show_predicted(p, context)
    end)
  end
  show_witness(p, context)
  if p.measured then show_changes(p.measured, context) end
  show_elsewhere(p, context)
  prediction_text.path(p, context)
end

return loop_text
