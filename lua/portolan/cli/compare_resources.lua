--- `portolan compare` where one of the mappings has resources in the place of ports.
-- @module portolan.cli.compare_resources
local conjunctive = require "portolan.conjunctive"
local conjunctive_compare = require "portolan.conjunctive_compare"
local experiment = require "portolan.experiment"
local model = require "portolan.model"
local plural = require "portolan.support.plural"
local printable = require "portolan.support.printable"

local compare_resources = {}

--- A file's conjunctive mapping.
-- @param path of a file
-- @return table (portolan.format.conjunctive); nil if the file is something else
function compare_resources.load(path)
  local found = model.load(path)
  if not found or found.mapping then return nil end
  return { format = conjunctive.format, version = conjunctive.version, resources = found.resources:resources(), schemes = found.resources:loads() }
end

--- Shows the experiment that tells two mappings apart, and what each says of it.
-- @param context of the command
-- @param result with `experiment`, `a`, `b`
function compare_resources.show_experiment(context, result)
  local length = experiment.length(result.experiment)
  context.out("told apart by: %s\n", context.style(printable(experiment.format(result.experiment)), "bold"))
  context.out("  %.3f cycles with the first, %.3f with the second (%.3f and %.3f CPI)\n", result.a, result.b, result.a / length,
    result.b / length)
end

local function show(context, result, epsilon)
  context.out("resources, on %s: at most %.3f CPI apart\n", plural(result.common, "common scheme"), result.gap)
  if result.distinguishable then
    compare_resources.show_experiment(context, result)
  elseif result.gap <= 2 * epsilon then
    context.out("No experiment tells them apart at a resolution of %g CPI.\n", epsilon)
  else
    context.out("No experiment of 200 instructions or fewer was found that tells them apart at a resolution of %g CPI; that is no proof.\n", epsilon)
  end
end

--- Compares two tables, of which at least one is conjunctive.
-- @param a table of a port mapping or a conjunctive one
-- @param b another one
-- @param args of the command: `epsilon`, `rename`
-- @param context of the command
-- @param keep function(table) -> the table with the schemes that --only selects; or nil, message
-- @return exit status; or nil, message, status
function compare_resources.run(a, b, args, context, keep)
  if args.rename then return nil, "--rename: a conjunctive mapping has no ports; leave it out" end
  local sides = { a, b }
  for i, m in ipairs(sides) do
    local message
    if not conjunctive.is_mapping(m) then sides[i], message = conjunctive.of(m) end
    if sides[i] then sides[i], message = keep(sides[i]) end
    if not sides[i] then return nil, message end
  end
  local result, message, status = conjunctive_compare.of(sides[1], sides[2], args.epsilon)
  if not result then return nil, message, status == "interrupted" and 130 or nil end
  if result.common == 0 then return nil, "no scheme is explained by both mappings" end
  if context.json then context.write_json(result) else show(context, result, args.epsilon) end
  return result.distinguishable and 1 or 0
end

return compare_resources
