--- `portolan infer cegis`: Algorithm 4.1 from the command line.
-- @module portolan.cli.infer.cegis
local cegis = require "portolan.infer.cegis"
local core = require "portolan.core"
local duration = require "portolan.support.duration"
local encodings = require "portolan.infer.cegis.encodings"
local experiment = require "portolan.experiment"
local file = require "portolan.support.file"
local json = require "portolan.support.json"
local mapping = require "portolan.mapping"
local open = require "portolan.cli.infer.open"
local options = require "portolan.cli.infer.options"
local oracle = require "portolan.processor.oracle"
local prepare = require "portolan.cli.infer.prepare"
local printable = require "portolan.support.printable"
local progress = require "portolan.progress.line"
local outcome_words = require "portolan.infer.outcome_words"

local strategy = { summary = "by counter-examples (Algorithm 4.1), with a certificate" }

function strategy.configure(parser)
  parser:description("Counter-example-guided inference: measures experiments until no other mapping can be told from the one that it has. "
    .. "The mapping file carries a certificate that 'portolan verify' re-checks.")
  parser:argument("schemes", "schemes to infer; by default all that the oracle knows, and on this machine one per class of the starter set")
    :args("*"):argname("SCHEME")
  parser:option("--oracle", "what answers experiments: hw (this machine), sim:MAPPING or replay:EXPERIMENTS, with options behind commas "
    .. "(docs/command-line.md)"):argname("ORACLE"):count(1)
  parser:option("--schemes", "file with schemes to infer, one a line"):argname("FILE"):target("schemes_file")
  parser:option("--out", "write the mapping and its certificate"):argname("FILE")
  parser:option("--ports", "most ports to consider; by default as many as are needed"):convert(options.number("--ports", 1, 32, true))
  parser:option("--rmax", "instructions per cycle; by default what the oracle says"):convert(options.number("--rmax", 0.01, 1000))
  parser:option("--epsilon", "what measurements resolve, in cycles per instruction; 0.02, with the asymmetric reading 0.01")
    :convert(options.number("--epsilon", 0, 0.5))
  parser:option("--reading", "of a measured time: symmetric (it is the model's) or asymmetric (never faster, now and then slower); "
    .. "asymmetric for hw and greedy binders"):choices { "symmetric", "asymmetric" }
  parser:option("--encoding", "of the solver's questions", "union"):choices(encodings.names)
  parser:option("--uops", "uops of a scheme (SCHEME=N), a JSON file of them, or 'record': as the record has counted; others have one")
    :argname("SCHEME=N|FILE|record"):count("*")
  parser:option("--port-counts", "number of ports of a scheme (SCHEME=N), where known, or a JSON file of them"):argname("SCHEME=N|FILE")
    :count("*")
  parser:option("--same-uop", "one uop of the scheme is that of one of the others"):argname("SCHEME=OTHER;..."):count("*")
  parser:option("--fixed", "mapping whose schemes have the ports that it says, under these names"):argname("MAPPING")
  parser:option("--time", "how long to go on: 90s, 10m, 2h"):convert(options.duration)
  parser:option("--experiments", "how many experiments to measure at most"):convert(options.number("--experiments", 1, 1e9, true))
  parser:option("--seed", "of every random choice", "1"):convert(options.number("--seed", 0, 2 ^ 53, true))
  parser:option("--smtlib", "write the solver's last question as SMT-LIB 2"):argname("FILE")
  parser:flag("--json", "print JSON")
end

-- The options of cegis.infer that the command line gives; or nil and a message.
local function given_options(args, spec)
  local words, of_record = {}, false
  for _, word in ipairs(args.uops) do
    if word == "record" then of_record = true else words[#words + 1] = word end
  end
  if of_record and spec.kind ~= "replay" then return nil, "--uops record: only a record (--oracle replay:FILE) has such counts" end
  local greedy = spec.kind == "hw" or spec.options.binder == "greedy"
  local reading = args.reading or (greedy and "asymmetric" or "symmetric")
  local o = { ports = args.ports, rmax = args.rmax, reading = reading, encoding = args.encoding, seed = args.seed,
    epsilon = args.epsilon or (reading == "asymmetric" and 0.01 or 0.02), time_limit = args.time, experiment_limit = args.experiments,
    question = args.smtlib ~= nil, uops_of_record = of_record, certain = spec.kind == "replay" }
  local message
  for field, read in pairs {
    uops = function() return options.numbers(words, "--uops") end,
    port_counts = function() return options.numbers(args.port_counts, "--port-counts") end,
    same_uop = function() return options.same_uop(args.same_uop) end,
    fixed = function() if args.fixed then return options.fixed(args.fixed) end end,
  } do
    o[field], message = read()
    if message then return nil, message end
  end
  return o
end

-- Every name that an option mentions must be one of the schemes.
local function check_names(o, names)
  local known = {}
  for _, name in ipairs(names) do known[name] = true end
  local function check(option, name)
    if not known[name] then return nil, ("%s: '%s' is not one of the schemes to infer"):format(option, name) end
    return true
  end
  for option, values in pairs { ["--uops"] = o.uops or {}, ["--port-counts"] = o.port_counts or {} } do
    for name in pairs(values) do
      local ok, message = check(option, name)
      if not ok then return nil, message end
    end
  end
  for _, same in ipairs(o.same_uop or {}) do
    for _, name in ipairs { same.scheme, table.unpack(same.among) } do
      local ok, message = check("--same-uop", name)
      if not ok then return nil, message end
    end
  end
  for name in pairs(o.fixed or {}) do -- a whole mapping may be given: what it says of others does not matter
    if not known[name] then o.fixed[name] = nil end
  end
  if o.fixed and not next(o.fixed) then return nil, "--fixed: it explains none of the schemes to infer" end
  for name, uops in pairs(o.fixed or {}) do -- of several uops: their number is known, too
    local n = 0
    for _, uop in ipairs(uops) do n = n + (uop[2] or 1) end
    if n > 1 and not (o.uops and o.uops[name]) then
      o.uops = o.uops or {}
      o.uops[name] = n
    end
  end
  return true
end

local function usage_lines(m)
  local lines, width = {}, 0
  for _, name in ipairs(mapping.schemes(m, true)) do width = math.max(width, #name) end
  for _, name in ipairs(mapping.schemes(m, true)) do
    lines[#lines + 1] = printable(("  %-" .. math.min(width, 60) .. "s  %s"):format(name, mapping.usage(m.schemes[name])))
  end
  return lines
end

local function show_list(context, title, lines)
  if #lines == 0 then return end
  context.out("\n%s:\n", title)
  for _, line in ipairs(lines) do context.out("  %s\n", printable(line)) end
end

local colours = { unique = "green", contradiction = "red" }

local function show(outcome, args, context)
  context.out("%s: %s\n", context.style(outcome.status, colours[outcome.status] or "yellow"), printable(outcome_words.ending(outcome)))
  if outcome.mapping then
    context.out("\n%s\n", table.concat(usage_lines(outcome.mapping), "\n"))
  end
  show_list(context, "certain: the same ports, up to names, in every mapping that fits", outcome_words.certain(outcome))
  show_list(context, "open", outcome_words.open(outcome.open))
  show_list(context, "assumed, not inferred", outcome_words.assumed(outcome.assumed))
  show_list(context, "experiments that would decide", outcome_words.wanted(outcome.wanted))
  local failed = {}
  for k, e in ipairs(outcome.failed) do failed[k] = experiment.format(e) end
  show_list(context, "not measured", failed)
  context.out("\n%d experiments, %d rounds, %s (%s of them the solver)\n", #outcome.observations, outcome.rounds,
    duration.text(outcome.seconds), duration.text(outcome.solver_seconds))
  if args.out and outcome.mapping then
    context.out("%s: the mapping%s\n", args.out, outcome.certificate and ", with a certificate" or "; without a certificate")
  end
end

local function show_json(outcome, context)
  local o = {}
  for key, value in pairs(outcome) do o[key] = value end
  o.question = nil
  for _, key in ipairs { "open", "assumed", "wanted", "failed", "observations" } do o[key] = json.array(o[key]) end
  context.out("%s", assert(json.encode(o, { pretty = true })))
end

local function write(outcome, args, processor, spec)
  if args.smtlib and outcome.question then
    local ok, message, status = file.write(args.smtlib, outcome.question)
    if not ok then return nil, message, status end
  end
  if not (args.out and outcome.mapping) then return true end
  local m = outcome.mapping
  m.certificate = outcome.certificate
  m.provenance = { method = "cegis", version = core.version, oracle = args.oracle, processor = processor.describe and processor:describe(),
    experiments = #outcome.observations, rounds = outcome.rounds, seconds = outcome.seconds, seed = outcome.seed, kind = spec.kind,
    partial = outcome.certificate == nil or nil }
  return mapping.save(m, args.out)
end

local exit = { contradiction = 1, limit = 1, interrupted = 130 }

function strategy.run(args, context)
  local spec, message = oracle.parse(args.oracle)
  if not spec then return nil, message end
  local o
  o, message = given_options(args, spec)
  if not o then return nil, message end
  local names
  names, message = open.named(args)
  if not names then return nil, message end
  if #names == 0 then names = nil end
  local update, finish = progress.by_stage(false)
  local processor, known, trouble, status = open.processor(spec, args.seed, update)
  if not processor then
    finish()
    return known, trouble, status
  end
  names, message, status = prepare.schemes(processor, spec, names, known, o, update)
  if names then
    local ok
    ok, message = check_names(o, names)
    if ok then ok, message = prepare.recorded_uops(processor, names, o) end
    if not ok then names = nil end
  end
  local outcome
  if names then
    o.progress = function(s)
      update("inferring", s.experiments, nil, ("experiments, round %d, %d of %d schemes, %d ports"):format(s.rounds, s.schemes, s.of, s.ports))
    end
    outcome, message = cegis.infer(processor, names, o)
  end
  finish()
  local ok, kind
  if outcome then ok, trouble, kind = write(outcome, args, processor, spec) end
  if processor.close then processor:close() end
  if not outcome then return nil, message, status end
  if context.json then show_json(outcome, context) else show(outcome, args, context) end
  if not ok then return nil, trouble, kind end
  return exit[outcome.status] or 0
end

return strategy
