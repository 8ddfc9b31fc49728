--- What `portolan predict` prints of a block of code: its bounds, the critical cycle, its instructions, port loads, and what changes would give.
-- @module portolan.report.block_text
local lists = require "portolan.support.lists"
local prediction_text = require "portolan.report.prediction_text"
local printable = require "portolan.support.printable"

local block_text = {}

local order = { "dependencies", "unit", "ports", "memory", "front end", "branch" }

local titles = { dependencies = "dependencies", unit = "busy unit", ports = "ports", memory = "first cache", ["front end"] = "issue slots",
  branch = "taken branch" }

local near = 0.005 -- share by which bounds differ that are equal as far as their measurements tell: 2.000 by ports, 1.994 by the first cache

local least_gain = 0.005 -- share of the time: smaller gains are not worth a line

local most_rows = 200 -- instructions of a table; longer blocks are cut

local simulation_tells = 0.01 -- share of the time: what a simulation adds to the bounds by less is rounding, or the steady state not quite reached

-- 4 as "4", 2.5 as "2.5"
local function short(cycles) return (("%.3f"):format(cycles):gsub("%.?0+$", "")) end

local function plural(n, noun) return ("%s %s%s"):format(short(n), noun, short(n) == "1" and "" or "s") end

local function is_limit(p, name) return p.cycles > 0 and (p.bounds[name] or 0) >= p.cycles * (1 - near) end

-- The share by which the simulation takes longer than the bounds; nil if it is nothing to speak of.
local function simulated_more(p)
  local share = p.simulated_cycles and p.cycles > 0 and p.simulated_cycles / p.cycles - 1 or 0
  return share >= simulation_tells and share or nil
end

local function limit_words(p, name)
  if name == "ports" and #p.bottleneck > 0 then
    return (#p.bottleneck == 1 and "port " or "ports ") .. table.concat(p.bottleneck, ", ")
  end
  if name == "unit" and p.unit then return "the busy unit " .. p.unit end
  if name == "memory" then return "banks or lines of the first cache" end
  return name == "branch" and "the taken branch" or titles[name]
end

-- The bounds that are as large as the prediction.
local function limits(p)
  local list = {}
  for _, name in ipairs(order) do
    if is_limit(p, name) then list[#list + 1] = limit_words(p, name) end
  end
  return #list > 0 and "limited by " .. table.concat(list, " and ") or "nothing to execute"
end

local function time_line(p)
  local noun = p.loop and "iteration" or "run"
  if p.unknown then
    return ("at least %.3f cycles per %s, without %s: %s"):format(p.cycles, noun, plural(#p.unknown, "unknown scheme"), limits(p))
  end
  local ipc = p.ipc and ("%.2f IPC, "):format(p.ipc) or ""
  local simulated = simulated_more(p) and ("; %.3f simulated"):format(p.simulated_cycles) or ""
  if p.lacking_latency then simulated = simulated .. ("; without the latency of %s"):format(plural(#p.lacking_latency, "scheme")) end
  return ("%.3f cycles per %s, %s%.3f CPI: %s%s"):format(p.cycles, noun, ipc, p.cpi, limits(p), simulated)
end

local function show_bounds(p, context)
  context.out("  %-12s   cycles\n", "bound")
  for _, name in ipairs(order) do
    local cycles = p.bounds[name]
    if cycles and (cycles > 0 or name ~= "unit") then
      local line = ("  %-12s %8.3f"):format(titles[name], cycles)
      context.out("%s\n", is_limit(p, name) and context.style(line .. "  limit", "red") or line)
    end
  end
  if p.simulated_cycles then
    local more = simulated_more(p)
    context.out("  %-12s %8.3f%s\n", "simulated", p.simulated_cycles, more and ("  %+.0f%%"):format(100 * more) or "")
  end
end

-- The register as the instruction calls it: the engine knows ymm0 as part of what it calls xmm0.
local function register_in(text, name)
  local number = name:match "^xmm(%d+)$"
  for _, kind in ipairs(number and { "zmm", "ymm" } or {}) do
    if text:find(kind .. number .. "%f[%D]") then return kind .. number end
  end
  return name
end

-- What an instruction looks like. A jump's target is a number relative to nothing that is shown; where it leads in the block says more.
local function text_of(p, i)
  local instruction = p.instructions[i]
  local jump = instruction.scheme:match "^(%l+) rel%d+$"
  if not jump or jump == "call" then return printable(instruction.text) end
  if i == #p.instructions then return p.loop and jump .. "  to 1" or jump end
  return jump == "jmp" and jump or jump .. "  not taken"
end

local function show_critical(p, context)
  if #p.critical == 0 then return end
  local cycles, iterations = 0, 0
  for _, step in ipairs(p.critical) do cycles, iterations = cycles + step.cycles, iterations + step.iterations end
  local title = is_limit(p, "dependencies") and "critical cycle" or "longest cycle of dependencies, which does not limit"
  context.out("\n  %s: %s in %s\n", title, plural(cycles, "cycle"), plural(iterations, "iteration"))
  context.out("     #  cycles  waits for          places        instruction\n")
  for _, step in ipairs(p.critical) do
    local text = text_of(p, step.instruction)
    local source = ("%d, by %s"):format(step.waits_for, register_in(p.instructions[step.instruction].text, step.through))
    local line = ("  %4d  %6s  %-17s  %-12s  %s%s"):format(step.instruction, short(step.cycles), source, step.from .. " > " .. step.to, text,
      step.iterations > 0 and ("  (%s before)"):format(plural(step.iterations, "iteration")) or "")
    context.out("%s\n", line)
  end
end

local function short_ports(instruction) return printable(instruction.ports or "unknown") end

-- Ports of an instruction. Of two that are one uop the first has what the engine tells of the second.
local function ports_of(p, i)
  if p.instructions[i].fused then return ("one with %d"):format(i - 1) end
  local pair = p.instructions[i + 1]
  return short_ports(pair and pair.fused and pair or p.instructions[i])
end

local function fills(instruction, bottleneck)
  for _, uop in ipairs(instruction.uops or {}) do
    if lists.all(uop[1], function(port) return bottleneck[port] end) then return true end
  end
  return false
end

-- Instructions that limit: those of the critical cycle, and those with uops that only the bottleneck ports execute.
local function limiting(p)
  local set = {}
  for _, step in ipairs(is_limit(p, "dependencies") and p.critical or {}) do set[step.instruction] = true end
  local bottleneck = lists.set(is_limit(p, "ports") and p.bottleneck or {})
  for i, instruction in ipairs(p.instructions) do
    if fills(instruction, bottleneck) then
      set[i] = true
      if instruction.fused then set[i - 1] = true end
    end
  end
  return set
end

local function change(cycles, than) return ("%9.3f %+4.0f%%"):format(cycles, 100 * (cycles / than - 1)) end

local function without(p, instruction)
  local cycles = instruction.without
  if not cycles or p.cycles == 0 then return "" end
  if math.abs(cycles - p.cycles) < p.cycles * least_gain then return "same" end
  return change(cycles, p.cycles)
end

local function show_instructions(p, context)
  local marked, width = limiting(p), 5
  for i = 1, math.min(#p.instructions, most_rows) do width = math.max(width, math.min(#ports_of(p, i), 32)) end
  local form = "%s %4d  %5s  %-" .. width .. "s  %15s  %s"
  context.out("\n%s\n", ("     #  slots  %-" .. width .. "s  %15s  instruction"):format("ports", "without it"))
  for i, instruction in ipairs(p.instructions) do
    if i > most_rows then
      context.out("        and %d more\n", #p.instructions - most_rows)
      break
    end
    local slots = instruction.fused and "" or tostring(instruction.slots)
    local line = form:format(marked[i] and "*" or " ", i, slots, ports_of(p, i), without(p, instruction), text_of(p, i))
    context.out("%s\n", marked[i] and context.style(line, "red") or line)
  end
end

-- Second ports that give the same are one line: "0, 1 or 2".
local function add_ports(list, p, ports, enough)
  local of_time, times = {}, {}
  for _, port in ipairs(ports) do
    local cycles = p.changes.port[port]
    if cycles and enough(cycles) then
      local text = short(cycles)
      if not of_time[text] then times[#times + 1], of_time[text] = text, { cycles = cycles } end
      table.insert(of_time[text], port)
    end
  end
  for _, text in ipairs(times) do
    local names = of_time[text]
    local last = table.remove(names)
    local which = #names > 0 and table.concat(names, ", ") .. " or " .. last or last
    list[#list + 1] = { what = "a second port " .. which, cycles = names.cycles }
  end
end

-- Changes of the core that gain: { what, cycles }, the best first.
local function gains(p, ports)
  local list = {}
  local function enough(cycles) return cycles < p.cycles * (1 - least_gain) end
  add_ports(list, p, ports, enough)
  if p.changes.slot and enough(p.changes.slot) then list[#list + 1] = { what = "one more issue slot a cycle", cycles = p.changes.slot } end
  table.sort(list, function(a, b)
    if a.cycles ~= b.cycles then return a.cycles < b.cycles end
    return a.what < b.what
  end)
  return list
end

local function show_gains(p, ports, context)
  if p.cycles == 0 then return end
  local list, width = gains(p, ports), 27
  if #list == 0 then
    context.out("\n  no second port and no further issue slot would make it faster\n")
    return
  end
  for _, gain in ipairs(list) do width = math.max(width, math.min(#gain.what, 56)) end
  context.out("\n  %-" .. width .. "s    cycles\n", "with")
  for _, gain in ipairs(list) do context.out("  %-" .. width .. "s %s\n", printable(gain.what), change(gain.cycles, p.cycles)) end
end

--- Prints the prediction of a block.
-- @param p as of `portolan.cli.block_prediction`, with `title` if it has one
-- @param ports names of all ports
-- @param context of the command
function block_text.show(p, ports, context)
  context.out("%s\n  %s\n\n", context.style(printable(p.title or p.text), "bold"), printable(time_line(p)))
  show_bounds(p, context)
  show_critical(p, context)
  show_instructions(p, context)
  context.out("\n")
  prediction_text.ports(p, ports, is_limit(p, "ports") and p.bottleneck or {}, context)
  show_gains(p, ports, context)
  prediction_text.unknown(p, context)
  for _, name in ipairs(p.lacking_latency or {}) do context.out("  latency not known, taken for 0: %s\n", printable(name)) end
end

return block_text
