--- `portolan recheck`: measures the experiments behind a mapping's claims again.
-- @module portolan.cli.recheck
local choose = require "portolan.cli.choose"
local json = require "portolan.support.json"
local mapping = require "portolan.mapping"
local must = require("portolan.support.failure").check
local open_processor = require "portolan.cli.open_processor"
local oracle = require "portolan.processor.oracle"
local progress = require "portolan.progress.line"
local recheck = require "portolan.infer.recheck"
local recheck_text = require "portolan.report.recheck_text"
local witness = require "portolan.witness"

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
  local counts = recheck_text.counts(result)
  if context.json then context.write_json(plain(result, args)) else recheck_text.show(result, context) end
  return counts.confirmed == #result.schemes and 0 or 1
end

return command
