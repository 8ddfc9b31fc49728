--- `portolan disagree`: where a mapping and a reference disagree, and which of them the machine bears out.
-- @module portolan.cli.disagree
local algebra = require "portolan.algebra"
local disagree_text = require "portolan.report.disagree_text"
local file = require "portolan.support.file"
local json = require "portolan.support.json"
local mapping = require "portolan.mapping"
local must = require("portolan.support.failure").check
local open_processor = require "portolan.cli.open_processor"
local oracle = require "portolan.processor.oracle"
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

-- What JSON holds: experiments as text only.
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
    disagree_text.show(differences, args, context)
  end
  return 0
end

return command
