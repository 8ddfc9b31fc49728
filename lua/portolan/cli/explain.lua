--- `portolan explain`: the argument for what a mapping says about a scheme.
-- @module portolan.cli.explain
local argument = require "portolan.argument"
local argument_text = require "portolan.report.argument_text"
local choose = require "portolan.cli.choose"
local json = require "portolan.support.json"
local mapping = require "portolan.mapping"
local must = require("portolan.support.failure").check
local statuses = require "portolan.statuses"

local command = { summary = "why a mapping says what it says about a scheme: the experiments behind it" }

local most_explained = 20

function command.configure(parser)
  parser:description("Prints the argument for a scheme: what it is, its class and why, its ports, and for each uop the experiments that "
    .. "show it and that bound it, with what is assumed and what contradicts. What is chosen by a part of a name or a pattern is listed, if it is "
    .. "more than one scheme.")
  parser:argument("scheme", "a scheme's name, a part of names, or a Lua pattern between slashes, '/^vp.*ymm/'"):args("+")
  parser:option("--mapping", "mapping file", choose.default):argname("FILE")
  parser:flag("--full", "print the arguments of all schemes that are chosen, not a list")
  parser:flag("--json", "print JSON")
end

local function brief(m, name)
  local scheme = m.schemes[name]
  local status = statuses.get(scheme.status)
  return { scheme = name, usage = mapping.usage(scheme), cycles = scheme.tp, status = status.name, kind = status.kind,
    witnesses = #(scheme.witnesses or {}) }
end

local function show_list(names, m, context)
  local list = {}
  for i, name in ipairs(names) do list[i] = brief(m, name) end
  if context.json then
    context.write_json { schemes = json.array(list) }
    return
  end
  argument_text.list(list, context)
  context.out("\n%d schemes; name one in full for its argument, or --full for all of these\n", #list)
end

-- What JSON holds: readings without tables that JSON would mistake for lists.
local function plain(a)
  for _, part in ipairs(a.uops) do json.array(part.shows); json.array(part.bounds) end
  json.array(a.uops); json.array(a.further); json.array(a.contradicts)
  return a
end

local function show_arguments(names, m, args, context)
  local compiled = must(mapping.compile_ports(m))
  local list, option = {}, args.mapping ~= choose.default and " --mapping " .. args.mapping or ""
  for i, name in ipairs(names) do
    local a = argument.of(m, compiled, name)
    if context.json then
      list[i] = plain(a)
    else
      if i > 1 then context.out("\n") end
      argument_text.show(a, context, option)
    end
  end
  if context.json then context.write_json { arguments = json.array(list) } end
  return 0
end

function command.run(args, context)
  local m = must(choose.mapping(args.mapping))
  local names, in_full = must(choose.schemes(m, args.scheme, args.mapping))
  if args.full or #names == 1 or in_full and #names <= most_explained then return show_arguments(names, m, args, context) end
  show_list(names, m, context)
  return 0
end

return command
