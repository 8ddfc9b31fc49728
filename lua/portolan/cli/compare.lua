--- `portolan compare`: are two mappings the same but for the names of their ports? How do they differ, and which experiment tells
-- them apart?
-- @module portolan.cli.compare
local algebra = require "portolan.mapping.algebra"
local conjunctive = require "portolan.mapping.conjunctive"
local conjunctive_compare = require "portolan.mapping.conjunctive_compare"
local core = require "portolan.core"
local experiment = require "portolan.experiment"
local lists = require "portolan.support.lists"
local mapping = require "portolan.mapping"
local mapping_words = require "portolan.mapping.words"
local model = require "portolan.prediction.model"
local must = require("portolan.support.failure").check
local number = require "portolan.cli.number"
local plural = require "portolan.support.plural"
local printable = require "portolan.support.printable"
local terminal = require "portolan.support.terminal"

local command = { summary = "compare two mappings: equal up to port names, or an experiment that tells", interruptible = true }

function command.configure(parser)
  parser:description("Compares two mappings on the schemes that both explain. Exit status 0: no experiment was found whose CPIs under "
    .. "the two differ by more than 2 epsilon, or there can be none; the last line says which. Exit status 1: there is one.")
  parser:argument("a", "mapping file")
  parser:argument("b", "mapping file")
  parser:option("--epsilon", "what measurements resolve, in cycles per instruction", "0.02")
    :convert(number.any("--epsilon", 0))
  parser:option("--seed", "of random experiments, where the search has to draw some", "0")
    :convert(number.whole "--seed")
  parser:option("--only", "only schemes whose name contains TEXT; /TEXT/ is a Lua pattern. May be given several times")
    :argname("TEXT"):count("*")
  parser:option("--rename", "write the first mapping, whole, with its ports renamed to match the second"):argname("OUT.json")
  parser:flag("--json", "print JSON")
end

-- Lua notices what is wrong with a pattern only when it gets there, so this tries the pattern with all names. Nil if nothing is wrong; or a message.
local function pattern_fault(pattern, ...)
  for _, m in ipairs { ... } do
    for name in pairs(m.schemes) do
      local ok, message = pcall(string.find, name, pattern)
      if not ok then return (tostring(message):gsub("^.-:%d+: ", "")) end
    end
  end
end

-- A function name -> whether one of the texts selects it; or nil, message.
local function selector(texts, a, b)
  local tests = {}
  for i, text in ipairs(texts) do
    local pattern = text:match("^/(.+)/$")
    local fault = pattern and pattern_fault(pattern, a, b)
    if fault then return nil, ("--only %s is not a Lua pattern: %s"):format(text, fault) end
    tests[i] = pattern and function(name) return name:find(pattern) end or function(name) return name:find(text, 1, true) end
  end
  return function(name)
    return lists.any(tests, function(test) return test(name) end)
  end
end

-- Both mappings, restricted as --only says; or nil, message.
local function restricted(a, b, texts)
  if #texts == 0 then return a, b end
  local selects = must(selector(texts, a, b))
  local common = 0
  local function keep(name) return selects(name) end
  local x, y = algebra.restrict(a, keep), algebra.restrict(b, keep)
  for _, name in ipairs(mapping.schemes(x, true)) do
    if y.schemes[name] and y.schemes[name].uops then common = common + 1 end
  end
  if common == 0 then
    return nil, ("no scheme that both mappings explain is selected (--only %s)"):format(table.concat(texts, " --only "))
  end
  return x, y
end

-- A port of the first that is left over is written with a question mark in the lines below.
local function show_renaming(context, a, renaming, equal)
  local parts, same = {}, true
  for _, port in ipairs(a.ports) do
    if renaming[port] then
      parts[#parts + 1] = printable(port .. "=" .. renaming[port])
      same = same and port == renaming[port]
    elseif not equal then
      parts[#parts + 1], same = printable(port .. "=?" .. port), false
    end
  end
  context.out("  ports (first=second): %s%s\n", table.concat(parts, " "), same and " (the same names)" or "")
end

local function show_headline(context, result)
  local common = plural(result.common, "common scheme")
  if result.equal and result.same_limits then
    context.out("%s: the same port usage up to the names of ports, on %s.\n", context.style("equal", "green"), common)
  elseif result.equal then
    context.out("%s: the same port usage up to the names of ports, on %s, but other limits on issue, or other times of busy units.\n",
      context.style("same ports, other limits", "yellow"), common)
  else
    context.out("%s: the ports are used differently, %s. Closest: %d of %s the same.\n", context.style("different", "red"),
      result.decided and "whatever the ports are called" or "as far as could be decided", result.matching, common)
  end
end

-- A file's conjunctive mapping (portolan.mapping.conjunctive); nil if the file is something else.
local function load_resources(path)
  local found = model.load(path)
  if not found or found.mapping then return nil end
  return { format = conjunctive.format, version = conjunctive.version, resources = found.resources:resources(), schemes = found.resources:loads() }
end

-- The experiment that tells two mappings apart, and what each says of it.
local function show_told_apart(context, result)
  local length = experiment.length(result.experiment)
  context.out("told apart by: %s\n", context.style(printable(experiment.format(result.experiment)), "bold"))
  context.out("  %.3f cycles with the first, %.3f with the second (%.3f and %.3f CPI)\n", result.a, result.b, result.a / length,
    result.b / length)
end

local function show_resources(context, result, epsilon)
  context.out("resources, on %s: at most %.3f CPI apart\n", plural(result.common, "common scheme"), result.gap)
  if result.distinguishable then
    show_told_apart(context, result)
  elseif result.gap <= 2 * epsilon then
    context.out("No experiment tells them apart at a resolution of %g CPI.\n", epsilon)
  else
    context.out("No experiment of 200 instructions or fewer was found that tells them apart at a resolution of %g CPI; that is no proof.\n", epsilon)
  end
end

local function show_experiment(context, result, epsilon)
  if result.distinguishable then
    show_told_apart(context, result)
  elseif result.equal and result.same_limits then
    context.out("Every experiment takes the same time under both.\n")
  elseif result.complete then
    context.out("No experiment tells them apart at a resolution of %g CPI.\n", epsilon)
  else
    context.out("No experiment that tells them apart at a resolution of %g CPI was found; that is no proof (%d sets of ports and "
      .. "experiments examined).\n", epsilon, result.examined)
  end
end

local function show(context, a, result, epsilon)
  show_headline(context, result)
  show_renaming(context, a, result.diff.renaming, result.equal)
  local kinds, rest = mapping_words.parts(result.diff, { width = terminal.width(io.stdout) - 4 })
  for _, line in ipairs(kinds) do context.out("    %s\n", printable(line)) end
  for _, line in ipairs(rest) do context.out("  %s\n", printable(line)) end
  show_experiment(context, result, epsilon)
end

-- Returns what core.model.compare finds out, and the diff; or nil, message, exit status.
local function compare(a, b, args)
  local result, message, status = core.model.compare(assert(mapping.compile(a)), assert(mapping.compile(b)),
    { epsilon = args.epsilon, seed = args.seed })
  if not result then return nil, message, status == "interrupted" and 130 or nil end
  result.diff = must(algebra.diff(a, b, result))
  return result
end

-- A file: a port mapping, or a conjunctive one and true; or nil, message.
local function load_one(path)
  local m, message = mapping.load(path)
  if m then return m, false end
  m = load_resources(path)
  if m then return m, true end
  return nil, message
end

-- Both files, as read, and whether one has resources in the place of ports; or nil, message.
local function load(args)
  local a, of_a = must(load_one(args.a))
  local b, of_b = must(load_one(args.b))
  return a, b, of_a or of_b
end

-- A conjunctive mapping, restricted as --only says; or nil, message.
local function restricted_resources(m, texts)
  local selects = must(selector(texts, m, m))
  local schemes = {}
  for name, loads in pairs(m.schemes) do
    if #texts == 0 or selects(name) then schemes[name] = loads end
  end
  return { resources = m.resources, schemes = schemes }
end

-- Compares two tables, of which at least one is conjunctive: exit status; or nil, message, status.
local function compare_resources(a, b, args, context)
  if args.rename then return nil, "--rename: a conjunctive mapping has no ports; leave it out" end
  local sides = { a, b }
  for i, m in ipairs(sides) do
    local message
    if not conjunctive.is_mapping(m) then sides[i], message = conjunctive.of(m) end
    if sides[i] then sides[i], message = restricted_resources(sides[i], args.only) end
    if not sides[i] then return nil, message end
  end
  local result, message, status = conjunctive_compare.of(sides[1], sides[2], args.epsilon)
  if not result then return nil, message, status == "interrupted" and 130 or nil end
  if result.common == 0 then return nil, "no scheme is explained by both mappings" end
  if context.json then context.write_json(result) else show_resources(context, result, args.epsilon) end
  return result.distinguishable and 1 or 0
end

function command.run(args, context)
  local whole, b, resources = load(args)
  if not whole then return nil, b end
  if resources then return compare_resources(whole, b, args, context) end
  local a
  a, b = must(restricted(whole, b, args.only))
  local result = must(compare(a, b, args))
  if args.rename then must(mapping.save(algebra.match(whole, b, result), args.rename)) end
  if context.json then
    context.write_json(result)
  else
    show(context, a, result, args.epsilon)
    if args.rename then context.out("%s: the first mapping, with the second's names of ports\n", args.rename) end
  end
  return result.distinguishable and 1 or 0
end

return command
