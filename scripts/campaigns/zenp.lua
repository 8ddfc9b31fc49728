-- AMD's Zen+ from recorded experiments, as in sections 6.3.3 and 6.3.4 of Ritter's dissertation: what they decide of the port mapping of its twelve
-- blocking instructions, what they leave open, and Table 6.2 beside it. docs/studies.md has the tables.
-- usage: portolan run scripts/campaigns/zenp.lua DIRECTORY [PORTS] [falsify]
-- DIRECTORY holds pmtestbench's experiments.json of this processor, and port_mapping.json for times alone (without it, one of the four runs).
-- PORTS are the most that the first three runs consider, 16 if it is left out.
local algebra = require "portolan.mapping.algebra"
local cegis = require "portolan.infer.cegis"
local core = require "portolan.core"
local experiment = require "portolan.experiment"
local experiments = require "portolan.experiment.list"
local lists = require "portolan.support.lists"
local mapping = require "portolan.mapping"
local replay = require "portolan.processor.replay"
local verify = require "portolan.infer.cegis.verify"

local rmax, epsilon = 5, 0.02 -- instructions a cycle; cycles per instruction: given to every run

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

local directory, most_ports, mode = ...
if not directory then error("usage: portolan run zenp.lua DIRECTORY [PORTS] [falsify]", 0) end
if most_ports == "falsify" then most_ports, mode = nil, most_ports end
most_ports = math.tointeger(tonumber(most_ports or 16)) or error(("'%s' is no number of ports"):format(most_ports), 0)

local names = lists.keys(published)

-- The table as a mapping.
local function reference()
  local ports = {}
  for k = 0, 9 do ports[k + 1] = tostring(k) end
  local m = mapping.two_level(ports, {}, { rmax = rmax })
  for _, name in ipairs(names) do
    local uops = {}
    for set in published[name]:gmatch("%d+") do
      uops[#uops + 1] = { lists.found(set, "%d"), 1 }
    end
    m.schemes[name] = { uops = uops, status = "explained" }
  end
  return m
end

-- Numbers of uops as the record counts them; a scheme of the table that it does not count ends the script.
local function uops_of(records)
  local counted, uops = assert(assert(replay.new { records = records }):uops()), {}
  for _, name in ipairs(names) do
    uops[name] = counted[name] or error(("the record does not tell the number of uops of '%s'"):format(name), 0)
  end
  return uops
end

-- The published times alone, as records; nil where the file is not there.
local function times_alone()
  local m, list = mapping.load(directory .. "/port_mapping.json"), {}
  for _, name in ipairs(m and names or {}) do
    local tp = m.schemes[name] and m.schemes[name].tp
    if tp then list[#list + 1] = { e = { [name] = 1 }, cycles = tp, status = "ok" } end
  end
  return #list > 0 and list or nil
end

-- Section 6.3.4: one uop of each store is that of some other scheme.
local function shared(uops)
  local single, same = {}, {}
  for _, name in ipairs(names) do
    if uops[name] == 1 then single[#single + 1] = name end
  end
  for _, name in ipairs(names) do
    if uops[name] > 1 then same[#same + 1] = { scheme = name, among = single } end
  end
  return same
end

local function infer(records, uops, options)
  local o = { rmax = rmax, epsilon = epsilon, uops = uops, certain = true, ports = most_ports }
  for key, value in pairs(options) do o[key] = value end
  return assert(cegis.infer(assert(replay.new { records = records, name = "Zen+" }), names, o))
end

-- The runs: from nothing but the record to what the dissertation had.
local function runs_of()
  local records = assert(experiments.load(directory .. "/experiments.json"))
  local alone, uops, counts = times_alone(), uops_of(records), {}
  local runs = { { title = "the record", records = records, options = {} } }
  if alone then
    local all = table.move(alone, 1, #alone, #records + 1, table.move(records, 1, #records, 1, {}))
    runs[2] = { title = "and times alone", records = all, options = {} }
    runs[3] = { title = "and stores share a uop", records = all, options = { same_uop = shared(uops) } }
    for _, record in ipairs(alone) do
      local name = next(record.e)
      counts[name] = uops[name] == 1 and math.floor(1 / record.cycles + 0.5) or nil
    end
    runs[4] = { title = "and 10 ports, port counts", records = records, options = { same_uop = shared(uops), ports = 10, port_counts = counts } }
  end
  for _, run in ipairs(runs) do run.outcome = infer(run.records, uops, run.options) end
  return runs, uops
end

-- A mapping of some of the schemes (a set of names), compiled.
local function part(m, kept)
  return assert(mapping.compile(algebra.restrict(m, function(scheme) return kept[scheme] or false end)))
end

-- An experiment that tells a scheme's rival from the mapping, given the certain ones; nil if there is none.
local function telling(outcome, name)
  local kept = lists.set(outcome.certain.schemes)
  kept[name] = true
  local ours, theirs = part(outcome.mapping, kept), part(outcome.certain.rivals[name], kept)
  local answer = core.model.compare(ours, theirs, { epsilon = outcome.epsilon })
  return answer.distinguishable and experiment.format(answer.experiment) or nil
end

-- Is what is certain what the table says, up to names of ports?
local function agrees(outcome, table_62)
  local kept = lists.set(outcome.certain.schemes)
  return core.model.compare(part(outcome.mapping, kept), part(table_62, kept)).equal
end

local function show_schemes(runs, uops, table_62)
  print(("%-44s %4s  %-12s %s"):format("scheme", "uops", "Table 6.2", "certain in run"))
  for _, name in ipairs(names) do
    local cells = {}
    for k, run in ipairs(runs) do cells[k] = lists.set(run.outcome.certain.schemes)[name] and tostring(k) or "-" end
    print(("%-44s %4d  %-12s %s"):format(name, uops[name], mapping.usage(table_62.schemes[name]), table.concat(cells, " ")))
  end
end

local function show_open(k, run)
  local outcome = run.outcome
  for _, name in ipairs(names) do
    if outcome.certain.rivals[name] then
      local e = telling(outcome, name)
      print(("  run %d, %s: %s"):format(k, name, e and "the record lacks what would decide, such as " .. e
        or "no experiment tells, with these schemes at R_max and epsilon"))
    end
  end
end

local function show(runs, uops, table_62)
  for k, run in ipairs(runs) do
    local o = run.outcome
    if not o.certain then error(("run %d ended so: %s"):format(k, o.conflict and o.conflict.text or o.status), 0) end
    o.mapping.certificate = o.certificate
    local checked = assert(verify.mapping(o.mapping))
    local distinct = core.model.compare(mapping.compile(table_62), mapping.compile(o.mapping), { epsilon = epsilon }).distinguishable
    print(("run %d: %s (%d experiments), up to %d ports: %s; certain: %d of %d schemes, %s; the mapping chosen and the table: %s; %s; %.1f s")
      :format(k, run.title, #o.observations, o.ports, o.status, #o.certain.schemes, #names,
        agrees(o, table_62) and "as in Table 6.2" or "NOT as in Table 6.2",
        distinct and "an experiment would tell them apart" or "nothing tells them apart",
        checked.verified and "verified" or "NOT verified", o.seconds))
  end
  print()
  show_schemes(runs, uops, table_62)
  print("\nopen:")
  for k, run in ipairs(runs) do show_open(k, run) end
end

-- Each experiment 0.1 CPI slower, with all that the dissertation had: does it contradict the others, and is it named?
local function falsify(run, uops)
  local found, named, sizes = 0, 0, {}
  local options = { certain = false }
  for key, value in pairs(run.options) do options[key] = value end
  for _, record in ipairs(run.records) do
    local cycles = record.cycles
    record.cycles = cycles + 0.1 * experiment.length(record.e)
    local outcome = infer(run.records, uops, options)
    record.cycles = cycles
    if outcome.status == "contradiction" then
      found, sizes[#sizes + 1] = found + 1, #outcome.conflict.experiments
      for _, o in ipairs(outcome.conflict.experiments) do
        if experiment.key(o.experiment) == experiment.key(record.e) then named = named + 1 end
      end
    end
  end
  table.sort(sizes)
  print(("\neach experiment 0.1 CPI slower: %d of %d contradict the others; %d of the sets name the falsified one; sizes: median %d, largest %d")
    :format(found, #run.records, named, sizes[(#sizes + 1) // 2] or 0, sizes[#sizes] or 0))
end

local runs, uops = runs_of()
show(runs, uops, reference())
if mode == "falsify" then falsify(runs[#runs], uops) end
