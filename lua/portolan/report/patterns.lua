--- Section "Patterns": which schemes follow from their register forms and from forms of half the width, and which are odd.
local find = require "portolan.mapping.patterns"
local format = require "portolan.report.format"
local html = require "portolan.report.html"
local section = require "portolan.report.section"
local h = html.tag
local patterns = {}

local most_open = 12 -- odd schemes of a kind that are shown unfolded

local function bar(share)
  return h.span { class = "share-bar", title = format.percent(share) .. " regular",
    h.span { class = "share-filled", style = ("width:%.1f%%"):format(100 * share) } }
end

local function rules(kind)
  local items = {}
  for i, rule in ipairs(kind.rules) do
    items[i] = h.li { h.span { class = "count", format.count(rule.count) .. "×" }, " ", h.code(rule.text) }
  end
  return h.ul { class = "pattern-rules", items }
end

local function overview(kinds)
  local rows = {}
  for i, kind in ipairs(kinds) do
    rows[i] = h.tr {
      h.td { h.b(kind.title), h.div { class = "about-kind", kind.rule } },
      h.td { bar(kind.regular / kind.total) },
      h.td { class = "number", ("%s of %s"):format(format.count(kind.regular), format.count(kind.total)) },
      h.td { rules(kind) },
    }
  end
  return section.table("patterns", { "forms", "", { "regular", "number" }, "rules that hold" }, rows)
end

local function odd_table(kind, list)
  local rows = {}
  for i, odd in ipairs(kind.odd) do
    rows[i] = h.tr {
      h.td { section.scheme(odd.scheme, list.by_name[odd.scheme]), h.div { class = "about-kind", odd.usage } },
      h.td { section.scheme(odd.form, list.by_name[odd.form]), h.div { class = "about-kind", odd.form_usage } },
      h.td { class = "odd-words", odd.text },
    }
  end
  return section.table("odd-forms", { "scheme, and its uops", "compared with", "difference" }, rows)
end

local function odd(kind, list)
  if #kind.odd == 0 then return nil end
  local few = #kind.odd <= most_open
  return h.details { open = few, class = "odd-kind",
    h.summary { ("%s: %s"):format(kind.title, format.plural(#kind.odd, "odd scheme")) }, odd_table(kind, list) }
end

--- The section; nil if the mapping has no two forms of one instruction.
-- @tparam table chart
-- @tparam table list its catalog
function patterns.render(chart, list)
  local m = chart.mapping
  if type(m) ~= "table" or type(m.schemes) ~= "table" then return nil end
  local found = find.of(m)
  if found.total == 0 then return nil end
  local odds = {}
  for _, kind in ipairs(found.kinds) do odds[#odds + 1] = odd(kind, list) end
  local loads, stores = table.concat(found.loads, " or "), table.concat(found.stores, ", ")
  return section.new("patterns", "Regular patterns, and what is odd", {
    section.note("Forms of one instruction were inferred each by itself. ", h.b(("%s of %s comparisons"):format(format.count(found.regular),
      format.count(found.total))), (" (%s) follow a pattern: a form that works on memory has the uops of the register form and loads or stores, "
      .. "a wider form the same uops or twice as many. "):format(format.percent(found.regular / found.total)),
      #found.loads > 0 and { "Plain loads use ", h.code(loads) } or "There is no plain load",
      #found.stores > 0 and { ", plain stores ", h.code(stores), "." } or "."),
    overview(found.kinds),
    #odds > 0 and { h.h3 "Odd", section.note "Either the processor is special there, or the mapping is wrong.", odds }
      or section.note "Nothing is odd.",
  })
end

return patterns
