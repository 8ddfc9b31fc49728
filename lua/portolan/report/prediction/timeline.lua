--- The first iterations of a block, cycle by cycle: a row for each instance, from its issue over the uops that begin to its results.
-- @module portolan.report.prediction.timeline
local block_words = require "portolan.report.block_words"
local lists = require "portolan.support.lists"
local svg = require "portolan.report.svg"

local timeline = {}

local row_height, top = 15, 22
local label_width, span, least_cell, most_cell = 236, 860, 2, 18
local longest_text = 31
local most_rows = 48
local most_iterations = 6

--- Returns how many iterations a picture has room for.
-- @param items instructions of the block
-- @return number; nil if there is no room for one
function timeline.iterations(items)
  if items == 0 or items > block_words.most_rows then return nil end
  return math.max(1, math.min(most_iterations, most_rows // items))
end

local function last_cycle(rows)
  local last = 1
  for _, row in ipairs(rows) do
    last = math.max(last, math.ceil(row.done or 0), row.issued + 1)
    for _, uop in ipairs(row.uops) do last = math.max(last, uop.cycle + 1) end
  end
  return last
end

local function shortened(text) return #text > longest_text and text:sub(1, longest_text - 1) .. "…" or text end

local function words_of(row)
  local begun = lists.map(row.uops, function(uop) return uop.port and ("%d on port %s"):format(uop.cycle, uop.port) or tostring(uop.cycle) end)
  return ("iteration %d, %d %s: issued in cycle %d%s%s"):format(row.iteration, row.item, row.text, row.issued,
    #begun > 0 and ", begins in " .. table.concat(begun, ", ") or "", row.done and (", done in %s"):format(block_words.short(row.done)) or "")
end

-- Uops that begin in the same cycle are slices of one box.
local function boxes(frame, row, y)
  local at, parts = {}, {}
  for _, uop in ipairs(row.uops) do
    lists.into(at, uop.cycle, uop)
  end
  for cycle, uops in pairs(at) do
    local x, width, height = label_width + cycle * frame.cell, math.max(1, frame.cell - 1), (row_height - 3) / #uops
    for i, uop in ipairs(uops) do
      parts[#parts + 1] = { cycle = cycle, i = i, node = svg.rect("begins", x, y - 6 + (i - 1) * height, width, height - (i < #uops and 0.7 or 0)),
        text = #uops == 1 and uop.port and frame.cell >= 13 and svg.text("on", x + width / 2, y, tostring(uop.port), "middle") }
    end
  end
  table.sort(parts, function(a, b) return a.cycle < b.cycle or a.cycle == b.cycle and a.i < b.i end)
  return lists.map(parts, function(part) return { part.node, part.text } end)
end

local function first_begin(row)
  local first
  for _, uop in ipairs(row.uops) do first = math.min(first or uop.cycle, uop.cycle) end
  return first
end

-- Rows as they are drawn: of two instructions that are one uop one row, with the uop.
local function merged(p, rows)
  local list = {}
  for _, row in ipairs(rows) do
    local before = list[#list]
    if p.instructions[row.item].fused and before then
      before.text = before.text .. " + " .. (block_words.text_of(p, row.item):match "^%S+")
      before.uops = table.move(row.uops, 1, #row.uops, #before.uops + 1, lists.copy(before.uops))
      before.done = before.done and row.done and math.max(before.done, row.done)
    else
      list[#list + 1] = { iteration = row.iteration, item = row.item, issued = row.issued, uops = row.uops, done = row.done,
        text = block_words.text_of(p, row.item) }
    end
  end
  return list
end

local function draw_row(frame, row, y, critical)
  local x, first = label_width + row.issued * frame.cell, first_begin(row)
  local done = row.done or first or row.issued
  local from = first or row.issued
  return svg.group(critical and "instance limits" or "instance", {
    svg.text("number", 34, y, ("%d.%d"):format(row.iteration, row.item), "end"),
    svg.text("code", 42, y, shortened(row.text)),
    first and first > row.issued and svg.line("waiting", x, y, label_width + first * frame.cell, y),
    done > from and svg.rect("running", label_width + from * frame.cell, y - 4, (done - from) * frame.cell - 1, 8),
    svg.line("issued", x, y - 5, x, y + 5),
    boxes(frame, row, y),
    svg.rect("hit", 0, y - row_height / 2, frame.width, row_height, words_of(row)),
  })
end

local function axis(frame, last, bottom)
  local parts, step = {}, math.max(1, math.floor(svg.step(last, 12)))
  for cycle = 0, last, step do
    local x = label_width + cycle * frame.cell
    parts[#parts + 1] = svg.line("grid", x, top - 4, x, bottom)
    parts[#parts + 1] = svg.text("head", x, 9, tostring(cycle), "middle")
  end
  parts[#parts + 1] = svg.text("head", 0, 9, "iteration, instruction")
  return parts
end

--- The picture.
-- @param p prediction of a block
-- @param rows as of `Model:timeline` (portolan.block.model)
-- @return node
function timeline.render(p, rows)
  local last, marked = last_cycle(rows), {}
  rows = merged(p, rows)
  for _, step in ipairs(block_words.is_limit(p, "dependencies") and p.critical or {}) do marked[step.instruction] = true end
  local frame = { cell = math.max(least_cell, math.min(most_cell, span / last)) }
  frame.width = label_width + last * frame.cell + 8
  local bottom, parts = top + #rows * row_height, {}
  for i, row in ipairs(rows) do
    local y = top + (i - 0.5) * row_height
    if row.item == 1 and row.iteration > 1 then parts[#parts + 1] = svg.line("next", 0, y - row_height / 2, frame.width, y - row_height / 2) end
    parts[#parts + 1] = draw_row(frame, row, y, marked[row.item])
  end
  local iterations = rows[#rows].iteration
  return svg.frame({ width = frame.width, height = bottom + 4, class = "block times",
    title = ("%s from an empty core: all done in %s"):format(block_words.plural(iterations, p.loop and "iteration" or "run"),
      block_words.plural(last, "cycle")) }, { axis(frame, last, bottom), parts })
end

return timeline
