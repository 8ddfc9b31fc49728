--- A block's picture as a file of its own, for texts: its title, the prediction, the bounds, and the listing with ports and critical cycle.
-- @module portolan.report.prediction.figure
local block_words = require "portolan.report.block_words"
local bounds = require "portolan.report.prediction.bounds"
local html = require "portolan.report.html"
local listing = require "portolan.report.prediction.listing"
local style = require "portolan.report.prediction.style"
local svg = require "portolan.report.svg"
local h = html.tag

local figure = {}

local margin, head_height, between = 16, 54, 14
local letter = 6.9 -- width of a letter of the line below the title

local function moved(x, y, parts) return h.g { transform = ("translate(%s %s)"):format(svg.number(x), svg.number(y)), parts } end

-- Says in one line what changes of the core would give.
local function gains_line(p, ports)
  local list = block_words.gains(p, ports)
  if p.cycles == 0 then return "" end
  if #list == 0 then return "No second port and no further issue slot would make it faster." end
  local words = {}
  for i = 1, math.min(3, #list) do words[i] = ("%s: %.3f (%+.0f%%)"):format(list[i].what, list[i].cycles, 100 * (list[i].cycles / p.cycles - 1)) end
  return "With " .. table.concat(words, "; ")
end

--- The file.
-- @param p prediction of a block, with `title`
-- @param ports names of all ports
-- @treturn string SVG; refers to nothing outside of it, and runs nothing
function figure.render(p, ports)
  local line, gains = block_words.time_line(p), gains_line(p, ports)
  local bars, bars_width, bars_height = bounds.parts(p)
  local rows, rows_width, rows_height = listing.parts(p, ports)
  local longest = math.max(utf8.len(line) or #line, utf8.len(gains) or #gains)
  local width = 2 * margin + math.max(bars_width, rows_width, longest * letter)
  local below = head_height + bars_height + between
  local height = below + rows_height + 34
  return '<?xml version="1.0" encoding="UTF-8"?>\n' .. html.render(h.svg {
    xmlns = "http://www.w3.org/2000/svg", class = "block", role = "img", ["aria-labelledby"] = "title text",
    viewBox = ("0 0 %s %s"):format(svg.number(width), svg.number(height)), width = svg.number(width), height = svg.number(height),
    h.title { id = "title", p.title or p.text }, "\n",
    h.desc { id = "text", line .. ". " .. listing.words(p) .. ". " .. gains }, "\n",
    h.style { html.raw("\n" .. style.file) }, "\n",
    svg.rect("sheet", 0, 0, width, height),
    svg.text("title", margin, 20, p.title or p.text), svg.text("line", margin, 40, line), "\n",
    moved(margin, head_height, bars), "\n",
    moved(margin, below, rows), "\n",
    svg.text("line", margin, height - 18, gains),
  }) .. "\n"
end

return figure
