--- The algorithm of uops.info (Abel and Reineke 2019; dissertation section 6.1, Algorithm 6.1): port usage from counters of the uops
-- executed on each port.
--
-- Instructions of a single uop show their ports when they run alone. One for each set of ports floods these ports; what another
-- instruction then adds to the uops counted there cannot run elsewhere. Every experiment is a witness of the result.
--
-- Sets of ports on which no uop of the instruction is counted when it runs alone need no experiment. For every uop there must be an
-- instruction that blocks its ports; what can be said of others is in uops_info/sum.lua.
-- @module portolan.infer.uops_info
local blockers = require "portolan.infer.uops_info.blockers"
local lists = require "portolan.support.lists"
local outcome = require "portolan.infer.uops_info.outcome"
local core = require "portolan.core"
local meter = require "portolan.infer.uops_info.port_meter"
local port_set = require "portolan.mapping.ports"
local record = require "portolan.support.record"
local stop = require "portolan.infer.stop"
local sum = require "portolan.infer.uops_info.sum"
local uop_sources = require "portolan.infer.uop_sources"

local uops_info = {}

local passes = 9           -- of the algorithm for an instruction whose counts do not add up, with all readings so far
local several_readings = 5 -- are there from this pass on

local Inference = record.kind("inference by counters", {
  processor = "what is measured",
  meter = "counts uops on ports (portolan.infer.uops_info.port_meter)",
  k = "function that gives the number of blocking instructions, of uops_info.k",
  bounded = "true: k has a bound that is too small for instructions of very many uops",
  early = "true: an instruction all of whose uops are found needs no further experiment",
  confirm = "true: what is found is counted again with more blocking instructions",
  progress = "function(stage, done, total)",
  began = "seconds, of core.base.now",
  singles = "scheme name -> Single",
  width = "issue slots a cycle; nil if the processor does not say",
  blockingInsns = "list of portolan.infer.uops_info.blockers",
})

local Single = record.kind("scheme alone", {
  cycles = "of an instance, or the status that says why there are none",
  uops = "executed, a whole number; nil if that is not certain",
  slots = "issue slots, where the source of uops knows them",
  evidence = "what the source of uops says of the number",
  latency = "cycles, for the paper's k; nil if there are no cycles",
  counts = "name of the event -> uops of an instance, or the status that says why there is no count",
  trouble = "status that says why it could not be measured or counted; nil if it could",
})

--- Sufficient numbers of blocking instructions to flood the ports Q (line 4), by name:
--
-- - `implementation`: of uops.info's program. k1 = 2 |Q| max(1, floor(cycles alone)), k2 = |Q| uops, k = min(max(k1, k2, 10), 100).
-- - `paper`: the maximum latency of the instruction times the number of ports. Too few now and then (appendix E.1).
--
-- Each is called with the instruction (`cycles`, `uops`, `latency`), the blocked ports and the number of all ports.
uops_info.k = {
  implementation = function(i, Q)
    local k1 = 2 * #Q * math.max(1, math.floor(i.cycles + 0.05))
    local k2 = #Q * i.uops
    return math.min(math.max(k1, k2, 10), 100)
  end,
  paper = function(i, _, ports) return math.max(1, math.ceil(i.latency) * ports) end,
}

-- Uops of schemes alone on each port: `run.singles[name].counts`.
local function count_alone(run, names, again)
  local list = lists.map(names, function(name) return { [name] = 1 } end)
  for n, event in ipairs(run.meter.events) do
    for i, count in ipairs(run.meter:counts(list, event.name, again)) do
      local single = run.singles[names[i]]
      single.counts[event.name] = count
      if type(count) == "string" then single.trouble = single.trouble or count end
    end
    if not again then run.progress("schemes alone", n, #run.meter.events) end
  end
end

-- Schemes alone: `run.singles[name]`.
local function measure_alone(run, names)
  local list = lists.map(names, function(name) return { [name] = 1 } end)
  run.progress("schemes alone", 0, #run.meter.events)
  local cycles = run.meter:cycles(list)
  local uops = stop.need(uop_sources.choose(run.processor).count(names))
  local latencies = run.k == uops_info.k.paper and run.processor.chain_latency and run.processor:chain_latency(names) or {}
  for i, name in ipairs(names) do
    local t = cycles[i]
    run.singles[name] = Single { cycles = t, uops = uops[i].uops, slots = uops[i].slots, evidence = uops[i].evidence, counts = {},
      trouble = type(t) == "string" and t or nil, latency = type(t) == "number" and math.max(latencies[i] or t, 1) or nil }
  end
  count_alone(run, names)
end

-- The experiment {B -> k, i -> 1}.
local function blocked(B, k, i)
  local e = { [B] = k }
  e[i] = (e[i] or 0) + 1
  return e
end

-- One experiment of line 5, with k copies of what blocks the ports; or nil and a status.
local function flooded(i, b, k)
  local e = blocked(b.name, k, i)
  local x, trouble = meter.uops_on_ports(e, b.ports)                                              -- 5
  if not x then return nil, trouble end
  return { e = e, blocking = b, k = k, count = x.uops, inside = x.uops - k, at_most = x.at_most, spread = x.spread }
end

-- Lines 4 and 5 for the instruction i and what blocks the ports Q, where `known` uops are confined to parts of Q. On cores that bind
-- uops greedily some do not evade that could, more or less of them with another k. So what is found is confirmed with more blocking
-- instructions. If that shows another number, nothing is certain until there are several readings; then the lower one counts, if it
-- is not noise.
local function measure(run, i, b, known, pass)
  local k = run.k(run.singles[i], b.ports, #run.meter.ports)                                      -- 4
  local x, trouble = flooded(i, b, k)
  local more = math.min(2 * k, 100)
  if not x or not run.confirm or more <= k or sum.whole(x.inside - known, x.at_most) == 0 then return x, trouble end
  local y
  y, trouble = flooded(i, b, more)
  if not y then return nil, trouble end
  local differ = sum.whole(x.inside - known, x.at_most) ~= sum.whole(y.inside - known, y.at_most)
  local lower = differ and y.inside < x.inside and sum.is_precise(x) and sum.is_precise(y) and y or x
  lower.uncertain = differ and pass < several_readings or nil
  return lower
end

-- Algorithm 6.1 for one instruction: its uops, list of `{ ports =, uops =, blocking = }`, with the experiments as `evidence`.
local function port_usage(run, i, pass)
  local foundUops, total = { evidence = {} }, 0                                                   -- 2
  for _, b in ipairs(blockers.relevant(run.blockingInsns, run.meter, run.singles[i])) do          -- 3
    local Q, known = b.ports, 0
    for _, found in ipairs(foundUops) do                                                          -- 7
      if port_set.within(found.ports, Q) then known = known + found.uops end                        -- 8
    end
    local measured, trouble = measure(run, i, b, known, pass)                                     -- 4, 5
    if not measured then return { trouble = trouble, evidence = {} } end
    table.insert(foundUops.evidence, measured)
    foundUops.uncertain = foundUops.uncertain or measured.uncertain
    local surplusUops = sum.whole(measured.inside - known, measured.at_most)                      -- 6, 9
    if surplusUops ~= 0 then                                                                      -- 10; negative: kept as a sign of trouble
      table.insert(foundUops, { ports = Q, uops = surplusUops, blocking = b })                    -- 11
      total = total + surplusUops
    end
    if run.early and pass == 1 and total == run.singles[i].uops then break end -- all are characterised
  end
  return foundUops                                                                                -- 12
end

-- The uops of an instruction if they add up: as found, and once its readings are medians of several, also rounded down, or with uops on
-- what two blocked sets share.
local function judged(run, i, found, pass)
  if found.trouble then return found end
  local ways = { function() return found end, function() return sum.attribute(found.evidence, {}, true) end, sum.shared }
  for n, way in ipairs(ways) do
    local uops = (n == 1 and not found.uncertain or pass >= several_readings) and way(run, i, found.evidence)
    if uops and sum.adds_up(run, i, uops) then
      return { adds_up = true, uops = uops, evidence = found.evidence, interpreted = n > 1, rounded = n == 2 }
    end
  end
  return { adds_up = false, uops = found, evidence = found.evidence }
end

-- Runs the algorithm for instructions; again, without ending early, for those whose counts do not add up, with the medians of all
-- readings so far.
local function characterise(run, names)
  local open, results = names, {}
  for pass = 1, passes do
    local tasks, left = {}, {}
    for n, i in ipairs(open) do tasks[n] = function() return port_usage(run, i, pass) end end
    if pass > 1 then count_alone(run, open, true) end
    local found = run.meter:run(tasks, pass > 1)
    for n, i in ipairs(open) do
      results[i] = found[n] and judged(run, i, found[n], pass) or results[i]
      if found[n] and not results[i].adds_up then left[#left + 1] = i end
    end
    open = left
    if #open == 0 or core.base.interrupted() then break end
  end
  return results
end

-- Schemes that can be measured and whose number of uops is certain.
local function countable(run)
  local good = {}
  for name, single in pairs(run.singles) do
    if not single.trouble and single.uops then good[name] = single end
  end
  return good
end

local function infer(run, names)
  measure_alone(run, names)
  local width = run.processor.issue_width and run.processor:issue_width()
  run.width = width and math.floor(width + 0.5) or nil
  local good = countable(run)
  run.blockingInsns = blockers.find(run.meter, good, run.width)
  local several = lists.where(names, function(name) return good[name] and good[name].uops > 1 end)
  run.progress("blocking", 0, #several)
  return outcome.of(run, names, characterise(run, several))
end

--- Infers the port usage of schemes.
-- @param processor one with the counters "uops" and "port:..." (docs/architecture.md)
-- @tparam {string,...} names schemes; for each of their uops one of them should be a blocking instruction
-- @tparam[opt] table options
-- @tparam[opt="implementation"] string options.k "implementation" or "paper" (`uops_info.k`)
-- @tparam[opt] boolean options.early false: try all blocking instructions even if all uops are characterised
-- @tparam[opt] boolean options.confirm what is found, with more blocking instructions; by default true, but not with the paper's k
-- @tparam[opt] func options.progress function(stage, done, total)
-- @return outcome `{ mapping =, blocking = list of { scheme =, ports =, improper = }, experiments = number, seconds =, interrupted = }`;
-- or nil and a message
function uops_info.infer(processor, names, options)
  options = options or {}
  local k = uops_info.k[options.k or "implementation"]
  if not k then return nil, ("k: '%s' is not implementation or paper"):format(tostring(options.k)) end
  local progress = options.progress or function() end
  local counters, message = meter.new(processor, function(done, total) progress("blocking", done, total) end)
  if not counters then return nil, message end
  local run = Inference { processor = processor, meter = counters, k = k, bounded = k == uops_info.k.implementation, early = options.early ~= false,
    confirm = options.confirm or options.confirm == nil and k == uops_info.k.implementation,
    singles = {}, progress = progress, began = core.base.now() }
  return stop.guard(infer, run, names)
end

return uops_info
