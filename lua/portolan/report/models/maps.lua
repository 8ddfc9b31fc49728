--- Section "Heat maps": one per model, with the same axes and colours (Fig. 6.3), and closer where a few stretch the axes.
local html = require "portolan.report.html"
local format = require "portolan.report.format"
local heatmap = require "portolan.report.heatmap"
local lists = require "portolan.support.lists"
local section = require "portolan.report.section"
local h = html.tag
local maps = {}

--- Models that have points to draw.
function maps.drawn(models) return lists.where(models, function(model) return #model.index > 0 end) end

local function beyond(grid)
  return grid.outside > 0 and h.span { class = "beyond", format.count(grid.outside) .. " beyond the axes" }
end

local function figure(model, page, max, most)
  local s = model.summary
  local drawing, grid = heatmap.render { measured = model.measured, modelled = model.modelled, unit = page.unit_short, max = max,
    most = most, title = ("%s: measured against modelled %s"):format(model.name, page.unit_short) }
  return h.figure { h.figcaption { h.b(model.name),
    h.span { class = "numbers", ("MAPE %s · Pearson %s · τ %s"):format(format.percent(s.mape), format.coefficient(s.pearson),
      format.coefficient(s.kendall)) }, beyond(grid) }, drawing }
end

-- The largest count of a bin in any of the maps.
local function most_of(models, max)
  return lists.largest(models, function(model) return heatmap.histogram(model, nil, max).most end, 1)
end

local function row(models, page, max)
  local most, figures = most_of(models, max), {}
  for i, model in ipairs(models) do figures[i] = figure(model, page, max, most) end
  return { heatmap.legend(most), h.div { class = "maps", figures } }
end

--- The section.
function maps.render(page)
  local drawn = maps.drawn(page.result.models)
  if #drawn == 0 then return section.new("maps", "Heat maps", section.missing "There is nothing to draw.") end
  local close = heatmap.close_up(drawn)
  return section.new("maps", #drawn == 1 and "Heat map" or "Heat maps", {
    section.note("Each bin counts experiments by what was measured (to the right) and what the model says (upwards); darker bins ",
      "hold more. On the line both agree, between the dashed lines to within 10%. Below the line the model is ",
      page.result.unit == "ipc" and "too slow" or "too fast", ", above it too ", page.result.unit == "ipc" and "fast" or "slow",
      #drawn > 1 and ". Axes and colours are the same for all models." or "."),
    row(drawn, page, (heatmap.axis(drawn))),
    close and { h.h3 "The crowd, closer", row(drawn, page, close) },
  })
end

return maps
