--- Performance counters of this machine's processor, where it has any; methods of portolan.processor.hardware.
--
-- Events are those that `arch/x86_64/counters.lua` lists for the processor. They are counted in runs like all others (loop, sandbox,
-- quiet samples; docs/measuring.md). What the loop's own instructions add is counted with NOPs, and subtracted.
-- @module portolan.processor.hardware_counters
local answer = require "portolan.processor.answer"
local core = require "portolan.core"
local cpu = require "portolan.machine.cpu"
local experiment = require "portolan.experiment"
local probes = require "portolan.processor.probes"

local methods = {}

local none = "no performance counters here: %s"

--- The entry of arch/ARCHITECTURE/counters.lua for a processor.
-- @param facts of `portolan.machine.cpu`
-- @return entry, or nil
function methods.counters_of(facts) return cpu.entry(cpu.known(facts.architecture, "counters.lua"), facts) end

-- Generic names of the events that a processor should have, in order, and libpfm4's name of each.
local function listed(entry)
  local events, names = {}, {}
  local function add(event, name)
    if not name then return end
    events[#events + 1], names[event] = event, name
  end
  add("uops", entry.uops)
  add("macro-ops", entry.macro_ops)
  for _, port in ipairs(entry.ports or {}) do add("port:" .. port[1], port[2]) end
  return events, names
end

--- The events that can be counted here.
-- @return list of "uops", "macro-ops", "port:NAME" ("port:A/B": ports that share a counter); if it is empty, also the reason
function methods:counters()
  local entry = methods.counters_of(self.facts)
  if not entry then return {}, none:format(("arch/%s/counters.lua does not list this processor"):format(self.facts.architecture)) end
  local usable, reason = {}, nil
  local events, names = listed(entry)
  self.event_names = names
  for _, event in ipairs(events) do
    local ok, message = core.bench.counter(names[event])
    if ok then usable[#usable + 1] = event else reason = reason or message end
  end
  return usable, #usable == 0 and none:format(reason) or nil
end

--- The same for the processor of this machine, without opening it.
-- @return list; if it is empty, also the reason
function methods.available()
  local facts, message = cpu.facts()
  if not facts then return {}, none:format(message) end
  return methods.counters { facts = facts }
end

--- Returns what is known of the counters beforehand.
-- @return `{ memory_bits = }` of arch/x86_64/counters.lua, if it says so
function methods:counter_facts()
  local entry = methods.counters_of(self.facts)
  return { memory_bits = entry and entry.memory_bits }
end

-- Answers jobs while an event is counted.
local function counted(self, event, jobs, options)
  local ok, message = self.session:count { self.event_names[event] }
  if not ok then return nil, none:format(message) end
  for _, job in ipairs(jobs) do job.key = ("count %s: %s"):format(event, job.key) end
  self.counting = true
  local results, trouble = answer(self, jobs, options)
  self.counting = false
  self.session:count {}
  if not results then return nil, trouble end
  return results
end

-- Events per iteration that the loop's own instructions cause: those of n fillers twice, less those of 2 n.
local function loop_share(self, event)
  self.loop_shares = self.loop_shares or {}
  if self.loop_shares[event] then return self.loop_shares[event] end
  local jobs, sizes, padding = {}, { 60, 120 }, self:fillers()[1] -- any will do: what more of them cause is subtracted
  for i, n in ipairs(sizes) do
    jobs[i] = { key = ("probe: loop of %d %s"):format(n, padding), kernels = function() return probes.fillers(padding, self.policy, n) end }
  end
  local results, message = counted(self, event, jobs)
  if not results then return nil, message end
  for i, result in ipairs(results) do
    if not result.counts then return nil, ("the loop's own %s cannot be counted: %s"):format(event, result.status) end
    sizes[i] = result.counts[1] * sizes[i]
  end
  self.loop_shares[event] = 2 * sizes[1] - sizes[2]
  return self.loop_shares[event]
end

--- Counts an event per experiment. What the store has is not measured again.
-- @param experiments list
-- @param event one of `counters()`
-- @tparam[opt] table options
-- @tparam[opt] func options.progress function(done, total[, note])
-- @tparam[opt] boolean options.again one more reading of each
-- @return list of `{ status =, count =, n = samples }` in the same order; or nil and a message
function methods:count(experiments, event, options)
  local usable, reason = self:counters()
  if #usable == 0 then return nil, reason end
  if not self.event_names[event] then return nil, none:format(("'%s' is none of this processor's"):format(event)) end
  local own, message = loop_share(self, event)
  if not own then return nil, message end
  local jobs = {}
  for i, e in ipairs(experiments) do
    jobs[i] = { key = experiment.key(e), kernels = function() return self:kernels(e) end }
  end
  local results, trouble = counted(self, event, jobs, options)
  if not results then return nil, trouble end
  local counts = {}
  for i, r in ipairs(results) do
    counts[i] = { status = r.status, message = r.message, n = r.n, count = r.status == "ok" and r.counts[1] - own / r.copies or nil }
  end
  return counts
end

return methods
