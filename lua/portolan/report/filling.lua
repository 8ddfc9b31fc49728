--- This module tells what filled issue slots when a chart counted them, in words: which candidates were tried, and how each served.
-- @module portolan.report.filling
local filler = require "portolan.processor.filler"
local format = require "portolan.report.format"
local html = require "portolan.report.html"
local lists = require "portolan.support.lists"
local h = html.tag
local filling = {}

-- Says what speaks against a candidate, or for it.
local function verdict(c)
  if c.tried == 0 then return "could not be tested" end
  local text = ("takes one slot and nothing else beside %d of %s"):format(c.fits, format.plural(c.tried, "scheme"))
  if c.too_slow then return text .. "; without it a mixture of these is faster than their slots beside it allow" end
  local per_slot = filler.per_slot(c)
  if per_slot == 1 then return text end
  return ("%s; but then these take %.1f slots or more%s"):format(text, c.least, per_slot and (": %d of it are one"):format(per_slot) or "")
end

--- One sentence: which filler was taken, how it served, and which others that are usually preferred did not.
-- @param f `filling` of a chart (docs/report.md)
-- @treturn string
function filling.words(f)
  local own, before = lists.index(f.candidates, function(c) return c.name == f.name end), {}
  for i = 1, own - 1 do before[i] = ("'%s' %s"):format(f.candidates[i].name, verdict(f.candidates[i])) end
  local text = ("'%s' fills issue slots: it %s"):format(f.name, verdict(f.candidates[own]))
  if #before > 0 then text = ("%s (%s)"):format(text, table.concat(before, "; ")) end
  return text .. "."
end

--- Says in a sentence what a reader must distrust; nil if the filler served well, or nobody knows.
function filling.doubt(f)
  if not f or f.sure ~= false then return nil end
  return filling.words(f) .. " Numbers of issue slots, of uops and what blocking says rest on it"
end

--- The part of a section.
function filling.render(f)
  return { h.h3 "What fills issue slots", h.p { filling.words(f) }, h.div { class = "scroll", h.table {
    h.thead { h.tr { h.th "Candidate", h.th { class = "number", "a cycle alone" }, h.th "beside schemes of many kinds" } },
    h.tbody { lists.map(f.candidates, function(c)
      local rate = format.finite(c.width) and ("%.2f"):format(c.width) or ""
      return h.tr { h.td { h.code(c.name) }, h.td { class = "number", rate }, h.td { verdict(c) } }
    end) },
  } } }
end

return filling
