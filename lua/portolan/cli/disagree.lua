--- `portolan disagree`: where a mapping and a reference disagree, and which of them the machine bears out.
-- @module portolan.cli.disagree
local algebra = require "portolan.mapping.algebra"
local disagreements = require "portolan.report.disagreements"
local file = require "portolan.support.file"
local json = require "portolan.support.json"
local lists = require "portolan.support.lists"
local mapping = require "portolan.mapping"
local mapping_words = require "portolan.mapping.words"
local must = require("portolan.support.failure").check
local open_processor = require "portolan.cli.open_processor"
local oracle = require "portolan.processor.oracle"
local plural = require "portolan.support.plural"
local port_set = require "portolan.mapping.ports"
local printable = require "portolan.support.printable"
local progress = require "portolan.progress.line"
local reference = require "portolan.infer.reference"

local command = { summary = "where a mapping and a reference disagree, and experiments that decide", interruptible = true }

function command.configure(parser)
  parser:description("Compares a mapping with a reference, up to the names of ports, and finds for each scheme that the two use differently a short "
    .. "experiment for which they predict the most different cycles. With an oracle these are measured: which of the two is right?")
  parser:argument("mapping", "mapping file, of an inference, say")
  parser:option("--reference", "mapping file, or llvm-mca-19:CPU for what LLVM's scheduling model says"):argname("FILE"):count(1)
  parser:option("--oracle", "measure: " .. oracle.usage):argname("ORACLE")
  parser:option("--names", "whose names of ports are used: the reference's, or the mapping's", "reference")
    :choices { "reference", "mapping" }
  parser:option("--out", "write all differences as JSON; with --names mapping they are what a chart's report shows"):argname("FILE")
  parser:flag("--json", "print JSON")
end

-- The processor of --oracle; nil if none is asked for; or nil, message, status.
local function open(args)
  if not args.oracle then return nil end
  local processor, spec, status = open_processor.of_option(args.oracle, "disagree")
  if processor then return processor, spec.kind end
  return nil, spec, status
end

-- Measures; adds counts to the differences. True; or nil, message.
local function decide(processor, kind, differences)
  local update, finish = progress.measuring(kind == "hw")
  local counts, message = reference.decide(processor, differences, { progress = update })
  finish()
  if processor.close then processor:close() end
  differences.counts = counts
  return counts and true, message
end

-- Returns what JSON holds: experiments as text only.
local function plain(d, args)
  local list = json.array {}
  for i, entry in ipairs(d.list) do
    list[i] = {}
    for key, value in pairs(entry) do
      if key ~= "e" then list[i][key] = value end
    end
  end
  return { reference = args.reference, mapping = args.mapping, renaming = json.object(d.renaming), common = d.common, same = d.same, list = list,
    counts = d.counts, oracle = args.oracle }
end

-- Both mappings, the first with the reference's names of ports if these are asked for; name in its file -> its name here; or nil, message.
local function load(args)
  local m = must(mapping.load(args.mapping))
  local other = must(mapping.load(args.reference))
  if args.names == "mapping" then return m, other, {} end
  local renamed, renaming = algebra.match(m, other)
  if not renamed then return nil, ("%s and %s: %s"):format(args.mapping, args.reference, renaming) end
  return renamed, other, renaming
end

-- Port of the reference -> port of the mapping, as its file names it.
local function first_names(names, renaming)
  local first, result = {}, {}
  for port, now in pairs(renaming) do first[now] = port end
  for theirs, here in pairs(names) do result[theirs] = first[here] or here end
  return result
end

-- Entries by pairs of usages, those of the largest difference first: { usage =, reference_usage =, entries =, apart = largest share }
local function kinds_of(list)
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

-- Kinds of difference, large ones first, each with one experiment that anyone can measure again.
local function show(d, names, context)
  local kinds = kinds_of(d.list)
  context.out("%s and %s: %d of %s used the same", printable(names.mapping), printable(names.reference), d.same, plural(d.common, "common scheme"))
  context.out(#d.list > 0 and ", %d not, in %s of difference.\n" or ".\n", #d.list, plural(#kinds, "kind"))
  show_renaming(d.renaming, context)
  for _, kind in ipairs(kinds) do show_kind(kind, context) end
  if d.counts and #d.list > 0 then context.out("\nMeasured right: %s.\n", tally(d.counts, context)) end
end

function command.run(args, context)
  local m, other, renaming = load(args)
  if not m then return nil, other end
  local differences, message = reference.differences(m, other)
  if not differences then return nil, ("%s and %s: %s"):format(args.mapping, args.reference, message) end
  differences.renaming = first_names(differences.renaming, renaming)
  local processor, kind, status = open(args)
  if not processor and kind then return nil, kind, status end
  if processor then
    local ok, trouble = decide(processor, kind, differences)
    if not ok then return nil, trouble, 1 end
  end
  local text = (args.out or context.json) and json.shown(plain(differences, args))
  if args.out then must(file.write(args.out, text)) end
  if context.json then
    context.out("%s", text)
  else
    show(differences, args, context)
  end
  return 0
end

return command
