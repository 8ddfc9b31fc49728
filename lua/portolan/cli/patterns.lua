--- `portolan patterns`: which schemes of a mapping follow from their other forms, and which are odd (dissertation section 6.3.5).
-- @module portolan.cli.patterns
local choose = require "portolan.cli.choose"
local format = require "portolan.report.format"
local json = require "portolan.support.json"
local must = require("portolan.support.failure").check
local patterns = require "portolan.mapping.patterns"
local plural = require "portolan.support.plural"
local printable = require "portolan.support.printable"

local most_rules, most_odd = 5, 10 -- that are shown without --full

local command = { summary = "which forms of a mapping follow from their register and 128-bit forms, and which are odd" }

function command.configure(parser)
  parser:description("Compares each scheme that works on memory with its register form, and each of 256 or 512 bits with that of half the width. "
    .. "Regular is what has the same uops and beside them loads and stores, or the same uops or twice as many; the rest is odd.")
  parser:argument("mapping", "mapping file, or the name of a model (docs/predictors.md)"):argname("MAPPING"):args("?"):default(choose.default)
  parser:flag("--full", "all rules, and everything that is odd")
  parser:flag("--json", "print JSON")
end

-- Lists that may be empty are lists nevertheless.
local function plain(result)
  for _, kind in ipairs(result.kinds) do json.array(kind.rules); json.array(kind.odd) end
  json.array(result.kinds); json.array(result.loads); json.array(result.stores)
  return result
end

local function show_odd(kind, context, full)
  local width, shown = 0, full and #kind.odd or math.min(#kind.odd, most_odd)
  for i = 1, shown do width = math.max(width, #kind.odd[i].scheme) end
  for i = 1, shown do
    local odd = kind.odd[i]
    local name = ("%-" .. math.min(width, 60) .. "s"):format(printable(odd.scheme))
    context.out("         %s  %s;  %s has %s\n", name, printable(odd.text), printable(odd.form), printable(odd.form_usage))
  end
  if shown < #kind.odd then context.out("         and %d more: --full\n", #kind.odd - shown) end
end

local function show_kind(kind, context, full)
  context.out("\n%s: %d of %d regular (%s)\n", context.style(kind.title, "bold"), kind.regular, kind.total, format.percent(kind.regular / kind.total))
  local rest = 0
  for i, rule in ipairs(kind.rules) do
    if full or i <= most_rules then context.out("  %5d  %s\n", rule.count, printable(rule.text)) else rest = rest + rule.count end
  end
  if rest > 0 then context.out("  %5d  by other such rules: --full\n", rest) end
  if #kind.odd == 0 then return end
  context.out("  %5d  odd:\n", #kind.odd)
  show_odd(kind, context, full)
end

-- `full`: all rules, and everything odd.
local function show(result, context, full)
  context.out("%s whose uops are known; %s with a related form, %d of them regular, in which %s take part\n",
    plural(result.schemes, "scheme"), plural(result.total, "comparison"), result.regular,
    plural(result.following, "scheme"))
  context.out("plain loads: %s; plain stores: %s\n", #result.loads > 0 and printable(table.concat(result.loads, " or ")) or "nothing known",
    #result.stores > 0 and printable(table.concat(result.stores, ", ")) or "nothing known")
  for _, kind in ipairs(result.kinds) do show_kind(kind, context, full) end
  if #result.kinds == 0 then context.out("\nno scheme has a related form of known uops in this mapping\n") end
end

function command.run(args, context)
  local m = must(choose.mapping(args.mapping))
  local result = patterns.of(m)
  if context.json then context.write_json(plain(result)) else show(result, context, args.full) end
  return 0
end

return command
