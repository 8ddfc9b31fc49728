--- This module tells in words how mixtures bore out what a chart claims (portolan.infer.chart.stages.mixtures), and what a second opinion of the
-- ports said (portolan.infer.chart.stages.second_opinion).
-- @module portolan.report.trial
local format = require "portolan.report.format"
local html = require "portolan.report.html"
local lists = require "portolan.support.lists"
local h = html.tag
local trial = {}

--- One sentence without its full stop: how many mixtures were measured, and how many claims they refute.
-- @param t `trial` of a chart (docs/report.md)
-- @treturn string
function trial.words(t)
  return ("%s refute %s of %s"):format(format.plural(t.mixtures, "mixture"), t.refuted == 0 and "none" or format.count(t.refuted),
    format.plural(t.claims, "claim"))
end

--- Says in sentences what a reader must distrust; nil if mixtures bear the claims out, or nobody knows.
function trial.doubt(t)
  if not t or t.sure ~= false then return nil end
  return trial.words(t) .. ". So many say that something all claims rest on does not hold on this core: the others are assumed, too"
end

--- One sentence: about how many experiments two opinions of the ports differ, and who was right.
-- @param o `opinion` of a chart (docs/report.md)
-- @treturn string
function trial.second_opinion(o)
  local what = ("A second opinion, by evolution from the same measurements of %s,"):format(format.plural(o.schemes, "scheme"))
  if o.experiments == 0 then return what .. " predicts the same." end
  return ("%s predicts other times for %s: the chart was right about %s, the second opinion about %s, neither about %s."):format(what,
    format.plural(o.experiments, "mixture"), format.count(o.chart), format.count(o.opinion), format.count(o.neither))
end

--- The same where the second opinion was right now and then: the chart's first lines say so; otherwise nil.
function trial.differs(o) return o and format.finite(o.opinion) and o.opinion > 0 and trial.second_opinion(o) or nil end

-- The mixtures about which the chart erred most.
local function examples(o)
  if #(o.examples or {}) == 0 then return nil end
  return h.ul { class = "members", lists.map(o.examples, function(one)
    return h.li { h.code(one.experiment or ""), (": %s; the chart says %s, the second opinion %s"):format(format.cycles(one.measured),
      format.cycles(one.chart), format.cycles(one.opinion)) }
  end) }
end

--- The part of a section.
-- @param t `trial` of a chart; nil: there is none
-- @param o `opinion` of a chart; nil: there is none
function trial.render(t, o)
  return {
    t and { h.h3 "Mixtures of what is claimed", h.p { trial.words(t), t.refuted > 0 and "; these were taken back." or "." } },
    o and { h.h3 "A second opinion", h.p { trial.second_opinion(o) }, examples(o) },
  }
end

return trial
