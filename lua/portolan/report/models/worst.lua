--- Section "Worst": the experiments on which each model errs most, and what it holds for the bottleneck there.
local html = require "portolan.report.html"
local accuracy = require "portolan.prediction.accuracy"
local format = require "portolan.report.format"
local metrics = require "portolan.report.models.metrics"
local section = require "portolan.report.section"
local witness = require "portolan.report.witness"
local h = html.tag
local worst = {}

local count = 5

local function table_of(page, model)
  local rows, has_limit = {}, false
  local list = accuracy.worst(page.set, model, page.worst or count)
  for i, w in ipairs(list) do
    local limit = accuracy.limit(model, w.record)
    has_limit = has_limit or limit ~= nil
    rows[i] = h.tr {
      h.td { class = "experiment", h.code(w.record.text or witness.experiment(w.record.e)) },
      h.td { class = "number", format.cycles(w.measured) },
      h.td { class = "number", format.cycles(w.modelled) },
      h.td { class = "number", metrics.signed(w.error) },
      model.predictor.model and h.td { class = "says", limit or format.absent },
    }
  end
  return h.div { h.h3(model.name), section.table("witnesses worst", { "experiment", { "measured", "number" }, { "modelled", "number" },
    { "error", "number" }, model.predictor.model and { "bottleneck", "says" } }, rows) }
end

--- The section.
function worst.render(page, drawn)
  if #drawn == 0 then return nil end
  local tables = {}
  for i, model in ipairs(drawn) do tables[i] = table_of(page, model) end
  return section.new("worst", "The worst experiments", {
    section.note("By relative error, modelled / measured − 1, in ", page.unit_long, ". For mappings: what limits the experiment ",
      "according to the model; if it took longer, something that the model does not know did."),
    tables,
  })
end

return worst
