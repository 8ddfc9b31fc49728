--- Section "Length": does the model stay accurate when more instructions are mixed? Numbers and small maps (Fig. 3.7).
local html = require "portolan.report.html"
local format = require "portolan.report.format"
local heatmap = require "portolan.report.heatmap"
local lists = require "portolan.support.lists"
local metrics = require "portolan.report.models.metrics"
local section = require "portolan.report.section"
local h = html.tag
local lengths = {}

local function instructions(label) return label == "1" and "1 instruction" or label .. " instructions" end

-- The parts of all models of one class that have points.
local function of_class(models, k)
  local parts = lists.map(models, function(model) return model.by_length[k] end)
  return lists.where(parts, function(part) return #part.measured > 0 end)
end

local bins = 30

-- Ends of the axes by class, and the largest count of a bin in any map.
local function scales(models, classes)
  local ends, most = {}, 1
  for k in ipairs(classes) do
    local parts = of_class(models, k)
    ends[k] = #parts > 0 and (heatmap.axis(parts)) or 1
    for _, part in ipairs(parts) do most = math.max(most, heatmap.histogram(part, bins, ends[k]).most) end
  end
  return ends, most
end

local function row(model, page, ends, most)
  local figures = {}
  for k, part in ipairs(model.by_length) do
    local drawing = heatmap.render { measured = part.measured, modelled = part.modelled, unit = page.unit_short, max = ends[k],
      bins = bins, most = most, small = true,
      title = ("%s, %s: measured against modelled %s"):format(model.name, instructions(part.label), page.unit_short) }
    if drawing then
      figures[#figures + 1] = h.figure { drawing, h.figcaption { h.b(instructions(part.label)), " · MAPE "
        .. format.percent(part.summary.mape) } }
    end
  end
  return { h.h3(model.name), h.div { class = "small-maps", figures } }
end

--- The section; nil if all experiments are of one length.
function lengths.render(page, drawn)
  local classes = page.result.classes
  if #classes < 2 or #drawn == 0 then return nil end
  local ends, most = scales(drawn, classes)
  local rows = lists.map(drawn, function(model) return row(model, page, ends, most) end)
  return section.new("length", "By length", {
    section.note("The same by the number of instructions of an experiment. Mixes of more instructions can hit more limits that ",
      "a model lacks. In the maps, measured ", page.unit_short, " grow to the right, modelled ones upwards; maps of one length have ",
      "the same axes, all have the same colours."),
    h.div { class = "number-tables",
      metrics.by_part("MAPE", drawn, "by_length", "instructions", function(s) return format.percent(s.mape) end),
      metrics.by_part("Pearson", drawn, "by_length", "instructions", function(s) return format.coefficient(s.pearson) end),
      metrics.by_part("Kendall τ", drawn, "by_length", "instructions", function(s) return format.coefficient(s.kendall) end) },
    heatmap.legend(most),
    rows,
  })
end

--- Section "Kinds": the errors of all models by kind of block; nil if the experiments are of no kinds.
function lengths.render_kinds(drawn)
  if #drawn == 0 or not drawn[1].by_category then return nil end
  return section.new("kinds", "By kind", {
    section.note("The same by what blocks work on and what they do with memory. Every block is of one kind."),
    h.div { class = "number-tables",
      metrics.by_part("MAPE", drawn, "by_category", "kind", function(s) return format.percent(s.mape) end, true),
      metrics.by_part("Kendall τ", drawn, "by_category", "kind", function(s) return format.coefficient(s.kendall) end, true),
      metrics.by_part("bias", drawn, "by_category", "kind", function(s) return metrics.signed(s.bias) end, true) },
  })
end

return lengths
