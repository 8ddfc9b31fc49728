--- Experiments as evidence: what was run, what it took, what was expected of it, and what that says.
local agreement = require "portolan.experiment.witness"
local experiment = require "portolan.experiment"
local html = require "portolan.report.html"
local format = require "portolan.report.format"
local lists = require "portolan.support.lists"
local section = require "portolan.report.section"
local h = html.tag
local witness = {}

--- Counts of an experiment given as text or table; nil if it is neither.
function witness.counts(e)
  if type(e) == "string" then return (experiment.parse(e)) end
  return type(e) == "table" and lists.count(e, function(n) return not format.finite(n) end) == 0 and e or nil
end

--- Is a measurement farther from what was expected than noise and the ways of cores account for (`portolan.witness.compare`)?
-- @param e experiment, as text or table
-- @param measured cycles, or nil
-- @param expected cycles, or nil
-- @param[opt] ports that the experiment floods
function witness.is_off(e, measured, expected, ports)
  local counts = witness.counts(e)
  return counts ~= nil and format.finite(measured) and format.finite(expected)
    and agreement.compare(measured, expected, experiment.length(counts), type(ports) == "table" and #ports > 0 and #ports or nil) ~= "agrees"
end

--- Text of an experiment given as text or as a table scheme -> count.
function witness.experiment(e)
  if type(e) ~= "table" then return tostring(e == nil and format.absent or e) end
  local names, terms = {}, {}
  for name in pairs(e) do names[#names + 1] = tostring(name) end
  table.sort(names)
  for i, name in ipairs(names) do
    terms[i] = (e[name] and e[name] ~= 1) and ("%s*%s"):format(format.plain(e[name]), name) or name
  end
  return table.concat(terms, " + ")
end

-- An entry may be just the text of an experiment.
local function normal(entry)
  if type(entry) ~= "table" then return { experiment = entry } end
  return {
    experiment = entry.experiment or entry.e,
    measured = entry.cycles or entry.measured,
    expected = entry.expected or entry.modelled,
    says = entry.says or entry.text or (entry.status ~= "ok" and entry.status) or nil,
    role = entry.role, ports = entry.ports,
  }
end

local function row(entry, has_says)
  return h.tr {
    h.td { class = "experiment", h.code(witness.experiment(entry.experiment)) },
    h.td { class = "number", format.cycles(entry.measured) },
    h.td { class = "number", format.cycles(entry.expected) },
    h.td { class = witness.is_off(entry.experiment, entry.measured, entry.expected, entry.ports) and "number off" or "number",
      format.deviation(entry.measured, entry.expected) },
    has_says and h.td { class = "says", entry.role and h.b { class = "role " .. tostring(entry.role), tostring(entry.role) },
      entry.role and entry.says and ": ", entry.says },
  }
end

-- Experiments of which no more than the text is known.
local function plain_list(entries)
  local items = {}
  for i, entry in ipairs(entries) do items[i] = h.li(h.code(witness.experiment(entry.experiment))) end
  return h.ul { class = "members", items }
end

--- Experiments as a small table.
-- @tparam table list of { experiment=, cycles=, expected=, says= } (or of texts)
-- @tparam number limit rows at most (all if nil)
-- @treturn table|nil node, nil if there is none
function witness.table(list, limit)
  if type(list) ~= "table" or #list == 0 then return nil end
  local entries, rows, has_says, has_numbers = {}, {}, false, false
  for i = 1, math.min(#list, limit or #list) do
    entries[i] = normal(list[i])
    has_says = has_says or entries[i].says ~= nil or entries[i].role ~= nil
    has_numbers = has_numbers or entries[i].measured ~= nil
  end
  if not has_says and not has_numbers then return plain_list(entries) end
  for i, entry in ipairs(entries) do rows[i] = row(entry, has_says) end
  return h.table {
    class = "witnesses",
    section.head { "experiment", { "measured", "number" }, { "expected", "number" }, { "deviation", "number" }, has_says and { "says", "says" } },
    h.tbody(rows),
    #list > #entries and h.tbody(h.tr(h.td { colspan = has_says and 5 or 4,
      format.count(#list - #entries) .. " more are in chart.json" })),
  }
end

--- The same behind a summary to click on, in the place of a long column.
function witness.details(list, word)
  local rows = witness.table(list)
  if not rows then return nil end
  return h.details { h.summary(format.plural(#list, word or "witness", word and word .. "s" or "witnesses")),
    h.div { class = "scroll", rows } }
end

return witness
