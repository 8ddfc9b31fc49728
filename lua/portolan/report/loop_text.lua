--- What `portolan loop` prints of a loop: measured, predicted, why, and what changes give.
-- @module portolan.report.loop_text
local block_text = require "portolan.report.block_text"
local block_words = require "portolan.report.block_words"
local lists = require "portolan.support.lists"
local prediction_text = require "portolan.report.prediction_text"
local printable = require "portolan.support.printable"

local loop_text = {}

local alike = 0.05 -- a share: predictions that are so near are right
local same = block_words.same

local function percent(share) return ("%+.1f%%"):format(100 * share) end

-- How the iterations that were measured are counted.
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
  context.out("  measured   %s cycles per iteration%s; %s\n", context.style(("%.3f"):format(m.cycles), "bold"), wide, counted(m))
end

-- What may be why a loop takes longer, or less, than is predicted: what the prediction itself says that it does not know.
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

local function show_predicted(p, context)
  local m = p.measured
  local expected = m and m.cycles and (m.predicted or p.cycles)
  if not expected or expected == 0 then return end
  local share = expected / m.cycles - 1
  if math.abs(share) <= alike then
    context.out("  predicted  %.3f, as measured (%s)\n", expected, percent(share))
    return
  end
  context.out("  predicted  %s\n", context.style(("%.3f: %s of what is measured"):format(expected, percent(share)), "red"))
  local list = reasons(p, share)
  for _, reason in ipairs(list) do context.out("             %s\n", printable(reason)) end
  if #list == 0 then
    context.out("             the chart says nothing of why; caches, pages and lines that accesses cross are not in it\n")
  end
end

-- By how much a change is faster or slower than the loop as it is; nil if that was not measured.
local function gain_of(change, m) return m.cycles and change.cycles / m.cycles - 1 end

local function change_line(change, m)
  local gain = gain_of(change, m)
  local words = not gain and "" or math.abs(gain) <= same and "same" or percent(gain)
  return ("  %-36s %8.3f  %7s%s"):format(change.what, change.cycles, words,
    change.predicted and ("  predicted %.3f"):format(change.predicted) or "")
end

-- Places in a line at which it takes as long as where it is are one line.
local function show_changes(m, context)
  local measured = lists.where(m.changes, function(change) return change.cycles ~= nil end)
  if #measured == 0 then return end
  context.out("\n  %-36s %8s\n", "changed, measured", "cycles")
  local alike_places = {}
  for _, change in ipairs(measured) do
    local gain = gain_of(change, m)
    if change.place and gain and math.abs(gain) <= same then
      alike_places[#alike_places + 1] = change.place
    else
      local line = change_line(change, m)
      context.out("%s\n", gain and gain < -same and context.style(line, "green") or line)
    end
  end
  if #alike_places > 0 then
    context.out("  beginning at %s of 64 bytes: same\n", table.concat(alike_places, ", "))
  end
end

--- Prints what was found of a loop.
-- @param p prediction of `portolan.cli.block_prediction`, or `{ trouble = }`; with `title`, `mapping`, and `measured` (portolan.loop.times) if it
-- was measured
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
  if p.measured then show_changes(p.measured, context) end
  prediction_text.path(p, context)
end

return loop_text
