--- The picture of a mapping: schemes against ports, a panel per group. A cell's colour and number say how many uops of
-- one instance the port gets when every uop is spread evenly over its ports; hatched cells are assumed, not inferred.
local html = require "portolan.report.html"
local lists = require "portolan.support.lists"
local svg = require "portolan.report.svg"
local scheme_usage = require "portolan.report.scheme_usage"
local h = html.tag
local matrix = {}

local row_height, label_char, header_height = 16, 5.9, 18
local longest_label, longest_panel = 34, 30

-- Upper bounds of the colour classes s1, s2, ...: the shares that 1 uop has on 5, 4, 3, 2 and 1 ports lie well inside.
local bounds = { 0.22, 0.29, 0.42, 0.7, 1.01, math.huge }

--- Colour class ("s1" ... "s6") of a share.
function matrix.class(share)
  for i, bound in ipairs(bounds) do
    if share < bound then return "s" .. i end
  end
  return "s" .. #bounds
end

--- A share in three characters, as they fit into a cell: ".25", "1", "1.5".
function matrix.short(share)
  local text = (share < 0.995 and "%.2f" or "%.1f"):format(share):gsub("0+$", ""):gsub("%.$", ""):gsub("^0%.", ".")
  return text == "" and "0" or text
end

local short = matrix.short

local function shorten(name)
  name = tostring(name)
  local length = utf8.len(name)
  if not length then return name:sub(1, longest_label), math.min(#name, longest_label) end
  if length <= longest_label then return name, length end
  return name:sub(1, utf8.offset(name, longest_label) - 1) .. "…", longest_label
end

local function cell_width(ports)
  local longest = lists.largest(ports, function(port) return utf8.len(tostring(port)) or 2 end, 1)
  return math.max(17, 5 + 6 * longest)
end

local function widths(panels)
  local longest, counts = 12, 0
  for _, panel in ipairs(panels) do
    longest = math.max(longest, math.min(longest_label, math.ceil(1.3 * (utf8.len(panel.name) or #panel.name))))
    for _, row in ipairs(panel.rows) do
      local _, length = shorten(row.label)
      longest, counts = math.max(longest, length), math.max(counts, row.count and utf8.len(row.count) or 0)
    end
  end
  return 8 + longest * label_char, counts > 0 and 8 + counts * label_char or 0
end

local function hatch(class, x, y, width, height)
  local steps = {}
  for offset = 4, width + height - 1, 4 do
    local over, under = math.max(0, offset - height), math.min(offset, width)
    for _, step in ipairs { "M", x + over, y + (offset - over), "L", x + under, y + (offset - under) } do
      steps[#steps + 1] = step
    end
  end
  return svg.path("hatch " .. class, steps)
end

local function cell(frame, column, y, share, is_assumed, note)
  local x, width, height = frame.label + (column - 1) * frame.cell, frame.cell - 1, row_height - 1
  if not share then return svg.rect("none", x, y, width, height) end
  return {
    svg.rect("use " .. matrix.class(share), x, y, width, height, note),
    is_assumed and hatch(matrix.class(share), x, y, width, height),
    svg.text("share " .. matrix.class(share), x + width / 2, y + 11, short(share), "middle"),
  }
end

-- The label of a row, as a link if there is a place to go to.
local function label_of(frame, row, y)
  local label = svg.text("scheme", frame.label - 7, y + 11, (shorten(row.label)), "end")
  if not row.href then return label end
  local link = { href = "#" .. row.href, label }
  for name, value in pairs(row.data or {}) do link["data-" .. name] = value end
  return h.a(link)
end

local function draw_row(frame, row, y)
  local parts = { h.title(row.title or tostring(row.label)), label_of(frame, row, y) }
  if row.blank then
    parts[3] = svg.rect("blank", frame.label, y, frame.cell * #frame.ports - 1, row_height - 1)
    parts[4] = svg.text("blank-note", frame.label + 6, y + 11, (shorten(row.blank)))
  else
    for column, port in ipairs(frame.ports) do
      port = tostring(port)
      local share = row.shares[port]
      local note = share and ("%s: %s uops on port %s%s%s"):format(tostring(row.label), short(share), port,
        row.assumed and row.assumed[port] and ", assumed" or "", row.about and (" (%s)"):format(row.about) or "")
      parts[#parts + 1] = cell(frame, column, y, share, row.assumed and row.assumed[port], note)
    end
  end
  if row.count then parts[#parts + 1] = svg.text("count-of", frame.label + #frame.ports * frame.cell + 6, y + 11, row.count) end
  return svg.group("row", parts)
end

local function draw_panel(frame, panel)
  local parts = { svg.text("group", 0, 12, panel.name) }
  for column, port in ipairs(frame.ports) do
    parts[#parts + 1] = svg.text("port", frame.label + (column - 0.5) * frame.cell - 0.5, 12, tostring(port), "middle")
  end
  for i, row in ipairs(panel.rows) do parts[#parts + 1] = draw_row(frame, row, header_height + (i - 1) * row_height) end
  return svg.frame({
    width = frame.label + #frame.ports * frame.cell + frame.count,
    height = header_height + #panel.rows * row_height,
    class = "matrix",
    title = panel.name .. ": " .. (panel.about or "schemes against ports"),
  }, parts)
end

local function swatch(class, hatched, text)
  local box = svg.frame({ width = 16, height = 15, class = "matrix", decorative = true }, {
    svg.rect("use " .. class, 0, 0, 16, 15), hatched and hatch(class, 0, 0, 16, 15),
  })
  return h.span { class = "swatch", box, text }
end

--- Key to the colours and the hatching.
-- @tparam boolean with_assumed true to explain the hatching
function matrix.legend(with_assumed)
  local samples = { { 0.2, "⅕" }, { 0.25, "¼" }, { 1 / 3, "⅓" }, { 0.5, "½" }, { 1, "1" }, { 2, "more" } }
  local parts = { h.span "Uops per instance on a port:" }
  for _, sample in ipairs(samples) do parts[#parts + 1] = swatch(matrix.class(sample[1]), false, sample[2]) end
  if with_assumed then parts[#parts + 1] = swatch("s4", true, "assumed, not inferred") end
  return h.p { class = "keys", parts }
end

-- Panels that are too long go on in further ones.
local function split(panels)
  local all = {}
  for _, panel in ipairs(panels) do
    for from = 1, #panel.rows, longest_panel do
      local to = math.min(from + longest_panel - 1, #panel.rows)
      all[#all + 1] = { name = from == 1 and panel.name or panel.name .. ", cont.", about = panel.about,
        rows = table.move(panel.rows, from, to, 1, {}) }
    end
  end
  return all
end

--- Panels of rows against ports, to be set in columns (class "panels").
-- @tparam {string,...} ports
-- @tparam table panels list of { name=, about= (for who cannot see it), rows = list of { label=, title= (tooltip), href= (id to point
--   to), data= (data attributes of that link), shares= (port -> uops) or blank= (text in the place of cells), assumed= (set of
--   ports), about=, count= (text behind the cells) } }
-- @treturn table node
-- @treturn number rows drawn
function matrix.panels(ports, panels)
  panels = split(panels)
  local frame = { ports = ports, cell = cell_width(ports) }
  frame.label, frame.count = widths(panels)
  local nodes, rows = {}, 0
  for i, panel in ipairs(panels) do
    nodes[i] = draw_panel(frame, panel)
    rows = rows + #panel.rows
  end
  -- Panels may shrink a little where that lets one more column onto the page.
  local width = 0.92 * (frame.label + #ports * frame.cell + frame.count)
  return h.div { class = "panels", style = ("column-width:%spx"):format(svg.number(width)), nodes }, rows
end

--- The row of one scheme.
function matrix.row(name, scheme, ports, href)
  local notation = scheme_usage.notation(scheme, ports)
  local row = { label = name, href = href, title = tostring(name) .. ": " .. (notation or scheme and scheme.status or "not measured") }
  if not notation or notation == "none" then
    row.blank = notation and "no port used" or tostring(scheme and scheme.status or "not measured")
  else
    row.shares, row.assumed, row.about = scheme_usage.shares(scheme), scheme_usage.assumed(scheme), notation
  end
  return row
end

--- The panels of a mapping, one a group; schemes that no group names come last.
-- @tparam table mapping mapping table
-- @tparam table groups list of { name=, schemes={names in order} } or nil
-- @tparam table options
-- @tparam[opt] func options.link function(scheme name) -> id of an element to point to, or nil
-- @treturn table node
-- @treturn number rows drawn
function matrix.render(mapping, groups, options)
  local seen, panels = {}, {}
  local ports, schemes, link = mapping.ports or {}, mapping.schemes or {}, options and options.link or function() end
  local function add(title, names)
    local rows = lists.map(names, function(name) return matrix.row(name, schemes[name], ports, link(name)) end)
    panels[#panels + 1] = { name = title, rows = rows }
  end
  for _, group in ipairs(groups or {}) do
    for _, name in ipairs(group.schemes or {}) do seen[name] = true end
    add(tostring(group.name or "Group"), group.schemes or {})
  end
  add(#panels > 0 and "Others" or "Schemes", lists.where(lists.keys(schemes), function(name) return not seen[name] end))
  return matrix.panels(ports, panels)
end

--- A strip with one box per port, those of `set` filled: a port set at a glance.
function matrix.strip(ports, set, assumed)
  local filled, parts = {}, {}
  for _, port in ipairs(set or {}) do filled[tostring(port)] = true end
  local width = cell_width(ports) - 1
  for i, port in ipairs(ports) do
    port = tostring(port)
    local x = (i - 1) * (width + 1)
    parts[#parts + 1] = svg.rect(filled[port] and "use s4" or "none", x, 0, width, 15)
    if filled[port] and assumed and assumed[port] then parts[#parts + 1] = hatch("s4", x, 0, width, 15) end
    parts[#parts + 1] = svg.text(filled[port] and "share s4" or "faint", x + width / 2, 11, port, "middle")
  end
  return svg.frame({ width = #ports * (width + 1), height = 15, class = "matrix strip",
    title = "ports " .. scheme_usage.set(set, ports) }, parts)
end

return matrix
