--- portolan domain: abstract domains: check a file's laws, show what it is made of and the abstract block of a block.
local arch_option = require "portolan.cli.arch_option"
local core = require "portolan.core"
local domain = require "portolan.anica.domain"
local json = require "portolan.support.json"
local laws = require "portolan.anica.laws"
local must = require("portolan.support.failure").check
local number = require "portolan.cli.number"
local own_file = require "portolan.support.own_file"
local universes = require "portolan.anica.universe"
local view = require "portolan.anica.view"

local command = { summary = "abstract domains: check their laws, show abstract blocks" }
command.description = "Abstract domains, which say how AnICA generalizes blocks; docs/abstract-domain.md explains them."

local function add_common(parser)
  parser:argument("file", "A domain file (Lua), or the name of one: " .. table.concat(own_file.names "domains", ", ") .. ".")
  parser:option("--mapping", "A port mapping, for features that ask for one."):argname "FILE"
  arch_option.add(parser, "the universe")
  parser:option("--universe", "Which schemes: " .. universes.words() .. "."):argname("NAME"):default(universes.usual())
  parser:flag("--json", "JSON on standard output.")
end

function command.configure(parser)
  parser:command_target "action"
  local check = parser:command("check", "Check the laws of every feature's lattice; ends with 1 if one is violated.")
  add_common(check)
  check:option("--seed", "Of the random elements that are tried."):argname("N"):default "1":convert(number.whole("--seed"))
  local show = parser:command("show", "Show the abstract block of a block; without a block the features, and what the universe leaves out.")
  add_common(show)
  show:argument("block", "Assembler text, Intel syntax, statements separated by ';'."):args "?"
end

-- The result of one feature; nil, message if its functions fail.
local function check_feature(one, universe, seed)
  local ok, result, message = pcall(function()
    local seen, trouble = view.of(one, universe.schemes, universe.names)
    if not seen then return nil, trouble end
    local found = laws.check(seen, seed)
    if found.law then return found end
    local compiled
    compiled, trouble = view.compile(one, universe.schemes)
    return compiled and found, trouble
  end)
  if not ok then return nil, ("%s: %s"):format(one.where, tostring(result)) end
  if not result then return nil, message end
  result.feature = one.name
  return result
end

local function pad(text, width) return text .. (" "):rep(width - #text) end

local function print_results(results, context)
  local width = 7
  for _, r in ipairs(results) do width = math.max(width, #r.feature) end
  context.out("%s\n", context.style(("%s  %-10s %7s %7s"):format(pad("feature", width), "lattice", "values", "nodes"), "bold"))
  for _, r in ipairs(results) do
    local nodes = (r.all and "" or ">") .. r.nodes
    local verdict = r.law and context.style("violated: " .. r.law, "red") or context.style("ok", "green")
    context.out("%s  %-10s %7d %7s  %s\n", pad(r.feature, width), r.lattice, r.values, nodes, verdict)
    if r.law then context.out("%s  %s\n", (" "):rep(width), r.example) end
  end
end

local function check(args, context)
  local features, universe = must(domain.parts(args.file, { mapping = args.mapping, universe = args.universe, architecture = args.arch }))
  local results, good = {}, true
  for k, one in ipairs(features) do
    results[k] = must(check_feature(one, universe, args.seed))
    good = good and not results[k].law
  end
  if context.json then
    context.write_json { file = args.file, features = results, ok = good }
  else
    print_results(results, context)
  end
  return good and 0 or 1
end

local function lattice_text(one)
  if type(one.lattice) == "table" then return "own" end
  return one.lattice .. (one.bound > 0 and " " .. one.bound or "")
end

local function print_parts(features, u, context)
  context.out("%s\n", context.style("feature     lattice", "bold"))
  for _, one in ipairs(features) do context.out("%-11s %s\n", one.name, lattice_text(one)) end
  local variants = u.immediates and (", %d with each kind of immediate on its own"):format(#u.names) or ""
  context.out("\n%s\n", context.style(("universe %s: %d schemes%s"):format(u.name, u.scheme_count, variants), "bold"))
  local left_out = u.left_out()
  if #left_out > 0 then context.out("left out:\n") end
  for _, one in ipairs(left_out) do context.out("%7d  %s, such as %s\n", one.count, one.reason, one.example) end
end

-- Prints what a domain is made of.
local function show_parts(args, context)
  local features, universe = must(domain.parts(args.file, { mapping = args.mapping, universe = args.universe, architecture = args.arch }))
  local u, list = universe.source, json.array {}
  if not context.json then
    print_parts(features, u, context)
    return 0
  end
  for k, one in ipairs(features) do list[k] = { feature = one.name, lattice = lattice_text(one) } end
  context.write_json { file = args.file, features = list, universe = { name = u.name, schemes = u.scheme_count, variants = #u.names,
    immediates = u.immediates, left_out = json.array(u.left_out()) } }
  return 0
end

local function show(args, context)
  if not args.block then return show_parts(args, context) end
  local code = must(core.isa.assemble(args.block, args.arch))
  local d = must(domain.load(args.file, { mapping = args.mapping, universe = args.universe, architecture = args.arch, blocks = { code.bytes } }))
  local a = must(d:represent(code.bytes))
  if context.json then
    context.write_json(a:encode())
    return 0
  end
  context.out(table.concat(a:text(), "\n") .. "\n")
  return 0
end

function command.run(args, context) return ({ check = check, show = show })[args.action](args, context) end

return command
