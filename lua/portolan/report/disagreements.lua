--- Section "Disagreements": where the mapping and a reference (another tool's model, renamed to these ports) use the ports
-- differently, and what the machine says to an experiment that tells them apart. One entry for each pair of usages.
local catalog = require "portolan.report.catalog"
local format = require "portolan.report.format"
local html = require "portolan.report.html"
local section = require "portolan.report.section"
local scheme_usage = require "portolan.report.scheme_usage"
local witness = require "portolan.report.witness"
local h = html.tag
local disagreements = {}

local most_open = 5 -- pairs
local most_shown = 12 -- rows of a pair before the others are folded

local verdicts = { ours = "the mapping", theirs = "the reference", neither = "neither", undecided = "undecided" }
local order = { "ours", "theirs", "neither", "undecided" }

-- A usage may be text, or uops as in a mapping.
local function notation(value, ports)
  if type(value) == "table" then return scheme_usage.notation({ uops = value.uops or value }, ports) or format.absent end
  return value ~= nil and tostring(value) or format.absent
end

--- Disagreements by pairs of usages, most frequent pair first.
-- @tparam table list of { usage =, reference_usage =, ... }
-- @tparam {string,...} ports of the mapping
-- @treturn table list of { ours =, theirs =, entries = {...} }
function disagreements.pairs(list, ports)
  local groups = catalog.grouped(list, function(entry)
    return notation(entry.usage, ports) .. "\0" .. notation(entry.reference_usage, ports)
  end)
  for _, group in ipairs(groups) do group.ours, group.theirs = group.key:match("^(.-)%z(.*)$") end
  return groups
end

--- The command that measures an experiment, quoted for a shell; nil if its text is not fit for one line.
function disagreements.command(experiment)
  local text = witness.experiment(experiment)
  if experiment == nil or text:find("%c") then return nil end
  return ("portolan bench --experiment '%s'"):format((text:gsub("'", "'\\''")))
end

local function tally(entries)
  local counts, parts = {}, {}
  for _, entry in ipairs(entries) do
    local verdict = verdicts[entry.verdict] and entry.verdict or "undecided"
    counts[verdict] = (counts[verdict] or 0) + 1
  end
  for _, verdict in ipairs(order) do
    if counts[verdict] then parts[#parts + 1] = ("%s: %s"):format(verdicts[verdict], format.count(counts[verdict])) end
  end
  return table.concat(parts, ", "), counts
end

local function row(entry, list)
  local verdict = verdicts[entry.verdict] and entry.verdict or "undecided"
  return h.tr {
    h.td { class = "scheme", section.scheme(entry.scheme, list.by_name[entry.scheme]) },
    h.td { class = "experiment", entry.experiment and h.code(witness.experiment(entry.experiment)) or format.absent },
    h.td { class = "number", format.cycles(entry.ours) },
    h.td { class = "number", format.cycles(entry.theirs) },
    h.td { class = "number", format.cycles(entry.measured) },
    h.td { class = "judged", h.span { class = "judged " .. verdict, verdicts[verdict] } },
  }
end

local function table_of(entries, from, to, list)
  local rows = {}
  for i = from, to do rows[#rows + 1] = row(entries[i], list) end
  return section.table("witnesses disagreements", { "scheme", "experiment", { "mapping", "number" }, { "reference", "number" },
    { "measured", "number" }, { "right", "judged" } }, rows)
end

-- The first experiment that was decided, otherwise the first.
local function example(entries)
  local any
  for _, entry in ipairs(entries) do
    local command = disagreements.command(entry.experiment)
    if command and (entry.verdict == "ours" or entry.verdict == "theirs") then return command end
    any = any or command
  end
  return any
end

local function pair(group, list, number)
  local n, command = #group.entries, example(group.entries)
  local rest = n > most_shown + 3
  local shown = rest and most_shown or n
  return h.details { class = "pair", open = number <= most_open,
    h.summary { h.b { h.code(group.ours), " rather than ", h.code(group.theirs) }, " ", h.span { class = "count", format.plural(n, "scheme") },
      h.span { class = "count", "measured right: ", (tally(group.entries)) } },
    table_of(group.entries, 1, shown, list),
    rest and h.details { h.summary(format.plural(n - shown, "more scheme", "more schemes")), table_of(group.entries, shown + 1, n, list) },
    command and h.pre(h.code(command)),
  }
end

local function renaming(value)
  if type(value) ~= "table" then return value ~= nil and tostring(value) or nil end
  local names, parts = {}, {}
  for name in pairs(value) do names[#names + 1] = name end
  table.sort(names, function(a, b) return tostring(a) < tostring(b) end)
  for i, name in ipairs(names) do parts[i] = ("%s = %s"):format(tostring(name), tostring(value[name])) end
  return #parts > 0 and table.concat(parts, ", ") or nil
end

--- The section; nil if the chart was compared with nothing.
-- @tparam table chart
-- @tparam table list its catalog
function disagreements.render(chart, list)
  local d = chart.disagreements
  if type(d) ~= "table" then return nil end
  local id, title = "disagreements", "Where a reference disagrees"
  local names = renaming(d.renaming)
  local about = section.note("The reference: ", h.code(d.reference or "unnamed"), names and { ", with ports renamed to these: ", names } or ".")
  if not d.list or #d.list == 0 then return section.new(id, title, { about, section.note "No scheme is known to be used differently." }) end
  local groups, parts = disagreements.pairs(d.list, list.ports), {}
  for i, group in ipairs(groups) do parts[i] = pair(group, list, i) end
  return section.new(id, title, {
    about,
    section.note(format.plural(#d.list, "scheme"), " in ", format.plural(#groups, "kind"), " of difference. Each experiment takes different ",
      "times under the two; cycles are per experiment. Measured right: ", (tally(d.list)), ". The command measures it anew."),
    parts,
  })
end

return disagreements
