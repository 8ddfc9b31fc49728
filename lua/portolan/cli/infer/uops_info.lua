--- `portolan infer uops-info`: the algorithm of uops.info from the command line.
-- @module portolan.cli.infer.uops_info
local core = require "portolan.core"
local duration = require "portolan.support.duration"
local hardware_counters = require "portolan.processor.hardware_counters"
local json = require "portolan.support.json"
local mapping = require "portolan.mapping"
local meter = require "portolan.infer.uops_info.port_meter"
local must = require("portolan.support.failure").check
local open = require "portolan.cli.infer.open"
local options = require "portolan.cli.infer.options"
local oracle = require "portolan.processor.oracle"
local printable = require "portolan.support.printable"
local progress = require "portolan.progress.line"
local statuses = require "portolan.mapping.statuses"
local uops_info = require "portolan.infer.uops_info"

local strategy = { summary = "by counters of the uops on each port (Algorithm 6.1, as uops.info)" }

function strategy.configure(parser)
  parser:description("Floods sets of ports with instructions that block them and counts, by performance counters, how many uops of others "
    .. "stay there; those that block ports must be among the schemes. Needs counters of the uops executed, in all and on each port: Intel from "
    .. "Skylake on, not in most virtual machines.")
  open.declare(parser, "write the mapping", "FILE", "hw (this machine) or sim:MAPPING,counters=uops+ports")
  parser:option("--k", "how many blocking instructions: as uops.info's program or as its paper, which are too few now and then", "implementation")
    :choices { "implementation", "paper" }
  parser:option("--seed", "of a simulated processor, and of the order of samples", "1"):convert(options.number("--seed", 0, 2 ^ 53, true))
  parser:flag("--json", "print JSON")
end

-- Checks whether there can be the counters, before anything is opened and calibrated.
local function check_counters(spec)
  if spec.kind == "hw" then return meter.new { counters = hardware_counters.available } end
  if spec.options.counters then return true end
  return nil, ("the oracle %s has no counters; write sim:MAPPING,counters=uops+ports"):format(spec.kind)
end

local function tally(m)
  local list = {}
  for _, scheme in pairs(m.schemes) do list[#list + 1] = scheme.status end
  return statuses.tally(list)
end

local function show(outcome, args, context)
  local m, width = outcome.mapping, 0
  context.out("%s\n\nblocking instructions:\n", tally(m))
  for _, b in ipairs(outcome.blocking) do
    local more = b.improper and "  (and a uop on other ports)" or ""
    context.out("%s\n", ("  %-14s %s"):format(printable(mapping.usage { uops = { { b.ports, 1 } } }), printable(b.scheme .. more)))
  end
  if #outcome.blocking == 0 then context.out("  none: no scheme is a single uop that is as fast as its ports\n") end
  context.out("\n")
  for name in pairs(m.schemes) do width = math.max(width, #name) end
  for _, name in ipairs(mapping.schemes(m)) do
    local scheme = m.schemes[name]
    local assumed = scheme.assumed and ("  (assumed: %s)"):format(table.concat(scheme.assumed, ",")) or ""
    local words = scheme.status == "explained" and assumed or ("  %s%s"):format(scheme.status, scheme.note and ": " .. scheme.note or "")
    context.out("%s\n", ("  %-" .. math.min(width, 60) .. "s  %s"):format(printable(name), printable((mapping.usage(scheme) or "?") .. words)))
  end
  context.out("\n%d counts and times, %s\n", outcome.experiments, duration.text(outcome.seconds))
  if args.out then context.out("%s: the mapping\n", args.out) end
end

local function write(outcome, args, processor)
  if not args.out then return true end
  outcome.mapping.provenance = { method = "uops-info", version = core.version, oracle = args.oracle, k = args.k,
    processor = processor.describe and processor:describe(), experiments = outcome.experiments, seconds = outcome.seconds, seed = args.seed,
    blocking = outcome.blocking, partial = outcome.interrupted }
  return mapping.save(outcome.mapping, args.out)
end

function strategy.run(args, context)
  local spec, message = oracle.parse(args.oracle)
  if not spec then return nil, message end
  must(check_counters(spec))
  local update, finish = progress.by_stage(false)
  local processor, known, trouble, status = open.processor(spec, args.seed, update, finish)
  if not processor then return known, trouble, status end
  local names, outcome
  names, message = open.schemes(args, spec, known)
  if names then outcome, message = uops_info.infer(processor, names, { k = args.k, progress = update }) end
  finish()
  local written
  if outcome then written, trouble, status = write(outcome, args, processor) end
  if processor.close then processor:close() end
  if not outcome then return nil, message end
  if not written then return nil, trouble, status end
  if context.json then
    outcome.blocking = json.array(outcome.blocking)
    context.write_json(outcome)
  else
    show(outcome, args, context)
  end
  return outcome.interrupted and 130 or 0
end

return strategy
