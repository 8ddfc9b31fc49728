--- Section "Confidence": where the numbers of uops come from, what filled issue slots, whether mixtures bear the claims out, and repeated runs agree.
local filling = require "portolan.report.filling"
local format = require "portolan.report.format"
local html = require "portolan.report.html"
local section = require "portolan.report.section"
local scheme_usage = require "portolan.report.scheme_usage"
local trial = require "portolan.report.trial"
local h = html.tag
local confidence = {}

-- One scheme on which runs differ: its name, or { scheme =, usages = { text or uops, one per run }, text = }.
local function difference(entry, list)
  if type(entry) ~= "table" then entry = { scheme = entry } end
  local said = {}
  for i, value in ipairs(entry.usages or {}) do
    local text = type(value) == "table" and scheme_usage.notation({ uops = value.uops or value }, list.ports) or tostring(value)
    said[i] = { i > 1 and " / " or "", h.code(text) }
  end
  return h.li { section.scheme(entry.scheme, list.by_name[entry.scheme]), #said > 0 and { ": ", said },
    entry.text and { ": ", entry.text } }
end

local function agreement(a, list)
  local items = {}
  for i, entry in ipairs(type(a.disagree) == "table" and a.disagree or {}) do items[i] = difference(entry, list) end
  local total = format.finite(a.agree) and a.agree + #items
  return {
    h.h3 "Repeated runs",
    h.p { format.finite(a.runs) and format.plural(a.runs, "run") or "Several runs",
      total and { ", or one and a mixture that needs these uops, give ",
        h.b(format.count(a.agree)), " of ", format.plural(total, "scheme"), " the same ports",
        total > 0 and (" (%s)"):format(format.percent(a.agree / total)) or "" } or " were compared",
      #items == 0 and "; none differs." or (", and differ on %s."):format(format.count(#items)) },
    #items > 0 and h.details { open = #items <= 40, h.summary(format.plural(#items, "scheme") .. " on which runs differ"),
      h.ul { class = "members", items } },
  }
end

local function counting(c)
  return { h.h3 "Numbers of uops", section.facts { { "Source", c.source ~= nil and tostring(c.source) } }, c.says and section.note(tostring(c.says)) }
end

--- The section; nil if nothing is known of either.
function confidence.render(chart, list)
  local c, a, f, t, o = chart.counting, chart.agreement, chart.filling, chart.trial, chart.opinion
  if type(c) ~= "table" and type(a) ~= "table" and not (f or t or o) then return nil end
  return section.new("confidence", "How far to trust it", {
    type(c) == "table" and counting(c), f and filling.render(f), trial.render(t, o), type(a) == "table" and agreement(a, list),
  })
end

return confidence
