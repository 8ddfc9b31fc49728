--- `portolan compare`: are two mappings the same but for the names of their ports? Which experiment tells them apart?
-- @module portolan.cli.compare
local core = require "portolan.core"
local experiment = require "portolan.experiment"
local json = require "portolan.json"
local mapping = require "portolan.mapping"

local command = { summary = "compare two mappings: equal up to port names, or an experiment that tells", interruptible = true }

function command.configure(parser)
  parser:description("Compares two mappings on the schemes that both explain. Exit status 0: equal up to port names, or no experiment "
    .. "was found whose CPIs under the two differ by more than 2 epsilon. Exit status 1: there is one.")
  parser:argument("a", "mapping file")
  parser:argument("b", "mapping file")
  parser:option("--epsilon", "what measurements resolve, in cycles per instruction", "0.02"):convert(tonumber)
  parser:option("--seed", "of the random experiments that are tried on three-level mappings", "0"):convert(math.tointeger)
  parser:flag("--json", "print JSON")
end

-- The port usage of a scheme of a in the port names of b; a port without a counterpart gets a question mark.
local function renamed(scheme, renaming, order)
  local uops = {}
  for i, uop in ipairs(scheme.uops) do
    local ports = {}
    for j, port in ipairs(uop[1]) do ports[j] = renaming[port] or "?" .. port end
    table.sort(ports, function(x, y) return (order[x] or 99) < (order[y] or 99) end)
    uops[i] = { ports, uop[2] }
  end
  return mapping.usage { uops = uops }
end

local function sorted_usage(scheme, order) return renamed(scheme, setmetatable({}, { __index = function(_, p) return p end }), order) end

local function order_of(ports)
  local order = {}
  for i, port in ipairs(ports) do order[port] = i end
  return order
end

local function show_renaming(context, a, renaming)
  local parts, same = {}, true
  for _, port in ipairs(a.ports) do
    if renaming[port] then
      parts[#parts + 1] = port .. "=" .. renaming[port]
      same = same and port == renaming[port]
    end
  end
  context.out("  ports (first=second): %s%s\n", table.concat(parts, " "), same and " (the same names)" or "")
end

local most_lines, most_names = 30, 3

-- Differing schemes in groups that differ alike, large groups first: list of { first =, second =, names = }.
local function groups(a, b, result)
  local order, list, by_key = order_of(b.ports), {}, {}
  for _, name in ipairs(result.differing) do
    local first, second = renamed(a.schemes[name], result.closest, order), sorted_usage(b.schemes[name], order)
    local key = first .. "\0" .. second
    if not by_key[key] then
      by_key[key] = { first = first, second = second, names = {}, place = #list }
      list[#list + 1] = by_key[key]
    end
    table.insert(by_key[key].names, name)
  end
  table.sort(list, function(x, y)
    if #x.names ~= #y.names then return #x.names > #y.names end
    return x.place < y.place
  end)
  return list
end

local function show_differing(context, a, b, result)
  local list, title = groups(a, b, result), "first, renamed"
  local width, second_width = #title, #"second"
  for i = 1, math.min(#list, most_lines) do
    width, second_width = math.max(width, #list[i].first), math.max(second_width, #list[i].second)
  end
  local line = ("  %%-%ds   %%-%ds   %%s\n"):format(width, second_width)
  context.out(line, title, "second", "schemes")
  for i, group in ipairs(list) do
    if i > most_lines then
      context.out("  ... and %d more kinds of difference (--json lists all schemes)\n", #list - most_lines)
      break
    end
    local names = table.concat(group.names, "; ", 1, math.min(#group.names, most_names))
    local more = #group.names > most_names and ("; %d more"):format(#group.names - most_names) or ""
    context.out(line, group.first, group.second, names .. more)
  end
end

local function plural(n, noun) return n == 1 and "1 " .. noun or ("%d %ss"):format(n, noun) end

local function show_ports(context, a, b, result)
  if result.equal then
    context.out("%s: the same port usage up to the names of ports, on %s.\n", context.style("equal", "green"),
      plural(result.common, "common scheme"))
    show_renaming(context, a, result.renaming)
    return
  end
  local verdict = result.decided and "whatever the ports are called" or "as far as could be decided"
  context.out("%s: the ports are used differently, %s. Closest: %d of %s the same.\n", context.style("different", "red"), verdict,
    result.matching, plural(result.common, "scheme"))
  show_renaming(context, a, result.closest)
  show_differing(context, a, b, result)
end

local function show_experiment(context, result, epsilon)
  if result.distinguishable then
    local length = experiment.length(result.experiment)
    context.out("told apart by: %s\n", context.style(experiment.format(result.experiment), "bold"))
    context.out("  %.3f cycles with the first, %.3f with the second (%.3f and %.3f CPI)\n", result.a, result.b, result.a / length,
      result.b / length)
  elseif result.equal and result.same_limits then
    context.out("Every experiment takes the same time under both.\n")
  elseif result.complete then
    context.out("No experiment tells them apart at a resolution of %g CPI.\n", epsilon)
  else
    context.out("No experiment that tells them apart at a resolution of %g CPI was found among %d; that is no proof.\n", epsilon,
      result.examined)
  end
end

local function show(context, a, b, result, epsilon)
  show_ports(context, a, b, result)
  if not result.same_limits then
    local function limit(m) return m.rmax and ("%g"):format(m.rmax) or "none" end
    context.out("The limits on issue differ: R_max %s and %s, or issue slots of schemes.\n", limit(a), limit(b))
  end
  show_experiment(context, result, epsilon)
  if result.only_a + result.only_b > 0 then
    context.out("Not compared: %s that only the first explains, %s that only the second does.\n",
      plural(result.only_a, "scheme"), plural(result.only_b, "scheme"))
  end
end

-- A mapping file, as read and compiled; or nil and a message.
local function load(path)
  local m, message = mapping.load(path)
  if not m then return nil, message end
  return m, assert(mapping.compile(m))
end

function command.run(args, context)
  if not args.epsilon or args.epsilon ~= args.epsilon or args.epsilon < 0 or args.epsilon == math.huge then
    return nil, "--epsilon must be a number of cycles from 0 on"
  end
  local a, compiled_a = load(args.a)
  if not a then return nil, compiled_a end
  local b, compiled_b = load(args.b)
  if not b then return nil, compiled_b end
  local result, message = core.model.compare(compiled_a, compiled_b, { epsilon = args.epsilon, seed = args.seed })
  if not result then return nil, message end
  if context.json then
    context.out("%s", assert(json.encode(result, { pretty = true })))
  else
    show(context, a, b, result, args.epsilon)
  end
  return result.distinguishable and 1 or 0
end

return command
