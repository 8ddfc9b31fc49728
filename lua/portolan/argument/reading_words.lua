--- This module says what a reading means for a scheme, in words and as a sum.
-- @module portolan.argument.reading_words
local mapping = require "portolan.mapping"
local plural = require "portolan.support.plural"
local witness = require "portolan.experiment.witness"

local reading_words = {}

-- Readings of hardware are up to this much below a whole number of uops (as portolan.infer.chart.blocking.flood takes them).
reading_words.short = 0.4

--- A set of ports in the notation of uops.info: p015.
function reading_words.ports(list) return (mapping.usage { uops = { { list, 1 } } }) end

--- So many uops, in words.
function reading_words.uops(n) return n == 1 and "one uop" or ("%.0f uops"):format(n) end

--- So many issue slots, in words.
function reading_words.slots(n) return n == 1 and "1 issue slot" or ("%g issue slots"):format(n) end

--- Says what a scheme takes alone.
-- @param r reading: `cycles`, `predicted`, `instances`, `length`, `slow`
function reading_words.alone(r)
  if not r.predicted then return nil end
  local predicted = witness.cycles(r.predicted / r.instances)
  local agrees = witness.compare(r.cycles, r.predicted, r.length)
  if agrees == "agrees" then return "as long as its ports and issue slots need" end
  if agrees == "faster" then return ("less than its ports allow (%s)"):format(predicted) end
  if witness.compare(r.cycles, r.predicted, r.length, nil, r.slow) == "agrees" then
    return ("its ports would do with %s, but are chosen greedily"):format(predicted)
  end
  return ("its ports would do with %s: something else limits it"):format(predicted)
end

--- Puts into words what a flood with the scheme says: how many of its uops cannot evade the flooded ports.
-- @param r reading: `cycles`, `base` (cycles of the flood), `ports`, `instances`
-- @return uops per instance, the sum, and what it means
function reading_words.flood(r)
  local ports = reading_words.ports(r.ports)
  local extra = (r.cycles - r.base) * #r.ports / r.instances
  local sum = ("(%s - %s) x %s%s = %.2f"):format(witness.cycles(r.cycles), witness.cycles(r.base), plural(#r.ports, "port"),
    r.instances > 1 and (" / %d of it"):format(r.instances) or "", extra)
  local count = math.floor(extra + reading_words.short)
  if count < 0 then return extra, sum, "faster than the flood alone: no mapping explains that" end
  if extra - count > witness.tolerance.uops then return extra, sum, ("%.2f uops stay on %s: no whole number"):format(extra, ports) end
  if count == 0 then return extra, sum, "it evades " .. ports end
  return extra, sum, ("%s cannot evade %s"):format(reading_words.uops(count), ports)
end

--- Says how many ports are at work in a reading, or how many issue slots a cycle are used, as a sum.
-- @param cycles measured
-- @param[opt] uops of the experiment, if ports limit it
-- @param[opt] slots of the experiment, if the front end does
function reading_words.at_work(cycles, uops, slots)
  if cycles <= 0 then return nil end
  if uops and uops > 0 then return ("%s / %s cycles = %.2f ports at work"):format(reading_words.uops(uops), witness.cycles(cycles), uops / cycles) end
  if slots then return ("%s / %s cycles = %.2f a cycle"):format(reading_words.slots(slots), witness.cycles(cycles), slots / cycles) end
end

--- Says what schemes take together.
-- @param r reading: `says`
-- @param whole what the model says of the experiment, if it can
function reading_words.together(r, whole)
  if r.says or not whole then return r.says end
  if whole.limit ~= "ports" then return "together they fill the issue slots" end
  return ("together they keep %s busy"):format(reading_words.ports(whole.bottleneck))
end

return reading_words
