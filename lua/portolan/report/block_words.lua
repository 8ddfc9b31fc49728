--- Words for the prediction of a block of code, in text and in pictures: its bounds and which of them limit, its instructions, what changes gain.
--
-- A prediction is what `portolan.prediction` makes.
-- @module portolan.report.block_words
local lists = require "portolan.support.lists"
local plural = require "portolan.support.plural"
local port_set = require "portolan.mapping.ports"
local printable = require "portolan.support.printable"

local block_words = {}

local order = { "dependencies", "unit", "ports", "memory", "front end", "code", "branch" }

local titles = { dependencies = "dependencies", unit = "busy unit", ports = "ports", memory = "first cache", ["front end"] = "issue slots",
  code = "short instructions", branch = "taken branch" }

local near = 0.005 -- share by which bounds differ that are equal as far as their measurements tell: 2.000 by ports, 1.994 by the first cache

local least_gain = 0.005 -- share of the time: smaller gains are not worth a line

local simulation_tells = 0.01 -- share of the time: what a simulation adds to the bounds by less is rounding, or the steady state not quite reached

--- The share by which two measurements of one loop may differ.
block_words.same = 0.02

--- Instructions that a listing shows; longer blocks are cut.
block_words.most_rows = 200

--- A number of cycles without zeros at its end: 4 as "4", 2.5 as "2.5".
function block_words.short(cycles) return (("%.3f"):format(cycles):gsub("%.?0+$", "")) end
local short = block_words.short

--- "1 cycle", "2.5 cycles".
function block_words.plural(n, noun) return plural(n, noun, nil, short(n)) end

--- Tells whether a bound is as large as the prediction.
-- @param p prediction
-- @param name of the bound
function block_words.is_limit(p, name) return p.cycles > 0 and (p.bounds[name] or 0) >= p.cycles * (1 - near) end
local is_limit = block_words.is_limit

--- The share by which the simulation takes longer than the bounds; nil if it is nothing to speak of.
function block_words.simulated_more(p)
  local share = p.simulated_cycles and p.cycles > 0 and p.simulated_cycles / p.cycles - 1 or 0
  return share >= simulation_tells and share or nil
end

local function limit_words(p, name)
  if name == "ports" and #p.bottleneck > 0 then
    return plural(#p.bottleneck, "port", nil, false) .. " " .. table.concat(p.bottleneck, ", ")
  end
  if name == "unit" and p.unit then return "the busy unit " .. p.unit end
  if name == "memory" then return "banks or lines of the first cache" end
  if name == "code" then return "many short instructions in a line of code" end
  return name == "branch" and "the taken branch" or titles[name]
end

--- Says what limits a prediction, in words: the bounds that are as large as the prediction.
function block_words.limits(p)
  local binding = lists.where(order, function(name) return is_limit(p, name) end)
  local list = lists.map(binding, function(name) return limit_words(p, name) end)
  return #list > 0 and "limited by " .. table.concat(list, " and ") or "nothing to execute"
end
local limits = block_words.limits

--- Says what a prediction is without; nil if it has all.
-- @param p prediction; `ignores` is true where the mapping has no latencies
function block_words.without_what(p)
  local list = { p.ignores and "dependencies" or nil }
  if p.unknown then list[#list + 1] = block_words.plural(#p.unknown, "unknown scheme") end
  return #list > 0 and "without " .. table.concat(list, " and ") or nil
end

--- The prediction in one line.
-- @param p prediction; `ignores` is true where the mapping has no latencies
function block_words.time_line(p)
  local noun = p.loop and "iteration" or "run"
  local without = block_words.without_what(p)
  if without then return ("at least %.3f cycles per %s, %s: %s"):format(p.cycles, noun, without, limits(p)) end
  local ipc = p.ipc and ("%.2f IPC, "):format(p.ipc) or ""
  local more = block_words.simulated_more(p)
  local rest = more and ("; %.3f simulated"):format(p.simulated_cycles) or ""
  if p.lacking_latency then rest = rest .. ("; without the latency of %s"):format(block_words.plural(#p.lacking_latency, "scheme")) end
  return ("%.3f cycles per %s, %s%.3f CPI: %s%s"):format(p.cycles, noun, ipc, p.cpi, limits(p), rest)
end

--- The bounds that there are, and the simulation behind them, if there was one.
-- @param p prediction
-- @return list of `{ title =, cycles =, limit = boolean, simulated = boolean, text = cycles and a remark }`
function block_words.bounds(p)
  local list = {}
  for _, name in ipairs(order) do
    local cycles = p.bounds[name]
    if cycles and (cycles > 0 or name ~= "unit") then
      local limit = is_limit(p, name)
      list[#list + 1] = { title = titles[name], cycles = cycles, limit = limit, text = ("%.3f%s"):format(cycles, limit and "  limit" or "") }
    end
  end
  if p.simulated_cycles then
    local more = block_words.simulated_more(p)
    list[#list + 1] = { title = "simulated", cycles = p.simulated_cycles, simulated = true,
      text = ("%.3f%s"):format(p.simulated_cycles, more and ("  %+.0f%%"):format(100 * more) or "") }
  end
  return list
end

--- A register as an instruction calls it: the engine knows ymm0 as part of what it calls xmm0.
-- @param text of the instruction
-- @param name "xmm0"
function block_words.register_in(text, name)
  local number = name:match "^xmm(%d+)$"
  for _, kind in ipairs(number and { "zmm", "ymm" } or {}) do
    if text:find(kind .. number .. "%f[%D]") then return kind .. number end
  end
  return name
end

--- Returns what an instruction looks like, as text. A jump's target is a number relative to nothing that is shown; where it leads in the block
-- says more.
-- @param p prediction
-- @param i number of the instruction
function block_words.text_of(p, i)
  local instruction = p.instructions[i]
  local jump = instruction.scheme:match "^(%l+) rel%d+$"
  if not jump or jump == "call" then return printable(instruction.text) end
  if i == #p.instructions then return p.loop and jump .. "  to 1" or jump end
  return jump == "jmp" and jump or jump .. "  not taken"
end

--- Tells what the slowest cycle of instructions that wait for each other takes, in cycles and iterations.
-- @return text of one line; nil if there is none
function block_words.critical_title(p)
  if #p.critical == 0 then return nil end
  local cycles = lists.sum(p.critical, function(step) return step.cycles end)
  local iterations = lists.sum(p.critical, function(step) return step.iterations end)
  local title = is_limit(p, "dependencies") and "critical cycle" or "longest cycle of dependencies, which does not limit"
  return ("%s: %s in %s"):format(title, block_words.plural(cycles, "cycle"), block_words.plural(iterations, "iteration"))
end

--- The uops of an instruction; of two that are one, those of both.
-- @param p prediction
-- @param i number of the instruction; not that of the second of two that are one
-- @return list of `{ ports, count }`; nil if the mapping does not know them
function block_words.uops(p, i)
  local own, pair = p.instructions[i].uops, p.instructions[i + 1]
  if not (own and pair and pair.fused and pair.uops) then return own end
  local list, of_key = {}, {}
  for _, uops in ipairs { pair.uops, own } do
    for _, uop in ipairs(uops) do
      local key = table.concat(uop[1], " ")
      if not of_key[key] then
        of_key[key] = { uop[1], 0 }
        list[#list + 1] = of_key[key]
      end
      of_key[key][2] = of_key[key][2] + uop[2]
    end
  end
  return list
end

local function fills(instruction, bottleneck)
  return lists.any(instruction.uops or {}, function(uop) return port_set.inside(uop[1], bottleneck) end)
end

--- Instructions that limit: those of the critical cycle, and those with uops that only the bottleneck ports execute.
-- @return set of their numbers
function block_words.limiting(p)
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

--- Another time and how it compares: "1.000  -75%".
function block_words.change(cycles, than) return ("%9.3f %+4.0f%%"):format(cycles, 100 * (cycles / than - 1)) end

--- The time without an instruction, as `change` writes it; "same"; or "" if it is not known.
function block_words.without(p, i)
  local cycles = p.instructions[i].without
  if not cycles or p.cycles == 0 then return "" end
  if math.abs(cycles - p.cycles) < p.cycles * least_gain then return "same" end
  return block_words.change(cycles, p.cycles)
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

--- Changes of the core that gain.
-- @param p prediction
-- @param ports names of all ports
-- @return list of `{ what =, cycles = }`, the best first
function block_words.gains(p, ports)
  local list = {}
  if p.cycles == 0 then return list end
  local function enough(cycles) return cycles < p.cycles * (1 - least_gain) end
  add_ports(list, p, ports, enough)
  if p.changes.slot and enough(p.changes.slot) then list[#list + 1] = { what = "one more issue slot a cycle", cycles = p.changes.slot } end
  table.sort(list, lists.least_first("cycles", "what"))
  return list
end

return block_words
