--- This module writes what `portolan predict` prints of a block of code: its bounds, the critical cycle, its instructions, port loads, and what
-- changes would give.
-- @module portolan.report.block_text
local block_words = require "portolan.report.block_words"
local mapping = require "portolan.mapping"
local prediction_text = require "portolan.report.prediction_text"
local printable = require "portolan.support.printable"

local block_text = {}

local short, plural, text_of = block_words.short, block_words.plural, block_words.text_of

local function show_bounds(p, context)
  context.out("  %-12s   cycles\n", "bound")
  for _, bound in ipairs(block_words.bounds(p)) do
    local line = ("  %-12s %s%s"):format(bound.title, (" "):rep(8 - #("%.3f"):format(bound.cycles)), bound.text)
    context.out("%s\n", bound.limit and context.style(line, "red") or line)
  end
end

local function show_critical(p, context)
  local title = block_words.critical_title(p)
  if not title then return end
  context.out("\n  %s\n", title)
  context.out("     #  cycles  waits for          places        instruction\n")
  for _, step in ipairs(p.critical) do
    local text = text_of(p, step.instruction)
    local source = ("%d, by %s"):format(step.waits_for, block_words.register_in(p.instructions[step.instruction].text, step.through))
    local line = ("  %4d  %6s  %-17s  %-12s  %s%s"):format(step.instruction, short(step.cycles), source, step.from .. " > " .. step.to, text,
      step.iterations > 0 and ("  (%s before)"):format(plural(step.iterations, "iteration")) or "")
    context.out("%s\n", line)
  end
end

local function ports_of(p, i)
  if p.instructions[i].fused then return ("one with %d"):format(i - 1) end
  if p.instructions[i].with_next then return ("in one slot with %d"):format(i + 1) end
  local uops = block_words.uops(p, i)
  return printable(uops and mapping.usage { uops = uops } or "unknown")
end

local function show_instructions(p, context)
  local marked, width = block_words.limiting(p), 5
  for i = 1, math.min(#p.instructions, block_words.most_rows) do width = math.max(width, math.min(#ports_of(p, i), 32)) end
  local form = "%s %4d  %5s  %-" .. width .. "s  %15s  %s"
  context.out("\n%s\n", ("     #  slots  %-" .. width .. "s  %15s  instruction"):format("ports", "without it"))
  for i, instruction in ipairs(p.instructions) do
    if i > block_words.most_rows then
      context.out("        and %d more\n", #p.instructions - block_words.most_rows)
      break
    end
    local slots = (instruction.fused or instruction.with_next) and "" or tostring(instruction.slots)
    local text = text_of(p, i) .. (instruction.source and ("  (by %s)"):format(printable(instruction.source)) or "")
    local line = form:format(marked[i] and "*" or " ", i, slots, ports_of(p, i), block_words.without(p, i), text)
    context.out("%s\n", marked[i] and context.style(line, "red") or line)
  end
end

local function show_gains(p, ports, context)
  if p.cycles == 0 then return end
  local list, width = block_words.gains(p, ports), 27
  if #list == 0 then
    context.out("\n  no second port and no further issue slot would make it faster\n")
    return
  end
  for _, gain in ipairs(list) do width = math.max(width, math.min(#gain.what, 56)) end
  context.out("\n  %-" .. width .. "s    cycles\n", "with")
  for _, gain in ipairs(list) do
    context.out("  %-" .. width .. "s %s\n", printable(gain.what), block_words.change(gain.cycles, p.cycles))
  end
end

--- Prints the prediction of a block.
-- @param p as of `portolan.prediction`, with `title` if it has one
-- @param ports names of all ports
-- @param context of the command
-- @param[opt] then_ function() that prints what comes below the title and its time
function block_text.show(p, ports, context, then_)
  context.out("%s%s\n  %s\n", context.style(printable(p.title or p.text), "bold"),
    p.ignores and ("  (%s)"):format(prediction_text.ignored) or "", printable(block_words.time_line(p)))
  if then_ then then_() end
  context.out("\n")
  show_bounds(p, context)
  show_critical(p, context)
  show_instructions(p, context)
  context.out("\n")
  prediction_text.ports(p, ports, block_words.is_limit(p, "ports") and p.bottleneck or {}, context)
  show_gains(p, ports, context)
  prediction_text.show_doubts(p, context)
end

return block_text
