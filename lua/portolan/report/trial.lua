--- How mixtures bore out what a chart claims (portolan.infer.chart.stages.mixtures), in words.
-- @module portolan.report.trial
local format = require "portolan.report.format"
local html = require "portolan.report.html"
local h = html.tag
local trial = {}

--- One sentence without its full stop: how many mixtures were measured, and how many claims they refute.
-- @param t `trial` of a chart (docs/report.md)
-- @treturn string
function trial.words(t)
  return ("%s refute %s of %s"):format(format.plural(t.mixtures, "mixture"), t.refuted == 0 and "none" or format.count(t.refuted),
    format.plural(t.claims, "claim"))
end

--- What a reader must distrust: sentences; nil if mixtures bear the claims out, or nobody knows.
function trial.doubt(t)
  if not t or t.sure ~= false then return nil end
  return trial.words(t) .. ". So many say that something all claims rest on does not hold on this core: the others are assumed, too"
end

--- The part of a section.
function trial.render(t)
  return { h.h3 "Mixtures of what is claimed", h.p { trial.words(t), t.refuted > 0 and "; these were taken back." or "." } }
end

return trial
