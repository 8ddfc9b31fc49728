--- `portolan generalize`: one block that two predictors disagree on, generalized (Algorithm 8.2), or step by step.
-- @module portolan.cli.generalize
local Evidence = require "portolan.anica.evidence"
local Pair = require "portolan.anica.pair"
local block_of = require "portolan.block"
local core = require "portolan.core"
local domains = require "portolan.anica.domain"
local discoveries_text = require "portolan.report.discoveries_text"
local generalize = require "portolan.anica.generalize"
local interest = require "portolan.anica.interest"
local minimize = require "portolan.anica.minimize"
local must = require("portolan.support.failure").check
local protocol = require "portolan.predictor.machinery.protocol"
local own_interest = require "portolan.anica.own_interest"
local named = require "portolan.predictor.named"
local number = require "portolan.cli.number"
local discovery_record = require "portolan.anica.discovery_record"
local plural = require "portolan.support.plural"
local universe = require "portolan.anica.universe"
local steps = require "portolan.cli.generalize_steps"

local command = { summary = "one block that two predictors disagree on, generalized, or step by step", interruptible = true }

function command.configure(parser)
  parser:description("Generalizes a block: which changes to it keep the predictors apart? With -i you choose the expansions to try.")
  parser:argument("asm", "instructions, Intel syntax, separated by ';'"):args "?"
  parser:option("--hex", "the block as machine code"):argname "BYTES"
  parser:option("--a", "first predictor, as llvm-mca-14:znver1"):argname("PRED"):count(1)
  parser:option("--b", "second predictor; none is needed with --interesting same or self-..."):argname("PRED")
  parser:option("--seed", "of all random choices", 1):argname("N"):convert(number.whole("--seed"))
  parser:option("--threshold", "relative difference that is interesting (0.5)"):argname("X"):convert(number.any("--threshold", 0, 2))
  parser:option("--absolute", "instead: a difference of so many cycles"):argname("CYCLES"):convert(number.any("--absolute", 0))
  parser:option("--interesting", "instead: what a Lua file says; same: what decides A's prediction; or "
    .. table.concat(own_interest.names, ", ") .. " (docs/extending.md)"):argname "FILE"
  parser:option("--samples", "of an abstract block", 100):argname("N"):convert(number.whole("--samples", 1, 100000))
  parser:option("--domain", "abstract domain, a Lua file"):argname "FILE"
  parser:option("--universe", "which schemes: " .. universe.words() .. " (default: predicted; if a predictor measures, measurable)"):argname "NAME"
  parser:option("--mapping", "port mapping, for features of the domain that ask for one"):argname "FILE"
  parser:option("--jobs", "processes at a time", 2):argname("N"):convert(number.whole("--jobs", 1, 1024))
  parser:flag("-i --interactive", "choose the expansions yourself")
  parser:flag("--minimize", "first remove the instructions that do not matter")
  parser:flag("--plain", "one expansion at a time, each checked with all samples (Algorithm 8.2)")
  parser:flag("--verbose", "show every decision")
  parser:flag("--json", "print the result with its decisions as JSON")
end

-- The machine code of the block.
local function bytes_of(args, architecture)
  if (args.asm == nil) == (args.hex == nil) then return nil, "give a block: instructions, or --hex BYTES" end
  if args.hex then return block_of.from_hex(args.hex) end
  return must(core.isa.assemble(args.asm, architecture)).bytes
end

-- Returns the criterion that tells when a block is interesting; or nil, message.
local function criterion_of(args, a, bytes)
  if args.interesting == "same" then
    local answer = a:predict({ bytes })[1]
    if not answer.cycles then return nil, ("%s has no prediction for this block: %s"):format(args.a, answer.error) end
    return own_interest.same(answer.cycles, args.threshold)
  end
  if args.interesting then return own_interest.new(args.interesting, args.threshold) end
  return interest.new { kind = args.absolute and "absolute", threshold = args.absolute or args.threshold }
end

-- The predictors, one or two, and their architecture. Or nil, message.
local function open_predictors(args)
  local list = {}
  for i, name in ipairs { args.a, args.b } do
    list[i] = must(named.open(name))
  end
  return list, must(protocol.architecture(list))
end

-- Both predictors, the domain. Or nil, message.
local function prepare(args, bytes, predictors, architecture)
  local a, b = predictors[1], predictors[2]
  local criterion = must(criterion_of(args, a, bytes))
  if not b and criterion.fewest ~= 1 then return nil, "missing option '--b'; see portolan generalize --help" end
  local domain = must(domains.load(args.domain, { blocks = { bytes }, mapping = args.mapping, universe = args.universe or universe.usual { a, b },
    architecture = architecture }))
  return Pair.new(a, b, criterion, { jobs = args.jobs, architecture = architecture }), domain
end

-- Answers; an interruption ends the command.
local function asker(pair)
  return function(blocks)
    local verdicts, message = pair:ask(blocks)
    if core.base.interrupted() then error({ interrupted = true }, 0) end
    return verdicts or error(message, 0)
  end
end

local function describe(step, domain)
  local names = {}
  for i, e in ipairs(step.expansions) do names[i] = e.text end
  local what = #names > 0 and table.concat(names, "; ") or step.reason
  local why = step.findings.failure or step.findings.counter[1] and "not " .. domain.text(step.findings.counter[1].block)
  return ("%s  %s%s"):format(step.accepted and "yes" or " no", what, not step.accepted and why and " (" .. why .. ")" or "")
end

-- All by itself.
local function automatic(args, context, pair, domain, bytes)
  local rng = core.base.rng(args.seed)
  local check = Evidence.new(asker(pair), rng:split(1), { samples = args.samples, provisional = args.plain and args.samples or nil })
  local watch = args.verbose and function(step) context.out("%s\n", describe(step, domain)) end
  local result, message = generalize.run(bytes, domain, check, rng:split(2), { strategy = args.plain and "plain" or "groups", watch = watch or nil })
  if not result then return nil, message .. "; try --minimize, or fewer --samples" end
  local infinite = result.interestingness == math.huge
  if context.json then
    context.write_json({ a = pair.a.name, b = pair.b.name, seed = args.seed, abstract = result.abstract:encode(),
      text = result.abstract:text(), generality = result.abstract:generality(), infinite = infinite or nil,
      interestingness = not infinite and result.interestingness or nil, tree = discovery_record.tree(result.tree, domain.text),
      block = discovery_record.block(bytes, assert(pair:ask { bytes })[1], domain.text) })
    return 0
  end
  for _, line in ipairs(result.abstract:text()) do context.out("%s\n", line) end
  context.out("%s, %s; at least %s for each instruction.\n", plural(#result.tree, "decision"), plural(pair.calls, "prediction"),
    plural(result.abstract:generality(), "scheme"))
  for i = 1, math.min(3, #result.findings.witnesses) do
    local sample = result.findings.witnesses[i]
    context.out("  %s\n", discoveries_text.block(discovery_record.block(sample.block, sample.verdict, domain.text), pair.a.name, pair.b.name))
  end
  return 0
end

-- Runs f; nil and 130 if it was interrupted.
local function guarded(f, ...)
  local result = table.pack(pcall(f, ...))
  if result[1] then return table.unpack(result, 2, result.n) end
  if type(result[2]) == "table" and result[2].interrupted then return 130 end
  error(result[2], 0)
end

local function work(args, context, pair, domain, bytes)
  local ask = asker(pair)
  local verdict = ask({ bytes })[1]
  if not verdict.interesting then
    return nil, ("not interesting: %s"):format(discoveries_text.block(discovery_record.block(bytes, verdict, domain.text), pair.a.name, pair.b.name))
  end
  if args.minimize then
    bytes = must(minimize.run(bytes, ask, domain.split))
    verdict = ask({ bytes })[1]
  end
  if not context.json then
    context.out("%s\n", discoveries_text.block(discovery_record.block(bytes, verdict, domain.text), pair.a.name, pair.b.name))
  end
  if args.interactive then return steps.run(args, context, pair, domain, bytes, ask) end
  return automatic(args, context, pair, domain, bytes)
end

function command.run(args, context)
  local predictors, architecture = must(open_predictors(args))
  local bytes = must(bytes_of(args, architecture))
  local pair, domain = must(prepare(args, bytes, predictors, architecture))
  return guarded(work, args, context, pair, domain, bytes)
end

return command
