--- The critical cycle of a block as arrows beside its listing: from the instruction that writes to the one that waits, with what passes between
-- them and the cycles that it takes.
-- @module portolan.report.prediction.arrows
local block_words = require "portolan.report.block_words"
local lists = require "portolan.support.lists"
local svg = require "portolan.report.svg"

local arrows = {}

local lane_width, tip, nib = 11, 10, 4

-- The arrows of the steps between rows that are shown.
local function of(p, rows)
  local list = {}
  for _, step in ipairs(p.critical) do
    if step.waits_for <= rows and step.instruction <= rows then
      local name = block_words.register_in(p.instructions[step.instruction].text, step.through)
      list[#list + 1] = { from = step.waits_for, to = step.instruction, iterations = step.iterations, name = name, cycles = step.cycles,
        note = ("%d waits for %d%s by %s, from %s to %s: %s"):format(step.instruction, step.waits_for,
          step.iterations > 0 and (" of %s before"):format(block_words.plural(step.iterations, "iteration")) or "", name, step.from, step.to,
          block_words.plural(step.cycles, "cycle")) }
    end
  end
  return list
end

-- Labels stand where an arrow ends: row -> text.
local function labels_of(list)
  local labels = {}
  for _, arrow in ipairs(list) do
    local text = ("%s +%s"):format(arrow.name, block_words.short(arrow.cycles))
    labels[arrow.to] = labels[arrow.to] and labels[arrow.to] .. ", " .. text or text
  end
  return labels
end

-- About what a label takes: fonts differ, and an m is wide in all of them.
local function label_width(text)
  local _, wide = text:gsub("m", "")
  return 7.2 * #text + 4 * wide
end

local function overlaps(a, b) return a.low < b.high and b.low < a.high or a.low == b.low and a.high == b.high end

local function free(lane, arrow)
  return not lists.any(lane, function(other) return overlaps(other, arrow) end)
end

--- Gives every arrow a lane, so that no two of them overlap: those that cover the fewest rows are nearest to the text.
-- @param list of arrows `{ from =, to = }`, numbers of rows; each gets `lane`, from 1
-- @return how many lanes there are
function arrows.give_lanes(list)
  local order, taken = {}, {}
  for i, arrow in ipairs(list) do
    arrow.low, arrow.high = math.min(arrow.from, arrow.to), math.max(arrow.from, arrow.to)
    order[i] = { arrow = arrow, number = i }
  end
  table.sort(order, function(a, b)
    local long_a, long_b = a.arrow.high - a.arrow.low, b.arrow.high - b.arrow.low
    if long_a ~= long_b then return long_a < long_b end
    local back_a, back_b = a.arrow.from > a.arrow.to, b.arrow.from > b.arrow.to
    if back_a ~= back_b then return back_b end -- what leads back goes round
    return a.number < b.number
  end)
  for _, entry in ipairs(order) do
    local k = 1
    while taken[k] and not free(taken[k], entry.arrow) do k = k + 1 end
    lists.into(taken, k, entry.arrow)
    entry.arrow.lane = k
  end
  return #taken
end

--- Plans the arrows of a prediction.
-- @param p prediction of a block
-- @param rows how many of its instructions are shown
-- @treturn table `width` in user units, 0 without a cycle; for `draw`
function arrows.plan(p, rows)
  local list = of(p, rows)
  local labels, longest, count = labels_of(list), 0, arrows.give_lanes(list)
  for _, text in pairs(labels) do longest = math.max(longest, label_width(text)) end
  return { list = list, labels = labels, lanes = count, width = #list > 0 and longest + count * lane_width + tip + 8 or 0,
    limits = block_words.is_limit(p, "dependencies") }
end

-- From the end of one row, along the lane, to the beginning of the other.
local function draw_arrow(plan, arrow, y_of)
  local right = plan.width
  local x, r = right - tip - (arrow.lane - 0.5) * lane_width, 4
  local from, to = y_of(arrow.from) + 4, y_of(arrow.to) - 4
  local turn = from < to and r or -r
  local class = arrow.iterations > 0 and "wait around" or "wait"
  return svg.group(nil, {
    svg.path(class, { "M", right, from, "H", x + r, "Q", x, from, x, from + turn, "V", to - turn, "Q", x, to, x + r, to, "H", right - nib },
      arrow.note),
    svg.path("nib", { "M", right, to, "l", -6, -3.2, "v", 6.4, "Z" }),
  })
end

--- The drawing, `plan.width` wide from x = 0.
-- @param plan of `arrows.plan`
-- @param y_of function(row) -> its middle
-- @return node
function arrows.draw(plan, y_of)
  local parts = {}
  for _, arrow in ipairs(plan.list) do parts[#parts + 1] = draw_arrow(plan, arrow, y_of) end
  for _, arrow in ipairs(plan.list) do
    local text = plan.labels[arrow.to]
    if text then
      parts[#parts + 1] = svg.text("through", plan.width - tip - plan.lanes * lane_width - 5, y_of(arrow.to), text, "end")
      plan.labels[arrow.to] = nil
    end
  end
  return svg.group(plan.limits and "cycle" or "cycle slack", parts)
end

return arrows
