--- Section "Heat map": how often predictors disagree, pair by pair (Figures 8.1 and 8.4).
local format = require "portolan.report.format"
local html = require "portolan.report.html"
local section = require "portolan.report.section"
local settings = require "portolan.report.campaign.settings"
local svg = require "portolan.report.svg"
local h = html.tag
local heat = {}

local cell, longest, char, slope = 58, 34, 7, 0.64 -- px; characters of a name; px; sine of the angle of the names on top

-- Upper bounds of the colour classes h1 to h6.
local bounds = { 0.1, 0.2, 0.3, 0.4, 0.55, math.huge }

--- Colour class of a share.
function heat.class(share)
  for i, bound in ipairs(bounds) do
    if share < bound then return "h" .. i end
  end
end

local function shorten(name)
  name = html.plain(name)
  local length = utf8.len(name)
  if length <= longest then return name, length end
  return name:sub(1, utf8.offset(name, longest) - 1) .. "…", longest
end

local function square(names, blocks, i, j, share, x, y)
  if i == j then return svg.rect("self", x, y, cell - 2, cell - 2) end
  if not share then
    return { svg.rect("none", x, y, cell - 2, cell - 2), svg.text("absent", x + cell / 2 - 1, y + cell / 2 + 4, format.absent, "middle") }
  end
  local class = heat.class(share)
  local note = ("%s and %s disagree on %s%s"):format(names[i], names[j], format.percent(share),
    blocks and " of " .. format.plural(blocks, "block") or "")
  return { svg.rect("bin " .. class, x, y, cell - 2, cell - 2, note),
    svg.text("value " .. class, x + cell / 2 - 1, y + cell / 2 + 4, format.percent(share, 0), "middle") }
end

-- The name on top of a column, slanted.
local function column_name(name, x, y)
  x, y = svg.number(x), svg.number(y)
  return h.text { class = "name", x = x, y = y, transform = ("rotate(-40 %s %s)"):format(x, y), name }
end

--- The drawing.
-- @tparam table map { predictors = names, share = rows, blocks = }
-- @treturn table|nil node
function heat.draw(map)
  local names = map.predictors or {}
  if #names < 2 then return nil end
  local widest, parts = 0, {}
  for _, name in ipairs(names) do widest = math.max(widest, select(2, shorten(name))) end
  local left, top = 12 + widest * char, 24 + widest * char * slope
  for i, name in ipairs(names) do
    local y = top + (i - 1) * cell
    parts[#parts + 1] = svg.text("name", left - 8, y + cell / 2 + 4, (shorten(name)), "end")
    parts[#parts + 1] = column_name((shorten(name)), left + (i - 0.5) * cell, top - 8)
    for j = 1, #names do
      parts[#parts + 1] = square(names, map.blocks, i, j, map.share and map.share[i] and map.share[i][j], left + (j - 1) * cell, y)
    end
  end
  return svg.frame({ width = left + #names * cell + widest * char * 0.77 - cell / 2 + 8, height = top + #names * cell, class = "heat",
    title = "Heat map: share of blocks on which each pair of predictors disagrees" }, parts)
end

--- The section; nil without a map.
function heat.render(result)
  local node = result.heat and heat.draw(result.heat)
  if not node then return nil end
  return section.new("heat", "How often predictors disagree", {
    section.note("Share of ", result.heat.blocks and format.plural(result.heat.blocks, "random block") or "random blocks",
      " that are interesting for each pair of predictors: ", settings.interest(result.campaign) or "their predictions differ", "."),
    h.div { class = "scroll", node },
  })
end

return heat
