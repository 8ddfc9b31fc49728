--- The picture of a block: a row for each instruction, with the critical cycle as arrows on the left, the uops that each port executes of it on the
-- right, what the block takes without it, and below the load of each port.
-- @module portolan.report.prediction.listing
local arrows = require "portolan.report.prediction.arrows"
local block_words = require "portolan.report.block_words"
local lists = require "portolan.support.lists"
local matrix = require "portolan.report.matrix"
local shares = require "portolan.report.prediction.shares"
local svg = require "portolan.report.svg"

local listing = {}

local row_height, top, bar_height = 20, 26, 40
local letter, longest_text = 7.25, 62 -- width of a letter of code; letters of an instruction
local number_width, without_width = 30, 104

local function shortened(text)
  local length = utf8.len(text) or #text
  if length <= longest_text then return text end
  return text:sub(1, (utf8.offset(text, longest_text) or longest_text) - 1) .. "…"
end

-- Computes where everything stands in the picture.
local function frame_of(p, ports)
  local rows = math.min(#p.instructions, block_words.most_rows)
  local plan = arrows.plan(p, rows)
  local texts, longest = {}, 16
  for i = 1, rows do
    texts[i] = shortened(block_words.text_of(p, i))
    longest = math.max(longest, utf8.len(texts[i]) or #texts[i])
  end
  local longest_port = lists.largest(ports, function(port) return utf8.len(port) or #port end, 1)
  local cell = math.max(#ports > 20 and 22 or 29, 6 + 6.5 * longest_port)
  local text = plan.width + number_width
  local first_port = text + longest * letter + 14
  local without = first_port + #ports * cell
  return { rows = rows, plan = plan, texts = texts, ports = ports, cell = cell, number = plan.width + number_width - 8, text = text,
    first_port = first_port, without = without, width = without + without_width, bottom = top + rows * row_height }
end

local function y_of(row) return top + (row - 0.5) * row_height end

-- Returns the words that stand in place of uops; nil if there are some.
local function portless(p, i)
  local instruction = p.instructions[i]
  if instruction.fused then return ("one uop with %d"):format(i - 1) end
  if instruction.with_next then return ("one slot with %d"):format(i + 1) end
  local uops = block_words.uops(p, i)
  if not uops then return p.rests_on and p.rests_on[instruction.scheme] and "ports not known" or "unknown to the mapping" end
  return #uops == 0 and "no port" or nil
end

local function without_parts(frame, p, i, y)
  local text, cycles = block_words.without(p, i), p.instructions[i].without
  local x = frame.width - 6
  if text == "" then return nil end
  if text == "same" then return svg.text("same", x, y, "same", "end") end
  local percent = text:match "%S+$"
  return { svg.text("time", x - 44, y, ("%.3f"):format(cycles), "end"), svg.text(cycles < p.cycles and "gain" or "loss", x, y, percent, "end") }
end

local function cells(frame, p, i, part, y)
  local parts, instead = {}, portless(p, i)
  if instead then return svg.text("instead", frame.first_port + 4, y, instead) end
  for k, port in ipairs(frame.ports) do
    local share = part[port]
    if share and share >= 0.005 then
      local class, x = matrix.class(share), frame.first_port + (k - 1) * frame.cell
      parts[#parts + 1] = svg.rect("use " .. class, x, y - 9, frame.cell - 1, 18)
      parts[#parts + 1] = svg.text("share " .. class, x + (frame.cell - 1) / 2, y, matrix.short(share), "middle")
    end
  end
  return parts
end

local function draw_row(frame, p, i, marked, part)
  local y = y_of(i)
  return svg.group(marked and "row limits" or "row", {
    marked and svg.rect("band", frame.plan.width, y - 10, frame.first_port - frame.plan.width - 4, 20),
    svg.text("number", frame.number, y, tostring(i), "end"),
    svg.text("code", frame.text, y, frame.texts[i]),
    cells(frame, p, i, part, y),
    without_parts(frame, p, i, y),
  })
end

local function heads(frame, p, full)
  local parts = { svg.text("head", frame.text, 14, "instruction"), svg.text("head", frame.width - 6, 14, "without it", "end") }
  if frame.plan.width > 0 then parts[3] = svg.text("head", 0, 14, "waits, cycles") end
  for k, port in ipairs(frame.ports) do
    local x = frame.first_port + (k - 0.5) * frame.cell - 0.5
    parts[#parts + 1] = svg.text(full[port] and p.load[port] > 0 and "port full" or "port", x, 14, tostring(port), "middle")
  end
  return parts
end

-- A load in four characters: ".33", "1.25", "12.5".
local function short_load(load) return load < 9.995 and (("%.2f"):format(load):gsub("%.?0+$", ""):gsub("^0%.", ".")) or matrix.short(load) end

-- The load of each port as a bar that stands, full if it is busy all the time.
local function loads(frame, p, full)
  local base = frame.bottom + 8 + bar_height
  local parts = { svg.text("head", frame.first_port - 10, frame.bottom + 8 + bar_height - 2, "load of the ports", "end") }
  for k, port in ipairs(frame.ports) do
    local x, load = frame.first_port + (k - 1) * frame.cell, p.load[port] or 0
    local height = p.cycles > 0 and math.min(1, load / p.cycles) * bar_height or 0
    local class = full[port] and load > 0 and "bar full" or "bar"
    parts[#parts + 1] = svg.rect("none", x, base - bar_height, frame.cell - 1, bar_height)
    if load > 0 then
      parts[#parts + 1] = svg.rect(class, x, base - height, frame.cell - 1, height, ("port %s: %.3f cycles"):format(port, load))
      parts[#parts + 1] = svg.text("load", x + (frame.cell - 1) / 2, base + 14, short_load(load), "middle")
    end
  end
  return parts
end

local function grid(frame)
  local parts = {}
  for i = 1, frame.rows do
    parts[i] = svg.rect("none", frame.first_port, y_of(i) - 9, #frame.ports * frame.cell - 1, 18)
  end
  for k = 1, #frame.ports - 1 do
    local x = frame.first_port + k * frame.cell - 0.5
    parts[#parts + 1] = svg.line("gap", x, top, x, frame.bottom)
  end
  return parts
end

--- Says what the picture shows, for those who cannot see it.
function listing.words(p)
  local marked = block_words.limiting(p)
  local names = lists.where(lists.keys(marked), function(i) return marked[i] end)
  local limits = #names > 0 and "; instructions that limit: " .. table.concat(names, ", ") or ""
  return ("%s, their uops by port; %s%s"):format(block_words.plural(#p.instructions, "instruction"),
    block_words.critical_title(p) or "no cycle of dependencies", limits)
end

--- The parts of the picture.
-- @param p prediction of a block
-- @param ports names of all ports
-- @return list of nodes, width and height in user units
function listing.parts(p, ports)
  local frame, marked = frame_of(p, ports), block_words.limiting(p)
  local part = shares.of(p, ports)
  local full = lists.set(block_words.is_limit(p, "ports") and p.bottleneck or {})
  local parts = { heads(frame, p, full), grid(frame) }
  for i = 1, frame.rows do parts[#parts + 1] = draw_row(frame, p, i, marked[i], part[i]) end
  parts[#parts + 1] = arrows.draw(frame.plan, y_of)
  parts[#parts + 1] = loads(frame, p, full)
  local more = #p.instructions - frame.rows
  if more > 0 then parts[#parts + 1] = svg.text("head", frame.text, frame.bottom + 14, ("and %d more"):format(more)) end
  return parts, frame.width, frame.bottom + 8 + bar_height + 20
end

--- The picture.
-- @param p prediction of a block
-- @param ports names of all ports
-- @return node
function listing.render(p, ports)
  local parts, width, height = listing.parts(p, ports)
  return svg.frame({ width = width, height = height, class = "block", title = listing.words(p) }, parts)
end

return listing
