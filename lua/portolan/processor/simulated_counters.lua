--- Counters of a simulated processor, and the issue slots that padding shows; methods of portolan.processor.simulated.
--
-- A count is exact for the schedule that is simulated (the most even optimal one, or the greedy binder's), times the processor's
-- noise, which is relative here whatever its unit.
-- @module portolan.processor.simulated_counters
local core = require "portolan.core"
local experiment = require "portolan.experiment"
local filler = require "portolan.processor.filler"
local lists = require "portolan.support.lists"
local memory_uops = require "portolan.mapping.memory_uops"
local probes = require "portolan.processor.probes"
local readings = require "portolan.measuring.slots"

local counters = {}

-- The ports that "port:NAME" counts: NAME, or several joined by slashes where they share a counter; nil and a message.
local function ports_of(event, known)
  local name = event:match("^port:(.+)$")
  if not name then return nil, ("there is no counter '%s'; there are uops, macro-ops, ports and port:NAME"):format(event) end
  if known[name] then return { name } end
  local list = {}
  for part in name:gmatch("[^/]+") do
    if not known[part] then return nil, ("counter '%s': there is no port '%s'"):format(event, part) end
    list[#list + 1] = part
  end
  return list
end

--- Reads the option `counters`: "uops", "macro-ops", "port:NAME" (several ports with one counter: "port:5/11"), "ports" (one per port).
-- @param list of these words, or nil
-- @param mapping compiled
-- @return names of events, and name -> ports that it counts; or nil and a message
function counters.read(list, mapping)
  local names, ports, known = {}, {}, lists.set(mapping:ports())
  local function add(event, of)
    if not ports[event] then names[#names + 1] = event end
    ports[event] = of
  end
  for _, word in ipairs(list or {}) do
    if word == "ports" then
      for _, port in ipairs(mapping:ports()) do add("port:" .. port, { port }) end
    elseif word == "uops" or word == "macro-ops" then
      add(word, {})
    else
      local of, message = ports_of(tostring(word), known)
      if not of then return nil, message end
      add(word, of)
    end
  end
  return names, ports
end

local methods = {}
counters.methods = methods

--- The events that this processor counts.
-- @return list of names: "uops" (executed, unfused), "macro-ops" (retired), "port:NAME" (uops executed on this port; "port:A/B": on
-- either, where they share a counter)
function methods:counters() return table.move(self.events, 1, #self.events, 1, {}) end

--- The bits of one memory operation, as in the methods of the hardware processor; those of Zen+.
function methods.counter_facts() return { memory_bits = 128 } end

-- Retired macro-ops of one instance: what the mapping says, otherwise Postulate 6.5 backwards.
local function macro_ops(self, name)
  local given = self.schemes[name] and self.schemes[name].macro_ops
  if given then return given end
  return math.max(1, self.mapping:predict({ [name] = 1 }).uops - memory_uops.beyond_macro_ops(name))
end

-- The true count; nil and a message.
local function count(self, e, event)
  local ok, message = experiment.check(e)
  if not ok then return nil, message end
  local p
  if self.binder == "greedy" then
    p, message = self.mapping:bound(e, self.binder_options)
  else
    p, message = self.mapping:predict(e)
  end
  if not p then return nil, message end
  local sum = 0
  if event == "macro-ops" then
    for name, times in pairs(e) do sum = sum + times * macro_ops(self, name) end
  elseif event == "uops" then
    sum = self.mapping:predict(e).uops
  else
    for _, port in ipairs(self.event_ports[event]) do sum = sum + p.load[port] end
  end
  return sum
end

--- Counts an event per experiment.
-- @param experiments list
-- @param event one of `counters()`
-- @param[opt] options `progress` = function(done, total)
-- @return list of `{ status =, count =, n = samples }` in the same order; or nil and a message: there is no such counter
function methods:count(experiments, event, options)
  if not self.event_ports[event] then return nil, ("the simulated processor has no counter '%s'"):format(event) end
  local results, progress = {}, options and options.progress
  for i, e in ipairs(experiments) do
    local n, message = count(self, e, event)
    if core.base.interrupted() then
      results[i] = { status = "interrupted" }
    elseif not n then
      results[i] = { status = "unsupported", message = message }
    else
      results[i] = { status = "ok", n = 1, count = self:disturb(event .. ": " .. experiment.key(e), n, n) }
      self.measured = self.measured + 1
    end
    if progress then progress(i, #experiments) end
  end
  return results
end

-- Slots that show when so many fillers follow each instance and the front end is W wide. Noise in cycles per instruction is that of one.
local function padded_slots(self, name, padding, fillers, width)
  local e = { [padding.name] = fillers }
  e[name] = (e[name] or 0) + 1
  local padded = self:cycles(e)
  local scale = self.noise.unit == "cpi" and 1 or padded
  return width * self:disturb(("probe: %s, %d nops"):format(name, fillers), padded, scale) - fillers / padding.per_slot
end

--- Issue slots per instance, by padding with the filler as the hardware does (docs/measuring.md).
-- @param schemes list of `{ name =, cycles = }`; without cycles, the true inverse throughput
-- @param[opt] width W, as measured; R_max
-- @tparam[opt] table options
-- @tparam[opt=0] number options.noise standard deviation of a reading, as a share of it
-- @return list of numbers, false for schemes that the mapping does not know, and for all where the issue width has no limit or there is no filler
function methods:issue_slots(schemes, width, options)
  local slots, padding = {}, filler.of(self)
  width = width or self.mapping:rmax()
  for i, s in ipairs(schemes) do
    local cycles = padding and self:cycles { [s.name] = 1 }
    local counts = {}
    for k, nops in ipairs(cycles and width and probes.paddings(s.cycles or cycles, math.floor(width + 0.5), padding.per_slot) or {}) do
      local n = padded_slots(self, s.name, padding, nops, width)
      counts[k] = { count = n, probe = n + nops / padding.per_slot }
    end
    slots[i] = readings.of_paddings(counts, options and options.noise) or false
  end
  return slots
end

return counters
