--- The head of an accuracy report: what was compared, and the verdict at one glance.
local html = require "portolan.report.html"
local format = require "portolan.report.format"
local section = require "portolan.report.section"
local h = html.tag
local overview = {}

-- The model for which a number is least; nil if none has it.
local function best(models, number) return models[format.least(models, number) or 0] end

--- The models that err least, correlate best and order best (each may be nil).
function overview.best(models)
  return best(models, function(m) return m.summary.mape end),
    best(models, function(m) return m.summary.pearson and -m.summary.pearson end),
    best(models, function(m) return m.summary.kendall and -m.summary.kendall end)
end

local function verdict(models)
  local least, linear, ranked = overview.best(models)
  if not least then return "No model covers any of these experiments." end
  if #models == 1 then
    return ("%s is off by %s on average, on %s."):format(least.name, format.percent(least.summary.mape),
      format.plural(least.summary.n, "experiment"))
  end
  local text = ("%s is off least, by %s on average"):format(least.name, format.percent(least.summary.mape))
  if linear and linear == ranked then
    return ("%s%s follows the measurements best (Pearson %s, Kendall %s)."):format(text,
      linear == least and ", and" or ". " .. linear.name,
      format.coefficient(linear.summary.pearson), format.coefficient(linear.summary.kendall))
  end
  text = text .. "."
  if linear then
    text = ("%s %s keeps proportions best (Pearson %s)%s"):format(text, linear.name, format.coefficient(linear.summary.pearson),
      ranked and ", " or ".")
  end
  if ranked then
    text = ("%s%s ranks best (Kendall %s)."):format(text, (linear and "" or " ") .. ranked.name,
      format.coefficient(ranked.summary.kendall))
  end
  return text
end

local function span_of_lengths(classes)
  if #classes == 0 then return format.absent end
  local first, last = classes[1], classes[#classes]
  return first == last and first.label or ("%d to %s"):format(first.least, last.label:match("%d+%+?$"))
end

local function figures(page)
  local result, set = page.result, page.set
  local least = overview.best(result.models)
  local unmeasured = set.total - #set.records
  return h.dl {
    class = "figures",
    section.figure("Experiments", format.count(#set.records), unmeasured > 0 and format.count(unmeasured) .. " not measured"),
    section.figure("Instructions each", span_of_lengths(result.classes)),
    section.figure("Models", format.count(#result.models)),
    section.figure("Covered by all", format.count(result.common), result.only_common and "only these count"),
    section.figure("Least error (MAPE)", format.percent(least and least.summary.mape), least and least.name),
    section.figure("Unit", page.unit_short, page.unit_long),
  }
end

--- The header element.
function overview.render(page)
  return section.header("Measured against modelled", h.h1(page.title or "experiments"), {
    page.version and h.p { class = "byline", "Portolan " .. tostring(page.version) },
    h.p { class = "verdict", verdict(page.result.models) },
    figures(page),
  })
end

return overview
