--- `portolan recheck`: measures the experiments behind a mapping's claims again.
-- @module portolan.cli.recheck
local choose = require "portolan.cli.choose"
local json = require "portolan.support.json"
local mapping = require "portolan.mapping"
local must = require("portolan.support.failure").check
local open_processor = require "portolan.cli.open_processor"
local oracle = require "portolan.processor.oracle"
local plural = require "portolan.support.plural"
local printable = require "portolan.support.printable"
local progress = require "portolan.progress.line"
local recheck = require "portolan.infer.recheck"
local witness = require "portolan.experiment.witness"
local wrap = require "portolan.support.wrap"

local width = 80
local colours = { confirmed = "green", ["not confirmed"] = "red", ["could not be measured"] = "yellow" }
local verdicts = { "confirmed", "not confirmed", "could not be measured" }
local most_in_full = 20 -- schemes; of more, only those that are not confirmed are shown

local command = { summary = "measure the experiments behind a mapping again: are its claims confirmed?", interruptible = true }

function command.configure(parser)
  parser:description("Measures the witnesses of schemes again, and what they take alone, and compares with what is expected. Exit status 0: all are "
    .. "confirmed; 1: some are not, or could not be measured.")
  parser:argument("scheme", "a scheme's name, a part of names, or a Lua pattern between slashes, '/^vp.*ymm/'"):args("*")
  parser:flag("--all", "all schemes of the mapping that were measured")
  parser:option("--mapping", "mapping file", choose.default):argname("FILE")
  parser:option("--oracle", "what answers experiments: " .. oracle.usage, "hw"):argname("ORACLE")
  parser:option("--store", "with hw: file to keep measurements in; what it has is not measured again"):argname("FILE")
  parser:flag("--again", "measure even what the store has")
  parser:flag("--json", "print JSON")
end

local function chosen(m, args)
  if args.all and #args.scheme > 0 then return nil, "give either schemes or --all, not both" end
  if not args.all and #args.scheme == 0 then return nil, "which scheme? give its name, or --all" end
  if not args.all then return choose.schemes(m, args.scheme, args.mapping) end
  local names = {}
  for _, name in ipairs(mapping.schemes(m)) do
    local scheme = m.schemes[name]
    if scheme.tp or #(scheme.witnesses or {}) > 0 then names[#names + 1] = name end
  end
  if #names == 0 then return nil, args.mapping .. ": no measurement is recorded in it" end
  return names
end

local function read_oracle(args)
  local spec = must(oracle.parse(args.oracle))
  if spec.kind ~= "hw" and (args.store or args.again) then
    return nil, ("--%s is for measuring on this machine, not for --oracle %s"):format(args.store and "store" or "again", spec.kind)
  end
  spec.options.store = args.store or spec.options.store
  return spec
end

-- For JSON: an experiment's text in place of its table.
local function plain(result, args)
  for _, scheme in ipairs(result.schemes) do
    for i, r in ipairs(scheme.claims) do
      scheme.claims[i] = { experiment = r.text, role = r.role, recorded = r.cycles, expected = r.expected, now = r.now, verdict = r.verdict,
        why = r.why }
    end
    json.array(scheme.claims)
    for _, r in ipairs(scheme.chains or {}) do r.at = nil end
  end
  result.oracle, result.tolerance = args.oracle, witness.tolerance
  return result
end

-- Counts the schemes that have each verdict: verdict -> number.
local function counts_of(result)
  local counts = { confirmed = 0, ["not confirmed"] = 0, ["could not be measured"] = 0 }
  for _, scheme in ipairs(result.schemes) do counts[scheme.verdict] = counts[scheme.verdict] + 1 end
  return counts
end

-- A line of a result: what was recorded, is expected and was measured now, whether that confirms it, and what it is about.
local function show_line(context, cycles, r, text)
  local mark = r.verdict == "confirmed" and "yes " or r.verdict == "not confirmed" and "NO  " or "?   "
  local cells = ("%9s %9s %9s  "):format(table.unpack(cycles))
  local lines, at = wrap(printable(text .. (r.why and ": " .. r.why or "")), width, cells .. mark), #cells
  context.out("%s%s%s\n", lines:sub(1, at), context.style(lines:sub(at + 1, at + 4), colours[r.verdict]), lines:sub(at + 5))
end

local function cycles_of(x) return x and witness.cycles(x) or "-" end

local function show_claim(context, name, r)
  local what = r.alone and (r.instances == 1 and "alone" or r.about) or (r.role and r.role .. ": " or "") .. witness.about(r.experiment, name)
  show_line(context, { cycles_of(r.cycles), cycles_of(r.expected), cycles_of(r.now) }, r, what)
end

-- Returns why none of a scheme's claims could be measured, if there are several and it is the same for all; otherwise nil or false.
local function common_trouble(claims)
  for _, r in ipairs(claims) do
    if r.verdict ~= "could not be measured" or r.why ~= claims[1].why then return nil end
  end
  return #claims > 1 and claims[1].why
end

local function show_scheme(context, scheme)
  context.out("%s  %s\n", context.style(printable(scheme.scheme), "bold"), context.style(scheme.verdict, colours[scheme.verdict]))
  local chains = scheme.chains or {}
  if #scheme.claims + #chains == 0 then
    context.out("  the mapping records no measurement of it (%s)\n", printable(scheme.status or "no status"))
    return
  end
  local trouble = common_trouble(scheme.claims)
  if trouble then context.out("%s\n", wrap(printable(("%s: %s"):format(plural(#scheme.claims, "experiment"), trouble)), width, "  ")) end
  if trouble and #chains == 0 then return end
  context.out("%s\n", context.style(" recorded  expected       now", "dim"))
  for _, r in ipairs(trouble and {} or scheme.claims) do show_claim(context, scheme.scheme, r) end
  for _, r in ipairs(chains) do show_line(context, { cycles_of(r.recorded), "-", cycles_of(r.now) }, r, "chain: " .. r.chain) end
end

local function summary(result)
  local counts, parts = counts_of(result), {}
  for _, verdict in ipairs(verdicts) do
    if counts[verdict] > 0 then parts[#parts + 1] = ("%d %s"):format(counts[verdict], verdict) end
  end
  local chains = (result.chains or 0) > 0 and "; " .. plural(result.chains, "chain") or ""
  return ("%s: %s; %s measured, %d of them anew%s"):format(plural(#result.schemes, "scheme"), table.concat(parts, ", "),
    plural(result.experiments, "experiment"), result.repeated, chains)
end

local function show(result, context)
  local all = #result.schemes <= most_in_full
  for _, scheme in ipairs(result.schemes) do
    if all or scheme.verdict ~= "confirmed" then
      show_scheme(context, scheme)
      context.out("\n")
    end
  end
  context.out("%s\n", wrap(summary(result), width))
  context.out("%s\n", context.style(wrap("Cycles per experiment. " .. witness.tolerance_text(), width), "dim"))
end

function command.run(args, context)
  local m = must(choose.mapping(args.mapping))
  local names = must(chosen(m, args))
  local compiled = assert(mapping.compile_ports(m))
  local spec = must(read_oracle(args))
  local processor, fault, status = open_processor.open(spec, "recheck")
  if not processor then
    if status == "interrupted" then return 130 end
    return nil, fault, status
  end
  local update, finish = progress.measuring(spec.measures)
  local result, failure = recheck.run(processor, m, compiled, names, { again = args.again, progress = update })
  finish()
  if processor.close then processor:close() end
  if not result then return nil, failure, 1 end
  local counts = counts_of(result)
  if context.json then context.write_json(plain(result, args)) else show(result, context) end
  return counts.confirmed == #result.schemes and 0 or 1
end

return command
