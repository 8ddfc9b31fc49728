--- Drawing: a few shapes over the element builder. Colours come from style classes, so that one drawing serves light,
-- dark and print.
local html = require "portolan.report.html"
local svg = {}
local h = html.tag

--- A coordinate: at most two decimals, no trailing zeros.
function svg.number(x)
  local text = ("%.2f"):format(x):gsub("0+$", ""):gsub("%.$", "")
  return text == "-0" and "0" or text
end
local num = svg.number

--- The frame. Scales down with the page, never above its natural width.
-- @tparam table options
-- @tparam number options.width in user units, also the natural width in px
-- @tparam number options.height likewise
-- @tparam[opt] string options.title for those who cannot see it
-- @tparam[opt] string options.class
-- @tparam[opt] boolean options.decorative hidden from screen readers
-- @tparam table children list of nodes
function svg.frame(options, children)
  return h.svg {
    class = options.class,
    viewBox = ("0 0 %s %s"):format(num(options.width), num(options.height)),
    style = ("width:%spx"):format(num(options.width)),
    role = not options.decorative and "img",
    ["aria-label"] = options.title,
    ["aria-hidden"] = options.decorative and "true",
    children,
  }
end

--- A group with a class.
function svg.group(class, children)
  return h.g { class = class, children }
end

--- A rectangle; `note` becomes its tooltip.
function svg.rect(class, x, y, width, height, note, radius)
  return h.rect {
    class = class, x = num(x), y = num(y), width = num(width), height = num(height),
    rx = radius and num(radius), note and h.title(note),
  }
end

--- A straight line.
function svg.line(class, x1, y1, x2, y2)
  return h.line { class = class, x1 = num(x1), y1 = num(y1), x2 = num(x2), y2 = num(y2) }
end

--- A circle.
function svg.circle(class, x, y, radius)
  return h.circle { class = class, cx = num(x), cy = num(y), r = num(radius) }
end

--- Text at a point; anchor "start" (default), "middle" or "end".
function svg.text(class, x, y, text, anchor)
  return h.text { class = class, x = num(x), y = num(y), ["text-anchor"] = anchor, text }
end

--- A path from a list of commands and coordinates, e.g. { "M", 0, 0, "L", 4, 4 }.
function svg.path(class, steps, note)
  local parts = {}
  for i, step in ipairs(steps) do parts[i] = type(step) == "number" and num(step) or step end
  return h.path { class = class, d = table.concat(parts, " "), note and h.title(note) }
end

--- Round steps for an axis from 0 to `max`: about `count` of them, each 1, 2, 2.5 or 5 times a power of ten.
-- @treturn number step
function svg.step(max, count)
  local rough = max / (count or 5)
  if rough <= 0 then return 1 end
  local power = 10 ^ math.floor(math.log(rough, 10))
  for _, factor in ipairs { 1, 2, 2.5, 5, 10 } do
    if factor * power >= rough * 0.999999 then return factor * power end
  end
  return 10 * power
end

return svg
