--- Regular patterns of a mapping as text: what `portolan patterns` prints.
local format = require "portolan.report.format"
local plural = require "portolan.support.plural"
local printable = require "portolan.support.printable"

local most_rules, most_odd = 5, 10

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

--- Prints them.
-- @param result of portolan.patterns
-- @param context of the command
-- @param full boolean: all rules, and everything odd
return function(result, context, full)
  context.out("%s whose uops are known; %s with a related form, %d of them regular, in which %s take part\n",
    plural(result.schemes, "scheme"), plural(result.total, "comparison"), result.regular,
    plural(result.following, "scheme"))
  context.out("plain loads: %s; plain stores: %s\n", #result.loads > 0 and printable(table.concat(result.loads, " or ")) or "nothing known",
    #result.stores > 0 and printable(table.concat(result.stores, ", ")) or "nothing known")
  for _, kind in ipairs(result.kinds) do show_kind(kind, context, full) end
  if #result.kinds == 0 then context.out("\nno scheme has a related form of known uops in this mapping\n") end
end
