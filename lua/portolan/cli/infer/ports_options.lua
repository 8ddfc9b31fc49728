--- The options that `portolan infer cegis` and `portolan infer grow` share, and what is to be said of them before anything is measured.
-- @module portolan.cli.infer.ports_options
local lists = require "portolan.support.lists"
local options = require "portolan.cli.infer.options"

local ports_options = {}

--- Declares the shared options.
-- @param parser of argparse, of the strategy
-- @tparam int most_ports that the strategy takes
function ports_options.declare(parser, most_ports)
  parser:option("--oracle", "what answers experiments: hw (this machine), sim:MAPPING or replay:EXPERIMENTS, with options behind commas "
    .. "(docs/command-line.md)"):argname("ORACLE"):count(1)
  parser:option("--schemes", "file with schemes to infer, one a line"):argname("FILE"):target("schemes_file")
  parser:option("--out", "write the mapping"):argname("FILE")
  parser:option("--ports", "most ports to consider; by default as many as are needed"):convert(options.number("--ports", 1, most_ports, true))
  parser:option("--rmax", "instructions per cycle; by default what the oracle says"):convert(options.number("--rmax", 0.01, 1000))
  parser:option("--epsilon", "what measurements resolve, in cycles per instruction; 0.02, with the asymmetric reading 0.01")
    :convert(options.number("--epsilon", 0, 0.5))
  parser:option("--reading", "of a measured time: symmetric (it is the model's) or asymmetric (never faster, now and then slower); "
    .. "asymmetric for hw and greedy binders"):choices { "symmetric", "asymmetric" }
  parser:option("--port-counts", "number of ports of a scheme (SCHEME=N), where known, or a JSON file of them"):argname("SCHEME=N|FILE")
    :count("*")
  parser:option("--fixed", "mapping whose schemes have the ports that it says, under these names"):argname("MAPPING")
  parser:option("--time", "how long to go on: 90s, 10m, 2h"):convert(options.duration)
  parser:option("--experiments", "how many experiments to measure at most"):convert(options.number("--experiments", 1, 1e9, true))
  parser:option("--seed", "of every random choice", "1"):convert(options.number("--seed", 0, 2 ^ 53, true))
  parser:flag("--json", "print JSON")
end

--- What the shared options say, as `cegis.infer` and `grow.infer` take it.
-- @tparam table args of the command line
-- @tparam table spec of `oracle.parse`
-- @return options; or nil and a message
function ports_options.read(args, spec)
  local greedy = spec.measures or spec.options.binder == "greedy"
  local reading = args.reading or (greedy and "asymmetric" or "symmetric")
  local o, message = { ports = args.ports, rmax = args.rmax, reading = reading, seed = args.seed,
    epsilon = args.epsilon or (reading == "asymmetric" and 0.01 or 0.02), time_limit = args.time, experiment_limit = args.experiments }
  o.port_counts, message = options.numbers(args.port_counts, "--port-counts")
  if message then return nil, message end
  if args.fixed then o.fixed, message = options.fixed(args.fixed) end
  if message then return nil, message end
  return o
end

--- Every name that an option mentions must be one of the schemes. Given ports of other schemes are dropped: a whole mapping may be given.
-- @tparam table o options of `read`
-- @tparam {string,...} names of the schemes to infer
-- @tparam {[string]=table,...} further option -> values by scheme
-- @treturn[1] boolean true
-- @return[2] nil and a message
function ports_options.check(o, names, further)
  local known = lists.set(names)
  further["--port-counts"] = o.port_counts or {}
  for option, values in pairs(further) do
    for name in pairs(values) do
      if not known[name] then return nil, ("%s: '%s' is not one of the schemes to infer"):format(option, name) end
    end
  end
  for name in pairs(o.fixed or {}) do
    if not known[name] then o.fixed[name] = nil end
  end
  if o.fixed and not next(o.fixed) then return nil, "--fixed: it explains none of the schemes to infer" end
  return true
end

return ports_options
