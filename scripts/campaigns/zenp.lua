-- The port mapping of AMD's Zen+ from 58 recorded experiments, next to Table 6.2 of Ritter's dissertation (whose solver took 12 to
-- 20 hours), what remains ambiguous, and what becomes of each experiment when it is falsified by 0.1 CPI.
-- usage: scripts/portolan repl scripts/campaigns/zenp.lua DIRECTORY [falsify]
-- DIRECTORY holds pmtestbench's experiments.json of this processor.
local algebra = require "portolan.algebra"
local cegis = require "portolan.infer.cegis"
local core = require "portolan.core"
local experiment = require "portolan.experiment"
local experiments = require "portolan.experiments"
local mapping = require "portolan.mapping"
local replay = require "portolan.processor.replay"

-- Table 6.2: the ports that the dissertation infers, in AMD's numbering; uops separated by "+".
local published = {
  ["add RW:GPR:32, R:GPR:32"] = "6789",
  ["mov W:GPR:32, dword ptr R:MEM(32)"] = "45",
  ["mov dword ptr W:MEM(32), R:GPR:32"] = "5+6789",
  ["vaddps W:XMM0..15, R:XMM0..15, R:XMM0..15"] = "23",
  ["vbroadcastss W:XMM0..15, R:XMM0..15"] = "12",
  ["vminps W:XMM0..15, R:XMM0..15, R:XMM0..15"] = "01",
  ["vmovapd xmmword ptr W:MEM(128), R:XMM0..15"] = "2+5",
  ["vpaddd W:XMM0..15, R:XMM0..15, R:XMM0..15"] = "013",
  ["vpaddsw W:XMM0..15, R:XMM0..15, R:XMM0..15"] = "03",
  ["vpor W:XMM0..15, R:XMM0..15, R:XMM0..15"] = "0123",
  ["vpslld W:XMM0..15, R:XMM0..15, R:XMM0..15"] = "2",
  ["vroundps W:XMM0..15, R:XMM0..15, IMM(8)"] = "3",
}

local names, ports = {}, {}
for name in pairs(published) do names[#names + 1] = name end
table.sort(names)
for k = 0, 9 do ports[k + 1] = tostring(k) end

-- The table as a mapping.
local function reference()
  local m = mapping.two_level(ports, {}, { rmax = 5 })
  for _, name in ipairs(names) do
    local uops = {}
    for set in published[name]:gmatch("%d+") do
      local list = {}
      for port in set:gmatch("%d") do list[#list + 1] = port end
      uops[#uops + 1] = { list, 1 }
    end
    m.schemes[name] = { uops = uops, status = "explained" }
  end
  return m
end

-- What the earlier stages of section 6.2 know: how many ports a single uop has, by its throughput alone; that stores have two uops,
-- one of which is that of another instruction.
local function knowledge(m)
  local o = { ports = #ports, rmax = 5, epsilon = 0.02, uops = {}, port_counts = {}, same_uop = {} }
  local single = {}
  for _, name in ipairs(names) do
    local uops = m.schemes[name].uops
    if #uops == 1 then
      single[#single + 1], o.port_counts[name] = name, #uops[1][1]
    else
      o.uops[name] = #uops
      o.same_uop[#o.same_uop + 1] = { scheme = name, among = single }
    end
  end
  return o
end

local function infer(records, m)
  local processor, o = assert(replay.new { records = records, name = "Zen+" }), knowledge(m)
  return assert(cegis.infer(processor, names, o))
end

-- A usage in other port names.
local function in_names(usage, renaming)
  return (usage:gsub("%[(.-)%]", function(set)
    local list = {}
    for port in set:gmatch("[^,]+") do list[#list + 1] = renaming[port] or port end
    table.sort(list)
    return "[" .. table.concat(list, ",") .. "]"
  end))
end

local function show(outcome, m)
  local renamed, renaming = assert(algebra.match(outcome.mapping, m))
  print(("%-44s %-18s %s"):format("scheme", "Table 6.2", "inferred"))
  for _, name in ipairs(names) do
    local there, here = mapping.usage(m.schemes[name]), mapping.usage(renamed.schemes[name])
    print(("%-44s %-18s %-18s %s"):format(name, there, here, there == here and "" or "*"))
  end
  local answer = core.model.compare(core.model.mapping(m), core.model.mapping(outcome.mapping), { epsilon = outcome.epsilon })
  print(("\n%s; %s any experiment tell it from the table's, at %g CPI and 5 instructions a cycle"):format(outcome.status,
    answer.distinguishable and "there is" or "nor does", outcome.epsilon))
  local worst = 0
  for _, o in ipairs(outcome.observations) do worst = math.max(worst, math.abs(o.residual) / experiment.length(o.experiment)) end
  print(("%d experiments, all explained within %.3f CPI; %.2f s, of which the solver %.2f s"):format(#outcome.observations, worst,
    outcome.seconds, outcome.solver_seconds))
  print("\nwhat no experiment shows:")
  for _, point in ipairs(outcome.open) do
    local usages = {}
    for i, usage in ipairs(point.usages) do usages[i] = in_names(usage, renaming) end
    print(("  %s: %s"):format(point.a, table.concat(usages, "; or ")))
  end
end

local function falsify(list, m)
  local found, named, sizes = 0, 0, {}
  for _, record in ipairs(list) do
    local cycles = record.cycles
    record.cycles = cycles + 0.1 * experiment.length(record.e)
    local outcome = infer(list, m)
    record.cycles = cycles
    if outcome.status == "contradiction" then
      found = found + 1
      sizes[#sizes + 1] = #outcome.conflict.experiments
      for _, o in ipairs(outcome.conflict.experiments) do
        if experiment.key(o.experiment) == experiment.key(record.e) then named = named + 1 end
      end
    end
  end
  table.sort(sizes)
  print(("\neach experiment 0.1 CPI slower: %d of %d contradict the others; %d of the sets name the falsified one; sizes: median %d, largest %d")
    :format(found, #list, named, sizes[(#sizes + 1) // 2], sizes[#sizes]))
end

if not arg[1] then
  io.stderr:write("usage: portolan repl zenp.lua DIRECTORY [falsify]\n")
  os.exit(2)
end
local list, m = assert(experiments.load(arg[1] .. "/experiments.json")), reference()
show(infer(list, m), m)
if arg[2] == "falsify" then falsify(list, m) end
