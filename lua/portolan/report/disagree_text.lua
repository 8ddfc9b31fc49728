--- Where a mapping and a reference disagree, for the terminal: kinds of difference, large ones first, each with one experiment that
-- anyone can measure again.
-- @module portolan.report.disagree_text
local disagreements = require "portolan.report.disagreements"
local lists = require "portolan.support.lists"
local mapping_words = require "portolan.mapping_words"
local port_set = require "portolan.ports"
local printable = require "portolan.support.printable"

local text = {}

local plural = require "portolan.support.plural"

--- Entries by pairs of usages, in the order of the largest difference of each.
-- @param list entries of `portolan.infer.reference`
-- @return list of `{ usage =, reference_usage =, entries =, apart = largest share }`
function text.kinds(list)
  local kinds, by_key = {}, {}
  for _, entry in ipairs(list) do
    local key = entry.usage .. "\0" .. entry.reference_usage
    if not by_key[key] then
      by_key[key] = { usage = entry.usage, reference_usage = entry.reference_usage, entries = {}, apart = entry.apart }
      kinds[#kinds + 1] = by_key[key]
    end
    table.insert(by_key[key].entries, entry)
  end
  return kinds
end

local words = { ours = "the mapping", theirs = "the reference", neither = "neither", undecided = "undecided" }
local colors = { ours = "green", theirs = "red", neither = "yellow", undecided = "dim" }

local function names_of(entries)
  local names = lists.map(entries, function(entry) return entry.scheme end)
  return mapping_words.some(names, 3, 90)
end

-- The entry to show for a kind: one that was decided as most of it were.
local function example(kind)
  local counts = {}
  for _, entry in ipairs(kind.entries) do
    if entry.verdict then counts[entry.verdict] = (counts[entry.verdict] or 0) + 1 end
  end
  local best
  for _, entry in ipairs(kind.entries) do
    if entry.experiment and (not best or (counts[entry.verdict] or 0) > (counts[best.verdict] or 0)) then best = entry end
  end
  return best, counts
end

local function tally(counts, context)
  local met = lists.where({ "ours", "theirs", "neither", "undecided" }, function(verdict) return counts[verdict] end)
  return table.concat(lists.map(met, function(verdict)
    return context.style(("%s: %d"):format(words[verdict], counts[verdict]), colors[verdict])
  end), ", ")
end

local function show_kind(kind, context)
  local entry, counts = example(kind)
  context.out("\n  %s, %s: %s\n", context.style("modelled " .. printable(kind.reference_usage), "bold"), "inferred " .. printable(kind.usage),
    printable(names_of(kind.entries)))
  if not entry then
    context.out("    indistinguishable: no experiment that was tried differs by more than 5%\n")
    return
  end
  context.out("    %s\n", disagreements.command(entry.experiment) or printable(entry.experiment))
  context.out("      %.3f cycles by the reference, %.3f by the mapping", entry.theirs, entry.ours)
  if entry.measured then
    context.out(", %s; right is %s", context.style(("%.3f measured"):format(entry.measured), "bold"), context.style(words[entry.verdict],
      colors[entry.verdict]))
  elseif entry.status then
    context.out("; not measured: %s", printable(entry.status))
  end
  context.out("\n")
  if next(counts) and #kind.entries > 1 then context.out("      of %d: %s\n", #kind.entries, tally(counts, context)) end
end

-- Ports that have another name in the mapping than in the reference.
local function show_renaming(renaming, context)
  local renamed = lists.where(port_set.list(renaming), function(port) return renaming[port] ~= port end)
  local parts = lists.map(renamed, function(port) return printable(("%s=%s"):format(port, renaming[port])) end)
  if #parts > 0 then context.out("  ports (reference=mapping): %s\n", table.concat(parts, " ")) end
end

--- Prints all.
-- @param d what `portolan.infer.reference` found: `differences`, and `counts` if it was decided
-- @param names `mapping`, `reference` (texts)
-- @param context of the command line
function text.show(d, names, context)
  local kinds = text.kinds(d.list)
  context.out("%s and %s: %d of %s used the same", printable(names.mapping), printable(names.reference), d.same, plural(d.common, "common scheme"))
  context.out(#d.list > 0 and ", %d not, in %s of difference.\n" or ".\n", #d.list, plural(#kinds, "kind"))
  show_renaming(d.renaming, context)
  for _, kind in ipairs(kinds) do show_kind(kind, context) end
  if d.counts and #d.list > 0 then context.out("\nMeasured right: %s.\n", tally(d.counts, context)) end
end

return text
