--- `portolan predict`: what a port mapping says about experiments or code.
-- @module portolan.cli.predict
local core = require "portolan.core"
local experiment = require "portolan.experiment"
local json = require "portolan.json"
local mapping = require "portolan.mapping"

local command = { summary = "predict throughput and port load with a mapping" }

function command.configure(parser)
  parser:description("Predicts the inverse throughput, in cycles per experiment, that a port mapping gives for experiments or code: "
    .. "independent instructions, bound by nothing but ports and issue slots.")
  parser:argument("experiment", "a sum of count*scheme, e.g. '2*add r64, r64 + imul r64, r64', or assembler text, statements "
    .. "separated by ';'"):args("+")
  parser:option("--mapping", "mapping file (mapping.json)"):argname("FILE"):count(1)
  parser:option("--method", "bottleneck: optimal scheduling, as the model assumes; binder: with ports chosen greedily at issue, "
    .. "as cores do, never faster"):choices { "bottleneck", "binder" }:default("bottleneck")
  parser:flag("--json", "print JSON")
end

-- Schemes of the mapping that a user may have meant: the same mnemonic.
local function suggestion(m, name)
  local mnemonic, found = name:match("^%S+") or name, {}
  for _, known in ipairs(mapping.schemes(m)) do
    if known:match("^%S+") == mnemonic then found[#found + 1] = "'" .. known .. "'" end
  end
  if #found == 0 then return "" end
  local more = #found > 3 and (" and %d more"):format(#found - 3) or ""
  return "; it has " .. table.concat(found, ", ", 1, math.min(3, #found)) .. more
end

-- The first scheme of an experiment that the mapping lacks, or nil.
local function missing(m, e)
  for _, name in ipairs(experiment.schemes(e)) do
    if not m.schemes[name] then return name end
  end
end

local function from_assembler(text)
  local code, message = core.isa.assemble(text)
  if not code then return nil, message end
  local names = {}
  for i, instruction in ipairs(code.instructions) do names[i] = instruction.scheme end
  if #names == 0 then return nil, "there is no instruction" end
  return experiment.of_list(names)
end

local function quote(text)
  text = text:gsub("%s+", " ")
  return "'" .. (#text > 60 and text:sub(1, 57) .. "..." or text) .. "'"
end

-- An argument as an experiment over the mapping's schemes; or nil and a message.
local function read(m, text)
  local e, why = experiment.parse(text)
  local unknown = e and missing(m, e)
  if e and not unknown then return e end
  local code, trouble = from_assembler(text)
  if code then
    local lacking = missing(m, code)
    if not lacking then return code end
    return nil, ("%s: the mapping has no scheme '%s'%s"):format(quote(text), lacking, suggestion(m, lacking))
  end
  if not e and not text:find("*", 1, true) then return nil, ("%s: %s"):format(quote(text), trouble or why) end
  if not e then return nil, why end
  return nil, ("%s: the mapping has no scheme '%s'%s; nor is it assembler text: %s")
    :format(quote(text), unknown, suggestion(m, unknown), trouble)
end

-- Prediction of one argument: the fields of core.model's predict, and what was asked; or nil and a message.
local function predict(m, compiled, text, method)
  local e, message = read(m, text)
  if not e then return nil, message end
  local p
  p, message = compiled:predict(e)
  if not p then return nil, message end
  p.experiment, p.text, p.method = e, experiment.format(e), method
  if method == "binder" then
    local bound
    bound, message = compiled:bind(e)
    if not bound then return nil, message end
    p.optimal_cycles, p.cycles = p.cycles, bound
    p.cpi = bound / experiment.length(e)
    p.ipc = bound > 0 and experiment.length(e) / bound or nil
  end
  return p
end

local function utf8_terminal()
  for _, name in ipairs { "LC_ALL", "LC_CTYPE", "LANG" } do
    local value = os.getenv(name)
    if value and value ~= "" then return value:lower():find("utf%-?8") ~= nil end
  end
  return false
end

local bar_width = 32

local function bar(share)
  local full = math.floor(share * bar_width + 0.5)
  if utf8_terminal() then return ("█"):rep(full) .. ("░"):rep(bar_width - full) end
  return ("#"):rep(full) .. ("."):rep(bar_width - full)
end

local function set_of(list)
  local set = {}
  for _, value in ipairs(list) do set[value] = true end
  return set
end

local function limit_text(p)
  if p.cycles == 0 then return "nothing to execute" end
  if p.method == "binder" and p.cycles > p.optimal_cycles * 1.001 then
    return ("bound greedily; %.3f with optimal scheduling"):format(p.optimal_cycles)
  end
  if p.limit == "rmax" then
    return p.ports_cycles > 0 and ("limited by issue slots; %.3f by the ports alone"):format(p.ports_cycles)
      or "limited by issue slots"
  end
  local names = table.concat(p.bottleneck, ", ")
  return #p.bottleneck == 1 and "limited by port " .. names or "limited by ports " .. names
end

local function show_schemes(p, m, context)
  for _, name in ipairs(experiment.schemes(p.experiment)) do
    local scheme = m.schemes[name]
    local slots = scheme.slots and scheme.slots ~= 1 and (", %d issue slots"):format(scheme.slots) or ""
    context.out("    %3d x %-36s %s%s\n", p.experiment[name], name, mapping.usage(scheme), slots)
  end
end

local function show_loads(p, m, context)
  local full, width = set_of(p.bottleneck), #"port"
  for _, port in ipairs(m.ports) do width = math.max(width, #port) end
  context.out(("  %%-%ds   cycles   load%s\n"):format(width, p.method == "binder" and " with optimal scheduling" or ""), "port")
  for _, port in ipairs(m.ports) do
    local load = p.load[port]
    local line = ("  %-" .. width .. "s %8.3f   %s %4.0f%%"):format(port, load, bar(p.cycles > 0 and load / p.cycles or 0),
      p.cycles > 0 and 100 * load / p.cycles or 0)
    local marked = full[port] and load > 0
    context.out("%s\n", marked and context.style(line .. "  bottleneck", p.limit == "ports" and "red" or "yellow") or line)
  end
end

local function show(p, m, context)
  context.out("%s\n", context.style(p.text, "bold"))
  context.out("  %.3f cycles per experiment, %s%.3f CPI: %s\n\n", p.cycles, p.ipc and ("%.2f IPC, "):format(p.ipc) or "", p.cpi,
    limit_text(p))
  show_schemes(p, m, context)
  context.out("\n")
  show_loads(p, m, context)
end

function command.run(args, context)
  local m, message = mapping.load(args.mapping)
  if not m then return nil, message end
  local compiled = assert(mapping.compile(m))
  local predictions = {}
  for i, text in ipairs(args.experiment) do
    local p, fault = predict(m, compiled, text, args.method)
    if not p then return nil, fault end
    predictions[i] = p
  end
  if context.json then
    context.out("%s", assert(json.encode(predictions, { pretty = true })))
    return 0
  end
  for i, p in ipairs(predictions) do
    if i > 1 then context.out("\n") end
    show(p, m, context)
  end
  return 0
end

return command
