--- `portolan explain`: the argument for what a mapping says about a scheme.
-- @module portolan.cli.explain
local argument = require "portolan.argument"
local argument_words = require "portolan.argument.reading_words"
local choose = require "portolan.cli.choose"
local isa = require "portolan.scheme.isa"
local json = require "portolan.support.json"
local latencies = require "portolan.mapping.latencies"
local mapping = require "portolan.mapping"
local must = require("portolan.support.failure").check
local printable = require "portolan.support.printable"
local statuses = require "portolan.mapping.statuses"
local witness = require "portolan.experiment.witness"
local wrap = require "portolan.support.wrap"

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

local width = 80
local colours = { good = "green", settled = "yellow", bad = "red" }
local accesses = { r = "read", w = "written", rw = "read and written", [""] = "" }

local function operands(scheme)
  local parts = {}
  for _, o in ipairs(scheme.operands) do
    if o.visibility ~= "hidden" then
      local kind = o.kind == "register" and (o.fixed or o.class) or o.kind
      local details = ((o.width > 0 and o.kind ~= "register" and o.width .. " bits " or "") .. (accesses[o.access] or "")):gsub(" $", "")
      parts[#parts + 1] = kind .. (details ~= "" and (" (%s)"):format(details) or "")
    end
  end
  return #parts > 0 and table.concat(parts, ", ") or "none"
end

-- Tells what the scheme is; nothing for names that are no instructions.
local function identity(name)
  local scheme = isa.scheme(name)
  if not scheme then return {} end
  local set = scheme.isa_set ~= scheme.extension and (" (set %s)"):format(scheme.isa_set) or ""
  return { { "is", ("%s%s, %s, category %s"):format(scheme.extension, set, scheme.encoding, scheme.category) },
    { "operands", operands(scheme) } }
end

-- A witness as a sentence.
local function sentence(r)
  local parts = { r.alone and r.instances == 1 and "it" or r.about }
  if r.cycles then
    parts[#parts + 1] = (" takes %s cycles"):format(witness.cycles(r.cycles))
    if r.expected then parts[#parts + 1] = (" (%s expected)"):format(witness.cycles(r.expected)) end
    if r.base or r.without then parts[#parts + 1] = (" where %s would do without it"):format(witness.cycles(r.base or r.without)) end
    if r.sum then parts[#parts + 1] = ": " .. r.sum end
  end
  local meaning = not r.alone and r.role == "contradicts" and r.says or r.means or r.says
  if meaning then parts[#parts + 1] = ": " .. meaning end
  return table.concat(parts)
end

local function line(context, label, text, colour)
  local lines = wrap(printable(text), width, ("  %-9s "):format(label))
  context.out("%s%s\n", context.style(lines:sub(1, 11), colour or "dim"), lines:sub(12))
end

local function show_reading(context, label, r, colour)
  local remark = r.doubt or r.off and r.role ~= "contradicts" and ("%s than expected"):format(r.off)
  line(context, label, sentence(r) .. (remark and (" [%s]"):format(remark) or ""), remark and "yellow" or colour)
end

-- The latencies, each with the chains that show it; flags that are like another one follow it in a line.
local function show_latencies(context, list)
  if #list == 0 then return end
  context.out("%s\n", context.style("latencies, in cycles from the place that is read to the one that is written", "bold"))
  local like = {}
  for _, entry in ipairs(list) do
    if entry.as then like[entry.as] = (like[entry.as] and like[entry.as] .. ", " or "") .. entry.from .. " > " .. entry.to end
  end
  for _, entry in ipairs(list) do
    local key = entry.from .. " > " .. entry.to
    if not entry.as then
      line(context, "latency", latencies.line(entry) .. (like[key] and "; as long: " .. like[key] or ""), "cyan")
      for _, w in ipairs(entry.witnesses or {}) do
        line(context, "", ("%s takes %s cycles a round"):format(w.chain, witness.cycles(w.cycles)), "dim")
      end
    end
  end
end

local function show_uop(context, part)
  context.out("%s\n", context.style(printable(("%s on %s"):format(argument_words.uops(part.n), argument.ports(part.ports))), "bold"))
  for _, r in ipairs(part.shows) do show_reading(context, "shows", r, "green") end
  if part.unseen then line(context, "shows", part.unseen, part.assumed and "yellow" or nil) end
  for _, r in ipairs(part.bounds) do show_reading(context, "bounds", r, "cyan") end
  if part.unbounded then line(context, "bounds", part.unbounded) end
end

local function show_facts(context, a)
  local cycles = a.cycles and (", %s cycles alone"):format(witness.cycles(a.cycles)) or ""
  local model = a.cycles and a.predicted and (" (its ports and slots: %s)"):format(witness.cycles(a.predicted)) or ""
  for _, fact in ipairs(identity(a.scheme)) do line(context, fact[1], fact[2]) end
  line(context, "takes", argument_words.slots(a.slots) .. cycles .. model)
  line(context, "ports", a.usage or "not known")
  line(context, "class", a.status .. (a.means and ": " .. a.means or ""))
  if a.recognised then line(context, "why", a.recognised) end
  if a.note then line(context, "note", a.note) end
end

-- One argument. `mapping_option`: what a command line needs to name the mapping, " --mapping m.json".
local function show_argument(a, context, mapping_option)
  context.out("%s  %s\n", context.style(printable(a.scheme), "bold"), context.style(printable(a.status), colours[a.kind]))
  show_facts(context, a)
  for _, part in ipairs(a.uops) do show_uop(context, part) end
  if a.alone or #a.further > 0 then context.out("%s\n", context.style(#a.uops > 0 and "and no others" or "measured", "bold")) end
  if a.alone then show_reading(context, "alone", a.alone) end
  for _, r in ipairs(a.further) do show_reading(context, r.role or "measured", r, "cyan") end
  show_latencies(context, a.latencies or {})
  if #a.contradicts > 0 then context.out("%s\n", context.style("does not fit", "bold")) end
  for _, r in ipairs(a.contradicts) do show_reading(context, "but", r, "red") end
  if a.assumed then
    line(context, "assumed", ("that its ports are %s: no experiment shows or excludes it"):format(argument.ports(a.assumed)), "yellow")
  end
  if a.cycles or a.witnesses > 0 then
    context.out("%s\n", context.style(printable(("measure it again: portolan recheck%s '%s'"):format(mapping_option or "", a.scheme)), "dim"))
  end
end

local function cut(text, room) return #text > room and text:sub(1, room - 3) .. "..." or text end

-- Schemes, one line each, in columns that fit a terminal.
local function list_schemes(list, context)
  local name_width, usage_width = 6, 5
  for _, a in ipairs(list) do
    name_width, usage_width = math.max(name_width, #printable(a.scheme)), math.max(usage_width, #printable(a.usage or "-"))
  end
  name_width, usage_width = math.min(name_width, 34), math.min(usage_width, 20)
  local row = ("%%-%ds  %%-%ds %%9s  "):format(name_width, usage_width)
  context.out("%s\n", context.style(row:format("scheme", "ports", "cycles") .. "class", "dim"))
  for _, a in ipairs(list) do
    context.out("%s%s\n", row:format(cut(printable(a.scheme), name_width), cut(printable(a.usage or "-"), usage_width),
      a.cycles and witness.cycles(a.cycles) or "-"), context.style(printable(a.status), colours[a.kind]))
  end
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
  list_schemes(list, context)
  context.out("\n%d schemes; name one in full for its argument, or --full for all of these\n", #list)
end

-- Returns what JSON holds: readings without tables that JSON would mistake for lists.
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
      show_argument(a, context, option)
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
