--- `portolan export`: mappings and experiments in other tools' formats.
-- @module portolan.cli.export
local csv = require "portolan.format.csv"
local exegesis = require "portolan.format.exegesis_write"
local experiments = require "portolan.experiment.list"
local file = require "portolan.support.file"
local isa = require "portolan.scheme.isa"
local lists = require "portolan.support.lists"
local llvm_mc = require "portolan.predictor.llvm_mca.llvm_mc"
local llvm_mca = require "portolan.predictor.llvm_mca"
local mapping = require "portolan.mapping"
local model_review = require "portolan.infer.model_review"
local model_review_text = require "portolan.report.model_review_text"
local must = require("portolan.support.failure").check
local open_processor = require "portolan.cli.open_processor"
local oracle = require "portolan.processor.oracle"
local printable = require "portolan.support.printable"
local progress = require "portolan.progress.line"
local scheme_filter = require "portolan.scheme.filter"
local targets = require "portolan.cli.export_targets"
local terminal = require "portolan.support.terminal"

local command = { summary = "write a mapping in another format: JSON, CSV, LLVM, OSACA, uops.info, PMEvo", interruptible = true }

local names = { "json", "conjunctive", "csv", "exegesis", "llvm", "llvm-review", "osaca", "pmevo", "uops-info" }

function command.configure(parser)
  parser:description("Writes a mapping in another format. Reads all that Portolan reads: its own, PMEvo's and pmtestbench's, OSACA's machine "
    .. "models, uops.info's XML, tables. What the format has no place for is said on standard error.")
  parser:argument("mapping", "mapping file; of uops.info's XML one microarchitecture, as instructions.xml#SKL")
  parser:option("--to", "json: Portolan's own; conjunctive: resources in place of ports; csv: a table; exegesis: llvm-exegesis' measurements "
    .. "(YAML); llvm: a fragment of a scheduling model (TableGen); llvm-review: what is wrong with LLVM's model, with blocks that decide "
    .. "(Markdown); osaca: a machine model (YAML); pmevo: Mapping3; uops-info: as instructions.xml"):choices(names):count(1)
  parser:option("--out", "the file to write; default: standard output"):argname("FILE")
  parser:option("--only", "export only schemes for which a Lua expression is true, as of 'portolan isa list'"):argname("FILTER")
  parser:option("--opcodes", "with --to llvm: name instructions as LLVM does; asks llvm-mc-VERSION. With --to exegesis: the version to ask")
    :argname("VERSION")
  parser:option("--cpu", "what the processor is called there. With --to uops-info: the microarchitecture; exegesis: LLVM's name, which is "
    .. "needed; llvm: what names begin with"):argname("NAME")
  parser:option("--measurement", "with --to exegesis: what was measured; a file has one (default: inverse_throughput)"):choices(exegesis.kinds)
  parser:option("--against", "with --to llvm-review: the model, such as llvm-mca-19:skylake"):argname("MODEL")
  parser:option("--oracle", "with --to llvm-review: measure what decides about ports, by " .. oracle.usage):argname("ORACLE")
  parser:flag("--experiments", "the file has experiments; --to csv makes a table of them, --to json lines of JSON")
end

-- The mapping with only those schemes that a filter lets through, which never lets through schemes that are not Portolan's.
local function restricted(m, expression)
  local test, message = scheme_filter.compile(expression)
  if not test then return nil, "--only: " .. message end
  local chosen, any = {}, false
  for name, usage in pairs(m.schemes) do
    local scheme = isa.scheme(name)
    if scheme then
      local passes, trouble = test(scheme)
      if passes == nil and trouble then return nil, "--only: " .. trouble end
      if passes then chosen[name], any = usage, true end
    end
  end
  if not any then return nil, "--only: no scheme of the mapping passes the filter" end
  local copy = lists.copy(m)
  copy.schemes = chosen
  return copy
end

-- These are the formats that each option is for.
local options = { opcodes = { "llvm", "exegesis" }, cpu = { "uops-info", "exegesis", "llvm" }, measurement = { "exegesis" },
  against = { "llvm-review" }, oracle = { "llvm-review" } }

-- True; or nil and a message if an option is not for this format, or not right.
local function check_options(args)
  for _, name in ipairs(lists.keys(options)) do
    local formats = options[name]
    if args[name] and not lists.set(formats)[args.to] then
      return nil, ("--%s is for --to %s"):format(name, table.concat(formats, " and --to "))
    end
  end
  if args.cpu and not args.cpu:find "^[%w_.+-]+$" then
    return nil, ("--cpu %s: give a name of letters, digits and - + . _"):format(printable(args.cpu))
  end
  return true
end

-- The model as a mapping and as a program that answers; or nil and a message.
local function model_of(name)
  if not name then return nil, "which model? add --against llvm-mca-19:CPU, for CPU see llvm-mca -mcpu=help" end
  local version, cpu = name:match "^llvm%-mca%-?(%d*):([%w_.-]+)$"
  if not cpu then return nil, ("--against %s: only LLVM's models are reviewed; write llvm-mca-19:CPU"):format(name) end
  local tool, message = llvm_mca.open { version = version ~= "" and version or nil, cpu = cpu, steady = true }
  if not tool then return nil, "--against: " .. message end
  local other, trouble = mapping.load(name)
  if not other then return nil, "--against: " .. trouble end
  return other, tool
end

-- The processor of --oracle, false without; or nil, message, status.
local function processor_of(args)
  if not args.oracle then return false end
  return open_processor.of_option(args.oracle, "export")
end

local function reviewed(m, other, tool, processor)
  local update, finish = progress.measuring(processor)
  local kit, message = model_review.of(m, other, tool, processor or nil, { progress = update })
  finish()
  if processor and processor.close then processor:close() end
  return kit, message
end

-- Says what is wrong with one of LLVM's scheduling models, as far as measurements decide it: returns Markdown, and an empty list; or nil, message,
-- status.
local function write_review(m, args)
  local other, tool = model_of(args.against)
  if not other then return nil, tool end
  local processor, message, status = processor_of(args)
  if processor == nil then return nil, message, status end
  local kit, trouble = reviewed(m, other, tool, processor)
  if not kit then return nil, trouble end
  local schemes = {}
  for i, claim in ipairs(kit.claims) do schemes[i] = claim.scheme end
  local opcodes = #schemes > 0 and llvm_mc.opcodes(schemes, tostring(kit.major)) or {}
  local p = type(m.processor) == "table" and m.processor or {}
  return model_review_text.markdown(kit, opcodes, p.name or p.cpu), {}
end

local function export_mapping(args)
  local m, message = mapping.load(args.mapping)
  if m and args.only then m, message = restricted(m, args.only) end
  if not m then return nil, message end
  must(check_options(args))
  local write = args.to == "llvm-review" and write_review or targets[args.to]
  local text, lost, status = write(m, args)
  if not text then return nil, ("%s: %s"):format(args.mapping, lost), status end
  return text, lost, m.provenance and m.provenance.notes
end

-- Says in one line what reading has left out: how many odd entries, and the first one.
local function say_notes(path, notes)
  if type(notes) ~= "table" or #notes == 0 then return end
  terminal.say(("portolan export: %s: %s left out: %s%s"):format(path, #notes == 1 and "1 odd entry" or #notes .. " odd entries",
    tostring(notes[1]), #notes > 1 and "; ..." or ""))
end

local function export_experiments(args)
  if args.to ~= "csv" and args.to ~= "json" then return nil, "experiments go to csv or json only" end
  if args.only then return nil, "--only is for mappings" end
  local list, message = must(experiments.load(args.mapping))
  if message then terminal.say("portolan export: " .. message) end
  if args.to == "csv" then return csv.experiments(list), {} end
  local text, trouble = experiments.encode(list)
  return text, text and {} or ("%s: %s"):format(args.mapping, trouble)
end

function command.run(args, context)
  local export = args.experiments and export_experiments or export_mapping
  local text, lost, notes = export(args)
  if not text then return nil, lost, notes end
  text = printable.text(text) -- the same bytes to a file and to a terminal
  say_notes(args.mapping, notes)
  if args.out then
    must(file.write(args.out, text))
  else
    context.out("%s", text)
  end
  if #lost > 0 then terminal.say(("portolan export: %s has no place for: %s"):format(args.to, table.concat(lost, "; "))) end
  return 0
end

return command
