--- This module writes what `portolan predict` prints: predictions as text for terminals.
local experiment = require "portolan.experiment"
local lists = require "portolan.support.lists"
local mapping = require "portolan.mapping"
local model = require "portolan.prediction.model"
local plural = require "portolan.support.plural"
local printable = require "portolan.support.printable"
local schedule_text = require "portolan.report.schedule_text"
local terminal = require "portolan.support.terminal"

local prediction_text = {}

local bar_width = 32

local function bar(share)
  local full = math.floor(math.min(share, 1) * bar_width + 0.5)
  if terminal.utf8() then return ("█"):rep(full) .. ("░"):rep(bar_width - full) end
  return ("#"):rep(full) .. ("."):rep(bar_width - full)
end

local function listed(noun, names)
  return ("limited by %s %s"):format(plural(#names, noun, nil, false), table.concat(names, ", "))
end

-- Does another method give another result than the formula? Linear programs in floating point do not, nor do resources.
local function differs(p, factor)
  return p.optimal_cycles and p.cycles * factor > p.optimal_cycles * factor + 1e-6 * p.optimal_cycles
end

local function limit_text(p, m)
  if p.cycles == 0 then return "nothing to execute" end
  if p.limit == "unit" then
    local several, first = #p.unit.schemes > 1, p.unit.schemes[1]
    if m.schemes[first].alone then
      return ("limited by what %s takes alone, as measured; %.3f by ports and issue slots"):format(first, p.unit_free_cycles)
    end
    return ("limited by the unit of %s, busy for longer than %s ports, as measured; %.3f by ports and issue slots")
      :format(table.concat(p.unit.schemes, " and "), several and "their" or "its", p.unit_free_cycles)
  end
  if p.method == "binder" and p.cycles > p.optimal_cycles * 1.001 then
    return ("bound greedily; %.3f with optimal scheduling"):format(p.optimal_cycles)
  end
  if p.method == "facile" and differs(p, -1) then
    return ("by pairs of uops; %.3f by the bottleneck formula"):format(p.optimal_cycles)
  end
  if p.resources then return listed("resource", p.resources) end
  if p.limit == "rmax" then
    return p.ports_cycles > 0 and ("limited by issue slots; %.3f by the ports alone"):format(p.ports_cycles)
      or "limited by issue slots"
  end
  return listed("port", p.bottleneck)
end

-- { R1 = 2, R12 = 0.5 } of the resources that matter, as text.
local function loads_text(loads, resources)
  local used = lists.where(resources, function(name) return loads[name] and loads[name] > 0 end)
  local parts = lists.map(used, function(name) return ("%s %.4g"):format(name, loads[name]) end)
  return #parts > 0 and table.concat(parts, ", ") or "-"
end

-- Tells what of a scheme can run nowhere but on the bottleneck ports, or that its unit is busy: "  bottleneck", "  bottleneck: p8", or "".
local function inside_text(p, scheme, name)
  if p.limit == "unit" then return lists.set(p.unit.schemes)[name] and (scheme.alone and "  bottleneck" or "  bottleneck: its unit") or "" end
  if p.limit ~= "ports" or p.cycles == 0 then return "" end
  for _, entry in ipairs(p.inside or {}) do
    if entry.scheme == name and #entry.uops == #scheme.uops then return "  bottleneck" end
    if entry.scheme == name then return "  bottleneck: " .. mapping.usage { uops = entry.uops } end
  end
  return ""
end

-- The columns of a scheme's line: what it asks for, and what else there is to say.
local function scheme_texts(p, m, name)
  local scheme = m.schemes[name]
  if not m.mapping then return loads_text(scheme, p.resources), "" end
  local slots = scheme.slots and scheme.slots ~= 1 and (", %d issue slots"):format(scheme.slots) or ""
  return (scheme.alone and "ports not known" or mapping.usage(scheme)) .. slots, inside_text(p, scheme, name)
end

local function show_schemes(p, m, context)
  local names, lines, name_width, usage_width = experiment.schemes(p.experiment), {}, 36, 0
  for i, name in ipairs(names) do
    local usage, inside = scheme_texts(p, m, name)
    lines[i] = { printable(name), printable(usage), printable(inside), count = p.experiment[name] }
    name_width, usage_width = math.max(name_width, math.min(#name, 60)), math.max(usage_width, math.min(#usage, 60))
  end
  for _, line in ipairs(lines) do
    local text = ("    %3d x %-" .. name_width .. "s %-" .. usage_width .. "s%s"):format(line.count, table.unpack(line))
    context.out("%s\n", (text:gsub(" +$", "")))
  end
end

-- One line for each port or resource.
local function show_bars(p, names, loads, full, head, context)
  local width = lists.largest(names, function(name) return #name end, #head)
  local title = p.optimal_cycles and not p.resources and (p.method == "binder" or p.method == "facile") and " with optimal scheduling" or ""
  context.out(("  %%-%ds   cycles   load%s\n"):format(width, title), head)
  for _, name in ipairs(names) do
    local load = loads[name]
    local share = p.cycles > 0 and load / p.cycles or 0
    local line = ("  %-" .. width .. "s %8.3f   %s %4.0f%%"):format(printable(name), load, bar(share), 100 * share)
    local marked = full[name] and load > 0
    context.out("%s\n", marked and context.style(line .. "  bottleneck", "red") or line)
  end
end

--- Prints a line for each port.
-- @param p prediction with `load` and `cycles`
-- @param ports their names
-- @param bottleneck names of those to mark
-- @param context of the command
function prediction_text.ports(p, ports, bottleneck, context)
  show_bars(p, ports, p.load, lists.set(bottleneck or {}), "port", context)
end

local function loaded(m, p) return lists.where(m.resources:resources(), function(name) return p.pressure[name] > 0 end) end

local function show_schedule(p, m, context)
  local s = p.schedule
  local lines, labels = schedule_text.lines(s, m.mapping.ports, p.experiment, terminal.utf8())
  local iterations = plural(s.iterations, "iteration", nil, s.iterations == 1 and "one" or nil)
  context.out("\n  schedule: %s in %d cycles, %.3f per iteration%s\n\n", iterations, s.cycles, s.cycles / s.iterations,
    p.limit == "unit" and ", by the ports alone" or "")
  for _, line in ipairs(lines) do context.out("  %s\n", printable(line)) end
  context.out("\n")
  for _, name in ipairs(experiment.schemes(p.experiment)) do
    local label = labels[name]
    if label ~= name then context.out("  %s: %s\n", label, printable(name)) end
  end
end

--- These words name what no prediction by ports knows of code.
prediction_text.ignored = "dependencies between instructions are ignored"

-- The line with the time, exact or a bound.
local function time_text(p, m)
  if p.unknown then
    return ("at least %.3f cycles, without %s: %s"):format(p.cycles, plural(#p.unknown, "unknown scheme"), limit_text(p, m))
  end
  local ipc = p.ipc and ("%.2f IPC, "):format(p.ipc) or ""
  return ("%.3f cycles per %s, %s%.3f CPI: %s"):format(p.cycles, p.kind and "iteration" or "experiment", ipc, p.cpi, limit_text(p, m))
end

--- Lists what a prediction takes for something else, rests on, assumes and leaves out.
-- @param p prediction with `sources`, `taken_as`, `rests_on`, `assumed`, `between`, `unknown` and `lacking_latency`, as far as there are such
-- @return list of lines
function prediction_text.doubts(p)
  local lines = {}
  local function add(names, form, of_name)
    for _, name in ipairs(names) do lines[#lines + 1] = form:format(of_name and of_name(name) or name, name) end
  end
  for _, one in ipairs(p.sources or {}) do add(one.schemes, "not known to the mapping, as " .. one.source .. " says: %s") end
  add(lists.keys(p.taken_as or {}), "taken as %s: %s", function(name) return p.taken_as[name] end)
  add(lists.keys(p.rests_on or {}), "by what it takes alone (%s): %s", function(name) return p.rests_on[name] end)
  if p.between and p.between.high - p.between.low > 0.0005 then
    lines[#lines + 1] = ("whatever it does beside others: between %.3f and %.3f cycles"):format(p.between.low, p.between.high)
  end
  add(lists.keys(p.assumed or {}), "assumed, not determined: ports %s of %s", function(name) return table.concat(p.assumed[name], ", ") end)
  add(p.unknown or {}, "unknown to the mapping: %s")
  add(p.lacking_latency or {}, "latency not known, taken for 0: %s")
  return lines
end

--- Prints these, if there are any.
-- @param p prediction
-- @param context of the command
function prediction_text.show_doubts(p, context)
  for i, line in ipairs(prediction_text.doubts(p)) do context.out("%s  %s\n", i == 1 and "\n" or "", printable(line)) end
end

-- All but the title.
local function show_body(p, m, context)
  context.out("  %s\n", printable(time_text(p, m)))
  if p.method ~= model.methods[1] then context.out("  model: %s\n", model.titles[p.method]) end
  context.out("\n")
  show_schemes(p, m, context)
  context.out("\n")
  if p.resources then
    show_bars(p, loaded(m, p), p.pressure, lists.set(p.limit ~= "unit" and p.resources or {}), "resource", context)
  else
    show_bars(p, m.mapping.ports, p.load, lists.set(p.bottleneck or {}), "port", context)
  end
  prediction_text.show_doubts(p, context)
  if p.schedule then show_schedule(p, m, context) end
end

--- Prints one prediction.
-- @param p what a model's `predict` gave, with `experiment`, `text`, `method`; `ignores` if it is of code; and `schedule`, `assumed` if
-- there are
-- @param m the model
-- @param context of the command
function prediction_text.show(p, m, context)
  context.out("%s  (%s)\n", context.style(printable(p.title or p.text), "bold"),
    p.ignores and prediction_text.ignored or "independent instances")
  show_body(p, m, context)
end

local function loops_at(addresses)
  local list = lists.map(addresses, function(address) return ("0x%x"):format(address) end)
  return ("the %s at %s within"):format(plural(#list, "loop", nil, false), table.concat(list, ", "))
end

--- Lists what is assumed of the path through a loop, and what it leaves out.
-- @param p prediction with `branches`, `around`, `through`, `left_out` of a loop (portolan.code)
-- @return list of texts
function prediction_text.path_words(p)
  local n, left, list = p.branches or 0, p.left_out or 0, {}
  if n > 0 then list[1] = ("with %s inside, taken as not taken"):format(plural(n, "more branch", "more branches")) end
  if #(p.through or {}) > 0 then list[#list + 1] = ("with %s, run once"):format(loops_at(p.through)) end
  if #(p.around or {}) > 0 then list[#list + 1] = ("without %s, as there is a way around"):format(loops_at(p.around)) end
  if left > 0 then list[#list + 1] = ("without %s beside this path"):format(plural(left, "instruction")) end
  return list
end

--- Prints what is assumed of the path through a loop, if there is something to say.
-- @param p prediction
-- @param context of the command
function prediction_text.path(p, context)
  local words = prediction_text.path_words(p)
  if #words > 0 then context.out("\n  %s\n", table.concat(words, "\n  ")) end
end

--- Prints the prediction of a piece of a file of code, or why there is none.
-- @param p the same, with `title`, and what a loop's path leaves out; or `title` and `trouble`
-- @param m the model
-- @param context of the command
function prediction_text.piece(p, m, context)
  if p.trouble then
    context.out("%s\n  no prediction: %s\n", context.style(printable(p.title), "bold"), printable(p.trouble))
    return
  end
  prediction_text.show(p, m, context)
  prediction_text.path(p, context)
end

--- Prints a table of predictions, one line each.
-- @param list of `{ text =, cycles =, cpi = }`, or with `trouble`, why there is no number
-- @param m the model
-- @param context of the command
-- @param[opt] of_code true: they are of code, not of experiments
function prediction_text.list(list, m, context, of_code)
  if of_code then context.out("%s\n", prediction_text.ignored) end
  if m.method ~= model.methods[1] then context.out("model: %s\n", model.titles[m.method]) end
  context.out("%9s %8s   experiment\n", "cycles", "CPI")
  for _, p in ipairs(list) do
    if p.unknown then
      context.out("%9s %8s   %s  (without %s)\n", (">= %.3f"):format(p.cycles), "-", printable(p.text), printable(table.concat(p.unknown, "; ")))
    elseif p.trouble then
      context.out("%9s %8s   %s  (%s)\n", "-", "-", printable(p.text), printable(p.trouble))
    else
      local rests_on = lists.keys(p.rests_on or {})
      context.out("%9.3f %8.3f   %s%s\n", p.cycles, p.cpi, printable(p.text),
        #rests_on > 0 and printable(("  (by what it takes alone: %s)"):format(table.concat(rests_on, "; "))) or "")
    end
  end
end

return prediction_text
