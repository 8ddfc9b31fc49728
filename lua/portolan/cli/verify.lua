--- `portolan verify`: re-checks the certificate of an inferred mapping.
-- @module portolan.cli.verify
local algebra = require "portolan.mapping.algebra"
local core = require "portolan.core"
local duration = require "portolan.support.duration"
local lists = require "portolan.support.lists"
local mapping = require "portolan.mapping"
local mapping_words = require "portolan.mapping.words"
local must = require("portolan.support.failure").check
local number = require "portolan.cli.number"
local plural = require "portolan.support.plural"
local printable = require "portolan.support.printable"
local verify = require "portolan.infer.cegis.verify"

local command = { summary = "re-check that an inferred mapping is the only one that fits its experiments", interruptible = true }

function command.configure(parser)
  parser:description("Checks the certificate that 'portolan infer' wrote into a mapping file, from the file alone and with a fresh solver: the "
    .. "mapping admits every experiment, and no other mapping that does can be told from it. Exit status 0: verified, 1: not verified, 2: not a "
    .. "file with a certificate.")
  parser:argument("file", "mapping file"):argname("FILE")
  parser:option("--seed", "of the solver", "1"):convert(number.of("--seed", 0, 2 ^ 53, true))
  parser:option("--time", "how long to try: 90s, 10m, 2h"):convert(duration.seconds)
  parser:flag("--json", "print JSON")
end

-- Lists how another mapping differs, in lines.
local function difference(m, rival)
  local names = {}
  for name in pairs(rival.schemes) do names[name] = true end
  local diff = algebra.diff(algebra.restrict(m, function(name) return names[name] end), rival)
  return diff and mapping_words.parts(diff) or {}
end

-- Prints what a certificate says of schemes that it calls certain, and of those that have rivals.
local function show_certain(c, context)
  local rivals = lists.size(c.rivals)
  context.out("  the ports of %d of %d schemes are the same, up to names, in all mappings with up to %d ports that do so: %s\n", #c.certain,
    #c.schemes, c.ports, printable(table.concat(c.certain, "; ")))
  context.out("  %s other ports in another mapping that admits all experiments\n",
    plural(rivals, "scheme has", "schemes have"))
end

-- Prints what is assumed of numbers of uops.
local function show_doubtful(result, context)
  local n = #result.doubtful
  if n == 0 then return end
  context.out("  but %s several uops by issue slots and memory operands, so that another mapping may be right: %s\n",
    plural(n, "scheme has", "schemes have"), printable(table.concat(result.doubtful, "; ")))
end

local function show(m, result, context)
  local assuming = result.assumed and ("if %s, "):format(result.assumed) or ""
  if result.verified and verify.is_partial(m.certificate) then
    context.out("%s: %sthe mapping admits all %d experiments; they do not decide all of it\n", context.style("verified", "green"), assuming,
      result.experiments)
    show_doubtful(result, context)
    show_certain(m.certificate, context)
    context.out("  %d checks, %s\n", result.checks, duration.text(result.seconds))
    return
  end
  if result.verified then
    local c = m.certificate
    context.out("%s: %sthe mapping admits all %d experiments, and no other one of %d schemes on up to %d ports can be told from it at %g CPI\n",
      context.style("verified", "green"), assuming, result.experiments, result.schemes, result.ports, c.epsilon)
    show_doubtful(result, context)
    if c.uops then context.out("  given the numbers of uops that the certificate states\n") end
    if #c.undecided > 0 then context.out("  as long as it agrees on the %s of schemes that are listed as undecided\n",
      plural(#c.undecided, "set")) end
    if c.certain then show_certain(c, context) end
    if #c.open > 0 then context.out("  %s stated as open\n", #c.open == 1 and "1 point is" or ("%d points are"):format(#c.open)) end
    context.out("  %d checks, %s\n", result.checks, duration.text(result.seconds))
    return
  end
  context.out("%s\n", context.style("not verified", "red"))
  for _, fault in ipairs(result.faults) do
    context.out("  %s\n", fault.text)
    for _, line in ipairs(fault.rival and difference(m, fault.rival) or {}) do context.out("    %s\n", line) end
  end
  if result.sound then context.out("  as it stands now, the certificate would hold\n") end
end

function command.run(args, context)
  local m = must(mapping.load(args.file))
  local result, why, status = verify.mapping(m, { seed = args.seed, time_limit = args.time })
  if not result then
    if core.base.interrupted() then return nil, "interrupted: not verified", 130 end
    return nil, ("%s: %s"):format(args.file, why), status == "limit reached" and 1 or nil
  end
  if context.json then context.write_json(result) else show(m, result, context) end
  return result.verified and 0 or 1
end

return command
