--- Section "Latencies": how many there are of each kind, how long they are, and what is special about some.
local format = require "portolan.report.format"
local html = require "portolan.report.html"
local latencies = require "portolan.mapping.latencies"
local lists = require "portolan.support.lists"
local section = require "portolan.report.section"
local h = html.tag
local latencies_section = {}

--- Kinds of pairs of places in the order in which reports tell of them: `{ status =, means = }`.
latencies_section.kinds = {
  { status = "determined", means = "determined" },
  { status = "interval", means = "within an interval: only sums with others are determined" },
  { status = "at most", means = "at most: ports, issue slots or another flag take longer, however long the chain" },
  { status = "waits for nothing", means = "no dependency: the output does not wait for this input" },
  { status = "like the index", means = "of the base of a store: taken to be as of its index, since cores rename memory" },
  { status = "no chain", means = "not known: no chain could be measured, because" },
  { status = "not reached", means = "not reached" },
}

local most_named = 40 -- schemes of a list; the mapping has all

local function kinds_table(summary)
  local rows = {}
  for _, kind in ipairs(latencies_section.kinds) do
    local n = (summary.counts or {})[kind.status]
    if n then rows[#rows + 1] = h.tr { h.td((kind.means:gsub(", because$", ""))), h.td { class = "number", format.count(n) } } end
  end
  return section.table("classes", { "latencies", { "pairs of operands", "number" } }, rows)
end

local function reasons(summary)
  if #(summary.reasons or {}) == 0 then return nil end
  local items = lists.map(summary.reasons, function(r) return h.li { tostring(r.why or ""), ": ", format.count(r.pairs or 0) } end)
  return h.details { h.summary "why others are missing", h.ul { class = "members", items } }
end

-- Schemes by their longest latency.
local function by_length(list)
  local of, lengths = {}, {}
  for _, entry in ipairs(list) do
    local cycles = entry.scheme.latencies and latencies.longest(entry.scheme, entry.name)
    if cycles then
      if not of[cycles] then of[cycles], lengths[#lengths + 1] = {}, cycles end
      table.insert(of[cycles], entry)
    end
  end
  table.sort(lengths)
  return of, lengths
end

local function members(entries)
  local items = {}
  for i = 1, math.min(#entries, most_named) do items[i] = h.li(section.scheme(entries[i].name, entries[i])) end
  if #entries > most_named then items[#items + 1] = h.li(("and %d more"):format(#entries - most_named)) end
  return h.details { h.summary(format.plural(#entries, "scheme")), h.ul { class = "members", items } }
end

local function lengths_table(list)
  local of, lengths = by_length(list)
  if #lengths == 0 then return nil end
  local rows = lists.map(lengths, function(cycles)
    return h.tr { h.td { class = "number", ("%.4g"):format(cycles) }, h.td(members(of[cycles])) }
  end)
  return { h.h3 "How long they are", section.note "The longest way of a scheme from a register that it reads to one that it writes.",
    section.table("classes", { { "cycles", "number" }, "schemes" }, rows) }
end

-- Latencies of which a field says something special: a list in words.
local function special(list, title, note, field)
  local items = {}
  for _, entry in ipairs(list) do
    for _, one in ipairs(entry.scheme.latencies or {}) do
      if one[field] and not one.as then items[#items + 1] = h.li { section.scheme(entry.name, entry), " ", latencies.line(one) } end
    end
  end
  if #items == 0 then return nil end
  local shown = table.move(items, 1, math.min(#items, most_named), 1, {})
  if #items > most_named then shown[#shown + 1] = h.li(("and %d more, in the mapping"):format(#items - most_named)) end
  local count = h.summary(format.plural(#items, "latency", "latencies"))
  return { h.h3(title), section.note(note), h.details { count, h.ul { class = "members", shown } } }
end

--- The section; nil if latencies were not looked for.
-- @tparam table chart
-- @tparam table list its catalog
function latencies_section.render(chart, list)
  local summary = chart.latency
  if type(summary) ~= "table" then return nil end
  return section.new("latencies", "Latencies", {
    h.p { format.plural(summary.schemes or 0, "scheme"), ", ", format.count(summary.pairs or 0), " pairs of an operand that is read and one that is "
      .. "written, from ", format.count(summary.chains or 0), " readings of chains of dependent instructions." },
    summary.unfinished and h.p { class = "remark", ("It ended early, in the step '%s'."):format(summary.unfinished) },
    kinds_table(summary), reasons(summary), lengths_table(list),
    special(list, "Both sources one register", "Where that takes another time: zeroing idioms wait for nothing, moves may be eliminated.", "same"),
    special(list, "Other values", "What takes another time with large numbers in the registers than with small ones.", "other"),
    special(list, "Between domains", "Results that reach units of another domain late, there and back.", "bypass"),
  })
end

return latencies_section
