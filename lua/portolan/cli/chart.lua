--- `portolan chart`: this machine's port mapping and a report, from measurements alone.
-- @module portolan.cli.chart
local architectures = require "portolan.support.architectures"
local blocking = require "portolan.cli.blocking"
local chart = require "portolan.infer.chart"
local chart_files = require "portolan.cli.chart_files"
local chart_progress = require "portolan.cli.chart_progress"
local core = require "portolan.core"
local cpu = require "portolan.machine.cpu"
local must = require("portolan.support.failure").check
local plan = require "portolan.infer.chart.plan"
local duration = require "portolan.support.duration"
local file = require "portolan.support.file"
local hardware = require "portolan.processor.hardware"
local llvm_mca = require "portolan.predictor.llvm_mca"
local lock = require "portolan.support.lock"
local mapping = require "portolan.mapping"
local number = require "portolan.cli.number"
local open_processor = require "portolan.cli.open_processor"
local own_file = require "portolan.support.own_file"
local plural = require "portolan.support.plural"
local scheme_set = require "portolan.scheme.set"
local store = require "portolan.experiment.store"
local summary_text = require "portolan.report.summary_text"
local terminal = require "portolan.support.terminal"

local command = { summary = "chart this CPU: infer its port mapping and write a report", interruptible = true }

function command.configure(parser)
  parser:description("Measures a set of instruction schemes on this machine, infers which ports they use, and writes "
    .. "DIR/report.html, DIR/mapping.json and DIR/chart.json. Measurements are kept in DIR/measurements.db: a second run, "
    .. "also after an interruption, goes on from them.")
  parser:option("--out", "directory for the results", "charts/latest"):argname("DIR")
  parser:option("--set", "instruction set: a Lua file, or a name: "
    .. table.concat(own_file.names("sets", architectures.default()), ", "), "starter"):argname("SET")
  parser:option("--seed", "of every random choice", "1"):convert(number.whole "--seed")
  parser:option("--budget", "time that the chart may take in all: 90s, 10m, 1h; by default 10 minutes, more for large sets"):argname("DURATION")
    :convert(duration.converter "--budget")
  parser:option("--cpu", "number of the processor to measure on; by default the quieter ones"):convert(number.whole("--cpu", 0, 1023))
  parser:option("--core-kind", "kind of cores to measure on, where there are several (portolan doctor lists them)")
  parser:option("--evaluate", "fresh random experiments to test the mapping with", "200"):convert(number.whole("--evaluate", 0))
  parser:option("--reference", "also find and decide disagreements with this mapping: a file, or llvm-mca-VERSION:CPU (docs/predictors.md), "
    .. "which then predicts the random experiments, too"):argname("MAPPING")
  parser:flag("--no-latencies", "measure no chains: ports only")
  blocking.configure(parser)
  parser:flag("--again", "measure everything anew, even what was measured before")
end

local calibration_patience = 5 -- seconds; then the person who waits hears of it

-- Opens the processor; on a disturbed machine it tries for half of the budget.
local function open_hardware(args, measurements, line)
  local options = { store = measurements, seed = args.seed, patience = calibration_patience, wait = args.budget, cpu = args.cpu,
    core_kind = args.core_kind, again = args.again }
  line.update("calibration")
  return hardware.open_within(args.budget / 2, options, open_processor.update(line.update, "calibration"))
end

local function print_summary(context, result, dir)
  local out, e = context.out, result.evaluation
  out("%s%s\n", result.machine.cpu, result.machine.microarchitecture and " - " .. result.machine.microarchitecture or "")
  summary_text.show(context, result)
  if e and e.mape then
    local function accuracy(title, m)
      out("  %s MAPE %.1f%%, Pearson %.3f, Kendall tau-b %.3f (%.3f to %g cycles)\n", title, 100 * m.mape, m.pearson or 0, m.kendall or 0,
        m.kendall_resolved or 0, e.resolution)
    end
    out("\n  %d fresh random experiments:\n", #e.list)
    accuracy("  the model:            ", e)
    accuracy("  a greedy port binder: ", e.binder)
    for _, other in ipairs(e.others or {}) do
      if other.mape then accuracy(("  %-21s "):format(other.name:sub(1, 20) .. ":"), other) end
    end
  end
  local d = result.disagreements
  if d then
    out("\n  %s: %d of %d common schemes alike; of the others, measured: %d as here, %d as there, %d neither or undecided\n", d.reference,
      d.same, d.common, d.counts.ours, d.counts.theirs, d.counts.neither + d.counts.undecided)
  end
  local none = #result.mapping.ports == 0
  local kind = none and "report without a mapping" or result.partial and "PARTIAL report" or "report"
  out("\n%s: %s/report.html (%.0f s, %s)\n", kind, dir, result.seconds, plural(result.provenance.experiments, "experiment"))
  if none and file.kind(dir .. "/mapping.json") then out("%s/mapping.json is left as an earlier chart wrote it\n", dir) end
end

-- The reference, and llvm-mca as a further predictor if it is one of its models: that model of the charted set, if no other is named.
-- `{}` without one; or nil and a message.
local function load_reference(args)
  if not args.reference then return {} end
  local version, model = args.reference:match("^llvm%-mca%-(%d+):([^#]+)")
  local whole = version and not args.reference:find("#", 1, true)
  local m, message = mapping.load(whole and args.reference .. "#" .. args.set or args.reference)
  if not m then return nil, "--reference: " .. message end
  local result = { reference = { name = args.reference, mapping = m } }
  local mca = version and llvm_mca.open { version = version, cpu = model }
  if mca then result.others = { { name = args.reference, throughput = function(list) return mca:throughput(list) end } } end
  return result
end

-- Charts, with everything open; the line ends with it, however that comes about.
local function run_chart(args, set, reference, measurements)
  local began = core.base.now()
  local line <close> = chart_progress.new(scheme_set.count(set), { reference = reference.reference, budget = args.budget,
    latencies = not args.no_latencies })
  local before = not args.again and measurements:count() or 0
  line:say(("%s, at most %s%s"):format(plural(scheme_set.count(set), "scheme"), duration.given(args.budget),
    before > 0 and ("; goes on from %s in %s"):format(plural(before, "measurement"), args.out) or ""))
  local processor, why, status = open_hardware(args, measurements, line)
  if not processor then return nil, why, status end
  line:follow(processor)
  local result = chart.run(processor, set, {
    seed = args.seed, evaluate = args.evaluate, blocking = args.by_hand, progress = line.update,
    command = ("portolan chart --set %s --seed %d"):format(args.set, args.seed),
    counters = core.bench.counter() == true, reference = reference.reference, others = reference.others,
    latencies = not args.no_latencies,
    budget = math.max(1, args.budget - (core.base.now() - began)),
  })
  processor:close()
  return result
end

-- Charts and writes, in a folder that is locked.
local function chart_folder(args, context, set, reference)
  local measurements = must(store.open(args.out .. "/measurements.db"))
  local result, why, status = run_chart(args, set, reference, measurements)
  measurements:close()
  if not result then
    if status == "interrupted" or core.base.interrupted() then return 130 end
    return nil, why, status
  end
  must(chart_files.write(args.out, result))
  print_summary(context, result, args.out)
  blocking.show(result.blocking, context)
  if result.failure then
    terminal.say(("portolan chart: %s. %s"):format(result.failure, result.ending.mend))
    return 1
  end
  return result.partial and 130 or 0
end

function command.run(args, context)
  local set, message = scheme_set.load(args.set, architectures.default())
  if not set then return nil, message end
  local of_kind, cores = cpu.usable(args.cpu, args.core_kind)
  if not of_kind and cores then return nil, cores end
  args.by_hand, message = blocking.names(args.blocking)
  local fine = not message
  if fine then fine, message = blocking.check(args.by_hand, set) end
  if not fine then return nil, message end
  args.budget = args.budget or plan.budget(scheme_set.count(set))
  local reference = must(load_reference(args))
  must(file.make_directory(args.out))
  local writer <close>, why, kind = lock.folder(args.out, "portolan chart")
  if not writer then return nil, why, kind end
  return chart_folder(args, context, set, reference)
end

return command
