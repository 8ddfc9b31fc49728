--- `portolan infer latency`: latencies for a mapping that there is, or for a whole chart.
-- @module portolan.cli.infer.latency
local chart_files = require "portolan.cli.chart_files"
local choose = require "portolan.cli.choose"
local duration = require "portolan.support.duration"
local latency = require "portolan.infer.latency"
local lists = require "portolan.support.lists"
local lock = require "portolan.support.lock"
local mapping = require "portolan.mapping"
local must = require("portolan.support.failure").check
local open = require "portolan.cli.infer.open"
local options = require "portolan.cli.infer.options"
local oracle = require "portolan.processor.oracle"
local outcome = require "portolan.infer.latency.outcome"
local progress = require "portolan.progress.line"
local scheme_set = require "portolan.scheme.set"
local summary_text = require "portolan.report.summary_text"
local terminal = require "portolan.support.terminal"

local strategy = { summary = "latencies of every pair of operands, by chains, for a mapping or a chart that there is" }

function strategy.configure(parser)
  parser:description("Measures chains of dependent instructions and finds how long after each input of a scheme each of its outputs is there. "
    .. "Give either a mapping and a file for the same mapping with latencies, or the directory of a chart, whose mapping and report get them.")
  parser:argument("schemes", "a scheme's name, a part of names, or a Lua pattern between slashes; by default all that were measured"):args("*")
    :argname("SCHEME")
  parser:option("--mapping", "mapping file", choose.default):argname("FILE")
  parser:option("--out", "write the mapping with latencies"):argname("FILE")
  parser:option("--chart", "instead of --mapping and --out: directory of a chart; what was measured is kept in it"):argname("DIR")
  parser:option("--oracle", "what is measured: hw (this machine) or sim:MAPPING, whose schemes have latencies; with options behind commas "
    .. "(docs/command-line.md)", "hw"):argname("ORACLE")
  parser:option("--set", "only schemes of this set: its name, or a Lua file"):argname("SET")
  parser:option("--store", "with hw: file to keep measurements in; what it has is not measured again"):argname("FILE")
  parser:option("--budget", "time that it may take: 90s, 10m, 1h"):argname("DURATION"):convert(duration.converter "--budget")
  parser:flag("--json", "print JSON")
  parser:option("--seed", "of every random choice", "1"):convert(options.number("--seed", 0, 2 ^ 53, true))
end

-- The schemes to look at: those that the words choose, of the set; nil: all.
local function schemes_of(args, m, where)
  local names = #args.schemes > 0 and must(choose.schemes(m, args.schemes, where)) or nil
  if not args.set then return names or outcome.schemes(m) end
  local groups = must(scheme_set.load(args.set))
  local of_set = {}
  for _, group in ipairs(groups) do
    for _, name in ipairs(group.schemes) do of_set[name] = true end
  end
  names = lists.where(names or outcome.schemes(m), function(name) return of_set[name] end)
  if #names == 0 then return nil, ("--set %s: none of its schemes was measured in %s"):format(args.set, where) end
  return names
end

-- Reads what is asked for: chart (or nil), mapping, where it is from, schemes, oracle; or nil and a message.
local function read(args)
  if args.chart and (args.out or args.mapping ~= choose.default) then return nil, "give either --chart, or --mapping and --out, not both" end
  if args.chart and args.store then return nil, "--chart keeps measurements in its directory; leave out --store" end
  if not args.chart and not args.out then return nil, "where to? give --out FILE, or --chart DIR" end
  local ok, message = open.writable(args.out)
  if not ok then return nil, message end
  local job = { where = args.chart or args.mapping }
  if args.chart then
    job.chart, message = chart_files.read(args.chart)
    job.mapping = job.chart and job.chart.mapping
    if job.mapping then ok, message = mapping.validate(job.mapping) end
  else
    job.mapping, message = choose.mapping(args.mapping)
  end
  if not job.mapping or not ok then return nil, message end
  job.names = must(schemes_of(args, job.mapping, job.where))
  job.spec, message = oracle.parse(args.oracle)
  if not job.spec then return nil, "--oracle: " .. message end
  if job.spec.kind ~= "hw" and args.store then return nil, "--store is for measuring on this machine, not for --oracle " .. job.spec.kind end
  if job.spec.kind == "hw" then job.spec.options.store = args.chart and args.chart .. "/measurements.db" or args.store or job.spec.options.store end
  return job
end

local function write(args, job, found)
  outcome.enter(job.mapping, found)
  if not args.chart then return mapping.save(job.mapping, args.out) end
  job.chart.latency = outcome.summary(found)
  return chart_files.write(args.chart, job.chart)
end

-- Measures and writes, with the folder of a chart locked.
local function run(args, context, job)
  local update, finish = progress.by_stage(false)
  local processor, known, trouble, status = open.processor(job.spec, args.seed, update)
  if not processor then
    finish()
    return known, trouble, status
  end
  local found, message = latency.infer(processor, job.mapping, { schemes = job.names, budget = args.budget, progress = update })
  finish()
  if processor.close then processor:close() end
  if not found then return nil, message end
  local ok, why, kind = write(args, job, found)
  if not ok then return nil, why, kind end
  if context.json then context.write_json(outcome.summary(found)) else summary_text.latencies(context, outcome.summary(found)) end
  if found.failure then terminal.say("portolan infer latency: " .. found.failure) end
  return found.failure and 1 or found.unfinished and 130 or 0
end

function strategy.run(args, context)
  local job, message = read(args)
  if not job then return nil, message end
  if not args.chart then return run(args, context, job) end
  local writer <close>, why, kind = lock.folder(args.chart, "portolan infer latency")
  if not writer then return nil, why, kind end
  job, message = read(args) -- again: whoever had the folder until now may have written the chart
  if not job then return nil, message end
  return run(args, context, job)
end

return strategy
