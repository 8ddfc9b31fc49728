--- `portolan infer chart`: the explainable inference of a whole instruction set from the command line, for any oracle.
-- @module portolan.cli.infer.chart
local chart_progress = require "portolan.cli.chart_progress"
local chart = require "portolan.infer.chart"
local file = require "portolan.support.file"
local mapping = require "portolan.mapping"
local open = require "portolan.cli.infer.open"
local options = require "portolan.cli.infer.options"
local oracle = require "portolan.processor.oracle"
local report = require "portolan.report"
local scheme_set = require "portolan.scheme_set"
local show_ending = require "portolan.report.ending_text"
local show_port_sets = require "portolan.report.port_sets_text"
local statuses = require "portolan.statuses"
local terminal = require "portolan.support.terminal"

local strategy = { summary = "a whole instruction set, with a witness for every claim (section 6.2)", former = "explain" }

function strategy.configure(parser)
  parser:description("Finds blocking instructions, their ports by counter-examples, and the uops of all other schemes by blocking; with one "
    .. "counter (uops or macro-ops) or none. `portolan chart` does the same on this machine, and writes a report.")
  parser:option("--oracle", "what is measured: hw (this machine) or sim:MAPPING, with options behind commas (docs/command-line.md)")
    :argname("ORACLE"):count(1)
  parser:option("--set", "schemes to infer: the name of a set, or a Lua file; by default all that the oracle knows, and on this "
    .. "machine the starter set"):argname("SET")
  parser:option("--out", "write the mapping"):argname("FILE")
  parser:option("--report", "write a report (HTML)"):argname("FILE")
  parser:option("--evaluate", "fresh random experiments to test the mapping with", "200"):convert(options.number("--evaluate", 0, 1e6, true))
  parser:option("--seed", "of every random choice", "1"):convert(options.number("--seed", 0, 2 ^ 53, true))
end

local function show(result, context)
  local list, e = {}, result.evaluation
  for _, scheme in pairs(result.mapping.schemes) do list[#list + 1] = scheme.status end
  show_ending(context, result)
  context.out("%s\n", statuses.tally(list))
  if #result.mapping.ports > 0 then
    context.out("%d ports, at most %s instructions a cycle; uops counted by %s\n\n", #result.mapping.ports, tostring(result.rmax or "?"),
      result.counting and result.counting.source or "nothing")
  end
  show_port_sets(context, result.port_sets, "assumed")
  if e and e.mape then
    context.out("\n%d fresh random experiments: MAPE %.1f%%, Pearson %.3f, Kendall tau-b %.3f\n", #e.list, 100 * e.mape, e.pearson or 0,
      e.kendall or 0)
  end
end

local function write(result, args)
  local ok, message, status = true, nil, nil
  if args.out and #result.mapping.ports > 0 then ok, message, status = mapping.save(result.mapping, args.out) end
  if ok and args.report then ok, message, status = file.write(args.report, report.chart(result)) end
  return ok, message, status
end

local schemes_of_oracle = 200 -- about; it tells when it is open

-- Charts the oracle. Returns the chart; or nil and what the strategy is to return.
local function run(args, spec, set)
  local known_set = set ~= true and set
  local line <close> = chart_progress.new(known_set and scheme_set.count(known_set) or schemes_of_oracle)
  local processor, known, trouble, status = open.processor(spec, args.seed, line.update)
  if not processor then return nil, known, trouble, status end
  if not processor.chain_latency then
    return nil, nil, "--oracle: this one has no answer to questions of this strategy about chains; give hw or sim:MAPPING"
  end
  line:follow(processor)
  local result = chart.run(processor, known_set or { { name = "All", schemes = known } }, { seed = args.seed, evaluate = args.evaluate,
    progress = line.update })
  if processor.close then processor:close() end
  return result
end

function strategy.run(args, context)
  local spec, message = oracle.parse(args.oracle)
  if not spec then return nil, "--oracle: " .. message end
  local set
  set, message = open.writable(args.out, args.report)
  if set and (args.set or spec.kind == "hw") then set, message = scheme_set.load(args.set or "starter") end
  if not set then return nil, message end
  local result, status, trouble, kind = run(args, spec, set)
  if not result then return status, trouble, kind end
  local ok
  ok, trouble, kind = write(result, args)
  show(result, context)
  if not ok then return nil, trouble, kind end
  if result.failure then
    terminal.say(("portolan infer chart: %s"):format(result.failure))
    return 1
  end
  return result.partial and 130 or 0
end

return strategy
