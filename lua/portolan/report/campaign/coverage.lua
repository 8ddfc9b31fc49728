--- Section "Coverage": how much of the disagreement on a test set the discoveries account for (Table 8.3).
local format = require "portolan.report.format"
local html = require "portolan.report.html"
local lists = require "portolan.support.lists"
local section = require "portolan.report.section"
local svg = require "portolan.report.svg"
local h = html.tag
local coverage = {}

local left, top, width, height = 40, 20, 380, 190
local most_linked = 20 -- discoveries of a choice

local function usable(c)
  local list = lists.where(c.top or {}, function(entry) return entry.k and entry.covered end)
  table.sort(list, function(x, y) return x.k < y.k end)
  return list
end

local function axes(most, y)
  local parts = {}
  for share = 0, 100, 25 do
    parts[#parts + 1] = svg.line("grid", left, y(share / 100), left + width, y(share / 100))
    parts[#parts + 1] = svg.text("axis", left - 6, y(share / 100) + 4, share .. "%", "end")
  end
  parts[#parts + 1] = svg.text("axis", left + width, top + height + 30, "discoveries, the best ones", "end")
  parts[#parts + 1] = svg.text("axis", left, top + height + 16, "0", "middle")
  local step = math.max(1, math.ceil(svg.step(most, 5)))
  for k = step, most, step do
    parts[#parts + 1] = svg.text("axis", left + width * k / most, top + height + 16, tostring(k), "middle")
  end
  return parts
end

--- The curve: the best k discoveries against the share of interesting blocks that they subsume, and all discoveries as a level.
-- @tparam table c coverage
-- @treturn table|nil node; nil if there is nothing to draw
function coverage.curve(c)
  local list = usable(c)
  if #list == 0 or not c.interesting or c.interesting == 0 then return nil end
  local most = list[#list].k
  local function x(k) return left + width * k / most end
  local function y(share) return top + height * (1 - share) end
  local line, points = { "M", x(0), y(0) }, {}
  for i, entry in ipairs(list) do
    local share = entry.covered / c.interesting
    table.move({ "L", x(entry.k), y(share) }, 1, 3, #line + 1, line)
    points[i] = h.circle { class = "point", cx = svg.number(x(entry.k)), cy = svg.number(y(share)), r = "3.5",
      h.title(("%s: %s"):format(format.plural(entry.k, "discovery", "discoveries"), format.percent(share))) }
  end
  local area = table.move(line, 1, #line, 1, {})
  table.move({ "L", x(most), y(0), "Z" }, 1, 4, #area + 1, area)
  local level = c.covered and c.covered / c.interesting
  return svg.frame({ width = left + width + 14, height = top + height + 36, class = "curve",
    title = "Share of interesting blocks that the best discoveries cover, by their number" }, {
    axes(most, y), svg.path("area", area), svg.path("line", line),
    level and { svg.line("level", left, y(level), left + width, y(level)),
      svg.text("axis", left + width, y(level) - 5, ("all: %s"):format(format.percent(level, 0)), "end") },
    points,
  })
end

local function row(name, value, whole, what)
  return h.tr { h.th { scope = "row", name }, h.td { class = "number", format.count(value) },
    h.td { class = "number", format.percent(value and whole and whole > 0 and value / whole or nil) }, h.td { class = "choice", what } }
end

local function links(ids, places)
  local nodes = {}
  for i = 1, math.min(#ids, most_linked) do
    local place = places[ids[i]]
    nodes[i] = { i > 1 and " ", place and h.a { href = "#discovery-" .. place, ids[i] } or ids[i] }
  end
  if #ids > most_linked then nodes[#nodes + 1] = (" and %d more"):format(#ids - most_linked) end
  return nodes
end

local function table_of(result, c)
  local places, rows, before = {}, {}, 0
  for i, d in ipairs(result.discoveries) do places[d.id] = i end
  for _, entry in ipairs(usable(c)) do
    if entry.covered > before then -- more discoveries that cover no more are no news
      rows[#rows + 1] = row(("covered by the best %s"):format(format.count(entry.k)), entry.covered, c.interesting,
        { links(entry.discoveries or {}, places), entry.proven == false and h.span { class = "about", "perhaps not the very best" } })
    end
    before = math.max(before, entry.covered)
  end
  return h.table { class = "covering",
    section.head { "of the test set", { "blocks", "number" }, { "share", "number" }, { "by", "choice" } },
    h.tbody { c.blocks and row("blocks with a verdict", c.blocks, nil, ""), row("interesting", c.interesting, c.blocks, ""),
      c.covered and row("covered by discoveries", c.covered, c.interesting, "all"), rows },
  }
end

--- The section.
function coverage.render(result)
  local c = result.coverage
  if not c or not c.interesting then
    return section.new("coverage", "Coverage", section.missing "It was not determined how much of a test set the discoveries cover.")
  end
  local curve = coverage.curve(c)
  return section.new("coverage", "Coverage", {
    section.note("The test set is random, or from files of blocks; the campaign was not guided by it. A discovery covers a block if it subsumes ",
      "it; the best few are those that together cover most."),
    h.div { class = "accuracy", curve and h.figure { curve }, h.div { class = "beside scroll", table_of(result, c) } },
  })
end

return coverage
