--- `portolan sample`: random experiments, or blocks of code, for `portolan measure`.
-- @module portolan.cli.sample
local core = require "portolan.core"
local coverage = require "portolan.anica.coverage"
local domain = require "portolan.anica.domain"
local experiment = require "portolan.experiment"
local experiments = require "portolan.experiment.list"
local file = require "portolan.support.file"
local isa = require "portolan.scheme.isa"
local lists = require "portolan.support.lists"
local limits = require "portolan.support.limits"
local listing = require "portolan.cli.listing"
local loop_body = require "portolan.experiment.loop_body"
local must = require("portolan.support.failure").check
local number = require "portolan.cli.number"
local plural = require "portolan.support.plural"
local sample = require "portolan.block.sample"
local scheme_options = require "portolan.cli.scheme_options"

local command = { summary = "make random experiments, or blocks of code, to be measured" }

local longest, longest_block = 500, 16 -- instructions

-- "1,2,5-8" -> { 1, 2, 5, 6, 7, 8 }; nil and a message.
local function lengths_of(text)
  local list, seen = {}, {}
  for part in (text .. ","):gmatch "([^,]*)," do
    local first, last = part:match "^(%d+)%-(%d+)$"
    first = math.tointeger(tonumber(first or part:match "^%d+$"))
    last = math.tointeger(tonumber(last)) or first
    if not first or first < 1 or last > longest or first > last then
      return nil, ("--lengths must be numbers from 1 to %d, as 1,2,5-8, not '%s'"):format(longest, text)
    end
    for length = first, last do
      if not seen[length] then list[#list + 1], seen[length] = length, true end
    end
  end
  return list
end

function command.configure(parser)
  parser:description("Draws experiments of the given lengths from schemes, uniformly and with replacement, or with --blocks basic blocks with "
    .. "random operands, and writes them as an experiments file that 'portolan measure' takes. The same seed gives the same file.")
  scheme_options.add(parser)
  parser:option("--lengths", "numbers of instructions, as 1,2,5-8", "5"):convert(lengths_of)
  parser:option("--count", "experiments of each length; fewer where there are not as many different ones", "100")
    :convert(number.whole("--count", 1, 1000000))
  parser:option("--orders", "permutations of each, as different experiments; with 1 the order is left to whoever measures", "1")
    :convert(number.whole("--orders", 1, 1000))
  parser:option("--variants", "choices of operands for each", "1"):convert(number.whole("--variants", 1, experiments.most_variant + 1))
  parser:flag("--blocks", "basic blocks: machine code that is measured as it is, with its dependencies")
  parser:option("--seed", "of all random choices", "1"):convert(number.whole("--seed", 0, 2 ^ 53))
  parser:option("--out", "file to write; by default standard output"):argname("FILE")
  parser:flag("--listing", "print the code of each: a loop body of some 40 instructions, or the block; needs --out")
end

-- Says which options do not go together, or ask for too much; nil if none do.
local function fault(args)
  if args.listing and not args.out then return "--listing prints code where the experiments go; write these to a file: --out FILE" end
  if args.blocks and (args.orders > 1 or args.variants > 1) then
    return "--blocks: blocks have an order and operands of their own; leave out --orders and --variants"
  end
  local most = #args.lengths * args.count * args.orders * args.variants
  if most > limits.lines then return ("%d experiments; at most %d can be made at once: lower --count"):format(most, limits.lines) end
  for _, length in ipairs(args.blocks and args.lengths or {}) do
    if length > longest_block then return ("--lengths: blocks have at most %d instructions"):format(longest_block) end
  end
end

-- Blocks of each length, each once.
local function blocks(names, args)
  local d = must(domain.load(nil, { schemes = names }))
  local list, rng, seen = {}, core.base.rng(args.seed), {}
  for _, length in ipairs(args.lengths) do
    local drawn = must(coverage.random(d, rng:split(length), args.count, length))
    for _, bytes in ipairs(drawn) do
      if not seen[bytes] then list[#list + 1], seen[bytes] = bytes, true end
    end
  end
  return sample.of_blocks(list, d.architecture)
end

local function draw(names, args)
  if args.blocks then return blocks(names, args) end
  return sample.experiments(names, { lengths = args.lengths, count = args.count, orders = args.orders, variants = args.variants, seed = args.seed })
end

local function show_listing(records, context)
  local declared = assert(loop_body.declared(isa.architecture(lists.keys(records[1].e or {}))))
  for _, record in ipairs(records) do
    context.out("%s\n", listing.name(record))
    listing.show(context, record, declared, declared.unroll[1])
  end
end

function command.run(args, context)
  local wrong = fault(args)
  if wrong then return nil, wrong end
  local names = must(scheme_options.names(args))
  for _, name in ipairs(names) do must(isa.scheme(name)) end
  local records = must(draw(names, args))
  local text = assert(experiments.encode(records))
  if not args.out then
    context.out(text)
    return 0
  end
  must(file.write(args.out, text))
  if args.listing then show_listing(records, context) end
  local instructions = 0
  for _, record in ipairs(records) do instructions = instructions + experiment.length(record.e) end
  context.out("%s: %s, %s, of %s\n", args.out, plural(#records, "experiment"), plural(instructions, "instruction"), plural(#names, "scheme"))
  return 0
end

return command
